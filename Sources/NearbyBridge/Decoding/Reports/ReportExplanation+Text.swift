// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

extension ReportExplanation {
    /// For people: a line for each report, a table of every field, and a line for each fault and warning.
    var text: String {
        var text = summary
        let header: FieldTable.Row = (cells: [["offset"], ["text"], ["place"], ["field"], ["value"]], last: "meaning")
        text += FieldTable([header] + fields.map(row(_:))).text
        for line in faults { text += line + "\n" }
        return text
            + (errors.isEmpty && unfinishedTail == nil || !warnings.isEmpty ? FieldTable.warnings(warnings) : "")
    }

    /// What is wrong, in one line.
    var complaint: String { ((reports.isEmpty ? ["no report"] : []) + faults).joined(separator: "; ") }

    private var summary: String {
        let counts = "\(Plural.of(payload.count, "byte")), \(Plural.of(reports.count, "report"))"
        var lines = ["report: \(row.name), \(counts); \(row.units)"]
        for (index, (report, offset)) in reports.enumerated() {
            let fields = fields(of: report).map { "\($0.name) \($0.text)" }
            lines.append("\(index + 1)  byte \(offset)  \(fields.joined(separator: ", "))")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private var faults: [String] {
        var lines = errors.map { "fault at byte \($0.offset): \($0.reason.text)" }
        if let unfinishedTail {
            lines.append("unfinished from byte \(unfinishedTail) on: the next message goes on with it")
        }
        return lines
    }

    private func row(_ field: ReportField) -> FieldTable.Row {
        let name = field.name.map { name in String(name.map { $0 == "_" ? " " : $0 }) } ?? ""
        let text = isBinary ? ExplanationText.lines(Array(payload[field.range])) : [Self.short(text(of: field))]
        return (
            cells: [
                [String(field.range.lowerBound)], text, [Self.short(field.place)], [name],
                [Self.short(field.value.text)],
            ],
            last: field.meaning
        )
    }

    /// Whether the payload is bytes of packets, not text.
    private var isBinary: Bool {
        (row.format == .uci || row.format == .linktrack) && HexadecimalPlaces(payload) == nil
    }

    /// The bytes of a field as they stand, in hexadecimal if they are those of packets.
    func text(of field: ReportField) -> String {
        let bytes = Array(payload[field.range])
        return isBinary ? Hexadecimal.text(bytes.span) : String(decoding: bytes, as: UTF8.self)
    }

    /// So many characters of a text fit into a column.
    private static let longest = 24

    private static func short(_ text: String) -> String {
        // In a column of its own a text needs no quotation marks around it, and keeps its own.
        let plain = PlainText.plain(text).replacing("\\\"", with: "\"").replacing("\\'", with: "'")
        return plain.count > longest ? plain.prefix(longest - 1) + "…" : plain
    }
}
