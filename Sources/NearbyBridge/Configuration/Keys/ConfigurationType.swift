// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What a key may be set to.
public indirect enum ConfigurationType: Equatable, Sendable {
    /// Whether a duration may be left open.
    public enum Openness: Sendable {
        /// It always ends.
        case always
        /// `never` is accepted as well.
        case orNever
    }

    /// `true` or `false`; `on`, `yes` and their kin are refused, as YAML itself does not agree about them.
    case boolean
    /// A whole number in a range.
    case integer(ClosedRange<Int>)
    /// A number in a range, with its unit.
    case number(NumberRange)
    /// A time with its unit: `250ms`, `5s`, `2m`, `1h`, `1d`.
    case duration(ClosedRange<Duration>, Openness)
    /// A size: bytes, or with `KiB`, `MiB`, `GiB`.
    case byteSize(ClosedRange<Int>)
    /// One of a few words; the unbuilt ones are accepted and warned of.
    case choice([String], unbuilt: [String] = [])
    /// Text that follows a rule.
    case text(TextRule)
    /// Values of one type, so many of them.
    case list(ConfigurationType, count: ClosedRange<Int> = Self.anyCount)

    /// As many as one likes.
    public static let anyCount = 0...10_000

    /// What is expected, in words that follow "expected".
    public var expectation: String {
        switch self {
        case .boolean: "true or false"
        case .integer(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .number(let range): range.expectation
        case .duration(let range, let openness):
            "a duration from \(DurationText.write(range.lowerBound)) to \(DurationText.write(range.upperBound))"
                + (openness == .orNever ? ", or never" : "")
        case .byteSize(let range):
            "a size from \(ByteSizeText.write(range.lowerBound)) to \(ByteSizeText.write(range.upperBound))"
        case .choice(let words, let unbuilt): "one of " + (words + unbuilt).joined(separator: ", ")
        case .text(let rule): rule.expectation
        case .list(let element, Self.anyCount): "a list, each \(element.expectation)"
        case .list(let element, let count):
            "a list of \(count.lowerBound) to \(count.upperBound), each \(element.expectation)"
        }
    }

    /// A value that is accepted, for a fix where nothing better is known.
    public var example: String {
        switch self {
        case .boolean: "true"
        case .integer(let range): String(range.lowerBound)
        case .number(let range): Decimals.short(range.contains(1) ? 1 : range.maximum)
        case .duration(let range, _): DurationText.write(max(range.lowerBound, min(.seconds(1), range.upperBound)))
        case .byteSize(let range): ByteSizeText.write(range.lowerBound)
        case .choice(let words, _): words.first ?? ""
        case .text(let rule): rule.example
        case .list(let element, let count):
            "[" + Array(repeating: element.example, count: max(1, count.lowerBound)).joined(separator: ", ") + "]"
        }
    }
}
