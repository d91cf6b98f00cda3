// nearby-bridge · SPDX-License-Identifier: Apache-2.0

extension RadioAddress {
    /// Reads a hardware address of six or eight bytes: digits of either case, with colons or dashes between or without.
    public init?(hardware text: Span<UInt8>) {
        let step: Int
        switch text.count {
        case 12, 16: step = 2
        case 17, 23: step = 3
        default: return nil
        }
        var value: UInt64 = 0
        for index in text.indices {
            if step == 3, index % 3 == 2 {
                guard text[index] == UInt8(ascii: ":") || text[index] == UInt8(ascii: "-") else { return nil }
            } else {
                guard let digit = Hexadecimal.digit(text[index]) else { return nil }
                value = value << 4 | UInt64(digit)
            }
        }
        self.init(extended: value)
    }
}

extension RangeReport.Peer {
    /// Reads who the other end is: a hardware address, or a name if the text may be one; `nil` if neither.
    static func identity(
        in payload: Span<UInt8>,
        at offset: inout Int
    ) throws(ReportError) -> RangeReport.Peer? {
        guard let string = try JSONScanner.text(in: payload, at: &offset), !string.hasEscapes else { return nil }
        if let address = RadioAddress(hardware: payload.extracting(string.range)) { return .address(address) }
        return name(string, in: payload)
    }

    /// A string as a name, `nil` if it cannot be one.
    static func name(_ string: JSONString, in payload: Span<UInt8>) -> RangeReport.Peer? {
        // An identifier needs no escapes, and the name is handed on as a range of the payload.
        guard !string.hasEscapes, AccessoryIdentifier.isValid(payload.extracting(string.range)) else { return nil }
        return .name(string.range)
    }

    /// Reads a name, or a number whose digits are the name; `null` is no name.
    static func named(in payload: Span<UInt8>, at offset: inout Int) throws(ReportError) -> RangeReport.Peer {
        let start = offset
        if JSONScanner.peek(in: payload, at: start) == UInt8(ascii: "\"") {
            let string = try JSONScanner.string(in: payload, at: &offset)
            guard let name = name(string, in: payload) else { throw ReportError(.invalidPeer, at: start) }
            return name
        }
        if JSONScanner.isNumber(in: payload, at: start) {
            let range = try JSONScanner.number(in: payload, at: &offset).range
            for index in range where !(UInt8(ascii: "0")...UInt8(ascii: "9") ~= payload[index]) {
                throw ReportError(.invalidPeer, at: start)
            }
            guard range.count <= AccessoryIdentifier.maximumLength else { throw ReportError(.invalidPeer, at: start) }
            return .name(range)
        }
        guard try JSONScanner.literal(in: payload, at: &offset) == .null else {
            throw ReportError(.invalidValue, at: start)
        }
        return .unnamed
    }
}
