// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What an option of the form `NAME[:VALUE]` may be: for parsing, help and completion.
struct NamedValueTable: Sendable {
    /// A name with the value it has by itself, empty if it takes none, and what it does.
    typealias Row = (name: String, value: String, meaning: String)

    /// The option without dashes.
    let option: String
    /// What is named.
    let noun: String
    /// In the order of help texts.
    let rows: [Row]

    init(option: String, noun: String, _ rows: [Row]) {
        self.option = option
        self.noun = noun
        self.rows = rows
    }

    /// Every name.
    var names: [String] { rows.map(\.name) }

    /// Every name with its usual value and its meaning.
    var help: String {
        rows.map { "\($0.name)\($0.value.isEmpty ? "" : ":\($0.value)") (\($0.meaning))" }.joined(separator: ", ")
    }

    /// Reads `NAME` or `NAME:VALUE`; `make` gets the usual value where none is given, and gives `nil` for one that is none.
    func read<Result>(_ text: String, _ make: (_ name: String, _ value: String) -> Result?) throws(UsageError) -> Result
    {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let name = parts.first ?? ""
        guard let row = rows.first(where: { $0.name == name }) else {
            let near = NearestName.of(name, in: names)
            throw UsageError(
                "--\(option): unknown \(noun) \(PlainText.quote(name))",
                fix: near.map { "did you mean \($0)?" } ?? "there are \(names.joined(separator: ", "))"
            )
        }
        let value = parts.count > 1 ? parts[1] : row.value
        guard let result = make(name, value), parts.count == 1 || !row.value.isEmpty else {
            throw UsageError(
                "--\(option): \(PlainText.quote(value)) is no value of \(name)",
                fix: row.value.isEmpty ? "write \(name)" : "write \(name):\(row.value)"
            )
        }
        return result
    }
}
