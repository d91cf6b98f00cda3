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
        let options = BridgeOptions(loaded)
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
        simulation.encoding = arguments.text("format").flatMap(ReportEncoding.init(rawValue:)) ?? .json
        simulation.interval = interval(arguments)
        simulation.onProgress = { published, seconds in
            let rate = Column.decimal(Double(published) / seconds, 0)
            StandardStream.error.write(
                "\(Plural.of(published, "report")) in \(Column.decimal(seconds, 0)) s, \(rate) a second\n"
            )
        }
        if case .neverConnected = simulation.run() {
            let address = "\(options.broker.host):\(options.broker.port)"
            throw CommandFailure(.unavailable, "no broker at \(address); start one, or set mqtt.host and mqtt.port")
        }
        let runs = arguments.has("handshake") ? ", \(Plural.of(simulation.runs, "run")) of ranging" : ""
        let reports = Plural.of(simulation.published, "report")
        StandardStream.output.write("published \(reports) of \(Plural.of(accessories.count, "accessory"))\(runs)\n")
    }

    /// Milliseconds between two reports, 0 where a walk or the bridge says when they come.
    private static func interval(_ arguments: ParsedArguments) -> UInt32 {
        guard arguments.texts("walk").isEmpty, !arguments.has("handshake") else { return 0 }
        let rate = arguments.number("rate") ?? usualRate
        return UInt32(EncodedMeasurement.whole(1000 / rate, 0...Int(UInt32.max)))
    }

    private static func accessories(_ arguments: ParsedArguments) throws(CommandFailure) -> [PlayedAccessory] {
        let peers = try peers(arguments)
        let faults = try faults(arguments)
        let models = try noise(arguments)
        let seed = UInt64(arguments.integer("seed") ?? 1)
        let spelling = arguments.text("spelling").flatMap(FirmwareOptions.Spelling.init(rawValue:)) ?? .binary
        return peers.enumerated().map { index, peer in
            let own = arguments.has("fault-all") || index % faultEvery == 0 ? faults : []
            let noise = Noise(models, seed: seed &+ UInt64(index))
            guard arguments.has("handshake") else { return PlayedAccessory(peer, faults: own, noise: noise) }
            var options = FirmwareOptions(variant: index)
            options.spelling = spelling
            options.faults = own
            if let rate = arguments.number("rate"), rate < slowRate { options.updateRate = .infrequent }
            return PlayedAccessory(
                peer,
                options,
                seed: seed &+ UInt64(index),
                startingAt: Double(index) / Double(peers.count),
                noise: noise
            )
        }
    }

    /// Every third accessory has the faults, the first among them, so that a single one has them.
    private static let faultEvery = 3
    /// Reports a second where nothing else is said.
    private static let usualRate = 10.0
    /// Below so many reports a second an accessory asks for the infrequent rate.
    private static let slowRate = 2.0

    private static func faults(_ arguments: ParsedArguments) throws(CommandFailure) -> [Fault] {
        var faults: [Fault] = []
        for text in arguments.texts("fault") {
            do throws(UsageError) {
                faults.append(try Fault(text))
            } catch {
                throw CommandFailure(.usage, "\(error)")
            }
            guard let fault = faults.last, fault.needsHandshake, !arguments.has("handshake") else { continue }
            throw CommandFailure(.usage, "--fault \(text): only a handshake can fail so; add --handshake")
        }
        return faults
    }

    private static func noise(_ arguments: ParsedArguments) throws(CommandFailure) -> [NoiseModel] {
        var models: [NoiseModel] = []
        for text in arguments.texts("noise-model") {
            do throws(UsageError) {
                models += try NoiseModel.read(text)
            } catch {
                throw CommandFailure(.usage, "\(error)")
            }
        }
        return models
    }

    /// The deviation of invented distances: models take its place, unless it is given.
    private static func deviation(_ arguments: ParsedArguments) -> Double {
        let isReplaced = !arguments.texts("noise-model").isEmpty && arguments.texts("noise").isEmpty
        return isReplaced ? 0 : arguments.number("noise") ?? 0.05
    }

    /// What is to be played of all files, and a line of progress that says what goes where.
    private static func walks(_ arguments: ParsedArguments, for count: Int) throws(CommandFailure) -> [Walk] {
        var walks: [Walk] = []
        for path in arguments.texts("walk") {
            let file = try WalkFile(path)
            StandardStream.error.write(file.summary + "\n")
            walks += file.walks
        }
        if !walks.isEmpty { StandardStream.error.write(WalkFile.dealt(walks.count, to: count) + "\n") }
        return walks
    }

    private static func peers(_ arguments: ParsedArguments) throws(CommandFailure) -> [SimulatedAccessory] {
        let count = arguments.integer("accessories") ?? 1
        let walks = try walks(arguments, for: count)
        let rate = arguments.number("rate") ?? usualRate
        let seed = UInt64(arguments.integer("seed") ?? 1)
        let digits = String(count).count
        return (0..<count).map { index in
            let number = String(index + 1)
            let identifier = "sim-" + String(repeating: "0", count: digits - number.count) + number
            guard !walks.isEmpty else {
                return SimulatedAccessory(
                    identifier: identifier,
                    rate: rate,
                    noise: deviation(arguments),
                    seed: seed &+ UInt64(index),
                    phase: Double(index) / Double(count)
                )
            }
            return SimulatedAccessory(identifier: identifier, walk: walks[index % walks.count], startingAt: 0)
        }
    }
}
