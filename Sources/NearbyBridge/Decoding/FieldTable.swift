// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Columns of text, at most 100 characters wide: the first is set to the right, the last is broken between words.
struct FieldTable {
    /// The greatest width (characters).
    static let width = 100
    private static let gap = "  "
    /// However little is left, the last column has so much.
    private static let leastWidth = 16

    /// A line of the table: cells of one line or more, and the text of the last column.
    typealias Row = (cells: [[String]], last: String)

    /// All lines.
    let text: String

    /// Lays out rows that have the same number of cells.
    init(_ rows: [Row]) {
        let count = rows.first?.cells.count ?? 0
        let widths = (0..<count).map { index in rows.flatMap { $0.cells[index] }.map(\.count).max() ?? 0 }
        let taken = widths.reduce(0, +) + count * Self.gap.count
        let left = max(Self.leastWidth, Self.width - taken)
        text = rows.map { Self.lines($0, widths, left) }.joined()
    }

    private static func lines(_ row: Row, _ widths: [Int], _ left: Int) -> String {
        let last = wrap(row.last, left)
        let height = max(1, last.count, row.cells.map(\.count).max() ?? 0)
        return (0..<height).map { line in
            var cells = row.cells.enumerated().map { index, cell in
                let text = line < cell.count ? cell[line] : ""
                return index == 0 ? Column.right(text, widths[index]) : Column.left(text, widths[index])
            }
            cells.append(line < last.count ? last[line] : "")
            var text = cells.joined(separator: gap)
            while text.last == " " { text.removeLast() }
            return text + "\n"
        }.joined()
    }

    /// Breaks a text between words.
    static func wrap(_ text: String, _ width: Int) -> [String] {
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

    /// Warnings, a paragraph each, or that there are none.
    static func warnings(_ warnings: [String]) -> String {
        guard !warnings.isEmpty else { return "no warnings\n" }
        let word = "warning: "
        let indent = "\n" + String(repeating: " ", count: word.count)
        return warnings.map { word + wrap($0, width - word.count).joined(separator: indent) + "\n" }.joined()
    }
}
