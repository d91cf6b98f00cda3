// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import NearbyCore

/// A file to be played: a walk, a recording, or a device's log, packed by gzip or not.
struct WalkFile {
    /// What can be played of it, at least one walk with a measurement.
    let walks: [Walk]
    /// What it is, for people.
    let summary: String

    /// Reads a file whose kind its beginning tells.
    init(_ path: String) throws(CommandFailure) {
        try self.init(try InputFile.read(path), path)
    }

    /// Takes what stands in a file.
    init(_ bytes: [UInt8], _ path: String) throws(CommandFailure) {
        switch RecordedFile(bytes, isNamed: false) {
        case .walk:
            let walk = try CommandFailure.badData { () throws(Walk.Fault) in try Walk.parse(bytes, file: path) }
            guard !walk.samples.isEmpty else {
                throw CommandFailure(.badData, "\(path): the walk has no measurements")
            }
            walks = [walk]
            summary = "\(path): a walk of \(Plural.of(walk.samples.count, "distance"))"
        case .recording:
            let recording = try CommandFailure.badData { () throws(Walk.Fault) in
                try Recording.parse(bytes, file: path)
            }
            let tracks = WalkTracks(recording)
            let kind = "a recording of \(Plural.of(tracks.messages, "message"))"
            (walks, summary) = try Self.usable(tracks, path, kind)
        case .log:
            let log = try VendorLog.parse(bytes, file: path)
            let kind = "a log of \(Plural.of(log.entries.count, "entry")) in the format \(log.format.rawValue)"
            (walks, summary) = try Self.usable(WalkTracks(log), path, kind)
        }
    }

    private static func usable(
        _ tracks: WalkTracks,
        _ path: String,
        _ kind: String
    ) throws(CommandFailure) -> ([Walk], String) {
        guard !tracks.walks.isEmpty else {
            let reports =
                tracks.reports == 0 ? "no report" : "\(Plural.of(tracks.reports, "report")), none with a distance"
            throw CommandFailure(.badData, "\(path): \(kind), \(reports): nothing that could be played")
        }
        let names = tracks.walks.prefix(mostNames).map { walk in
            let name = walk.name.isEmpty ? "" : "\(PlainText.plain(walk.name)) "
            return "\(name)(\(Plural.of(walk.samples.count, "distance")))"
        }
        let more = tracks.walks.count > mostNames ? " and others" : ""
        let count = Plural.of(tracks.walks.count, "track")
        return (tracks.walks, "\(path): \(kind), \(count): \(names.joined(separator: ", "))\(more)")
    }

    /// More tracks are not told one by one.
    private static let mostNames = 5

    /// Which walk which of so many accessories plays, in words.
    static func dealt(_ walks: Int, to accessories: Int) -> String {
        guard walks > 1 else { return "played by \(Plural.of(accessories, "accessory"))" }
        guard walks <= accessories else {
            return "the first \(accessories) of \(walks) tracks are played; --accessories \(walks) plays all"
        }
        return "\(walks) tracks, dealt to \(Plural.of(accessories, "accessory")) in turn"
    }
}
