// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// Explains UCI packets, any number of them back to back, whatever they are cut into.
///
/// A field that goes on in the next segment stands where it begins; that segment's header follows it.
struct UCIExplainer {
    /// A byte of a message, and where it stands among all bytes.
    private struct Octet {
        var offset: Int
        var byte: UInt8
    }

    private static let headerLength = 4

    /// Every field, in order.
    private(set) var fields: [DecodedField] = []
    /// What is unusual.
    private(set) var warnings: [String] = []
    /// Everything that is to be explained.
    let bytes: [UInt8]
    /// Where the message begins that is being explained.
    private(set) var start = 0
    /// Its payload, of all its segments.
    private var octets: [Octet] = []
    /// How many of its octets have become fields.
    private var position = 0
    /// How many of all bytes have become fields.
    private var written = 0

    /// Explains all of these bytes.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        while written < bytes.count {
            start = written
            if bytes.count - start < Self.headerLength {
                warn("the header of the packet at byte \(start) is cut")
                addRaw("header", upTo: bytes.count)
            } else if bytes[start] >> 5 == 0, bytes[start + 1] == 0 {
                explainData()
            } else if isHeader(at: start) {
                explainMessage()
            } else {
                skipGarbage()
            }
        }
    }

    /// Adds a warning.
    mutating func warn(_ text: String) { warnings.append(text) }

    // MARK: Packets

    private func isHeader(at offset: Int) -> Bool {
        offset + 3 < bytes.count && 1...3 ~= bytes[offset] >> 5 && bytes[offset + 1] <= 0x3F && bytes[offset + 2] == 0
    }

    /// Bytes that begin no packet, up to one of a group that ranging has.
    private mutating func skipGarbage() {
        var end = start + 1
        while end < bytes.count, !isHeader(at: end) || bytes[end] & 0x0F > 2 { end += 1 }
        warn("no packet begins at byte \(start), \(end - start) bytes are passed over")
        addRaw("unknown", upTo: end)
    }

    /// A packet of data, whose length has two octets.
    private mutating func explainData() {
        let length = Int(bytes[start + 2]) | Int(bytes[start + 3]) << 8
        addRaw("type_and_group", upTo: start + 1, .hexadecimal(bytes[start]), Self.typeAndGroup(bytes[start]))
        addRaw("reserved", upTo: start + 2)
        addRaw("payload_length", upTo: start + 4, .decimal(length), "bytes")
        let end = min(bytes.count, start + Self.headerLength + length)
        if end - written < length { warnOfCut(expected: length, found: end - written) }
        addRaw("data", upTo: end)
    }

    private mutating func explainMessage() {
        guard let header = header(at: start) else { return }
        octets = []
        position = 0
        var declared = 0
        var end = start
        var isLast = false
        repeat {
            let length = Int(bytes[end + 3])
            isLast = bytes[end] & 0x10 == 0
            let payload = end + Self.headerLength
            declared += length
            end = min(bytes.count, payload + length)
            for offset in payload..<end { octets.append(Octet(offset: offset, byte: bytes[offset])) }
        } while !isLast && isHeader(at: end) && self.header(at: end) == header
        if octets.count < declared {
            warnOfCut(expected: declared, found: octets.count)
        } else if !isLast {
            warn("the message at byte \(start) is cut: another segment should follow")
        }
        explain(header)
        add("payload", left)
        addHeaders(upTo: end)
    }

    private func header(at offset: Int) -> UCIReader.Header? {
        UCIReader(bytes.span, at: offset, isText: false)?.header
    }

    private mutating func warnOfCut(expected: Int, found: Int) {
        warn("the message at byte \(start) is cut: expected \(expected) bytes of payload, found \(found)")
    }

    private static func typeAndGroup(_ byte: UInt8) -> String {
        let more = byte & 0x10 == 0 ? "" : ", more segments follow"
        return UCIVocabulary.messageType(byte >> 5) + ", " + UCIVocabulary.group(byte & 0x0F) + more
    }

    // MARK: Fields of the message

    /// How many octets of the payload are left.
    var left: Int { octets.count - position }

    /// A reader of the payload that stands where the next field does.
    var reader: UCIReader? {
        guard var reader = UCIReader(bytes.span, at: start, isText: false), reader.skip(position, bytes.span) else {
            return nil
        }
        return reader
    }

    /// An integer whose first octet is so many behind the next field, `nil` if the payload ends before it does.
    func peek<Value: FixedWidthInteger>(_ type: Value.Type, skipping count: Int = 0) -> Value? {
        let size = Value.bitWidth / 8
        guard count + size <= left else { return nil }
        let first = position + count
        return (0..<size).reduce(into: Value.zero) { value, place in
            value |= Value(truncatingIfNeeded: octets[first + place].byte) << Value(truncatingIfNeeded: place * 8)
        }
    }

    /// Adds the payload's next octets, as many as there are.
    mutating func add(
        _ name: String,
        _ count: Int,
        _ value: DecodedField.Value = .none,
        _ meaning: String = "",
        isSecret: Bool = false
    ) {
        let slice = octets[position...].prefix(max(0, count))
        guard let first = slice.first, let last = slice.last else { return }
        addHeaders(upTo: first.offset)
        fields.append(
            DecodedField(
                offset: first.offset,
                bytes: slice.map(\.byte),
                name: name,
                value: slice.count == count ? value : .none,
                meaning: slice.count == count ? meaning : "cut",
                isSecret: isSecret
            )
        )
        position += slice.count
        for (octet, next) in zip(slice, slice.dropFirst()) {
            written = octet.offset + 1
            addHeaders(upTo: next.offset)
        }
        written = last.offset + 1
    }

    /// Adds an unsigned integer.
    mutating func add<Value: FixedWidthInteger & UnsignedInteger>(
        _ name: String,
        _ type: Value.Type,
        _ meaning: (Value) -> String = { _ in "" }
    ) {
        let value = peek(type)
        let size = Value.bitWidth / 8
        add(name, size, value.map { .decimal($0) } ?? .none, value.map(meaning) ?? "")
    }

    /// Adds the headers of segments that stand before a place.
    private mutating func addHeaders(upTo end: Int) {
        while written + Self.headerLength <= end {
            let header = written
            let isFirst = header == start
            let meaning = Self.typeAndGroup(bytes[header]) + (isFirst ? "" : ", next segment")
            addRaw("type_and_group", upTo: header + 1, .hexadecimal(bytes[header]), meaning)
            let name = isFirst ? self.header(at: header).map(UCIVocabulary.message) : nil
            addRaw("opcode", upTo: header + 2, .hexadecimal(bytes[header + 1]), name ?? "")
            addRaw("reserved", upTo: header + 3)
            addRaw("payload_length", upTo: header + 4, .decimal(bytes[header + 3]), "bytes")
        }
    }

    /// Adds bytes as they stand.
    private mutating func addRaw(
        _ name: String,
        upTo end: Int,
        _ value: DecodedField.Value = .none,
        _ meaning: String = ""
    ) {
        guard end > written else { return }
        fields.append(
            DecodedField(
                offset: written,
                bytes: Array(bytes[written..<end]),
                name: name,
                value: value,
                meaning: meaning,
                isSecret: false
            )
        )
        written = end
    }
}
