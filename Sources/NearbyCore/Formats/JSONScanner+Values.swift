// nearby-bridge · SPDX-License-Identifier: Apache-2.0

extension JSONScanner {
    /// Reads a number, or `nil` where `null` or a number that is not finite stands.
    static func measurement(in payload: Span<UInt8>, at offset: inout Int) throws(ReportError) -> Double? {
        let start = offset
        if let literal = try literal(in: payload, at: &offset) {
            guard literal != .true, literal != .false else { throw ReportError(.invalidValue, at: start) }
            return nil
        }
        guard let byte = peek(in: payload, at: offset),
            byte == UInt8(ascii: "-") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
        else { throw ReportError(.invalidValue, at: start) }
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
}
