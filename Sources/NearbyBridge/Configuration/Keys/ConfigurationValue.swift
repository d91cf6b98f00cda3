// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// A value that has been checked against the type of its key.
enum ConfigurationValue: Equatable, Sendable {
    case boolean(Bool)
    case integer(Int)
    case number(Double)
    case duration(Duration)
    case never
    case byteSize(Int)
    case text(String)
    case list([ConfigurationValue])

    /// The value as one would write it.
    var text: String {
        switch self {
        case .boolean(let value): String(value)
        case .integer(let value): String(value)
        case .number(let value): String(value)
        case .duration(let value): DurationText.write(value)
        case .never: "never"
        case .byteSize(let value): ByteSizeText.write(value)
        case .text(let value): Self.inOneLine(value)
        case .list(let values): "[" + values.map(\.text).joined(separator: ", ") + "]"
        }
    }
    /// What is sent to devices may have line ends, which would break the lines of a log.
    private static func inOneLine(_ text: String) -> String {
        // Scalars, not characters: CR LF is one character.
        text.unicodeScalars.map { $0 == "\r" ? "\\r" : $0 == "\n" ? "\\n" : String($0) }.joined()
    }
}
