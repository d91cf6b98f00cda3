// nearby-bridge · SPDX-License-Identifier: Apache-2.0

extension JSONScanner {
    /// Whether a number stands at the offset.
    @inline(__always)
    static func isNumber(in payload: Span<UInt8>, at offset: Int) -> Bool {
        guard let byte = peek(in: payload, at: offset) else { return false }
        return byte == UInt8(ascii: "-") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    }

    /// Reads a number, or `nil` where `null` or a number that is not finite stands.
    static func measurement(in payload: Span<UInt8>, at offset: inout Int) throws(ReportError) -> Double? {
        let start = offset
        if let literal = try literal(in: payload, at: &offset) {
            guard literal != .true, literal != .false else { throw ReportError(.invalidValue, at: start) }
            return nil
        }
        guard isNumber(in: payload, at: offset) else { throw ReportError(.invalidValue, at: start) }
        let value = try number(in: payload, at: &offset).value(in: payload)
        return value.isFinite ? value : nil
    }

    /// Reads a string, or `nil` where `null` stands.
    static func text(in payload: Span<UInt8>, at offset: inout Int) throws(ReportError) -> JSONString? {
        if peek(in: payload, at: offset) == UInt8(ascii: "\"") { return try string(in: payload, at: &offset) }
        let start = offset
        guard try literal(in: payload, at: &offset) == .null else { throw ReportError(.invalidValue, at: start) }
        return nil
    }

    /// Reads a number that may also stand in a string, or `nil` where there is none: `null`, `NaN`, `"n/a"`.
    static func looseMeasurement(in payload: Span<UInt8>, at offset: inout Int) throws(ReportError) -> Double? {
        try withNumber(in: payload, at: &offset) { number, text in
            let value = number.value(in: text)
            return value.isFinite ? value : nil
        }
    }

    /// Reads a number that may also stand in a string, blanks around it or not, and gives it with the bytes it is in.
    ///
    /// - Returns: What `body` returns, or `nil` where there is no number: `null`, words for none, any other text.
    /// - Throws: Where `true`, `false`, an array or an object stands.
    static func withNumber<Result>(
        in payload: Span<UInt8>,
        at offset: inout Int,
        _ body: (JSONNumber, Span<UInt8>) -> Result?
    ) throws(ReportError) -> Result? {
        let start = offset
        if let literal = try literal(in: payload, at: &offset) {
            guard literal != .true, literal != .false else { throw ReportError(.invalidValue, at: start) }
            return nil
        }
        if isNumber(in: payload, at: offset) { return body(try number(in: payload, at: &offset), payload) }
        guard peek(in: payload, at: start) == UInt8(ascii: "\"") else { throw ReportError(.invalidValue, at: start) }
        let string = try string(in: payload, at: &offset)
        return withText(of: string, in: payload) { text in
            var place = 0
            skipWhitespace(in: text, at: &place)
            guard let number = try? number(in: text, at: &place) else { return nil }
            skipWhitespace(in: text, at: &place)
            return place == text.count ? body(number, text) : nil
        }
    }
}
