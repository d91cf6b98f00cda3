// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Reads JSON where it lies: no tree, no copies, no allocation.
///
/// Every function reads at `offset`, which must not be negative, and moves it behind what it has read. After an
/// error the offset says nothing. Strict RFC 8259 with one addition: bare `NaN`, `Infinity` and `-Infinity` are
/// values, since encoders for measurements write them.
public enum JSONScanner {
    /// How many arrays and objects may be open at once.
    public static let maximumDepth = 32

    /// The words that are values by themselves.
    public enum Literal: String, Sendable {
        /// No value.
        case null
        /// Yes.
        case `true`
        /// No.
        case `false`
        /// Not a number: outside of RFC 8259.
        case nan = "NaN"
        /// Infinity of either sign: outside of RFC 8259.
        case infinity = "Infinity"
    }

    /// The byte at the offset, `nil` at the end of the payload.
    @inline(__always)
    public static func peek(in payload: Span<UInt8>, at offset: Int) -> UInt8? {
        offset < payload.count ? payload[offset] : nil
    }

    /// Moves to the next byte that is not white space.
    @inline(__always)
    public static func skipWhitespace(in payload: Span<UInt8>, at offset: inout Int) {
        while offset < payload.count {
            let byte = payload[offset]
            guard byte <= UInt8(ascii: " ") else { return }
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): offset += 1
            default: return
            }
        }
    }

    /// Reads one given byte.
    @inline(__always)
    public static func expect(
        _ byte: UInt8,
        in payload: Span<UInt8>,
        at offset: inout Int
    ) throws(ReportError) {
        guard offset < payload.count else { throw ReportError(.truncated, at: offset) }
        guard payload[offset] == byte else { throw ReportError(.syntax, at: offset) }
        offset += 1
    }

    /// Makes sure that nothing but white space is left.
    public static func expectEnd(in payload: Span<UInt8>, at offset: inout Int) throws(ReportError) {
        skipWhitespace(in: payload, at: &offset)
        guard offset >= payload.count else { throw ReportError(.syntax, at: offset) }
    }

    /// Reads `null`, `true`, `false`, `NaN`, `Infinity` or `-Infinity`, and returns `nil` where another value stands.
    @inline(__always)
    public static func literal(in payload: Span<UInt8>, at offset: inout Int) throws(ReportError) -> Literal? {
        // Digits and quotation marks, with which most values begin, turn back here.
        guard let byte = peek(in: payload, at: offset), byte >= UInt8(ascii: "A") || byte == UInt8(ascii: "-") else {
            return nil
        }
        return try literalBehindLetter(in: payload, at: &offset)
    }

    private static func literalBehindLetter(
        in payload: Span<UInt8>,
        at offset: inout Int
    ) throws(ReportError) -> Literal? {
        let literal: Literal
        switch peek(in: payload, at: offset) {
        case UInt8(ascii: "n"): literal = .null
        case UInt8(ascii: "t"): literal = .true
        case UInt8(ascii: "f"): literal = .false
        case UInt8(ascii: "N"): literal = .nan
        case UInt8(ascii: "I"): literal = .infinity
        case UInt8(ascii: "-"):
            guard peek(in: payload, at: offset + 1) == UInt8(ascii: "I") else { return nil }
            offset += 1
            literal = .infinity
        default: return nil
        }
        for byte in literal.rawValue.utf8 {
            try expect(byte, in: payload, at: &offset)
        }
        return literal
    }

    /// Moves to the next value of an object and returns its key, or `nil` behind the closing brace.
    ///
    /// Call it first behind the opening brace with `isFirst` true, then behind each value.
    public static func nextKey(
        in payload: Span<UInt8>,
        at offset: inout Int,
        isFirst: inout Bool
    ) throws(ReportError) -> JSONString? {
        guard try next(before: UInt8(ascii: "}"), in: payload, at: &offset, isFirst: &isFirst) else { return nil }
        let key = try string(in: payload, at: &offset)
        skipWhitespace(in: payload, at: &offset)
        try expect(UInt8(ascii: ":"), in: payload, at: &offset)
        skipWhitespace(in: payload, at: &offset)
        return key
    }

    /// Moves to the next value of an array, or behind the closing bracket and returns false.
    ///
    /// Call it first behind the opening bracket with `isFirst` true, then behind each value.
    public static func nextElement(
        in payload: Span<UInt8>,
        at offset: inout Int,
        isFirst: inout Bool
    ) throws(ReportError) -> Bool {
        try next(before: UInt8(ascii: "]"), in: payload, at: &offset, isFirst: &isFirst)
    }

    /// Moves over a comma, if one is due, or over the closing byte and returns false.
    @inline(__always)
    private static func next(
        before close: UInt8,
        in payload: Span<UInt8>,
        at offset: inout Int,
        isFirst: inout Bool
    ) throws(ReportError) -> Bool {
        skipWhitespace(in: payload, at: &offset)
        if peek(in: payload, at: offset) == close {
            offset += 1
            return false
        }
        if isFirst {
            isFirst = false
        } else {
            try expect(UInt8(ascii: ","), in: payload, at: &offset)
            skipWhitespace(in: payload, at: &offset)
        }
        guard offset < payload.count else { throw ReportError(.truncated, at: offset) }
        return true
    }

    /// Reads any value and forgets it; `depth` arrays and objects are open around it.
    ///
    /// Open arrays and objects are bits of an integer, not calls: no payload can exhaust the stack.
    public static func skipValue(
        in payload: Span<UInt8>,
        at offset: inout Int,
        depth: Int = 0
    ) throws(ReportError) {
        let limit = maximumDepth - depth
        var level = 0
        var objects: UInt64 = 0
        while true {
            skipWhitespace(in: payload, at: &offset)
            let byte = peek(in: payload, at: offset)
            let isObject = byte == UInt8(ascii: "{")
            var isFirst = isObject || byte == UInt8(ascii: "[")
            if isFirst {
                guard level < limit else { throw ReportError(.tooDeep, at: offset) }
                offset += 1
                level += 1
                objects = objects << 1 | (isObject ? 1 : 0)
            } else {
                try skipScalar(in: payload, at: &offset)
            }
            while level > 0 {
                let hasNext =
                    objects & 1 == 1
                    ? try nextKey(in: payload, at: &offset, isFirst: &isFirst) != nil
                    : try nextElement(in: payload, at: &offset, isFirst: &isFirst)
                if hasNext { break }
                level -= 1
                objects >>= 1
                isFirst = false
            }
            if level == 0 { return }
        }
    }

    /// Reads a string, number or literal and forgets it.
    private static func skipScalar(in payload: Span<UInt8>, at offset: inout Int) throws(ReportError) {
        if peek(in: payload, at: offset) == UInt8(ascii: "\"") {
            _ = try string(in: payload, at: &offset)
        } else if try literal(in: payload, at: &offset) == nil {
            _ = try number(in: payload, at: &offset)
        }
    }
}
