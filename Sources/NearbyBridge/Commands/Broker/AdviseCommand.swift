// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import MosquittoClient
import NearbyCore

/// `nearby-bridge advise`: which radius, hysteresis and holds fit what is measured.
enum AdviseCommand {
    /// Advice for more accessories and peers takes too long, and nobody reads it.
    private static let most = 16

    /// Studies files, or listens for a while, and prints what fits.
    static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
        let signals = try RunCommand.systemCall { () throws(SystemError) in try Signals() }
        let loaded = try ConfigurationArguments.load(arguments)
        let options = BridgeOptions(loaded)
        let accessory = arguments.text("accessory")
        let said = accessory.flatMap { options.engine.accessories[$0] }
        let peer = arguments.text("peer").map { name in said?.peers.first { $0.value.name == name }?.key ?? name }
        let name = peer.flatMap { said?.peers[$0]?.name } ?? peer
        var parts: [[ReportObservation]] = []
        if arguments.positionals.isEmpty {
            let connection = BriefConnection(
                options,
                for: "advise",
                token: BridgeOptions.randomToken(),
                timeout: .seconds(5)
            )
            // Better now than after a minute of listening.
            try CommandFailure.unavailable { () throws(MosquittoError) in
                try connection.open()
                connection.close()
            }
            let live = LiveReports(
                options: options,
                accessory: accessory,
                log: Log(CalibrateCommand.quiet(loaded.configuration.log)),
                signals: signals
            )
            parts = try live.listen(for: arguments.duration("duration") ?? .seconds(60))
        }
        for path in arguments.positionals {
            parts += try ObservedFile.read(path, accessory: accessory, peer: name, options: options)
        }
        var traces = ReportTrace.all(in: parts)
        if let name { traces = traces.filter { $0.peer?.uppercased() == name.uppercased() } }
        let advices = try advices(traces, options.engine, arguments)
        guard !advices.isEmpty else { throw CommandFailure(.badData, nothing(parts, accessory, peer)) }
        let report = AdviceReport(accessory: accessory, peer: peer, advices: advices)
        StandardStream.output.write(
            arguments.has("json") ? String(decoding: report.json, as: UTF8.self) + "\n" : report.text
        )
    }

    private static func advices(
        _ traces: [ReportTrace],
        _ options: EngineOptions,
        _ arguments: ParsedArguments
    ) throws(CommandFailure) -> [Advice] {
        let stay = arguments.duration("stay") ?? .seconds(86_400)
        if traces.count > most {
            StandardStream.error.write(
                "advice for the \(most) of \(traces.count) with the most distances; name others with --accessory and --peer\n"
            )
        }
        return traces.prefix(most).compactMap { trace in
            Advice(trace, options: options, radii: arguments.numbers("radius"), stay: stay.inSeconds)
        }
    }

    private static func nothing(_ parts: [[ReportObservation]], _ accessory: String?, _ peer: String?) -> String {
        let seen = Set(parts.joined().map { $0.peer.map { "\($0)" } ?? MeasuredPeer.unnamed }).sorted()
        let who = accessory ?? "any accessory"
        if let peer, !seen.isEmpty {
            return "no two distances of \(peer), but reports of \(seen.joined(separator: ", "))"
        }
        return parts.isEmpty ? "no report of \(who) came" : "no two distances of \(who)"
    }
}
