// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// The numbers that a key accepts.
public struct NumberRange: Equatable, Sendable {
    /// The least number.
    public var minimum: Double
    /// Whether the least number itself is accepted.
    public var isMinimumAllowed: Bool
    /// The greatest number.
    public var maximum: Double
    /// What the numbers count, such as "metres"; empty for plain numbers.
    public var unit: String

    /// More than nothing and less than a kilometre.
    static let metresAboveZero = NumberRange(minimum: 0, isMinimumAllowed: false, maximum: 1000, unit: "metres")
    /// Nothing, or less than a kilometre.
    static let zeroToKilometre = NumberRange(minimum: 0, isMinimumAllowed: true, maximum: 1000, unit: "metres")
    /// A correction in either direction.
    static let metres = NumberRange(minimum: -1000, isMinimumAllowed: true, maximum: 1000, unit: "metres")
    /// A coordinate of some site.
    static let coordinate = NumberRange(minimum: -1e7, isMinimumAllowed: true, maximum: 1e7, unit: "metres")
    /// A factor or a rate.
    static let aboveZero = NumberRange(minimum: 0, isMinimumAllowed: false, maximum: 1000, unit: "")
    /// A gain that may be switched off.
    static let zeroOrMore = NumberRange(minimum: 0, isMinimumAllowed: true, maximum: 1000, unit: "")
    /// A weight.
    static let fraction = NumberRange(minimum: 0, isMinimumAllowed: false, maximum: 1, unit: "")

    /// A direction.
    static let degrees = NumberRange(minimum: -180, isMinimumAllowed: true, maximum: 180, unit: "degrees")
    /// A part of a turn, for a band.
    static let turn = NumberRange(minimum: 0, isMinimumAllowed: true, maximum: 180, unit: "degrees")
    /// Parts of a hundred.
    static let percent = NumberRange(minimum: 0, isMinimumAllowed: true, maximum: 100, unit: "percent")

    /// Whether a number is accepted; NaN never is.
    func contains(_ number: Double) -> Bool {
        (isMinimumAllowed ? number >= minimum : number > minimum) && number <= maximum
    }

    /// The range in words.
    var expectation: String {
        let bounds =
            isMinimumAllowed
            ? "from \(Decimals.short(minimum)) to \(Decimals.short(maximum))"
            : "greater than \(Decimals.short(minimum)), at most \(Decimals.short(maximum))"
        return "\(unit.isEmpty ? "a number" : unit) \(bounds)"
    }
}
