// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import LinuxSystem
import MosquittoClient
import NearbyCore

/// `nearby-bridge demo`: a private broker, the bridge and three recorded walks, and the events as they happen.
///
/// The accessories do the whole handshake: the first without trouble, the second fails to start once, the third falls
/// silent for a while.
enum DemoCommand {
    private static let accessories: [(identifier: String, faults: [Fault])] = [
        ("dock-door", []),
        ("forklift-17", [.noStart(1)]),
        // While its walk is far from both zones.
        ("exhibit-3", [.silence(after: 18, lasting: 7.5)]),
    ]

    /// Runs everything until the duration is over or Ctrl-C; ends everything it began.
    static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
        let signals = try RunCommand.systemCall { () throws(SystemError) in try Signals() }
        let broker = try PrivateBroker()
        let configuration = try configuration(port: broker.port)
        let options = BridgeOptions(configuration.loaded)
        let log = Log(configuration.loaded.configuration.log)
        let inbox = try RunCommand.systemCall { () throws(SystemError) in try Inbox() }
        let bridge = try RunCommand.systemCall { () throws(SystemError) in
            try Thread(name: "bridge") {
                ShardLoop(configuration: configuration, log: log, inbox: inbox, signals: nil).run()
            }
        }
        greet(port: broker.port)
        let simulation = try RunCommand.systemCall { () throws(SystemError) in
            try Simulation(
                accessories: zip(accessories, RecordedWalks.all).enumerated().map { index, pair in
                    played(pair.0.identifier, pair.0.faults, pair.1, number: index)
                },
                broker: options.broker,
                topics: options.topics,
                duration: arguments.duration("duration"),
                signals: signals,
                log: log
            )
        }
        var count = 0
        let began = MonotonicClock.now()
        let hasColour = Terminal.wantsColour(1)
        simulation.onEvent = { payload in
            guard let event = try? JSONDecoder().decode(DemoEvent.self, from: Data(payload)) else { return }
            count += 1
            let seconds = Double(MonotonicClock.now() &- began) * 1e-9
            StandardStream.output.write(event.line(at: seconds, hasColour: hasColour))
        }
        _ = simulation.run()
        inbox.post(.stop)
        bridge.join()
        broker.stop()
        StandardStream.output.write("\n\(count) events from \(simulation.published) reports; everything is ended\n")
    }

    private static func played(_ identifier: String, _ faults: [Fault], _ walk: Walk, number: Int) -> PlayedAccessory {
        var options = FirmwareOptions()
        options.faults = faults
        // The second speaks as text does, to show that too.
        options.spelling = number == 1 ? .json : .binary
        // Shorter than the silence that would end its session.
        let peer = SimulatedAccessory(identifier: identifier, walk: walk, startingAt: 0, rest: 3)
        return PlayedAccessory(peer, options, seed: UInt64(number), startingAt: 0.5 + 0.25 * Double(number))
    }

    private static func configuration(port: Int) throws(CommandFailure) -> LiveConfiguration {
        do throws(ConfigurationError) {
            return try LiveConfiguration(
                overrides: ["mqtt.host=127.0.0.1", "mqtt.port=\(port)", "log.level=warning"]
            )
        } catch {
            throw CommandFailure(.internalError, "\(error)")
        }
    }

    private static func greet(port: Int) {
        StandardStream.output.write(
            """
            nearby-bridge \(Version.text): a broker on 127.0.0.1:\(port), the bridge, and three recorded walks.
            One accessory has no trouble, one fails to start once, one falls silent for a while.
            Look for yourself:  mosquitto_sub -p \(port) -v -t 'nearby/#'

            seconds  accessory    event
            """ + "\n"
        )
    }
}
