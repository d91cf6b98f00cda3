// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import NearbyCore

/// `nearby-bridge replay`: recorded reports through the zones, offline.
enum ReplayCommand {
    /// Prints the events of every file, then how right they were.
    static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
        let loaded = try ConfigurationArguments.load(arguments)
        let options = EngineOptions(loaded.configuration)
        let wantsTruth = arguments.has("truth")
        let explains = arguments.has("explain")
        let wantsComparison = arguments.has("compare")
        guard wantsTruth || !wantsComparison else {
            throw CommandFailure(.usage, "--compare: only what is true can be compared with; add --truth")
        }
        var walks: [Walk] = []
        var output: any ReplayOutput =
            arguments.has("json")
            ? ReplayJSON(zones: options.zones.map(\.name)) : ReplayText(showsEvents: !wantsTruth || explains)
        var table: [AccuracyRow] = []
        let format = arguments.text("format").flatMap(RangeFormat.init(rawValue:)) ?? .auto
        for path in arguments.positionals {
            let bytes = try InputFile.read(path)
            switch RecordedFile(bytes, isNamed: format != .auto) {
            case .recording:
                try refuse(wantsTruth, path, "a recording")
                let recording = try CommandFailure.badData { () throws(Walk.Fault) in
                    try Recording.parse(bytes, file: path)
                }
                var replay = Replay(
                    options: options,
                    name: "recording",
                    sources: SourceMapping(loaded.configuration.sources),
                    explains: explains
                )
                tell(replay.events(of: recording), of: replay, path, &output)
            case .walk:
                let walk = try CommandFailure.badData { () throws(Walk.Fault) in try Walk.parse(bytes, file: path) }
                guard !wantsTruth || walk.hasTruth else {
                    throw CommandFailure(.badData, "\(path): --truth needs a column true_m with a value in every line")
                }
                walks.append(walk)
                guard !wantsComparison else { continue }
                var replay = Replay(options: options, name: walk.name, explains: explains)
                let events = replay.events(of: walk)
                tell(events, of: replay, path, &output)
                if wantsTruth { table += rows(events, walk, path, options) }
            case .log:
                try refuse(wantsTruth, path, "a log")
                let log = try log(bytes, path, format, arguments.number("rate"))
                let name = Walk.baseName(path)
                var replay = Replay(options: options, name: name, format: log.format, explains: explains)
                tell(replay.events(of: log), of: replay, path, &output)
            }
        }
        if wantsComparison {
            compare(walks, options, arguments, &output)
        } else if wantsTruth {
            output.accuracy(table)
        }
        output.finish()
    }

    private static func refuse(_ wantsTruth: Bool, _ path: String, _ what: String) throws(CommandFailure) {
        guard wantsTruth else { return }
        throw CommandFailure(.badData, "\(path): \(what) does not know the truth; leave out --truth")
    }

    private static func tell(
        _ events: [ZoneEvent],
        of replay: borrowing Replay,
        _ path: String,
        _ output: inout any ReplayOutput
    ) {
        for (event, explanation) in zip(events, replay.explanations) { output.event(event, explanation, file: path) }
    }

    /// What a device printed or sent.
    private static func log(
        _ bytes: [UInt8],
        _ path: String,
        _ format: RangeFormat,
        _ rate: Double?
    ) throws(CommandFailure) -> VendorLog {
        let log = try VendorLog.parse(bytes, file: path, format: format, rate: rate)
        if log.faults > 0 {
            StandardStream.error.write("\(path): \(log.faults) places began like a report and were none\n")
        }
        return log
    }

    /// One row for each zone, in the order of the configuration.
    static func rows(
        _ events: [ZoneEvent],
        _ walk: Walk,
        _ path: String,
        _ options: EngineOptions
    ) -> [AccuracyRow] {
        let zones = options.zones.compactMap(ZoneRadii.init)
        let course = TrueCourse(walk)
        return zip(zones, EnginePipeline.byZone(events, zones.map(\.name))).map { zone, transitions in
            let truth = TrueTransitions(course, radius: zone.radius, exitRadius: zone.exitRadius)
            let accuracy = Accuracy(of: transitions, truth)
            return AccuracyRow(file: path, zone: zone.name, radius: zone.radius, accuracy: accuracy)
        }
    }

    /// Prints how right every pipeline is on the same walks.
    private static func compare(
        _ walks: [Walk],
        _ options: EngineOptions,
        _ arguments: ParsedArguments,
        _ output: inout any ReplayOutput
    ) {
        let pipelines = PipelineTable.all(options)
        output.comparison(Comparison(walks, options, pipelines: pipelines))
        let count = arguments.integer("simulated-walks") ?? 0
        guard let zone = options.zones.first(where: { ZoneRadii($0) != nil }), count > 0 else { return }
        if let trial = SimulatedTrial(pipelines, zone: zone, stands: simulatedStands, walks: count) {
            output.trial(trial)
        }
    }

    /// How often somebody simulated stands on a radius.
    private static let simulatedStands = 10
}

/// The accuracy of one zone on one file.
struct AccuracyRow: Equatable, Sendable {
    var file: String
    var zone: String
    var radius: Double
    var accuracy: Accuracy
}

/// Where the results of a replay go.
protocol ReplayOutput {
    /// Prints an event, and why it fell if that was asked for and is known.
    mutating func event(_ event: ZoneEvent, _ explanation: EventExplanation?, file: String)
    /// Prints the table of accuracy.
    mutating func accuracy(_ rows: [AccuracyRow])
    /// Prints how right many pipelines were.
    mutating func comparison(_ comparison: Comparison)
    /// Prints what they make of who is not there.
    mutating func trial(_ trial: SimulatedTrial)
    /// Writes what was held back.
    mutating func finish()
}
