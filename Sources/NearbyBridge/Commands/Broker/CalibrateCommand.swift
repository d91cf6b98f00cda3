// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import LinuxSystem
import MosquittoClient
import NearbyCore

/// `nearby-bridge calibrate`: what an accessory's distances must be corrected by, from known distances.
enum CalibrateCommand {
    /// How long the bridge has to answer.
    private static let patience: Duration = .seconds(5)

    /// What the command line asks for.
    private struct Task {
        var accessory: String
        /// As `peers:` has it.
        var peer: String?
        var distances: [Double]
        var files: [String]
        var duration: Duration
        var options: BridgeOptions
        var scale: Double

        /// The peer as observations call it.
        var reportedPeer: String? {
            peer.flatMap { options.engine.accessories[accessory]?.peers[$0]?.name } ?? peer
        }
    }

    /// Measures at every distance and prints what came out; with `--write` tells the bridge.
    static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
        let signals = try RunCommand.systemCall { () throws(SystemError) in try Signals() }
        let loaded = try ConfigurationArguments.load(arguments)
        var task = try task(arguments, BridgeOptions(loaded))
        let isWriting = arguments.has("write")
        // Better now than after somebody has stood still for a while.
        if isWriting || task.files.isEmpty { try prepare(&task, needsBridge: isWriting) }
        let parts: [[ReportObservation]]
        if task.files.isEmpty {
            let live = LiveReports(
                options: task.options,
                accessory: task.accessory,
                log: Log(quiet(loaded.configuration.log)),
                signals: signals
            )
            parts = try listen(live, task, asks: !arguments.has("no-prompt"), signals)
        } else {
            var read: [[ReportObservation]] = []
            for path in task.files {
                let file = try ObservedFile.read(
                    path,
                    accessory: task.accessory,
                    peer: task.reportedPeer,
                    options: task.options
                )
                read.append(file.flatMap { $0 })
            }
            parts = read
        }
        let report = try report(parts, task)
        let answer = isWriting ? try write(report, task.options) : nil
        if arguments.has("json") {
            StandardStream.output.write(String(decoding: report.json(answer: answer), as: UTF8.self) + "\n")
            return
        }
        StandardStream.output.write(report.text)
        if answer != nil { StandardStream.output.write("\n\(told(task.options))\n") }
    }

    /// Only what goes wrong: the rest would run into the line of progress.
    static func quiet(_ log: LogOptions) -> LogOptions {
        var log = log
        log.level = max(log.level, .warning)
        return log
    }

    private static func task(_ arguments: ParsedArguments, _ options: BridgeOptions) throws(CommandFailure) -> Task {
        guard let accessory = arguments.text("accessory") else {
            throw CommandFailure(.usage, "--accessory is missing; write --accessory ID")
        }
        let distances = arguments.numbers("at")
        guard !distances.isEmpty else {
            throw CommandFailure(.usage, "--at is missing; write the true distance in metres, such as --at 1.00")
        }
        let files = arguments.texts("from")
        guard files.isEmpty || files.count == distances.count else {
            throw CommandFailure(
                .usage,
                "\(files.count) --from for \(distances.count) --at; name one file for each distance, in the same order"
            )
        }
        let said = options.engine.accessories[accessory]
        let peer = arguments.text("peer").map { name in said?.peers.first { $0.value.name == name }?.key ?? name }
        let own = peer.flatMap { peer in said?.peers.first { $0.key.uppercased() == peer.uppercased() } }?.value
        return Task(
            accessory: accessory,
            peer: peer,
            distances: distances,
            files: files,
            duration: arguments.duration("duration") ?? .seconds(30),
            options: options,
            scale: own?.distanceScale ?? said?.distanceScale ?? 1
        )
    }

    // MARK: Measuring

    private static func listen(
        _ live: LiveReports,
        _ task: Task,
        asks: Bool,
        _ signals: Signals
    ) throws(CommandFailure) -> [[ReportObservation]] {
        var parts: [[ReportObservation]] = []
        for distance in task.distances {
            if asks, StandardInput.isTerminal { try prompt(distance, signals) }
            parts.append(try live.listen(for: task.duration).flatMap { $0 })
        }
        return parts
    }

    private static func prompt(_ distance: Double, _ signals: Signals) throws(CommandFailure) {
        StandardStream.error.write("Stand still at \(Column.decimal(distance, 2)) m and press Enter")
        var poller = Poller()
        let typed = poller.add(StandardInput.descriptor)
        _ = poller.add(signals.descriptor)
        _ = try? poller.wait(nanoseconds: nil)
        guard signals.next() == nil, !poller.readiness(of: typed).isEmpty, StandardInput.takeLine() else {
            StandardStream.error.write("\n")
            throw CommandFailure(.badData, "nothing was measured: ended before Enter was pressed")
        }
    }

    private static func report(_ parts: [[ReportObservation]], _ task: Task) throws(CommandFailure) -> CalibrationReport
    {
        var points: [CalibrationPoint] = []
        var peers: Set<String> = []
        var used = ""
        for (place, part) in parts.enumerated() {
            guard
                let measured = MeasuredPeer(part, peer: task.reportedPeer),
                let point = CalibrationPoint(
                    truth: task.distances[place],
                    measurements: measured.measurements,
                    failed: measured.failed
                )
            else { throw CommandFailure(.badData, nothing(part, at: task.distances[place], task)) }
            points.append(point)
            peers.formUnion(measured.peers)
            used = measured.peer
        }
        guard let calibration = Calibration(points, configuredScale: task.scale) else {
            throw CommandFailure(.badData, "nothing was measured")
        }
        var warnings = CalibrationWarning.all(of: calibration)
        if peers.count > 1 { warnings.append(.severalPeers(peers.sorted(), used: used)) }
        return CalibrationReport(
            accessory: task.accessory,
            peer: task.peer,
            calibration: calibration,
            warnings: warnings
        )
    }

    /// Why there was nothing to measure.
    private static func nothing(_ part: [ReportObservation], at distance: Double, _ task: Task) -> String {
        let place = "nothing was measured at \(Column.decimal(distance, 2)) m: "
        let others = Set(part.filter { $0.measured != nil }.map { $0.peer ?? MeasuredPeer.unnamed }).sorted()
        if let peer = task.peer, !others.isEmpty {
            return place + "no report of \(peer), but of \(others.joined(separator: ", "))"
        }
        if !part.isEmpty {
            return place + "\(part.count) reports came, and none had a distance; is the other end there?"
        }
        return place + "no report of \(task.accessory)"
            + (task.files.isEmpty ? " came; is it ranging, and is this its name?" : " is in the file")
    }

    // MARK: The bridge

    /// Looks whether broker, and if needed bridge, are there, and which scale is in effect.
    private static func prepare(_ task: inout Task, needsBridge: Bool) throws(CommandFailure) {
        let options = task.options
        let connection = connection(options)
        var known: [UInt8] = []
        connection.onMessage = { if $0.topic == options.topics.bridgeAccessories { known = $0.payload } }
        let answer = try CommandFailure.unavailable { () throws(MosquittoError) -> HealthQuestion.Answer? in
            try connection.open()
            defer { connection.close() }
            guard needsBridge else { return nil }
            _ = try connection.subscribe([options.topics.bridgeAccessories])
            return try HealthQuestion(topics: options.topics, token: BridgeOptions.randomToken(), patience: patience)
                .ask(over: connection)
        }
        if case .silent(let why) = answer {
            throw CommandFailure(.unavailable, "--write needs a running bridge: \(why)")
        }
        // Somebody may have told the bridge since it read its configuration.
        let list = try? JSONDecoder().decode(KnownAccessories.self, from: Data(known))
        let settings = list?.accessories.first { $0.id == task.accessory }?.options ?? [:]
        let own = task.peer.flatMap { settings["\(ConfigurationPath(["peers", $0, "distance_scale"]))"] }
        if let scale = (own ?? settings["distance_scale"]).flatMap(Double.init) { task.scale = scale }
    }

    /// What `bridge/accessories` says, as far as it is of use here.
    private struct KnownAccessories: Decodable {
        struct Accessory: Decodable {
            var id: String
            var options: [String: String]?
        }
        var accessories: [Accessory]
    }

    private static func connection(_ options: BridgeOptions) -> BriefConnection {
        BriefConnection(options, for: "calibrate", token: BridgeOptions.randomToken(), timeout: patience)
    }

    /// Sets it, and returns what the bridge said.
    private static func write(_ report: CalibrationReport, _ options: BridgeOptions) throws(CommandFailure) -> [UInt8] {
        let connection = connection(options)
        let question = BridgeQuestion(topics: options.topics, token: BridgeOptions.randomToken(), patience: patience)
        let answer = try CommandFailure.unavailable { () throws(MosquittoError) in
            try connection.open()
            defer { connection.close() }
            return try question.ask("accessory/options", over: connection) { report.writeOptions(into: &$0) }
        }
        switch answer {
        case .done(let data): return data
        case .refused(let why):
            throw CommandFailure(.unavailable, "the bridge did not take it: \(why)\n\n\(report.yaml)")
        case .silent(let why):
            throw CommandFailure(.unavailable, "the bridge was not told: \(why)\n\n\(report.yaml)")
        }
    }

    private static func told(_ options: BridgeOptions) -> String {
        options.stateFolder == nil
            ? "The running bridge has it now, but only until it ends: state.path is none. Put it into its configuration."
            : "The running bridge has it now, and keeps it over restarts."
    }
}
