// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import NearbyBridge

struct TimestampTests {
    private func text(_ nanoseconds: Int64) -> String {
        String(decoding: Timestamp.text(unixNanoseconds: nanoseconds), as: UTF8.self)
    }

    /// The same by Foundation.
    private func foundation(_ nanoseconds: Int64) throws -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
        var seconds = nanoseconds / 1_000_000_000
        if nanoseconds % 1_000_000_000 < 0 { seconds -= 1 }
        // Not by a subtraction, which overflows for the earliest times.
        let rest = (nanoseconds % 1_000_000_000 + 1_000_000_000) % 1_000_000_000
        let date = calendar.dateComponents(
            [.year, .month, .day, .hour, .minute, .second],
            from: Date(timeIntervalSince1970: TimeInterval(seconds))
        )
        func digits(_ value: Int?, _ count: Int) -> String {
            let text = String(value ?? -1)
            return String(repeating: "0", count: count - text.count) + text
        }
        return "\(digits(date.year, 4))-\(digits(date.month, 2))-\(digits(date.day, 2))T"
            + "\(digits(date.hour, 2)):\(digits(date.minute, 2)):\(digits(date.second, 2))."
            + "\(digits(Int(rest / 1_000_000), 3))Z"
    }

    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"),
            (1, "1970-01-01T00:00:00.000Z"),
            (999_999, "1970-01-01T00:00:00.000Z"),
            (1_000_000, "1970-01-01T00:00:00.001Z"),
            (-1, "1969-12-31T23:59:59.999Z"),
            (-1_000_000, "1969-12-31T23:59:59.999Z"),
            (-1_000_001, "1969-12-31T23:59:59.998Z"),
            (951_782_400_000_000_000, "2000-02-29T00:00:00.000Z"),
            (4_107_542_399_999_000_000, "2100-02-28T23:59:59.999Z"),
            (4_107_542_400_000_000_000, "2100-03-01T00:00:00.000Z"),
            (1_796_047_312_123_456_789, "2026-11-30T14:01:52.123Z"),
            (Int64.max, "2262-04-11T23:47:16.854Z"),
            (Int64.min, "1677-09-21T00:12:43.145Z"),
        ] as [(Int64, String)]
    )
    func `times are ISO 8601 in UTC, cut to milliseconds`(_ nanoseconds: Int64, _ expected: String) {
        #expect(text(nanoseconds) == expected)
    }

    @Test func `any time agrees with Foundation`() throws {
        var generator = SplitMix64(seed: 1)
        for _ in 0..<5000 {
            let time = Int64.random(in: Int64.min...Int64.max, using: &generator)
            let written = text(time)
            #expect(try written == foundation(time), "\(time)")
            #expect(written.utf8.count == Timestamp.length)
        }
    }

    @Test func `every day of four centuries' leap years agrees with Foundation`() throws {
        for year in stride(from: 1680, through: 2260, by: 4) {
            let calendar = Calendar(identifier: .gregorian)
            let components = DateComponents(
                calendar: calendar,
                timeZone: TimeZone(secondsFromGMT: 0),
                year: year,
                month: 2,
                day: 28
            )
            let begin = try #require(components.date).timeIntervalSince1970
            for day in 0..<3 {
                let time = (Int64(begin) + Int64(day) * 86_400) * 1_000_000_000
                #expect(try text(time) == foundation(time), "\(year)")
            }
        }
    }
}
