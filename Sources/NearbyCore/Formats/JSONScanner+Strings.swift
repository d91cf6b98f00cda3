// nearby-bridge · SPDX-License-Identifier: Apache-2.0

extension JSONScanner {
    /// Reads a string.
    ///
    /// Refused are control characters, bytes that are not UTF-8 (overlong forms and surrogates among them), unknown
    /// escapes, and an escaped surrogate without its partner: it has no UTF-8 form either.
    public static func string(in payload: Span<UInt8>, at offset: inout Int) throws(ReportError) -> JSONString {
        try expect(UInt8(ascii: "\""), in: payload, at: &offset)
        let start = offset
        var end = offset
        var hasEscapes = false
        while true {
            end = endOfPlainText(in: payload, from: end)
            guard let byte = peek(in: payload, at: end) else { break }
            switch byte {
            case UInt8(ascii: "\""):
                offset = end + 1
                return JSONString(range: start..<end, hasEscapes: hasEscapes)
            case UInt8(ascii: "\\"):
                hasEscapes = true
                _ = try escape(in: payload, at: &end)
            case 0x80...: try multibyteScalar(in: payload, at: &end)
            default: throw ReportError(.syntax, at: end)
            }
        }
        throw ReportError(.truncated, at: end)
    }

    /// The next byte that is a quotation mark, a backslash, a control character or no ASCII: most bytes are not.
    @inline(__always)
    private static func endOfPlainText(in payload: Span<UInt8>, from start: Int) -> Int {
        var end = start
        while end < payload.count {
            let byte = payload[end]
            guard byte >= 0x20, byte < 0x80, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") else { break }
            end &+= 1
        }
        return end
    }

    /// Gives the text of a string that `string(in:at:)` has read, escapes resolved, or `nil` if it exceeds 64 bytes.
    ///
    /// The words of a format's vocabulary are shorter; a text without escapes is not copied.
    public static func withText<Result>(
        of string: JSONString,
        in payload: Span<UInt8>,
        _ body: (Span<UInt8>) -> Result?
    ) -> Result? {
        guard string.range.lowerBound >= 0, string.range.upperBound <= payload.count else { return nil }
        if !string.hasEscapes { return body(payload.extracting(string.range)) }
        var buffer = InlineArray<64, UInt8>(repeating: 0)
        guard let count = resolve(string, in: payload, into: &buffer) else { return nil }
        return body(buffer.span.extracting(0..<count))
    }

    /// Whether a string's text is this word.
    public static func isText(of string: JSONString, _ word: String, in payload: Span<UInt8>) -> Bool {
        withText(of: string, in: payload) { isEqual($0, word) } ?? false
    }

    /// Looks a string up in a short list of words.
    static func word<let count: Int, Meaning>(
        _ string: JSONString,
        in payload: Span<UInt8>,
        of words: InlineArray<count, (String, Meaning)>
    ) -> Meaning? {
        for index in words.indices where isText(of: string, words[index].0, in: payload) {
            return words[index].1
        }
        return nil
    }

    /// Whether bytes are the UTF-8 of a word.
    static func isEqual(_ bytes: Span<UInt8>, _ word: String) -> Bool {
        let expected = word.utf8.span
        guard bytes.count == expected.count else { return false }
        for index in bytes.indices where bytes[index] != expected[index] { return false }
        return true
    }

    private static func resolve(
        _ string: JSONString,
        in payload: Span<UInt8>,
        into buffer: inout InlineArray<64, UInt8>
    ) -> Int? {
        var offset = string.range.lowerBound
        var count = 0
        while offset < string.range.upperBound {
            guard payload[offset] == UInt8(ascii: "\\") else {
                guard count < buffer.count else { return nil }
                buffer[count] = payload[offset]
                count += 1
                offset += 1
                continue
            }
            guard let scalar = try? escape(in: payload, at: &offset) else { return nil }
            for byte in scalar.utf8 {
                guard count < buffer.count else { return nil }
                buffer[count] = byte
                count += 1
            }
        }
        return count
    }

    /// Reads the escape that begins with the backslash at the offset.
    private static func escape(
        in payload: Span<UInt8>,
        at offset: inout Int
    ) throws(ReportError) -> Unicode.Scalar {
        let start = offset
        guard let letter = peek(in: payload, at: offset + 1) else {
            throw ReportError(.truncated, at: payload.count)
        }
        offset += 2
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(letter)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): break
        default: throw ReportError(.syntax, at: start)
        }
        let unit = try codeUnit(in: payload, at: &offset)
        if let scalar = Unicode.Scalar(unit) { return scalar }
        // A surrogate: the first half of a pair, or nothing that has a meaning.
        guard unit < 0xDC00 else { throw ReportError(.invalidUTF8, at: start) }
        for byte in "\\u".utf8 {
            guard let found = peek(in: payload, at: offset) else { throw ReportError(.truncated, at: offset) }
            guard found == byte else { throw ReportError(.invalidUTF8, at: start) }
            offset += 1
        }
        let second = try codeUnit(in: payload, at: &offset)
        guard 0xDC00...0xDFFF ~= second,
            let scalar = Unicode.Scalar(0x1_0000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(second) - 0xDC00))
        else { throw ReportError(.invalidUTF8, at: start) }
        return scalar
    }

    /// Reads four hexadecimal digits.
    private static func codeUnit(in payload: Span<UInt8>, at offset: inout Int) throws(ReportError) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = peek(in: payload, at: offset) else { throw ReportError(.truncated, at: offset) }
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
            default: throw ReportError(.syntax, at: offset)
            }
            unit = unit << 4 | UInt16(digit)
            offset += 1
        }
        return unit
    }

    /// Reads one scalar of two to four bytes by table 3-7 of the Unicode standard.
    private static func multibyteScalar(in payload: Span<UInt8>, at offset: inout Int) throws(ReportError) {
        let length: Int
        var allowed: ClosedRange<UInt8> = 0x80...0xBF
        switch payload[offset] {
        case 0xC2...0xDF: length = 2
        case 0xE0: (length, allowed) = (3, 0xA0...0xBF)
        case 0xED: (length, allowed) = (3, 0x80...0x9F)
        case 0xE1...0xEF: length = 3
        case 0xF0: (length, allowed) = (4, 0x90...0xBF)
        case 0xF1...0xF3: length = 4
        case 0xF4: (length, allowed) = (4, 0x80...0x8F)
        default: throw ReportError(.invalidUTF8, at: offset)
        }
        for index in offset + 1..<offset + length {
            guard let byte = peek(in: payload, at: index) else { throw ReportError(.truncated, at: index) }
            guard allowed ~= byte else { throw ReportError(.invalidUTF8, at: offset) }
            allowed = 0x80...0xBF
        }
        offset += length
    }
}
