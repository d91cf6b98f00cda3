// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import NearbyCore

/// A replay for people.
struct ReplayText: ReplayOutput {
    /// With the table of accuracy alone the events would drown it.
    let showsEvents: Bool
    /// What was held back so far.
    private(set) var text = ""

    init(showsEvents: Bool) {
        self.showsEvents = showsEvents
    }

    mutating func event(_ event: ZoneEvent, _ explanation: EventExplanation?, file: String) {
        guard showsEvents else { return }
        let time = Column.right(Column.decimal(Replay.seconds(event.at), 3), 10)
        let name = event.peer.map { "\(event.accessory)/\($0)" } ?? event.accessory
        text += "\(Column.left(name, 20)) \(time) s  \(EventText.describe(event))\n"
        guard let explanation else { return }
        for line in EventExplanationText(explanation).lines { text += "    \(line)\n" }
    }

    mutating func accuracy(_ rows: [AccuracyRow]) {
        let width = max(20, rows.map { $0.file.count }.max() ?? 0)
        text += "\(Column.left("file", width))  zone        true  missed  false  ambiguous  median s  p95 s\n"
        for row in rows { text += line(row.file, row.zone, row.accuracy, width) }
        var total = Accuracy()
        var zones: [String] = []
        for row in rows {
            total.add(row.accuracy)
            if !zones.contains(row.zone) { zones.append(row.zone) }
        }
        text += "\n"
        for zone in zones {
            var sum = Accuracy()
            for row in rows where row.zone == zone { sum.add(row.accuracy) }
            text += line("all files", zone, sum, width)
        }
        text += line("all files", "all zones", total, width)
        let grazes = rows.flatMap { row in row.accuracy.grazes.map { (row, $0) } }
        guard !grazes.isEmpty else { return }
        text +=
            "\nPasses within \(Column.decimal(TrueTransitions.accuracy, 1)) m of a threshold, counted neither way:\n"
        for (row, graze) in grazes {
            text += "  \(row.file)  \(row.zone)  at \(Column.decimal(graze.time, 1)) s: true distance "
            text += "\(Column.decimal(graze.truth, 2)) m, threshold \(Column.decimal(graze.threshold, 2)) m\n"
        }
    }

    mutating func finish() {
        if showsEvents, text.isEmpty { text = "no events\n" }
        StandardStream.output.write(text)
        text = ""
    }

    /// Writes more text.
    mutating func add(_ more: String) {
        text += more
    }

    /// The delay that a share of the events kept under, as text.
    static func delay(_ delays: [Double], _ percentile: Double) -> String {
        delays.percentile(percentile).map { Column.decimal($0, 2) } ?? "-"
    }

    private func line(_ file: String, _ zone: String, _ accuracy: Accuracy, _ width: Int) -> String {
        return Column.left(file, width) + "  " + Column.left(zone, 10)
            + Column.right("\(accuracy.total)", 6) + Column.right("\(accuracy.missed)", 8)
            + Column.right("\(accuracy.wrong)", 7) + Column.right("\(accuracy.ambiguous)", 11)
            + Column.right(Self.delay(accuracy.delays, 50), 10) + Column.right(Self.delay(accuracy.delays, 95), 7)
            + "\n"
    }
}

/// Text in columns.
enum Column {
    /// The text, filled up with spaces behind it.
    static func left(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    /// The text, filled up with spaces before it.
    static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }

    /// A number with exactly so many decimals.
    static func decimal(_ value: Double, _ decimals: Int) -> String {
        var scale = 1.0
        for _ in 0..<decimals { scale *= 10 }
        let scaled = (value * scale).rounded()
        guard scaled.magnitude < 9e15 else { return String(value) }
        let magnitude = UInt64(scaled.magnitude)
        let sign = scaled < 0 ? "-" : ""
        guard decimals > 0 else { return sign + String(magnitude) }
        let unit = UInt64(scale)
        let fraction = String(magnitude % unit)
        let zeros = String(repeating: "0", count: decimals - fraction.count)
        return "\(sign)\(magnitude / unit).\(zeros)\(fraction)"
    }
}

/// An event in words.
enum EventText {
    /// What happened, to which zone, at what distance and why.
    static func describe(_ event: ZoneEvent) -> String {
        var distance = event.distance.map { "\(Column.decimal($0, 2)) m" } ?? ""
        if let azimuth = event.azimuth { distance += " at \(ExplanationWords.degrees(azimuth))" }
        let zone = Column.left(event.zone, 10)
        switch event.kind {
        case .enter:
            return "enter \(zone) \(distance)"
        case .exit(let reason, let dwell):
            return "exit  \(zone) \(distance)\(distance.isEmpty ? "" : "  ")\(reason.word) after "
                + "\(Column.decimal(dwell.inSeconds, 1)) s"
        case .dwell(let dwell):
            return "dwell \(zone) \(distance)\(distance.isEmpty ? "" : "  ")for \(Column.decimal(dwell.inSeconds, 1)) s"
        }
    }
}
