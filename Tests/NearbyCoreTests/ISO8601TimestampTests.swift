// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Foundation
import NearbyCore
import TestSupport
import Testing

@Suite struct ISO8601TimestampTests {
    private func nanoseconds(_ text: String) -> Int64? {
        ISO8601Timestamp.nanoseconds([UInt8](text.utf8).span)
    }

    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0),
        ("2026-11-30T14:01:52.123Z", 1_796_047_312_123_000_000),
        ("2026-11-30T14:01:52Z", 1_796_047_312_000_000_000),
        ("2026-11-30T14:01:52.123456789Z", 1_796_047_312_123_456_789),
        ("2026-11-30T14:01:52.1234567899999Z", 1_796_047_312_123_456_789),
        ("2026-11-30T15:31:52.5+01:30", 1_796_047_312_500_000_000),
        ("2026-11-30T15:31:52.5+0130", 1_796_047_312_500_000_000),
        ("2026-11-30T06:01:52.5-08", 1_796_047_312_500_000_000),
        ("2026-11-30t14:01:52,5z", 1_796_047_312_500_000_000),
        ("2026-11-30 14:01:52.5", 1_796_047_312_500_000_000),
        ("2016-12-31T23:59:60Z", 1_483_228_800_000_000_000),
        ("2000-02-29T00:00:00Z", 951_782_400_000_000_000),
        ("1969-12-31T23:59:59.75Z", -250_000_000),
        ("2262-04-11T23:47:16.854775807Z", Int64.max),
        ("1677-09-21T00:12:43.145224192Z", Int64.min),
    ])
    func `A timestamp is nanoseconds since 1970`(_ text: String, _ expected: Int64) {
        #expect(nanoseconds(text) == expected)
    }

    @Test(arguments: [
        "", "2026", "2026-11-30", "2026-11-30T14:01Z", "2026-11-30T14:01:52.Z", "2026-11-30T14:01:52Zx",
        "2026-13-30T14:01:52Z", "2026-00-30T14:01:52Z", "2026-11-31T14:01:52Z", "2026-11-00T14:01:52Z",
        "2026-02-29T14:01:52Z", "1900-02-29T00:00:00Z", "2026-11-30T24:00:00Z", "2026-11-30T14:60:00Z",
        "2026-11-30T14:01:61Z", "2026-11-30T14:01:52+1", "2026-11-30T14:01:52+24:00", "2026-11-30T14:01:52+01:60",
        "2026-11-30T14:01:52+01:", "2026-11-30_14:01:52Z", "+026-11-30T14:01:52Z", "2026-11-30T14:01:5²Z",
        "2262-04-11T23:47:16.854775808Z", "1677-09-21T00:12:43.145224191Z", "0000-01-01T00:00:00Z",
        "9999-12-31T23:59:59Z",
    ])
    func `What is no timestamp, or out of range, is refused`(_ text: String) {
        #expect(nanoseconds(text) == nil)
    }

    @Test func `Dates agree with Foundation's`() throws {
        let formatter = ISO8601DateFormatter()
        try SeededGenerator.run(seed: 8601) { generator in
            for _ in 0..<2_000 {
                let seconds = Int64.random(in: -9_200_000_000...9_200_000_000, using: &generator)
                // Before the Gregorian calendar's reform Foundation counts in the Julian one, but that is out of range.
                let text = formatter.string(from: Date(timeIntervalSince1970: Double(seconds)))
                try #require(nanoseconds(text) == seconds * 1_000_000_000, "\(text)")
            }
            return true
        }
    }

    @Test func `No bytes whatsoever make it trap`() {
        let sample = [UInt8]("2026-11-30T14:01:52.123456789+01:30".utf8)
        for index in sample.indices {
            let beginning = Array(sample[..<index])
            _ = ISO8601Timestamp.nanoseconds(beginning.span)
            for byte in UInt8.min...UInt8.max {
                var bytes = sample
                bytes[index] = byte
                _ = ISO8601Timestamp.nanoseconds(bytes.span)
            }
        }
    }
}
