// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import NearbyCore

/// What became of the reports in a file, run through the engine as they would have been live.
enum ObservedFile {
    /// Reads a recording, a walk or a log; one part for each time without a gap in listening.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - accessory: Only this accessory's reports; walks and logs are taken for its. `nil` is everybody, and walks and
    ///     logs belong to an accessory called after the file.
    ///   - peer: Whose distances walks are: they name nobody.
    ///   - options: What the bridge is told.
    /// - Returns: What became of each report; no part is empty.
    /// - Throws: Why the file cannot be read.
    static func read(
        _ path: String,
        accessory: String?,
        peer: String? = nil,
        options: BridgeOptions
    ) throws(CommandFailure) -> [[ReportObservation]] {
        let bytes = try InputFile.read(path)
        var replay: Replay
        var isWalk = false
        // What a format of the configuration says is true of logs only: a walk is a walk.
        switch RecordedFile(bytes, isNamed: false) {
        case .recording:
            let recording = try CommandFailure.badData { () throws(Walk.Fault) in try Recording.parse(bytes, file: path)
            }
            replay = Replay(
                options: options.engine,
                name: "recording",
                sources: options.sources,
                isObserving: true
            )
            _ = replay.events(of: recording)
        case .walk:
            let walk = try CommandFailure.badData { () throws(Walk.Fault) in try Walk.parse(bytes, file: path) }
            isWalk = true
            // A walk is the bridge's own, whatever its device speaks.
            let name = accessory ?? walk.name
            replay = Replay(options: options.engine, name: name, format: .json, isObserving: true)
            _ = replay.events(of: walk)
        case .log:
            let format = accessory.flatMap { options.engine.accessories[$0]?.format } ?? .auto
            let log = try VendorLog.parse(bytes, file: path, format: format)
            if case .rate(let rate) = log.clock {
                let text = Column.decimal(rate, 0)
                StandardStream.error.write("\(path): nothing tells the time; \(text) reports a second are assumed\n")
            }
            let name = accessory ?? Walk.baseName(path)
            replay = Replay(options: options.engine, name: name, format: log.format, isObserving: true)
            _ = replay.events(of: log)
        }
        var parts = replay.takeObservations()
        if isWalk, let peer {
            for part in parts.indices {
                for place in parts[part].indices { parts[part][place].peer = peer }
            }
        }
        guard let accessory else { return parts }
        return parts.map { $0.filter { $0.accessory == accessory } }.filter { !$0.isEmpty }
    }
}
