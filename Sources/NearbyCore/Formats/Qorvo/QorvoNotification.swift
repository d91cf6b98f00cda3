// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// `SESSION_INFO_NTF: {…, sequence_number=0, … [mac_address=0x0001, status="SUCCESS", distance[cm]=91, …]; […]}`.
///
/// Any white space may stand between the parts: the firmware breaks the lines, and begins some with a stray CR.
enum QorvoNotification {
    /// The keys of a measurement that are used.
    private enum Field: Int {
        case address, status, distance, azimuth, elevation, signal
    }

    /// Finds the end of a notification, reads what it says of all measurements and leaves the cursor before the first.
    static func open(in record: Span<UInt8>, at cursor: inout ReportCursor) throws(ReportError) {
        var offset = cursor.offset
        try SerialLine.expect("SESSION_INFO_NTF:", in: record, at: &offset)
        JSONScanner.skipWhitespace(in: record, at: &offset)
        try JSONScanner.expect(UInt8(ascii: "{"), in: record, at: &offset)
        let end = try endOfBraces(in: record, from: offset)
        do throws(ReportError) {
            cursor.sequence = try sequence(in: record.extracting(0..<end), at: &offset)
        } catch {
            // The braces are closed: nothing is still to come.
            throw error.reason == .truncated ? ReportError(.syntax, at: error.offset) : error
        }
        cursor.offset = offset
        cursor.elementEnd = end
        cursor.mode = .firstOfList
        cursor.element = QorvoText.Kind.notification.rawValue
    }

    /// Reads what stands before the first measurement.
    private static func sequence(in body: Span<UInt8>, at offset: inout Int) throws(ReportError) -> Int64? {
        var sequence: Int64?
        while true {
            skipSeparators(in: body, at: &offset)
            if body[offset] == UInt8(ascii: "[") || body[offset] == UInt8(ascii: "}") { return sequence }
            let key = try key(in: body, at: &offset)
            let value = offset
            while !isEndOfValue(body[offset]), body[offset] != UInt8(ascii: "[") { offset += 1 }
            guard JSONScanner.isEqual(body.extracting(key), "sequence_number") else { continue }
            var place = value
            guard let number = try SerialLine.decimal(in: body, at: &place), place == offset else {
                throw ReportError(.invalidValue, at: value)
            }
            sequence = JSONNumber.whole(number)
        }
    }

    /// Decodes the next measurement of the open notification, or leaves it and returns false.
    static func next(
        in payload: Span<UInt8>,
        at cursor: inout ReportCursor,
        into report: inout RangeReport
    ) throws(ReportError) -> Bool {
        let body = payload.extracting(0..<min(cursor.elementEnd, payload.count))
        var offset = cursor.offset
        skipSeparators(in: body, at: &offset)
        guard offset < body.count, body[offset] != UInt8(ascii: "}") else {
            QorvoText.leaveRecord(&cursor)
            return false
        }
        let start = offset
        do throws(ReportError) {
            try decode(in: body, at: &offset, into: &report)
        } catch {
            offset = start
            while offset < body.count, body[offset] != UInt8(ascii: ";") { offset += 1 }
            cursor.offset = offset
            throw error
        }
        cursor.offset = offset
        report.sequence = cursor.sequence
        return true
    }

    private static func decode(
        in body: Span<UInt8>,
        at offset: inout Int,
        into report: inout RangeReport
    ) throws(ReportError) {
        let start = offset
        try JSONScanner.expect(UInt8(ascii: "["), in: body, at: &offset)
        var seen = 0
        repeat {
            JSONScanner.skipWhitespace(in: body, at: &offset)
            let key = try key(in: body, at: &offset)
            if let field = field(body.extracting(key)) {
                guard seen & 1 << field.rawValue == 0 else { throw ReportError(.duplicateField, at: key.lowerBound) }
                seen |= 1 << field.rawValue
                try read(field, in: body, at: &offset, into: &report)
            } else {
                while offset < body.count, !isEndOfValue(body[offset]) { offset += 1 }
            }
            JSONScanner.skipWhitespace(in: body, at: &offset)
        } while isComma(in: body, at: &offset)
        try JSONScanner.expect(UInt8(ascii: "]"), in: body, at: &offset)
        guard seen & 1 << Field.status.rawValue != 0 else { throw ReportError(.invalidValue, at: start) }
        if report.status == .ok, report.distance == nil { report.status = .error }
        if report.status != .ok { report.distance = nil }
    }

    private static func read(
        _ field: Field,
        in body: Span<UInt8>,
        at offset: inout Int,
        into report: inout RangeReport
    ) throws(ReportError) {
        let start = offset
        switch field {
        case .address:
            report.peer = .address(RadioAddress(try SerialLine.hexadecimal(in: body, at: &offset).value))
        case .status:
            let word = try JSONScanner.string(in: body, at: &offset)
            report.status =
                JSONScanner.word(word, in: body, of: [("SUCCESS", .ok), ("RX_TIMEOUT", .timeout)]) ?? .error
        case .distance:
            report.distance = try SerialLine.decimal(in: body, at: &offset)
                .map { centimetres throws(ReportError) in try QorvoText.metres(centimetres, at: start) }
        case .azimuth, .elevation, .signal:
            guard let value = try SerialLine.decimal(in: body, at: &offset) else { return }
            let limit = field == .elevation ? 90.0 : 180
            guard value.magnitude <= limit else { throw ReportError(.invalidValue, at: start) }
            switch field {
            case .azimuth: report.azimuth = Float(value)
            case .elevation: report.elevation = Float(value)
            default: report.rssi = Float(value)
            }
        }
    }

    private static func field(_ key: Span<UInt8>) -> Field? {
        let fields: InlineArray = [
            ("mac_address", Field.address), ("status", .status), ("distance[cm]", .distance), ("loc_az", .azimuth),
            ("loc_el", .elevation), ("RSSI[dBm]", .signal),
        ]
        for index in fields.indices where JSONScanner.isEqual(key, fields[index].0) { return fields[index].1 }
        return nil
    }

    // MARK: Grammar

    /// The place behind the brace that closes the one before `start`.
    private static func endOfBraces(in record: Span<UInt8>, from start: Int) throws(ReportError) -> Int {
        var depth = 1
        for index in start..<record.count {
            if record[index] == UInt8(ascii: "{") { depth += 1 }
            if record[index] == UInt8(ascii: "}") { depth -= 1 }
            if depth == 0 { return index + 1 }
        }
        throw ReportError(.truncated, at: record.count)
    }

    /// Reads a key, which may have brackets in it, and the equals sign behind it.
    private static func key(in body: Span<UInt8>, at offset: inout Int) throws(ReportError) -> Range<Int> {
        let start = offset
        while offset < body.count, body[offset] != UInt8(ascii: "=") {
            guard body[offset] > UInt8(ascii: " "), body[offset] != UInt8(ascii: ","), body[offset] != UInt8(ascii: ";")
            else { throw ReportError(.syntax, at: offset) }
            offset += 1
        }
        guard offset < body.count else { throw ReportError(.syntax, at: offset) }
        offset += 1
        return start..<offset - 1
    }

    private static func isEndOfValue(_ byte: UInt8) -> Bool {
        byte <= UInt8(ascii: " ") || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "]")
            || byte == UInt8(ascii: "}") || byte == UInt8(ascii: ";")
    }

    private static func isComma(in body: Span<UInt8>, at offset: inout Int) -> Bool {
        guard JSONScanner.peek(in: body, at: offset) == UInt8(ascii: ",") else { return false }
        offset += 1
        return true
    }

    private static func skipSeparators(in body: Span<UInt8>, at offset: inout Int) {
        while offset < body.count {
            guard
                body[offset] <= UInt8(ascii: " ") || body[offset] == UInt8(ascii: ",")
                    || body[offset] == UInt8(ascii: ";")
            else { return }
            offset += 1
        }
    }
}
