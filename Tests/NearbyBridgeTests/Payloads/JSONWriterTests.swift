// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import NearbyBridge

struct JSONWriterTests {
    private func text(_ body: (inout JSONWriter) -> Void) -> String {
        var json = JSONWriter()
        body(&json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private func number(_ value: Double, decimals: Int = 3) -> String {
        text { $0.number(value, decimals: decimals) }
    }

    /// The value that Foundation reads.
    private func read(_ text: String) throws -> Any {
        try #require(try JSONSerialization.jsonObject(with: Data("[\(text)]".utf8)) as? [Any]).first ?? "nothing"
    }

    // MARK: Numbers

    @Test(arguments: [
        (0.0, "0"), (-0.0, "0"), (-0.0004, "0"), (0.0005, "0.001"), (-0.0006, "-0.001"), (1.0, "1"), (1.5, "1.5"),
        (1.05, "1.05"), (1.005, "1.005"), (0.999_9, "1"), (-12.3456, "-12.346"), (100, "100"), (1e300, "1e+300"),
        (-1e300, "-1e+300"), (1e16, "1e+16"), (9_000_000_000_000, "9000000000000.0"), (.nan, "null"),
        (.infinity, "null"), (-.infinity, "null"), (.leastNonzeroMagnitude, "0"),
        (.greatestFiniteMagnitude, "1.7976931348623157e+308"),
    ])
    func `a number has at most three decimals and no trailing zeros`(_ value: Double, _ expected: String) {
        #expect(number(value) == expected)
    }

    @Test(arguments: [(0, "13"), (1, "12.6"), (2, "12.57"), (4, "12.5679"), (6, "12.567891")])
    func `the decimals may be chosen`(_ decimals: Int, _ expected: String) {
        #expect(number(12.567_891, decimals: decimals) == expected)
    }

    @Test func `any number is read back within its rounding`() throws {
        var generator = SplitMix64(seed: 1)
        for round in 0..<20_000 {
            let exponent = Double.random(in: -8...20, using: &generator)
            let value =
                round % 4 == 0
                ? Double(bitPattern: generator.next())
                : Double.random(in: -1...1, using: &generator) * pow(10, exponent)
            let decimals = Int.random(in: 0...6, using: &generator)
            let written = number(value, decimals: decimals)
            guard value.isFinite else {
                #expect(written == "null")
                continue
            }
            let back = try #require(try read(written) as? Double, "\(value) became \(written)")
            // Foundation itself reads great exponents a few units in the last place off.
            let tolerance = 0.5 * pow(10, -Double(decimals)) + abs(value) * 1e-14
            #expect(abs(back - value) <= tolerance * 1.000_001, "\(value) became \(written)")
            #expect(!written.hasPrefix("-0") || written.hasPrefix("-0."), "\(value) became \(written)")
            #expect(back != 0 || written == "0", "\(value) became \(written)")
        }
    }

    @Test func `integers are written in full`() {
        #expect(text { $0.integer(.min) } == "-9223372036854775808")
        #expect(text { $0.integer(.max) } == "9223372036854775807")
    }

    // MARK: Texts

    @Test func `any text is read back as it was`() throws {
        var texts = [
            "", "plain", "\"quoted\"", "back\\slash", "a\nb\r\tc", "\u{0}\u{1}\u{1F}\u{7F}", "ä € 🚪 👩‍👩‍👧‍👦",
            "\u{2028}\u{2029}",
            "</script>", "a\u{FEFF}b", "\u{FFFF}",
        ]
        var generator = SplitMix64(seed: 2)
        for _ in 0..<500 {
            let scalars = (0..<20).compactMap { _ in
                Unicode.Scalar(
                    UInt32.random(in: 0...(Bool.random(using: &generator) ? 0x7F : 0x1_FFFF), using: &generator)
                )
            }
            texts.append(String(String.UnicodeScalarView(scalars)))
        }
        for value in texts {
            let written = text { $0.string(value) }
            let back = try #require(try read(written) as? String)
            #expect(Array(back.utf8) == Array(value.utf8), "\(written)")
            #expect(written.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F })
        }
    }

    @Test func `keys are escaped like texts`() {
        var json = JSONWriter()
        json.beginObject()
        json.pair("a\"\n", 1)
        json.endObject()
        #expect(JSONText.object(json.bytes)?["a\"\n"] as? Int == 1)
    }

    // MARK: Structure

    @Test func `commas come by themselves at every level`() {
        let written = text { json in
            json.beginArray()
            json.beginObject()
            json.endObject()
            json.beginArray()
            json.endArray()
            json.null()
            json.boolean(true)
            json.beginObject()
            json.pair("a", "x")
            json.key("b")
            json.beginArray()
            json.integer(1)
            json.integer(2)
            json.endArray()
            json.optional("c", nil as String?)
            json.optional("d", nil as Double?)
            json.optional("e", 1.5)
            json.pair("f", false)
            json.key("g")
            json.raw(Array("{}".utf8))
            json.endObject()
            json.endArray()
        }
        #expect(written == #"[{},[],null,true,{"a":"x","b":[1,2],"e":1.5,"f":false,"g":{}}]"#)
    }

    @Test func `a writer that was emptied begins anew`() {
        var json = JSONWriter()
        json.integer(1)
        json.removeAll()
        json.integer(2)
        #expect(json.bytes == Array("2".utf8))
    }

    @Test func `a time is a text`() {
        #expect(text { $0.time(unixNanoseconds: 1_000_000) } == "\"1970-01-01T00:00:00.001Z\"")
    }
}
