// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NearbyCore

@Suite struct SerialLineTests {
    private func decimal(_ text: String) throws(ReportError) -> (value: Double?, offset: Int) {
        var offset = 0
        let value = try SerialLine.decimal(in: [UInt8](text.utf8).span, at: &offset)
        return (value, offset)
    }

    private func hexadecimal(_ text: String) throws(ReportError) -> (value: UInt64, digits: Int) {
        var offset = 0
        return try SerialLine.hexadecimal(in: [UInt8](text.utf8).span, at: &offset)
    }

    @Test(arguments: [
        ("0", 0.0, 1), ("-77.93,", -77.93, 6), ("- 1)", -1, 3), ("1e3", 1000, 3), ("nan m", nil, 3), ("-inf", nil, 4),
        ("OVF", nil, 3), ("1e999", nil, 5),
    ])
    func `A decimal number is read, and what is none is nothing`(_ text: String, _ value: Double?, _ end: Int) throws {
        let found = try decimal(text)
        #expect(found.value == value && found.offset == end)
    }

    @Test(arguments: [
        ("", ReportError.Reason.truncated), ("-", .truncated), ("na", .truncated), ("1.", .truncated), ("--1", .syntax),
        ("abc", .syntax), (",", .syntax), ("+1", .syntax),
    ])
    func `What is no decimal number is a fault`(_ text: String, _ reason: ReportError.Reason) {
        let error = #expect(throws: ReportError.self) { try decimal(text) }
        #expect(error?.reason == reason)
    }

    @Test func `A hexadecimal number may have a prefix and sixteen digits`() throws {
        #expect(try hexadecimal("0x00aB ") == (0xAB, 4))
        #expect(try hexadecimal("0f") == (15, 2))
        #expect(try hexadecimal("ffffffffffffffff") == (UInt64.max, 16))
        for (text, reason) in [
            ("", ReportError.Reason.truncated), ("0x", .truncated), ("g", .syntax),
            ("00000000000000001", .invalidValue),
        ] {
            let error = #expect(throws: ReportError.self) { try hexadecimal(text) }
            #expect(error?.reason == reason)
        }
    }

    @Test func `A distance beyond all reason is refused`() throws {
        #expect(try SerialLine.plausible(-99_999, at: 0) == -99_999)
        #expect(throws: ReportError(.invalidValue, at: 7)) { try SerialLine.plausible(100_000, at: 7) }
    }

    @Test func `A word that the payload cuts is a part of it`() {
        func match(_ text: String) -> SerialLine.Match {
            SerialLine.match("from:", in: [UInt8](text.utf8).span, at: 0)
        }
        #expect(
            match("from: 1") == .whole && match("fro") == .partial && match("") == .partial && match("for") == .none
        )
    }
}
