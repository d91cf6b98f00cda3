// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// An explanation for people, in columns, at most 100 characters wide.
enum ExplanationText {
    private static let bytesPerLine = 8

    /// The whole text.
    static func text(_ explanation: Explanation) -> String {
        let length = Plural.of(explanation.length, "byte")
        var text = "\(explanation.kind.rawValue): \(explanation.kind.title), \(length)"
        text += explanation.spelling == .binary ? "\n" : " from \(explanation.spelling) text\n"
        for remark in explanation.remarks { text += "\(remark.key): \(PlainText.plain(remark.text))\n" }
        let header: FieldTable.Row = (cells: [["offset"], ["bytes"], ["field"], ["value"]], last: "meaning")
        text += FieldTable([header] + explanation.fields.map(row(_:))).text
        return text + FieldTable.warnings(explanation.warnings)
    }

    private static func row(_ field: DecodedField) -> FieldTable.Row {
        let bytes = field.isSecret ? ["<secret>"] : lines(field.bytes)
        let value = field.isSecret ? SecretBytes.placeholder(count: field.bytes.count) : field.value.text
        let name = String(field.name.map { $0 == "_" ? " " : $0 })
        return (cells: [[String(field.offset)], bytes, [name], [value]], last: field.meaning)
    }

    /// Bytes in hexadecimal, so many in a line.
    static func lines(_ bytes: [UInt8]) -> [String] {
        stride(from: 0, to: bytes.count, by: bytesPerLine).map {
            Hexadecimal.text(Array(bytes[$0..<min($0 + bytesPerLine, bytes.count)]).span)
        }
    }
}

extension DecodedField.Value {
    /// What it holds, for people.
    var text: String {
        switch self {
        case .number(_, let text), .text(let text): text
        case .quantity(let number, let decimals, let unit):
            Column.decimal(number, decimals) + (unit == "deg" ? "°" : unit.isEmpty ? "" : " \(unit)")
        case .none: ""
        }
    }
}
