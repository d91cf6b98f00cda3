// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import TestSupport
import Testing

@Suite struct JSONNumberTests {
    private func number(_ payload: [UInt8]) throws(ReportError) -> JSONNumber {
        var offset = 0
        let number = try JSONScanner.number(in: payload.span, at: &offset)
        try JSONScanner.expectEnd(in: payload.span, at: &offset)
        return number
    }

    private func value(_ text: String) throws -> Double {
        let payload = [UInt8](text.utf8)
        return try number(payload).value(in: payload.span)
    }

    private func integer(_ text: String) throws -> Int64? {
        let payload = [UInt8](text.utf8)
        return try number(payload).integer(in: payload.span)
    }

    @Test(arguments: [
        ("0", 0.0), ("1", 1), ("-1.5", -1.5), ("2.31", 2.31), ("1e3", 1000), ("1E-3", 0.001), ("1e+22", 1e22),
        ("9007199254740993", 9_007_199_254_740_992), ("9007199254740992e22", 9_007_199_254_740_992e22),
        ("1e999", .infinity), ("-1e999", -.infinity), ("1e-400", 0), ("1e400000000000000000000000000000", .infinity),
        ("1e-400000000000000000000000000000", 0), ("0e999", 0), ("4.9e-324", .leastNonzeroMagnitude), ("2.4e-324", 0),
        ("1.7976931348623157e308", .greatestFiniteMagnitude), ("1.7976931348623159e308", .infinity),
        ("0.1000000000000000055511151231257827", 0.1),
        ("123456789012345678901234567890", 1.2345678901234568e29),
    ])
    func `A number is the nearest Double`(_ text: String, _ expected: Double) throws {
        #expect(try value(text) == expected)
    }

    @Test func `Minus zero keeps its sign`() throws {
        for text in ["-0", "-0.0", "-0e5", "-1e-999"] {
            let result = try value(text)
            #expect(result == 0 && result.sign == .minus, "\(text)")
        }
    }

    @Test func `Four hundred digits are read`() throws {
        let sevens = String(repeating: "7", count: 400)
        #expect(try value(sevens) == .infinity)
        #expect(try value("0." + sevens) == 0.7777777777777778)
        #expect(try value(sevens + "e-400") == 0.7777777777777778)
        #expect(try value("0." + String(repeating: "0", count: 400) + "1e401") == 1)
        #expect(try value("1" + String(repeating: "0", count: 400) + "e-400") == 1)
    }

    @Test(arguments: [
        ("0", 0), ("-0", 0), ("12345", 12345), ("-7", -7), ("1.0", 1), ("12e2", 1200), ("1200e-2", 12), ("1.2e1", 12),
        ("9223372036854775807", Int64.max), ("-9223372036854775808", Int64.min), ("0e999999999999999999999", 0),
        ("5.00000000000000000000000000", 5),
    ])
    func `A counter keeps every digit`(_ text: String, _ expected: Int64) throws {
        #expect(try integer(text) == expected)
    }

    @Test(arguments: [
        "0.5", "1e-1", "9223372036854775808", "-9223372036854775809", "18446744073709551616", "1e19", "1e999", "-1e999",
        "1e-999", "5.00000000000000000000000001e-1", "12345678901234567890123",
    ])
    func `What is no 64-bit integer is not made one`(_ text: String) throws {
        #expect(try integer(text) == nil)
    }

    @Test func `Halfway between two Doubles the even one is taken, and beside it the nearer`() throws {
        // Short numbers halfway between two others lie above 2^53, where every second integer is missing.
        for (text, expected) in [
            ("900719925474099.3", 900719925474099.25), ("9007199254740993.0", 9007199254740992),
            ("9007199254740993.1", 9007199254740994),
            ("9007199254740995.0", 9007199254740996), ("9007199254740994.999", 9007199254740994),
            ("18446744073709551615", 0x1p64),
            ("0.9999999999999999999", 1), ("18014398509481982e0", 18_014_398_509_481_982),
            ("18014398509481986e0", 18014398509481984),
        ] {
            #expect(try value(text) == expected, "\(text)")
        }
    }

    @Test(arguments: [
        "", "-", "01", "00", "-01", "+1", ".5", "5.", "1.e5", "1e", "1e+", "1e5.5", "0x1", "1,5", "e5", "--1",
    ])
    func `Only the grammar of JSON is a number`(_ text: String) {
        #expect(throws: ReportError.self) { try number([UInt8](text.utf8)) }
    }

    @Test func `200,000 random numbers agree with the standard library to the bit`() throws {
        try SeededGenerator.run(seed: 0x2B15) { generator in
            for _ in 0..<200_000 {
                let text = randomNumber(using: &generator)
                let payload = [UInt8](text.utf8)
                let found = try number(payload).value(in: payload.span)
                // `#require` costs more than the number does.
                if found.bitPattern != Double(text)?.bitPattern {
                    Issue.record("\(text) became \(found), \(generator)")
                    return false
                }
            }
            return true
        }
    }

    /// A number of one of five kinds: any `Double`, as sensors and as computations write them, any power, many digits.
    private func randomNumber(using generator: inout SeededGenerator) -> String {
        func digits(_ count: Int) -> String {
            String((0..<count).map { _ in Character(Unicode.Scalar(UInt8.random(in: 48...57, using: &generator))) })
        }
        let sign = Bool.random(using: &generator) ? "-" : ""
        switch UInt8.random(in: 0..<5, using: &generator) {
        case 0:
            let value = Double(bitPattern: generator.next())
            return value.isFinite ? value.description : "0"
        case 1:
            let whole = UInt32.random(in: 0..<100_000, using: &generator)
            return "\(sign)\(whole).\(digits(Int.random(in: 1...6, using: &generator)))"
        case 2:
            let whole = UInt32.random(in: 0..<100, using: &generator)
            return "\(sign)\(whole).\(digits(Int.random(in: 14...17, using: &generator)))"
        case 3:
            let exponent = Int.random(in: -330...330, using: &generator)
            return "\(sign)\(UInt64.random(in: 0...UInt64.max, using: &generator))e\(exponent)"
        default:
            let whole = String(UInt64.random(in: 1...99, using: &generator))
            let fraction = digits(Int.random(in: 1...40, using: &generator))
            return "\(sign)\(whole).\(fraction)E\(Int.random(in: -25...25, using: &generator))"
        }
    }
}
