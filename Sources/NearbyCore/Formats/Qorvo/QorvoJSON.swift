// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// The JSON records of Qorvo's firmware: `{"Block":…,"results":[…]}`, a bare array, or a bare measurement.
enum QorvoJSON {
    /// The keys of a measurement that are used.
    private enum Field: Int {
        case address, status, distance, azimuth, meritOfAngles
    }

    /// Reads a record to its end and leaves the cursor before its first measurement.
    ///
    /// Why a session has stopped is reported at once, unless it was told to.
    static func open(
        in record: Span<UInt8>,
        at cursor: inout ReportCursor,
        into report: inout RangeReport
    ) throws(ReportError) {
        let start = cursor.offset
        var end = start
        try JSONScanner.skipValue(in: record, at: &end)
        cursor.elementEnd = end
        guard record[start] == UInt8(ascii: "{") else {
            cursor.offset = start + 1
            cursor.mode = .firstOfList
            cursor.element = QorvoText.Kind.list.rawValue
            return
        }
        var offset = start + 1
        var isFirst = true
        var list: Int?
        while let key = try JSONScanner.nextKey(in: record, at: &offset, isFirst: &isFirst) {
            if JSONScanner.isText(of: key, "Addr", in: record) {
                cursor.mode = .firstOfList
                cursor.element = QorvoText.Kind.object.rawValue
                return
            }
            let value = offset
            if JSONScanner.isText(of: key, "Block", in: record) {
                guard let block = try JSONScanner.measurement(in: record, at: &offset),
                    let sequence = JSONNumber.whole(block)
                else { throw ReportError(.invalidValue, at: value) }
                cursor.sequence = sequence
                continue
            }
            if JSONScanner.isText(of: key, "results", in: record) {
                guard record[value] == UInt8(ascii: "["), list == nil else {
                    throw ReportError(.invalidValue, at: value)
                }
                list = value
            } else if JSONScanner.isText(of: key, "Session Stopped", in: record) {
                let reason = try JSONScanner.text(in: record, at: &offset)
                report.signal = reason.flatMap {
                    JSONScanner.word($0, in: record, of: [("Inband Stop", .ended), ("Max attempts", .exhausted)])
                }
                return QorvoText.leaveRecord(&cursor)
            }
            try JSONScanner.skipValue(in: record, at: &offset)
        }
        guard let list else { throw ReportError(.invalidValue, at: start) }
        cursor.offset = list + 1
        cursor.mode = .firstOfList
        cursor.element = QorvoText.Kind.list.rawValue
    }

    /// Decodes the next measurement of the open record, or leaves it and returns false.
    static func next(
        in payload: Span<UInt8>,
        at cursor: inout ReportCursor,
        into report: inout RangeReport
    ) throws(ReportError) -> Bool {
        var offset = cursor.offset
        var isFirst = cursor.mode == .firstOfList
        // Only a cursor used with a payload not its own can fail before the end of the measurement.
        QorvoText.leaveRecord(&cursor)
        if cursor.element == QorvoText.Kind.list.rawValue {
            guard try JSONScanner.nextElement(in: payload, at: &offset, isFirst: &isFirst) else { return false }
            var after = offset
            try JSONScanner.skipValue(in: payload, at: &after)
            cursor.offset = after
            cursor.mode = .restOfList
        }
        try decode(in: payload, at: offset, into: &report)
        report.sequence = cursor.sequence
        return true
    }

    private static func decode(
        in payload: Span<UInt8>,
        at start: Int,
        into report: inout RangeReport
    ) throws(ReportError) {
        guard JSONScanner.peek(in: payload, at: start) == UInt8(ascii: "{") else {
            throw ReportError(.invalidValue, at: start)
        }
        var offset = start + 1
        var isFirst = true
        var seen = 0
        var angle: Double?
        var merit: Double?
        while let key = try JSONScanner.nextKey(in: payload, at: &offset, isFirst: &isFirst) {
            let field: Field? = JSONScanner.word(
                key,
                in: payload,
                of: [
                    ("Addr", .address), ("Status", .status), ("D_cm", .distance), ("LAoA_deg", .azimuth),
                    ("LFoM", .meritOfAngles),
                ]
            )
            guard let field else {
                try JSONScanner.skipValue(in: payload, at: &offset, depth: 1)
                continue
            }
            guard seen & 1 << field.rawValue == 0 else { throw ReportError(.duplicateField, at: key.range.lowerBound) }
            seen |= 1 << field.rawValue
            let place = offset
            switch field {
            case .address: report.peer = try address(in: payload, at: &offset)
            case .status:
                guard let word = try JSONScanner.text(in: payload, at: &offset) else {
                    throw ReportError(.invalidValue, at: place)
                }
                report.status = JSONScanner.isText(of: word, "Ok", in: payload) ? .ok : .error
            case .distance:
                report.distance = try JSONScanner.measurement(in: payload, at: &offset)
                    .map { centimetres throws(ReportError) in try QorvoText.metres(centimetres, at: place) }
            case .azimuth: angle = try JSONScanner.measurement(in: payload, at: &offset)
            case .meritOfAngles: merit = try JSONScanner.measurement(in: payload, at: &offset)
            }
        }
        guard seen & 1 << Field.status.rawValue != 0 else { throw ReportError(.invalidValue, at: start) }
        if report.distance == nil { report.status = .error }
        if report.status != .ok { report.distance = nil }
        // A board with one antenna prints angles of no merit.
        guard let angle, merit != 0, angle.magnitude <= 180 else { return }
        report.azimuth = Float(angle)
        report.azimuthMerit = merit.map { Float($0) }
    }

    private static func address(
        in payload: Span<UInt8>,
        at offset: inout Int
    ) throws(ReportError) -> RangeReport.Peer {
        let start = offset
        guard JSONScanner.peek(in: payload, at: start) == UInt8(ascii: "\"") else {
            throw ReportError(.invalidPeer, at: start)
        }
        let string = try JSONScanner.string(in: payload, at: &offset)
        var end = string.range.lowerBound
        let text = payload.extracting(0..<string.range.upperBound)
        guard let address = try? SerialLine.hexadecimal(in: text, at: &end).value, end == text.count else {
            throw ReportError(.invalidPeer, at: start)
        }
        return .address(RadioAddress(address))
    }
}
