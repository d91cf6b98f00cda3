// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Reads the bytes of one UCI message, whatever its spelling and however many segments it comes in.
///
/// A packet has a header of four octets: message type, PBF and group; opcode; reserved; length. PBF means that the next
/// packet goes on with the same message (reference/uwb-reports.md section 1.1).
public struct UCIReader {
    /// What stands in the first header.
    public struct Header: Equatable, Sendable {
        /// 2 is a response, 3 a notification.
        public var type: UInt8
        /// 2 is session control, where ranging is.
        public var group: UInt8
        /// What of the group.
        public var opcode: UInt8
    }

    /// Segments of one message: more than any message has.
    private static let mostSegments = 64

    /// What the first packet's header says.
    public private(set) var header = Header(type: 0, group: 0, opcode: 0)
    private var octets: UCIOctets
    private var remaining = 0
    private var hasMore = false

    /// Where the next octet stands in the payload.
    public var offset: Int { octets.offset }

    /// Begins at the first octet of a message; `nil` if the payload does not hold all of its first header.
    public init?(_ payload: Span<UInt8>, at start: Int, isText: Bool) {
        octets = UCIOctets(at: start, isText: isText)
        guard start >= 0, openSegment(payload) else { return nil }
    }

    /// Reads a header; octets of a segment that is not opened are never reached.
    private mutating func openSegment(_ payload: Span<UInt8>) -> Bool {
        guard let first = octets.next(payload), let second = octets.next(payload), octets.next(payload) != nil,
            let length = octets.next(payload)
        else { return false }
        header = Header(type: first >> 5, group: first & 0x0F, opcode: second & 0x3F)
        hasMore = first & 0x10 != 0
        remaining = Int(length)
        return true
    }

    /// The next octet of the message, `nil` at its end or where the payload ends first.
    public mutating func next(_ payload: Span<UInt8>) -> UInt8? {
        var segments = 0
        while remaining == 0 {
            guard hasMore, segments < Self.mostSegments else { return nil }
            let first = header
            guard openSegment(payload), header == first else { return nil }
            segments += 1
        }
        guard let octet = octets.next(payload) else { return nil }
        remaining -= 1
        return octet
    }

    /// Reads on to the end of the message.
    ///
    /// - Returns: Whether the payload has all of it.
    public mutating func skipToEnd(_ payload: Span<UInt8>) -> Bool {
        while true {
            while remaining > 0 {
                guard octets.next(payload) != nil else { return false }
                remaining -= 1
            }
            guard hasMore else { return true }
            let first = header
            guard openSegment(payload), header == first else { return false }
        }
    }

    /// Skips octets of the message.
    ///
    /// - Returns: Whether there were so many.
    public mutating func skip(_ count: Int, _ payload: Span<UInt8>) -> Bool {
        for _ in 0..<max(0, count) where next(payload) == nil { return false }
        return true
    }

    /// A little-endian integer of the message, `nil` if it ends before.
    public mutating func integer<Value: FixedWidthInteger>(_ type: Value.Type, _ payload: Span<UInt8>) -> Value? {
        var value = Value.zero
        for place in 0..<Value.bitWidth / 8 {
            guard let octet = next(payload) else { return nil }
            value |= Value(truncatingIfNeeded: octet) << Value(truncatingIfNeeded: place * 8)
        }
        return value
    }
}
