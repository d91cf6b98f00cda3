// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Wall-clock time as payloads write it: ISO 8601, UTC, milliseconds (CONTRACT section 4).
enum Timestamp {
    /// Bytes of a timestamp: `2026-11-30T14:01:52.123Z`.
    static let length = 24

    /// The text of a Unix time in nanoseconds; years outside 0…9999 are held at those bounds.
    static func text(unixNanoseconds: Int64) -> [UInt8] {
        let earliest: Int64 = -62_167_219_200_000
        let latest: Int64 = 253_402_300_799_999
        let milliseconds = min(latest, max(earliest, floorDivide(unixNanoseconds, 1_000_000)))
        let days = floorDivide(milliseconds, 86_400_000)
        let timeOfDay = milliseconds - days * 86_400_000
        let date = civilDate(daysSince1970: days)
        var text: [UInt8] = []
        text.reserveCapacity(length)
        append(date.year, digits: 4, then: "-", to: &text)
        append(date.month, digits: 2, then: "-", to: &text)
        append(date.day, digits: 2, then: "T", to: &text)
        append(timeOfDay / 3_600_000, digits: 2, then: ":", to: &text)
        append(timeOfDay / 60_000 % 60, digits: 2, then: ":", to: &text)
        append(timeOfDay / 1000 % 60, digits: 2, then: ".", to: &text)
        append(timeOfDay % 1000, digits: 3, then: "Z", to: &text)
        return text
    }

    private static func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
        let quotient = value / divisor
        return value % divisor < 0 ? quotient - 1 : quotient
    }

    /// Proleptic Gregorian date of a day number, by eras of 400 years that begin on the first of March.
    private static func civilDate(daysSince1970 days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = floorDivide(shifted, 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    private static func append(_ value: Int64, digits: Int, then separator: Unicode.Scalar, to text: inout [UInt8]) {
        var divisor: Int64 = 1
        for _ in 1..<digits { divisor *= 10 }
        while divisor > 0 {
            text.append(UInt8(truncatingIfNeeded: 48 + value / divisor % 10))
            divisor /= 10
        }
        text.append(UInt8(ascii: separator))
    }
}
