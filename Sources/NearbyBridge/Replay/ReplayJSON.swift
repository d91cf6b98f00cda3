// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import NearbyCore

/// A replay for programs: one JSON object a line (CONTRACT section 1).
struct ReplayJSON: ReplayOutput {
    var json = JSONWriter()
    /// What was held back so far.
    private(set) var lines: [UInt8] = []

    /// The names of the zones by their place in the options.
    private let zones: [String]

    init(zones: [String]) {
        self.zones = zones
    }

    mutating func event(_ event: ZoneEvent, _ explanation: EventExplanation?, file: String) {
        // A recording has no wall clock: its own time counts from 1970.
        let wall = WallTime(origin: 0)
        let time = Replay.seconds(event.at)
        let stamp = EventPayload.write(
            event,
            wall,
            recording: (file, time),
            explanation.map { ($0, zones) },
            into: &json
        )
        let begin = lines.count
        endLine()
        let published = Timestamp.text(unixNanoseconds: wall.unixNanoseconds(of: event.at))
        lines.replaceSubrange(begin + stamp..<begin + stamp + Timestamp.length, with: published)
    }

    mutating func accuracy(_ rows: [AccuracyRow]) {
        var total = Accuracy()
        for row in rows {
            write(row.accuracy, file: row.file, zone: row.zone, radius: row.radius)
            for graze in row.accuracy.grazes { write(graze, row) }
            total.add(row.accuracy)
        }
        write(total, file: nil, zone: nil, radius: nil)
    }

    mutating func finish() {
        StandardStream.output.write(lines.span)
        lines.removeAll()
    }

    private mutating func write(_ accuracy: Accuracy, file: String?, zone: String?, radius: Double?) {
        json.beginObject()
        json.pair("ambiguous", Int64(accuracy.ambiguous))
        json.optional("delay_median", accuracy.delay(percentile: 50))
        json.optional("delay_p95", accuracy.delay(percentile: 95))
        json.pair("false", Int64(accuracy.wrong))
        json.optional("file", file)
        json.pair("missed", Int64(accuracy.missed))
        json.optional("radius", radius)
        if file == nil { json.pair("total", true) }
        json.pair("true", Int64(accuracy.total))
        json.pair("type", "accuracy")
        json.optional("zone", zone)
        json.endObject()
        endLine()
    }

    private mutating func write(_ graze: Accuracy.Graze, _ row: AccuracyRow) {
        json.beginObject()
        json.pair("file", row.file)
        json.pair("t", graze.time)
        json.pair("threshold", graze.threshold)
        json.pair("true_distance", graze.truth)
        json.pair("type", "ambiguous")
        json.pair("zone", row.zone)
        json.endObject()
        endLine()
    }

    /// Ends an object.
    mutating func endLine() {
        lines.append(contentsOf: json.bytes)
        lines.append(UInt8(ascii: "\n"))
        json.removeAll()
    }
}
