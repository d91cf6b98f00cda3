// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// Range reports explained: which format a payload is, what each report says, and what is wrong.
struct ReportExplanation {
    /// The word for this kind on the command line.
    static let word = "report"

    /// The format that the first bytes look like.
    let row: RangeFormatRow
    let payload: [UInt8]
    private var reports: [(report: RangeReport, offset: Int)] = []
    private var errors: [ReportError] = []
    private var unfinishedTail: Int?

    /// Explains what somebody typed or piped; `nil` if no format of reports begins like it.
    ///
    /// Hexadecimal text may also stand for the bytes of a binary format.
    init?(_ text: [UInt8]) {
        if let found = ReportExplanation(bytes: text), !found.reports.isEmpty {
            self = found
        } else if let decoded = try? Hexadecimal.decode(text.span), let found = ReportExplanation(bytes: decoded) {
            self = found
        } else if let found = ReportExplanation(bytes: text) {
            self = found
        } else {
            return nil
        }
    }

    private init?(bytes: [UInt8]) {
        guard let row = RangeFormatRow.table.first(where: { $0.looksLike(bytes.span) }) else { return nil }
        self.row = row
        payload = bytes
        var cursor = ReportCursor()
        var report = RangeReport()
        while true {
            do throws(ReportError) {
                guard try RangeFormat.next(in: bytes.span, format: row.format, at: &cursor, into: &report) else {
                    break
                }
                reports.append((report, cursor.reportOffset))
            } catch {
                errors.append(error)
                if cursor.isFinished { break }
            }
        }
        unfinishedTail = cursor.unfinishedTail
    }

    /// Whether there is anything to explain.
    var hasReports: Bool { !reports.isEmpty }

    /// Whether it is certainly reports: there are some, and nothing is wrong.
    var isSound: Bool { !reports.isEmpty && errors.isEmpty }

    /// For people: a line for each report and each fault.
    var text: String {
        var lines = [
            "report: \(row.name), \(payload.count) bytes, \(Self.count(reports.count, "report")); \(row.units)"
        ]
        for (index, (report, offset)) in reports.enumerated() {
            let fields = fields(of: report).map { "\($0.name) \($0.text)" }
            lines.append("\(index + 1)  byte \(offset)  \(fields.joined(separator: ", "))")
        }
        for error in errors { lines.append("fault at byte \(error.offset): \(error.reason.text)") }
        if let unfinishedTail {
            lines.append("unfinished from byte \(unfinishedTail) on: the next message goes on with it")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// For programs: one object.
    var json: String {
        var json = JSONWriter()
        json.beginObject()
        json.key("faults")
        json.beginArray()
        for error in errors {
            json.beginObject()
            json.pair("offset", Int64(error.offset))
            json.pair("text", error.reason.text)
            json.endObject()
        }
        json.endArray()
        json.pair("format", row.format.rawValue)
        json.pair("kind", Self.word)
        json.pair("length", Int64(payload.count))
        json.key("reports")
        json.beginArray()
        for (report, offset) in reports { write(report, offset: offset, into: &json) }
        json.endArray()
        if let unfinishedTail { json.pair("unfinished", Int64(unfinishedTail)) }
        json.endObject()
        return String(decoding: json.bytes, as: UTF8.self) + "\n"
    }

    /// What a report says, with units.
    private func fields(of report: RangeReport) -> [(name: String, text: String)] {
        var fields: [(name: String, text: String)] = []
        func add(_ name: String, _ text: String?) {
            if let text { fields.append((name, text)) }
        }
        if let signal = report.signal { return [("status", "\(Self.word(of: signal)): \(Self.text(of: signal))")] }
        guard !report.isGone else {
            return [("status", "the node is gone")] + (name(of: report.reporter).map { [("reporter", $0)] } ?? [])
        }
        if let position = report.position {
            let coordinates = (0..<3).map { Column.decimal(position[$0], 3) }
            add("position", "\(coordinates.joined(separator: " ")) m")
        } else if !report.isAnchorPosition {
            add("distance", report.distance.map { "\(Column.decimal($0, 3)) m" } ?? "none")
        }
        if report.isAnchorPosition { add("anchor_position", report.position == nil ? "none" : "yes") }
        add("peer", name(of: report.peer))
        add("reporter", name(of: report.reporter))
        if report.isReportedByAnchor { add("reported_by", "anchor") }
        add("status", Self.word(of: report.status))
        add("azimuth", report.azimuth.map { "\(Column.decimal(Double($0), 1))°" })
        add("elevation", report.elevation.map { "\(Column.decimal(Double($0), 1))°" })
        add("horizontal_angle", report.horizontalAngle.map { "\(Column.decimal(Double($0), 3)) rad" })
        add("vertical", report.vertical?.word)
        add("quality", report.quality.map { Column.decimal(Double($0), 2) })
        add("line_of_sight", report.isNonLineOfSight.map { $0 ? "no" : "yes" })
        add("rssi", report.rssi.map { "\(Column.decimal(Double($0), 1)) dBm" })
        add("seq", report.sequence.map { "\($0)" })
        add("timestamp", report.timestamp.map { "\(Column.decimal(Double($0) * 1e-9, 3)) s" })
        add("run", report.run.map { "\($0)" })
        return fields
    }

    /// The name or address of an end, `nil` if the payload does not say.
    func name(of peer: RangeReport.Peer) -> String? {
        switch peer {
        case .unnamed: nil
        case .name(let range): String(decoding: payload[range], as: UTF8.self)
        case .address(let address): "\(address)"
        }
    }

    static func word(of status: RangeReport.Status) -> String {
        switch status {
        case .ok: "ok"
        case .timeout: "timeout"
        case .error: "error"
        }
    }

    static func word(of signal: RangeReport.Signal) -> String {
        switch signal {
        case .ended: "ended"
        case .exhausted: "exhausted"
        case .suspended: "suspended"
        case .resumed: "resumed"
        }
    }

    private static func text(of signal: RangeReport.Signal) -> String {
        switch signal {
        case .ended: "the other end has ended the session"
        case .exhausted: "the radio has given up after too many failed rounds"
        case .suspended: "the other end has paused the session"
        case .resumed: "the other end goes on with the session"
        }
    }

    private static func count(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}
