// nearby-bridge · SPDX-License-Identifier: Apache-2.0

extension JSONScanner {
    /// The first letter of the first key of an object or of an array's first object.
    ///
    /// Enough to turn back from most payloads that are somebody else's: every report of every format passes here.
    @inline(__always)
    static func firstLetter(in payload: Span<UInt8>) -> UInt8? {
        var offset = 0
        skipWhitespace(in: payload, at: &offset)
        if peek(in: payload, at: offset) == UInt8(ascii: "[") {
            offset += 1
            skipWhitespace(in: payload, at: &offset)
        }
        guard peek(in: payload, at: offset) == UInt8(ascii: "{") else { return nil }
        offset += 1
        skipWhitespace(in: payload, at: &offset)
        guard peek(in: payload, at: offset) == UInt8(ascii: "\"") else { return nil }
        return peek(in: payload, at: offset + 1)
    }

    /// Gives the first key of an object and where its value begins, as far as the payload shows it.
    ///
    /// It tells whose an object is: encoders keep an order.
    static func firstKey(in payload: Span<UInt8>, at start: Int) -> (key: JSONString, value: Int)? {
        var offset = start
        guard peek(in: payload, at: offset) == UInt8(ascii: "{") else { return nil }
        offset += 1
        var isFirst = true
        guard let key = try? nextKey(in: payload, at: &offset, isFirst: &isFirst), offset < payload.count else {
            return nil
        }
        return (key, offset)
    }

    /// Whether the object at a place has this key, as far as it is sound.
    static func hasKey(_ word: String, in payload: Span<UInt8>, at start: Int) -> Bool {
        var offset = start + 1
        var isFirst = true
        while let key = try? nextKey(in: payload, at: &offset, isFirst: &isFirst) {
            if isText(of: key, word, in: payload) { return true }
            do throws(ReportError) { try skipValue(in: payload, at: &offset, depth: 1) } catch { return false }
        }
        return false
    }

    /// Gives the next object of a payload that is one object or an array of them, and moves the cursor past it.
    ///
    /// Like the bridge's own JSON: a payload with a fault in its JSON gives no object at all.
    ///
    /// - Returns: Where the object begins, or `nil` at the end.
    /// - Throws: A fault of the payload, after which the cursor is finished, or of an element that is no object.
    static func nextObject(in payload: Span<UInt8>, at cursor: inout ReportCursor) throws(ReportError) -> Int? {
        var offset = cursor.offset
        var isFirst = cursor.mode != .restOfList
        cursor.isFinished = true
        if cursor.mode == .start {
            skipWhitespace(in: payload, at: &offset)
            guard let first = peek(in: payload, at: offset) else { throw ReportError(.empty, at: 0) }
            guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else {
                throw ReportError(.unknownFormat, at: 0)
            }
            var end = offset
            try skipValue(in: payload, at: &end)
            try expectEnd(in: payload, at: &end)
            cursor.reportOffset = offset
            if first == UInt8(ascii: "{") { return offset }
            offset += 1
        }
        guard try nextElement(in: payload, at: &offset, isFirst: &isFirst) else { return nil }
        let start = offset
        try skipValue(in: payload, at: &offset)
        cursor.reportOffset = start
        cursor.offset = offset
        cursor.mode = .restOfList
        cursor.isFinished = false
        guard peek(in: payload, at: start) == UInt8(ascii: "{") else { throw ReportError(.invalidValue, at: start) }
        return start
    }
}
