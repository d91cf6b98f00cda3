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
        let port = try RunCommand.systemCall { () throws(SystemError) in try FreePort.find() }
        let mosquitto = try startMosquitto(port: port)
        let configuration = try configuration(port: port)
        let options = BridgeOptions(configuration.loaded)
        let log = Log(configuration.loaded.configuration.log)
        let inbox = try RunCommand.systemCall { () throws(SystemError) in try Inbox() }
        let bridge = try RunCommand.systemCall { () throws(SystemError) in
            try Thread(name: "bridge") {
                ShardLoop(configuration: configuration, log: log, inbox: inbox, signals: nil).run()
            }
        }
        greet(port: port)
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
        mosquitto.terminate()
        _ = mosquitto.wait()
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

    /// Starts a broker on loopback that lets everybody in, and waits until it listens.
    private static func startMosquitto(port: Int) throws(CommandFailure) -> ChildProcess {
        // Started by root, mosquitto would change its user and thereby forget that it has to end with us.
        let configuration = """
            user root
            listener \(port) 127.0.0.1
            allow_anonymous true
            set_tcp_nodelay true
            """
        let name = "nearby-demo-\(BridgeOptions.randomToken()).conf"
        let file = FileManager.default.temporaryDirectory.appending(path: name)
        do {
            try Data(configuration.utf8).write(to: file)
        } catch {
            throw CommandFailure(.unavailable, "cannot write \(file.path): \(error)")
        }
        // Read once, at the start.
        defer { try? FileManager.default.removeItem(at: file) }
        for path in ["mosquitto", "/usr/sbin/mosquitto", "/usr/local/sbin/mosquitto"] {
            let started = try? ChildProcess([path, "-c", file.path], output: .null, error: .null)
            guard let started else { continue }
            try waitForBroker(port: port, started)
            return started
        }
        throw CommandFailure(.unavailable, "mosquitto is not installed; on Debian: apt-get install mosquitto")
    }

    /// Tries the port until it takes connections: a first attempt that fails would be a warning to a newcomer.
    private static func waitForBroker(port: Int, _ mosquitto: ChildProcess) throws(CommandFailure) {
        let options = ConnectionOptions(host: "127.0.0.1", port: port, clientIdentifier: "nearby-demo")
        for _ in 0..<100 {
            if (try? MosquittoClient(options: options).connect()) != nil { return }
            guard mosquitto.waitNoHang() == nil else { break }
            var poller = Poller()
            _ = try? poller.wait(nanoseconds: 50_000_000)
        }
        throw CommandFailure(.unavailable, "the private mosquitto does not listen on 127.0.0.1:\(port)")
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
