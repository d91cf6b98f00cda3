// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import MosquittoClient
import NearbyCore

/// `nearby-bridge simulate`: accessories that are not there, against any broker.
enum SimulateCommand {
    /// Publishes reports until the duration is over or Ctrl-C.
    static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
        let signals = try RunCommand.systemCall { () throws(SystemError) in try Signals() }
        let loaded = try ConfigurationArguments.load(arguments)
        let options = try ConfigurationArguments.options(loaded)
        let log = Log(loaded.configuration.log)
        let accessories = try accessories(arguments)
        let simulation = try RunCommand.systemCall { () throws(SystemError) in
            try Simulation(
                accessories: accessories,
                broker: options.broker,
                topics: options.topics,
                duration: arguments.duration("duration"),
                signals: signals,
                log: log
            )
        }
        simulation.onProgress = { published, seconds in
            let rate = Column.decimal(Double(published) / seconds, 0)
            StandardStream.error.write("\(published) reports in \(Column.decimal(seconds, 0)) s, \(rate) a second\n")
        }
        if case .neverConnected = simulation.run() {
            let address = "\(options.broker.host):\(options.broker.port)"
            throw CommandFailure(.unavailable, "no broker at \(address); start one, or set mqtt.host and mqtt.port")
        }
        StandardStream.output.write("published \(simulation.published) reports of \(accessories.count) accessories\n")
    }

    private static func accessories(_ arguments: ParsedArguments) throws(CommandFailure) -> [SimulatedAccessory] {
        let count = arguments.integer("accessories") ?? 1
        var walks: [Walk] = []
        for path in arguments.texts("walk") { walks.append(try ReplayCommand.walk(at: path)) }
        if let empty = walks.first(where: \.samples.isEmpty) {
            throw CommandFailure(.badData, "\(empty.name): the walk has no measurements")
        }
        let rate = arguments.number("rate") ?? 10
        let seed = UInt64(arguments.integer("seed") ?? 1)
        let digits = String(count).count
        return (0..<count).map { index in
            let number = String(index + 1)
            let identifier = "sim-" + String(repeating: "0", count: digits - number.count) + number
            guard !walks.isEmpty else {
                return SimulatedAccessory(
                    identifier: identifier,
                    rate: rate,
                    noise: arguments.number("noise") ?? 0.05,
                    seed: seed &+ UInt64(index),
                    phase: Double(index) / Double(count)
                )
            }
            return SimulatedAccessory(identifier: identifier, walk: walks[index % walks.count], startingAt: 0)
        }
    }
}
