// nearby-bridge · SPDX-License-Identifier: Apache-2.0

extension JSONScanner {
    /// Reads a number by the grammar of RFC 8259: no leading zeros, no plus sign, digits on both sides of a point.
    @inline(__always)
    public static func number(in payload: Span<UInt8>, at offset: inout Int) throws(ReportError) -> JSONNumber {
        let start = offset
        var number = JSONNumber()
        if peek(in: payload, at: offset) == UInt8(ascii: "-") {
            number.isNegative = true
            offset += 1
        }
        if peek(in: payload, at: offset) == UInt8(ascii: "0") {
            offset += 1
        } else {
            _ = try digits(in: payload, at: &offset, into: &number)
        }
        if peek(in: payload, at: offset) == UInt8(ascii: ".") {
            offset += 1
            number.exponent -= try digits(in: payload, at: &offset, into: &number)
        }
        if let letter = peek(in: payload, at: offset), letter | 0x20 == UInt8(ascii: "e") {
            offset += 1
            number.exponent += try exponent(in: payload, at: &offset)
        }
        number.range = start..<offset
        return number
    }

    /// Reads one digit or more into the number and returns how many.
    @inline(__always)
    private static func digits(
        in payload: Span<UInt8>,
        at offset: inout Int,
        into number: inout JSONNumber
    ) throws(ReportError) -> Int {
        let start = offset
        var end = offset
        // A copy, so that it can stay in a register.
        var mantissa = number.mantissa
        while end < payload.count, let digit = digit(payload[end]) {
            if mantissa <= JSONNumber.maximumToExtend {
                mantissa = mantissa &* 10 &+ UInt64(digit)
            } else {
                number.isExact = false
            }
            end &+= 1
        }
        number.mantissa = mantissa
        offset = end
        guard end > start else { throw ReportError(end < payload.count ? .syntax : .truncated, at: end) }
        return end - start
    }

    /// Reads an exponent with its sign; beyond a quadrillion it no longer grows, since no mantissa can balance it.
    private static func exponent(in payload: Span<UInt8>, at offset: inout Int) throws(ReportError) -> Int {
        let sign = peek(in: payload, at: offset)
        if sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { offset += 1 }
        let start = offset
        var value = 0
        while offset < payload.count, let digit = digit(payload[offset]) {
            if value < 1_000_000_000_000_000 { value = value * 10 + Int(digit) }
            offset += 1
        }
        guard offset > start else { throw ReportError(offset < payload.count ? .syntax : .truncated, at: offset) }
        return sign == UInt8(ascii: "-") ? -value : value
    }

    @inline(__always)
    private static func digit(_ byte: UInt8) -> UInt8? {
        let digit = byte &- UInt8(ascii: "0")
        return digit < 10 ? digit : nil
    }
}
