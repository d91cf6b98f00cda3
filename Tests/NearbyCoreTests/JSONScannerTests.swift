// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import Testing

@Suite struct JSONScannerTests {
    /// Skips one value and expects the end: `nil` if that worked.
    private func fault(_ bytes: [UInt8]) -> ReportError? {
        var offset = 0
        do throws(ReportError) {
            try JSONScanner.skipValue(in: bytes.span, at: &offset)
            try JSONScanner.expectEnd(in: bytes.span, at: &offset)
            return nil
        } catch { return error }
    }

    private func fault(_ text: String) -> ReportError? { fault([UInt8](text.utf8)) }

    private func inString(_ bytes: [UInt8]) -> [UInt8] { [0x22] + bytes + [0x22] }

    @Test(arguments: [
        "null", "true", "false", "NaN", "Infinity", "-Infinity", "0", "-0", "1.5", "-1.5e-3", "1E+5", "\"\"", "[]",
        "{}",
        " [ ] ", "\t{\r\n}", "[1,2,3]", "[[],[[]],{}]", #"{"a":1}"#, #"{"a":{"b":[{"c":null}]},"a":2}"#,
        #"{"":[true]}"#,
        #" { "a" : [ 1 , "x" ] , "b" : { } } "#, "[NaN,-Infinity]", "[\"\u{7F}\"]", "\"ä€😀\u{10FFFF}\u{FFFD}\"",
    ])
    func `Sound JSON is skipped to its end`(_ text: String) {
        #expect(fault(text) == nil)
    }

    @Test(arguments: [
        "nul!", "nulll", "True", "nan", "+Infinity", "--Infinity", "01", "-01", "+1", ".5", "1.x", "1e,", "0x10", "1_0",
        "1 2", "[1 2]", "[1,]", "[,1]", "[,]", "{,}", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{\"a\" 1}", "{a:1}",
        "{1:1}",
        "{'a':1}", "[1}", "{\"a\":1]", "[]]", "{}x", "]", "}", ":", ",", "\"a\"\"", "\"\t\"", "\"\n\"", "\"\u{0}\"",
        #""\x""#, #""\u12g4""#, #""\u-123""#, "// c\n1", "[1]\u{0}", "\u{A0}1",
    ])
    func `What is no JSON is a syntax fault`(_ text: String) {
        #expect(fault(text)?.reason == .syntax)
    }

    @Test(arguments: [
        "", " ", "nul", "Infinit", "-", "-Inf", "1.", "1e", "1e+", "[", "[1", "[1,", "[1, ", "{", "{\"", "{\"a",
        "{\"a\"",
        "{\"a\":", "{\"a\":1", "{\"a\":1,", "\"", "\"\\", "\"\\u", "\"\\u123", #""\ud83d"#, #""\ud83d\"#, #""\ud83d\u"#,
        #""\ud83d\ude0"#,
    ])
    func `A value that ends too early is reported as truncated`(_ text: String) {
        #expect(fault(text) == ReportError(.truncated, at: text.utf8.count))
    }

    @Test(arguments: [
        [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC2, 0x41], [0xE0, 0x9F, 0xBF], [0xE0, 0x80, 0x80],
        [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xE2, 0x82, 0x41], [0xE2, 0x41, 0x41], [0xF0, 0x8F, 0xBF, 0xBF],
        [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF], [0xFE], [0xF0, 0x9F, 0x98, 0x41],
    ])
    func `Bytes that are not UTF-8 are refused, overlong forms and surrogates too`(_ bytes: [UInt8]) {
        #expect(fault(inString(bytes)) == ReportError(.invalidUTF8, at: 1))
        #expect(fault([0x7B] + inString(bytes) + [0x3A, 0x31, 0x7D]) == ReportError(.invalidUTF8, at: 2))
    }

    @Test func `All sequences of two bytes are judged as the standard library judges them`() {
        var disagreements = 0
        for first in UInt8(0x80)...0xFF {
            for second in UInt8.min...UInt8.max where second != 0x22 && second != 0x5C && second >= 0x20 {
                let isValid = String(validating: [first, second], as: UTF8.self) != nil
                if (fault(inString([first, second])) == nil) != isValid { disagreements += 1 }
            }
        }
        #expect(disagreements == 0)
    }

    @Test func `Every scalar there is passes`() {
        var faults = 0
        for value in UInt32(0x20)...0x10FFFF where value != 0x22 && value != 0x5C {
            guard let scalar = Unicode.Scalar(value), value < 0x3000 || value % 61 == 0 || value & 0xFFF > 0xFFD else {
                continue
            }
            if fault(inString(Array(scalar.utf8))) != nil { faults += 1 }
        }
        #expect(faults == 0)
    }

    @Test(arguments: [
        #"\ud83d"#, #"\ude00"#, #"\ud83dx"#, #"\ud83d\n"#, #"\ud83d\u0041"#, #"\ud83d\ud83d"#, #"\uDC00\uD800"#,
    ])
    func `An escaped surrogate without its partner is refused`(_ escape: String) {
        #expect(fault("\"\(escape)\"") == ReportError(.invalidUTF8, at: 1))
    }

    @Test(arguments: [
        (#"plain"#, "plain"), (#"\"\\\/\b\f\n\r\t"#, "\"\\/\u{8}\u{C}\n\r\t"), (#"\u0041\u00e4\u20AC"#, "Aä€"),
        (#"\ud83d\uDE00!"#, "😀!"), (#"dist\u0061nce"#, "distance"), (#"\u0000"#, "\u{0}"), ("", ""),
    ])
    func `Escapes are resolved`(_ source: String, _ expected: String) throws {
        let payload = [UInt8]("\"\(source)\"".utf8)
        var offset = 0
        let string = try JSONScanner.string(in: payload.span, at: &offset)
        #expect(offset == payload.count)
        #expect(string.hasEscapes == source.contains("\\"))
        let isExpected = JSONScanner.isText(of: string, expected, in: payload.span)
        let isLonger = JSONScanner.isText(of: string, expected + "x", in: payload.span)
        #expect(isExpected && !isLonger)
        let text = JSONScanner.withText(of: string, in: payload.span) { bytes in
            bytes.indices.map { bytes[$0] }
        }
        #expect(text == Array(expected.utf8))
    }

    @Test func `An escaped text of more than 64 bytes is no word`() throws {
        for (count, isShort) in [(63, true), (64, false)] {
            let text = #"\n"# + String(repeating: "x", count: count)
            let payload = [UInt8]("\"\(text)\"".utf8)
            var offset = 0
            let string = try JSONScanner.string(in: payload.span, at: &offset)
            let length = JSONScanner.withText(of: string, in: payload.span) { $0.count }
            #expect(length == (isShort ? 64 : nil))
        }
        let payload = [UInt8]((#"""# + String(repeating: #"\u20ac"#, count: 22) + #"""#).utf8)
        var offset = 0
        let string = try JSONScanner.string(in: payload.span, at: &offset)
        let length = JSONScanner.withText(of: string, in: payload.span) { $0.count }
        let lengthElsewhere = JSONScanner.withText(of: string, in: Span()) { $0.count }
        #expect(length == nil && lengthElsewhere == nil)
    }

    @Test func `Depth 32 passes and depth 33 does not, whatever is nested`() {
        for (open, close) in [("[", "]"), ("{\"a\":", "}"), ("[{\"a\":", "}]")] {
            let levels = open.count(where: { $0 == "[" || $0 == "{" })
            func nested(_ depth: Int) -> String {
                String(repeating: open, count: depth / levels) + "1" + String(repeating: close, count: depth / levels)
            }
            #expect(fault(nested(32)) == nil)
            #expect(fault(nested(34))?.reason == .tooDeep)
        }
        #expect(
            fault(String(repeating: "[", count: 33) + String(repeating: "]", count: 33))
                == ReportError(.tooDeep, at: 32)
        )
        let wide = "[" + Array(repeating: "[[],{}]", count: 1_000).joined(separator: ",") + "]"
        #expect(fault(wide) == nil)
    }

    @Test func `A mebibyte of opening brackets is too deep and costs nothing`() {
        #expect(fault([UInt8](repeating: UInt8(ascii: "["), count: 1 << 20)) == ReportError(.tooDeep, at: 32))
    }
}
