// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// The octets of a payload from a place on, whether they stand there as such or as hexadecimal text.
struct UCIOctets {
    /// Where the next octet stands in the payload.
    private(set) var offset: Int
    private let isText: Bool

    init(at start: Int, isText: Bool) {
        offset = start
        self.isText = isText
    }

    /// The next octet, `nil` where the payload ends or is no hexadecimal text.
    mutating func next(_ payload: Span<UInt8>) -> UInt8? {
        guard isText else {
            guard offset < payload.count else { return nil }
            defer { offset += 1 }
            return payload[offset]
        }
        while offset < payload.count, Self.isSeparator(payload[offset]) { offset += 1 }
        guard offset + 1 < payload.count, let high = Hexadecimal.digit(payload[offset]),
            let low = Hexadecimal.digit(payload[offset + 1])
        else { return nil }
        offset += 2
        return high << 4 | low
    }

    /// What may stand between two octets of text.
    static func isSeparator(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: ":"), UInt8(ascii: ","), UInt8(ascii: "\t"), UInt8(ascii: "\r"),
            UInt8(ascii: "\n"):
            true
        default: false
        }
    }
}
