// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// The bridge's own range reports: one object, an array of objects, or `{"reports":[…]}`.
///
/// CONTRACT section 3. A payload with a fault in its JSON gives no report at all: half a message is not to be
/// trusted. A payload whose JSON is sound gives every report that has no fault of its own.
public enum JSONReport {
    /// Decodes the next report of the payload.
    ///
    /// Allocates nothing, unless a number has more than 19 digits or a power of ten that no measurement has.
    ///
    /// - Parameters:
    ///   - payload: One message from an accessory.
    ///   - cursor: Where to read on; a new one for each payload.
    ///   - report: The report. It says nothing if the call throws or returns false.
    /// - Returns: Whether there was a report.
    /// - Throws: A fault of the payload, after which the cursor is finished, or of one report: the cursor has moved
    ///   past it and the rest can go on.
    public static func next(
        in payload: Span<UInt8>,
        at cursor: inout ReportCursor,
        into report: inout RangeReport
    ) throws(ReportError) -> Bool {
        guard !cursor.isFinished else { return false }
        report = RangeReport()
        do throws(ReportError) {
            return cursor.mode == .start
                ? try first(in: payload, at: &cursor, into: &report)
                : try element(in: payload, at: &cursor, into: &report)
        } catch {
            report = RangeReport()
            throw error
        }
    }

    /// Whether the payload looks like JSON, or is blank, which is JSON's to complain about.
    static func isPlausible(_ payload: Span<UInt8>) -> Bool {
        var offset = 0
        JSONScanner.skipWhitespace(in: payload, at: &offset)
        let byte = JSONScanner.peek(in: payload, at: offset)
        return byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") || byte == nil
    }

    /// Reads the payload to its end, then gives out its only report or the first of its list.
    private static func first(
        in payload: Span<UInt8>,
        at cursor: inout ReportCursor,
        into report: inout RangeReport
    ) throws(ReportError) -> Bool {
        cursor.isFinished = true
        var offset = cursor.offset
        JSONScanner.skipWhitespace(in: payload, at: &offset)
        let list: Int
        switch JSONScanner.peek(in: payload, at: offset) {
        case UInt8(ascii: "{"):
            cursor.reportOffset = offset
            let object = try object(in: payload, at: &offset, mayHoldList: true, into: &report)
            try JSONScanner.expectEnd(in: payload, at: &offset)
            guard let found = object.list else {
                if let fault = object.fault { throw fault }
                return true
            }
            list = found
            report = RangeReport()
        case UInt8(ascii: "["):
            list = offset
            try JSONScanner.skipValue(in: payload, at: &offset)
            try JSONScanner.expectEnd(in: payload, at: &offset)
        case nil: throw ReportError(.empty, at: 0)
        default: throw ReportError(.unknownFormat, at: 0)
        }
        cursor.isFinished = false
        cursor.mode = .firstOfList
        cursor.offset = list + 1
        return try element(in: payload, at: &cursor, into: &report)
    }

    /// Decodes the next element of a list whose JSON is known to be sound.
    private static func element(
        in payload: Span<UInt8>,
        at cursor: inout ReportCursor,
        into report: inout RangeReport
    ) throws(ReportError) -> Bool {
        // Only a cursor used with a payload not its own can fail between here and the end of the element.
        cursor.isFinished = true
        var isFirst = cursor.mode == .firstOfList
        guard try JSONScanner.nextElement(in: payload, at: &cursor.offset, isFirst: &isFirst) else { return false }
        let start = cursor.offset
        cursor.reportOffset = start
        var fault: ReportError?
        if JSONScanner.peek(in: payload, at: start) == UInt8(ascii: "{") {
            fault = try object(in: payload, at: &cursor.offset, mayHoldList: false, into: &report).fault
        } else {
            try JSONScanner.skipValue(in: payload, at: &cursor.offset)
            fault = ReportError(.invalidValue, at: start)
        }
        cursor.mode = .restOfList
        cursor.isFinished = false
        if let fault { throw fault }
        return true
    }

    /// What an object turned out to be.
    private struct Object {
        /// The known fields that stand in it, a bit each.
        var seen: UInt32 = 0
        /// The first known field whose value cannot be used.
        var fault: ReportError?
        /// Where the array of its key `reports` begins.
        var list: Int?
    }

    /// Reads an object to its end as a report; a field that cannot be used is noted, broken JSON throws.
    private static func object(
        in payload: Span<UInt8>,
        at offset: inout Int,
        mayHoldList: Bool,
        into report: inout RangeReport
    ) throws(ReportError) -> Object {
        let start = offset
        var object = Object()
        var isFirst = true
        var keyStart = start
        offset += 1
        while let key = try JSONScanner.nextKey(in: payload, at: &offset, isFirst: &isFirst) {
            keyStart = key.range.lowerBound - 1
            guard let field = JSONReportField(key, in: payload) else {
                if mayHoldList, isList(key, at: offset, in: payload) {
                    guard object.list == nil else { throw ReportError(.duplicateField, at: keyStart) }
                    object.list = offset
                }
                try JSONScanner.skipValue(in: payload, at: &offset, depth: 1)
                continue
            }
            let valueStart = offset
            var fault: ReportError.Reason?
            if object.seen & field.bit == 0 {
                fault = try field.decode(in: payload, at: &offset, into: &report)
            } else {
                fault = .duplicateField
            }
            object.seen |= field.bit
            if let fault {
                let place = fault == .duplicateField ? keyStart : valueStart
                object.fault = object.fault ?? ReportError(fault, at: place)
                offset = valueStart
                try JSONScanner.skipValue(in: payload, at: &offset, depth: 1)
            }
        }
        if object.seen == 0 { object.fault = ReportError(.noKnownField, at: start) }
        if report.status != .ok {
            report.distance = nil
            report.position = nil
        } else if report.distance != nil, report.position != nil {
            // Whoever has measured needs no reckoning.
            report.position = nil
        }
        return object
    }

    /// Whether a key and the value at the offset are `"reports":[…`.
    private static func isList(_ key: JSONString, at offset: Int, in payload: Span<UInt8>) -> Bool {
        guard JSONScanner.peek(in: payload, at: offset) == UInt8(ascii: "[") else { return false }
        return JSONScanner.isText(of: key, "reports", in: payload)
    }
}
