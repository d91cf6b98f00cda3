// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// A number as a JSON payload spells it: ± mantissa × 10^exponent.
///
/// Kept in decimal until its use is known, so that counters and timestamps do not lose digits to a `Double`.
public struct JSONNumber: Equatable, Sendable {
    /// Whether a minus sign stands before it.
    public internal(set) var isNegative = false
    /// The significant digits, as far as they fit.
    public internal(set) var mantissa: UInt64 = 0
    /// The power of ten that the mantissa is to be multiplied by.
    public internal(set) var exponent = 0
    /// Whether the mantissa holds all digits: if not, mantissa and exponent mean nothing.
    public internal(set) var isExact = true
    /// Where the number stands in the payload.
    public internal(set) var range: Range<Int> = 0..<0

    static let powersOfTen: InlineArray<23, Double> = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
        1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
    ]

    /// The largest mantissa that another digit can be appended to: 19 digits always fit into 64 bits.
    static let maximumToExtend: UInt64 = 999_999_999_999_999_999

    /// The nearest `Double`, infinite beyond its range; `payload` is the one that the number was read from.
    ///
    /// Mantissa and power of ten are both exact up to 2^53 and 10^22, so one division or multiplication rounds
    /// correctly (Clinger's fast path). Up to 19 digits, as computed values have, take a longer division; only more
    /// digits, or a power of ten that no measurement has, go through a `String`.
    @inline(__always)
    public func value(in payload: Span<UInt8>) -> Double {
        guard isExact, mantissa <= 1 << 53, -22...22 ~= exponent else { return slowValue(in: payload) }
        let power = Self.powersOfTen[exponent < 0 ? -exponent : exponent]
        let magnitude = exponent < 0 ? Double(mantissa) / power : Double(mantissa) * power
        return isNegative ? -magnitude : magnitude
    }

    @inline(never)
    private func slowValue(in payload: Span<UInt8>) -> Double {
        if isExact, mantissa > 0, -19...0 ~= exponent {
            let magnitude = mantissa(dividedByPowerOfTen: -exponent)
            return isNegative ? -magnitude : magnitude
        }
        guard range.lowerBound >= 0, range.upperBound <= payload.count else { return .nan }
        var text = ""
        text.reserveCapacity(range.count)
        for index in range {
            text.unicodeScalars.append(Unicode.Scalar(payload[index]))
        }
        return Double(text) ?? .nan
    }

    /// Divides to at least 62 bits and a last one for the rest, so that the conversion to `Double` rounds correctly.
    private func mantissa(dividedByPowerOfTen power: Int) -> Double {
        var divisor: UInt64 = 1
        for _ in 0..<power { divisor &*= 10 }
        let (shift, divisorShift) = (mantissa.leadingZeroBitCount, divisor.leadingZeroBitCount)
        let dividend = mantissa << shift
        // The divisor has its highest bit set and the dividend's upper half has not: the quotient fits.
        let (quotient, rest) = (divisor << divisorShift).dividingFullWidth((dividend >> 1, dividend << 63))
        let significand = Double(quotient | (rest == 0 ? 0 : 1))
        return Double(sign: .plus, exponent: divisorShift - shift - 63, significand: significand)
    }

    /// The number as an integer, without rounding: `nil` if it is none or does not fit.
    public func integer(in payload: Span<UInt8>) -> Int64? {
        if isExact { return scaled(byPowerOfTen: 0, isTruncating: false) }
        return Self.whole(value(in: payload))
    }

    /// The value as an integer, `nil` if it has a fraction or does not fit.
    static func whole(_ value: Double) -> Int64? {
        guard let integer = truncated(value), Double(integer) == value else { return nil }
        return integer
    }

    /// The value without its fraction, `nil` if it does not fit.
    ///
    /// Unlike `Int64(exactly:)` and `rounded(_:)` it calls nothing of the C library's mathematics.
    static func truncated(_ value: Double) -> Int64? {
        value >= -0x1p63 && value < 0x1p63 ? Int64(value) : nil
    }

    /// The number × 10^`shift`, `nil` if it does not fit.
    ///
    /// A fraction that is left is cut off, or makes it `nil` unless `isTruncating`. Only for an exact number.
    func scaled(byPowerOfTen shift: Int, isTruncating: Bool) -> Int64? {
        var magnitude = mantissa
        var power = exponent + shift
        while power < 0, magnitude > 0 {
            let (quotient, remainder) = magnitude.quotientAndRemainder(dividingBy: 10)
            guard isTruncating || remainder == 0 else { return nil }
            magnitude = quotient
            power += 1
        }
        while power > 0, magnitude > 0 {
            let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
            guard !overflow else { return nil }
            magnitude = product
            power -= 1
        }
        guard isNegative else { return Int64(exactly: magnitude) }
        return magnitude == Int64.min.magnitude ? Int64.min : Int64(exactly: magnitude).map { -$0 }
    }
}
