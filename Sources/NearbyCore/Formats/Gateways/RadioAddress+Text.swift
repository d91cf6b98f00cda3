// nearby-bridge · SPDX-License-Identifier: Apache-2.0

extension RadioAddress {
    /// Reads a hardware address of six or eight bytes: digits of either case, with colons or dashes between or without.
    init?(hardware text: Span<UInt8>) {
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
        let text = payload.extracting(string.range)
        if let address = RadioAddress(hardware: text) { return .address(address) }
        return AccessoryIdentifier.isValid(text) ? .name(string.range) : nil
    }
}
