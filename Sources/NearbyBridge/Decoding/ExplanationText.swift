// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// An explanation for people, in columns, at most 100 characters wide.
enum ExplanationText {
    private static let width = 100
    private static let gap = "  "
    private static let bytesPerLine = 8

    /// The whole text.
    static func text(_ explanation: Explanation) -> String {
        let count = explanation.length
        let rows = explanation.fields.map { Row($0) }
        let header = Row(offset: "offset", bytes: ["bytes"], name: "field", value: "value", meaning: "meaning")
        let widths = Widths(rows + [header])
        var text = "\(explanation.kind.rawValue): \(explanation.kind.title), \(count) byte\(count == 1 ? "" : "s")"
        text += explanation.spelling == .binary ? "\n" : " from \(explanation.spelling) text\n"
        for remark in explanation.remarks { text += "\(remark.key): \(PlainText.plain(remark.text))\n" }
        for row in [header] + rows { text += lines(row, widths) }
        guard !explanation.warnings.isEmpty else { return text + "no warnings\n" }
        for warning in explanation.warnings {
            let lines = wrap(warning, width - 9)
            text += "warning: " + lines.joined(separator: "\n         ") + "\n"
        }
        return text
    }

    private struct Row {
        var offset: String
        var bytes: [String]
        var name: String
        var value: String
        var meaning: String

        init(offset: String, bytes: [String], name: String, value: String, meaning: String) {
            self.offset = offset
            self.bytes = bytes
            self.name = name
            self.value = value
            self.meaning = meaning
        }

        init(_ field: DecodedField) {
            offset = String(field.offset)
            name = String(field.name.map { $0 == "_" ? " " : $0 })
            meaning = field.meaning
            if field.isSecret {
                bytes = ["<secret>"]
                value = SecretBytes.placeholder(count: field.bytes.count)
                return
            }
            bytes = stride(from: 0, to: field.bytes.count, by: bytesPerLine).map {
                Hexadecimal.text(Array(field.bytes[$0..<min($0 + bytesPerLine, field.bytes.count)]).span)
            }
            switch field.value {
            case .number(_, let text), .text(let text): value = text
            case .quantity(let number, let decimals, let unit):
                value = Column.decimal(number, decimals) + (unit == "deg" ? "°" : " \(unit)")
            case .none: value = ""
            }
        }
    }

    private struct Widths {
        var offset: Int
        var bytes: Int
        var name: Int
        var value: Int

        /// What is left for the last column.
        var meaning: Int { ExplanationText.width - offset - bytes - name - value - 4 * gap.count }

        init(_ rows: [Row]) {
            offset = rows.map(\.offset.count).max() ?? 0
            bytes = rows.flatMap(\.bytes).map(\.count).max() ?? 0
            name = rows.map(\.name.count).max() ?? 0
            value = rows.map(\.value.count).max() ?? 0
        }
    }

    private static func lines(_ row: Row, _ widths: Widths) -> String {
        let meanings = wrap(row.meaning, widths.meaning)
        var text = ""
        for index in 0..<max(1, row.bytes.count, meanings.count) {
            let cells = [
                Column.right(index == 0 ? row.offset : "", widths.offset),
                Column.left(index < row.bytes.count ? row.bytes[index] : "", widths.bytes),
                Column.left(index == 0 ? row.name : "", widths.name),
                Column.left(index == 0 ? row.value : "", widths.value),
                index < meanings.count ? meanings[index] : "",
            ]
            var line = cells.joined(separator: gap)
            while line.last == " " { line.removeLast() }
            text += line + "\n"
        }
        return text
    }

    /// Breaks a text between words.
    private static func wrap(_ text: String, _ width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, line.count + word.count + 1 > width {
                lines.append(line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        return lines + [line]
    }
}
