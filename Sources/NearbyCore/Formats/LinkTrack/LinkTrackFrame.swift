// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Which frames Nooploop's NLink protocol has, and where in them stands what the bridge reads.
///
/// Two bytes name a frame. Most have their length in the next two and end with the sum of all bytes before.
public struct LinkTrackFrame: Sendable {
    /// What stands at a place of the payload.
    public enum Finding: Sendable {
        /// No frame.
        case none
        /// What began as a frame of this length and has the wrong sum.
        case broken(length: Int)
        /// The beginning of a frame, as far as the payload goes.
        case partial
        /// A frame whose sum is right, and where it ends.
        case whole(LinkTrackFrame, end: Int)
    }

    /// What follows the fixed part.
    public enum Records: Equatable, Sendable {
        /// A node each, so many bytes long.
        case nodes(size: Int)
        /// A node each, so many bytes and the data that the last of them counts.
        case nodesWithData(size: Int)
        /// Nothing: the distances to eight anchors stand in the fixed part, from this offset on.
        case anchors(at: Int)
        /// Nothing of use.
        case none
    }

    /// The longest frame without distances that is believed (bytes).
    private static let longestOther = 2048

    /// Bytes before the records; the last of them counts the records, if there are any.
    public let fixed: Int
    /// What follows.
    public let records: Records
    /// Where the device's own time stands, in milliseconds.
    var time = 0
    /// Where the id of the node that measured stands, and how long it is.
    var owner = (offset: 5, size: 1)
    /// Where its role stands.
    var role: Int? = 4
    /// Where in a record the id stands, and how long it is.
    var id = (offset: 1, size: 1)
    /// Where in a record the distance stands.
    var distance = 2
    /// Where in a record the strength of the received signal stands.
    var strength = 6
    /// Where in a record the azimuth stands.
    var azimuth: Int?
    /// Where in a record the elevation stands.
    var elevation: Int?
    /// Whether the length stands in the frame; if not, the fixed part is all of it.
    public private(set) var hasLength = true

    /// The frame that two bytes name.
    public init?(_ header: UInt8, _ mark: UInt8) {
        switch (header, mark) {
        case (0x55, 0x00): self.init(fixed: 896, records: .none, hasLength: false)
        case (0x55, 0x01):
            self.init(fixed: 128, records: .anchors(at: 22), time: 108, hasLength: false)
            (owner, role) = ((2, 1), 3)
        case (0x55, 0x02): self.init(fixed: 11, records: .none)
        case (0x55, 0x03): self.init(fixed: 27, records: .none)
        case (0x55, 0x04): self.init(fixed: 119, records: .nodes(size: 13), time: 102)
        case (0x55, 0x05): self.init(fixed: 21, records: .nodes(size: 7), time: 6)
        case (0x55, 0x06): self.init(fixed: 11, records: .none)
        case (0x55, 0x07): self.init(fixed: 21, records: .nodes(size: 11), time: 6, strength: 8, azimuth: 5)
        case (0x55, 0x08):
            self.init(fixed: 24, records: .nodes(size: 10), time: 9, id: (1, 4), distance: 5, strength: 9)
            owner.size = 4
        case (0x55, 0x09): self.init(fixed: 14, records: .none)
        case (0x6A, 0x00):
            self.init(
                fixed: 14,
                records: .nodesWithData(size: 14),
                time: 8,
                id: (0, 4),
                distance: 4,
                strength: 12,
                azimuth: 7,
                elevation: 9
            )
            (owner, role) = ((4, 4), nil)
        default: return nil
        }
    }

    private init(
        fixed: Int,
        records: Records,
        time: Int = 0,
        id: (Int, Int) = (1, 1),
        distance: Int = 2,
        strength: Int = 6,
        azimuth: Int? = nil,
        elevation: Int? = nil,
        hasLength: Bool = true
    ) {
        (self.fixed, self.records, self.time, self.id) = (fixed, records, time, id)
        (self.distance, self.strength) = (distance, strength)
        (self.azimuth, self.elevation, self.hasLength) = (azimuth, elevation, hasLength)
    }

    /// Looks whether a frame begins at a place.
    public static func find(in payload: Span<UInt8>, at start: Int) -> Finding {
        guard let header = JSONScanner.peek(in: payload, at: start), header == 0x55 || header == 0x6A else {
            return .none
        }
        guard let mark = JSONScanner.peek(in: payload, at: start + 1) else { return .partial }
        guard let frame = LinkTrackFrame(header, mark) else { return .none }
        var length = frame.fixed
        if frame.hasLength {
            var offset = start + 2
            guard let found = ByteReader.integer(UInt16.self, in: payload, at: &offset) else { return .partial }
            length = Int(found)
            // Before the whole frame is there: a garbled length may not make the bridge wait for what never comes.
            guard frame.mayHave(length: length, count: JSONScanner.peek(in: payload, at: start + frame.fixed - 1))
            else { return .none }
        }
        let isAnchor = header == 0x55 && mark == 0
        guard !isAnchor || mayBeAnchorFrame(payload, at: start) else { return .none }
        guard payload.count - start >= length else { return .partial }
        guard isAnchor || hasSum(payload, start, length), frame.hasSoundRecords(in: payload, at: start, length: length)
        else {
            return .broken(length: length)
        }
        return .whole(frame, end: start + length)
    }

    /// Whether a frame can be so long, with so many records if their count is there already.
    private func mayHave(length: Int, count: UInt8?) -> Bool {
        let rest = length - fixed - 1
        switch records {
        case .nodes(let size):
            guard rest >= 0, rest % size == 0, rest / size <= 255 else { return false }
            return count.map { rest == size * Int($0) } ?? true
        case .nodesWithData(let size):
            guard let count else { return rest >= 0 && rest <= 255 * (size + 15) }
            return size * Int(count)...(size + 15) * Int(count) ~= rest
        case .anchors, .none: return rest >= 0 && length <= Self.longestOther
        }
    }

    private static func hasSum(_ payload: Span<UInt8>, _ start: Int, _ length: Int) -> Bool {
        var sum: UInt8 = 0
        for index in start..<start + length - 1 { sum &+= payload[index] }
        return sum == payload[start + length - 1]
    }

    /// The only frame without a sum: its last byte, and the roles of its thirty tags and of itself, must do, as far as
    /// they are there.
    private static func mayBeAnchorFrame(_ payload: Span<UInt8>, at start: Int) -> Bool {
        let bytes = payload.extracting(start..<min(start + 896, payload.count))
        for tag in 0..<30 {
            let id = 2 + 27 * tag
            guard id + 1 < bytes.count else { return true }
            guard bytes[id] == 0xFF || bytes[id + 1] <= 6 else { return false }
        }
        return (JSONScanner.peek(in: bytes, at: 894) ?? 0) <= 6
            && (JSONScanner.peek(in: bytes, at: 895) ?? 0xEE) == 0xEE
    }

    /// Whether records with data fill the frame exactly.
    private func hasSoundRecords(in payload: Span<UInt8>, at start: Int, length: Int) -> Bool {
        guard case .nodesWithData = records else { return true }
        return record(count(in: payload, at: start), in: payload, at: start) == start + length - 1
    }

    /// How many records a whole frame has.
    func count(in payload: Span<UInt8>, at start: Int) -> Int {
        switch records {
        case .nodes, .nodesWithData: Int(payload[start + fixed - 1])
        case .anchors: 8
        case .none: 0
        }
    }

    /// Where a record stands; the one behind the last, where the frame's sum does.
    func record(_ index: Int, in payload: Span<UInt8>, at start: Int) -> Int {
        switch records {
        case .nodes(let size): return start + fixed + size * index
        case .nodesWithData(let size):
            var offset = start + fixed
            for _ in 0..<index {
                offset += size + Int((JSONScanner.peek(in: payload, at: offset + size - 1) ?? 0) & 0x0F)
            }
            return offset
        case .anchors(let first): return start + first + 3 * index
        case .none: return start
        }
    }
}
