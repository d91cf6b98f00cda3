// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyBridge

struct LogTimestampTests {
    private func read(_ line: String) -> LogTimestamp? { LogTimestamp(Array(line.utf8).span) }

    @Test(arguments: [
        ("[00:00:03.831,174] <info> app: x", 3_831_174_000, true, "<info> app: x"),
        ("[00:00:03.831] x", 3_831_000_000, true, "x"),
        ("12:34:56.789 -> from: 1782", 45_296_789_000_000, true, "from: 1782"),
        ("  1:02:03 DIST,1", 3_723_000_000_000, true, "DIST,1"),
        ("2026-01-02T03:04:05.5Z mc 01", 1_767_323_045_500_000_000, false, "mc 01"),
        ("2026-01-02 03:04:05,678: x", 1_767_323_045_678_000_000, false, "x"),
        ("[2026-01-02T03:04:05+01:00] x", 1_767_319_445_000_000_000, false, "x"),
        ("1764511312.345 {\"a\":1}", 1_764_511_312_345_000_000, false, "{\"a\":1}"),
        ("1764511312345, x", 1_764_511_312_345_000_000, false, "x"),
        ("1764511312345678\tx", 1_764_511_312_345_678_000, false, "x"),
        ("12:34:56", 45_296_000_000_000, true, ""),
    ])
    func `what loggers write before a line is read`(_ line: String, _ time: Int64, _ isOfDay: Bool, _ rest: String) {
        let stamp = read(line)
        #expect(stamp?.nanoseconds == time && stamp?.isOfDay == isOfDay)
        #expect(stamp.map { String(decoding: Array(line.utf8)[$0.end...], as: UTF8.self) } == rest)
    }

    @Test(arguments: [
        "", "from: 1782", "DIST,1", "{\"distance\":1}", "[{\"Addr\"", "62000038", "1782 x", "12:34 x", "12:34:5x",
        "99:61:00 x", "[12:34:56 x", "1764511312x", "2026-13-02T03:04:05Z x", "mc 0f 00000663", "12345678901234567 x",
    ])
    func `a line of a device has none`(_ line: String) { #expect(read(line) == nil) }

    @Test func `whatever a line begins with, its rest is within it`() {
        var generator = SeededGenerator(seed: 5)
        let letters = Array("0123456789:.,-TZ[] >x\t".utf8)
        for _ in 0..<20_000 {
            let count = Int.random(in: 0...30, using: &generator)
            let line = (0..<count).map { _ in letters[Int.random(in: 0..<letters.count, using: &generator)] }
            #expect((LogTimestamp(line.span)?.end ?? 0) <= line.count)
        }
    }
}
