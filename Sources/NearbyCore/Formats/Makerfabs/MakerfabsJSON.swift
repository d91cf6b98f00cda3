// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// The JSON of Makerfabs' examples: `{"links":[{"A":"1782","R":"1.2"}]}` in metres, `{"id":1,"range":[0,53]}` in
/// centimetres.
///
/// In `range` 0 stands where no anchor is: only if it stands everywhere the round has failed.
enum MakerfabsJSON {
    /// Reads the object at the cursor to its end and gives out its first report; false if it holds none.
    static func first(
        in payload: Span<UInt8>,
        at cursor: inout ReportCursor,
        into report: inout RangeReport
    ) throws(ReportError) -> Bool {
        var offset = cursor.offset + 1
        var list: Int?
        var isFirst = true
        cursor.reporter = .unnamed
        while let key = try JSONScanner.nextKey(in: payload, at: &offset, isFirst: &isFirst) {
            if isList(key, at: offset, in: payload) {
                guard list == nil else { throw ReportError(.duplicateField, at: key.range.lowerBound) }
                list = offset
            } else if JSONScanner.isText(of: key, "id", in: payload) {
                cursor.reporter = tag(in: payload, at: offset)
            }
            try JSONScanner.skipValue(in: payload, at: &offset, depth: 1)
        }
        guard let list else {
            cursor.offset = offset
            return false
        }
        cursor.elementEnd = offset
        cursor.offset = list + 1
        cursor.mode = .firstOfList
        cursor.element = 0
        cursor.sequence = nil
        return try element(in: payload, at: &cursor, into: &report)
    }

    /// Decodes the next element of a list whose JSON is known to be sound; behind the list it returns false.
    static func element(
        in payload: Span<UInt8>,
        at cursor: inout ReportCursor,
        into report: inout RangeReport
    ) throws(ReportError) -> Bool {
        var isFirst = cursor.mode == .firstOfList
        report.reporter = cursor.reporter
        while try JSONScanner.nextElement(in: payload, at: &cursor.offset, isFirst: &isFirst) {
            cursor.mode = .restOfList
            let start = cursor.offset
            let slot = cursor.element
            cursor.element += 1
            try JSONScanner.skipValue(in: payload, at: &cursor.offset, depth: 2)
            guard try value(at: start, slot: slot, in: payload, into: &report) else { continue }
            // Only that something was given out, as no device's counter.
            cursor.sequence = 1
            return true
        }
        let isSilent = cursor.sequence == nil
        cursor.offset = cursor.elementEnd
        cursor.mode = .start
        cursor.element = 0
        cursor.sequence = nil
        report.status = isSilent ? .timeout : .ok
        return isSilent
    }

    /// Whether the object that begins here is one of these, as far as it can be seen.
    static func isPlausible(_ payload: Span<UInt8>, at start: Int) -> Bool {
        var offset = start + 1
        var isFirst = true
        for _ in 0..<2 {
            guard let key = try? JSONScanner.nextKey(in: payload, at: &offset, isFirst: &isFirst) else { return false }
            if isList(key, at: offset, in: payload) { return true }
            guard JSONScanner.isText(of: key, "id", in: payload),
                (try? JSONScanner.skipValue(in: payload, at: &offset, depth: 1)) != nil
            else { return false }
        }
        return false
    }

    /// Who measured: the tag's number, or what somebody has put in its place.
    private static func tag(in payload: Span<UInt8>, at start: Int) -> RangeReport.Peer {
        var offset = start
        if let identity = try? RangeReport.Peer.identity(in: payload, at: &offset) { return identity }
        offset = start
        guard let number = (try? JSONScanner.number(in: payload, at: &offset))?.integer(in: payload), number >= 0
        else { return .unnamed }
        return .address(RadioAddress(UInt64(number)))
    }

    private static func isList(_ key: JSONString, at offset: Int, in payload: Span<UInt8>) -> Bool {
        JSONScanner.peek(in: payload, at: offset) == UInt8(ascii: "[")
            && (JSONScanner.isText(of: key, "links", in: payload) || JSONScanner.isText(of: key, "range", in: payload))
    }

    /// Reads a link or the number of a slot; false for a slot without an anchor.
    private static func value(
        at start: Int,
        slot: Int,
        in payload: Span<UInt8>,
        into report: inout RangeReport
    ) throws(ReportError) -> Bool {
        var offset = start
        // The list is known to be sound: something stands here.
        switch JSONScanner.peek(in: payload, at: start) ?? 0 {
        case UInt8(ascii: "{"):
            try link(in: payload, at: &offset, into: &report)
            return true
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            guard let range = try SerialLine.decimal(in: payload, at: &offset), range > 0 else { return false }
            guard let anchor = UInt16(exactly: slot) else { throw ReportError(.invalidValue, at: start) }
            report.distance = try SerialLine.plausible(range / 100, at: start)
            report.peer = .address(RadioAddress(UInt64(anchor)))
            return true
        case UInt8(ascii: "n"), UInt8(ascii: "N"): return false
        default: throw ReportError(.invalidValue, at: start)
        }
    }

    private static func link(
        in payload: Span<UInt8>,
        at offset: inout Int,
        into report: inout RangeReport
    ) throws(ReportError) {
        offset += 1
        var isFirst = true
        var hasRange = false
        while let key = try JSONScanner.nextKey(in: payload, at: &offset, isFirst: &isFirst) {
            let start = offset
            let isAddress = JSONScanner.isText(of: key, "A", in: payload)
            let isRange = JSONScanner.isText(of: key, "R", in: payload)
            try JSONScanner.skipValue(in: payload, at: &offset, depth: 3)
            guard isAddress || isRange else { continue }
            guard isAddress ? report.peer == .unnamed : !hasRange else {
                throw ReportError(.duplicateField, at: key.range.lowerBound)
            }
            // Both are strings, the range perhaps a number.
            let isString = payload[start] == UInt8(ascii: "\"")
            let text = payload.extracting(0..<(isString ? offset - 1 : offset))
            var place = isString ? start + 1 : start
            SerialLine.skipBlanks(in: text, at: &place)
            if isAddress {
                guard isString, let address = try? SerialLine.hexadecimal(in: text, at: &place), place == text.count
                else { throw ReportError(.invalidPeer, at: start) }
                report.peer = .address(RadioAddress(address.value))
            } else {
                hasRange = true
                let isNull = JSONScanner.peek(in: text, at: place) == UInt8(ascii: "n") && !isString
                report.distance = isNull ? nil : try range(in: text, at: &place, from: start)
            }
        }
        if report.distance == nil { report.status = .error }
    }

    private static func range(
        in text: Span<UInt8>,
        at offset: inout Int,
        from start: Int
    ) throws(ReportError) -> Double? {
        let value = try? SerialLine.decimal(in: text, at: &offset)
        guard offset == text.count, (value ?? 0).magnitude < SerialLine.farthest else {
            throw ReportError(.invalidValue, at: start)
        }
        return value
    }
}
