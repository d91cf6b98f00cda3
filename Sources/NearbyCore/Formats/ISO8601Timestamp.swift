// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Reads timestamps such as `2026-11-30T14:01:52.123Z`.
///
/// The profile of RFC 3339, and what encoders make of it: the offset may be `Z`, `±hh:mm`, `±hhmm` or `±hh`, or be
/// missing, which counts as UTC; seconds may have a fraction, cut after nanoseconds. CONTRACT section 3.
public enum ISO8601Timestamp {
    /// Nanoseconds since 1970, `nil` if the text is no timestamp or beyond the years 1677 to 2262.
    public static func nanoseconds(_ text: Span<UInt8>) -> Int64? {
        var offset = 0
        guard let year = digits(4, of: text, at: &offset), separator("-", "-", in: text, at: &offset),
            let month = digits(2, of: text, at: &offset), separator("-", "-", in: text, at: &offset),
            let day = digits(2, of: text, at: &offset),
            1...12 ~= month, 1...days(inMonth: month, of: year) ~= day,
            separator("T", "t", in: text, at: &offset) || separator(" ", " ", in: text, at: &offset),
            let hour = digits(2, of: text, at: &offset), separator(":", ":", in: text, at: &offset),
            let minute = digits(2, of: text, at: &offset), separator(":", ":", in: text, at: &offset),
            let second = digits(2, of: text, at: &offset),
            hour < 24, minute < 60, second <= 60,  // a leap second counts as the next one
            let fraction = fraction(of: text, at: &offset),
            let zone = zone(of: text, at: &offset),
            offset == text.count
        else { return nil }
        let seconds = (daysSince1970(year, month, day) * 24 + hour) * 3600 + minute * 60 + second - zone
        // Before 1970 the whole seconds alone may lie beyond the range where the sum is still within it.
        let (whole, rest) = seconds < 0 ? (seconds + 1, fraction - 1_000_000_000) : (seconds, fraction)
        let (nanoseconds, overflow) = whole.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, sumOverflow) = nanoseconds.addingReportingOverflow(rest)
        return overflow || sumOverflow ? nil : sum
    }

    /// Reads exactly so many digits.
    private static func digits(_ count: Int, of text: Span<UInt8>, at offset: inout Int) -> Int64? {
        guard text.count - offset >= count else { return nil }
        var value: Int64 = 0
        for index in offset..<offset + count {
            let digit = text[index] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            value = value * 10 + Int64(digit)
        }
        offset += count
        return value
    }

    /// Moves over either of two characters if it stands there.
    private static func separator(
        _ first: Unicode.Scalar,
        _ second: Unicode.Scalar,
        in text: Span<UInt8>,
        at offset: inout Int
    ) -> Bool {
        guard offset < text.count else { return false }
        let scalar = Unicode.Scalar(text[offset])
        guard scalar == first || scalar == second else { return false }
        offset += 1
        return true
    }

    /// Nanoseconds of the fraction, 0 without one, `nil` if no digit follows the point.
    private static func fraction(of text: Span<UInt8>, at offset: inout Int) -> Int64? {
        guard separator(".", ",", in: text, at: &offset) else { return 0 }
        let start = offset
        var value: Int64 = 0
        var scale: Int64 = 100_000_000
        while let digit = digits(1, of: text, at: &offset) {
            value += digit * scale
            scale /= 10
        }
        return offset > start ? value : nil
    }

    /// Seconds east of Greenwich.
    private static func zone(of text: Span<UInt8>, at offset: inout Int) -> Int64? {
        if offset == text.count || separator("Z", "z", in: text, at: &offset) { return 0 }
        let isWest = separator("-", "-", in: text, at: &offset)
        guard isWest || separator("+", "+", in: text, at: &offset),
            let hours = digits(2, of: text, at: &offset), hours < 24
        else { return nil }
        var seconds = hours * 3600
        if offset < text.count {
            _ = separator(":", ":", in: text, at: &offset)
            guard let minutes = digits(2, of: text, at: &offset), minutes < 60 else { return nil }
            seconds += minutes * 60
        }
        return isWest ? -seconds : seconds
    }

    private static func days(inMonth month: Int64, of year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days from 1970-01-01 in the Gregorian calendar, counted in years that begin in March.
    ///
    /// A day short before March of the year 0, which is far out of range anyway.
    private static func daysSince1970(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let marchYear = month > 2 ? year : year - 1
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        let leapDays = marchYear / 4 - marchYear / 100 + marchYear / 400
        return marchYear * 365 + leapDays + dayOfYear - 719_468
    }
}
