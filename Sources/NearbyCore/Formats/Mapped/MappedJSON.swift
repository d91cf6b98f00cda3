// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Somebody else's JSON, whose fields a configuration has named.
///
/// The payload is an object, or an array of objects; each of them is a report, or has a list of reports in it. As with
/// the bridge's own JSON, a payload with a fault in its JSON gives no report at all, and one whose JSON is sound gives
/// every report that has no fault of its own. A number may stand in a string; a text that is none is no measurement.
public enum MappedJSON {
    /// Decodes the next report of the payload.
    ///
    /// Allocates nothing, unless a number has more than 19 digits or a power of ten that no measurement has.
    ///
    /// - Parameters:
    ///   - payload: One message from a source.
    ///   - paths: Where the fields stand.
    ///   - cursor: Where to read on; a new one for each payload.
    ///   - report: The report. It says nothing if the call throws or returns false.
    /// - Returns: Whether there was a report.
    /// - Throws: A fault of the payload, after which the cursor is finished, or of one report: the cursor has moved
    ///   past it and the rest can go on.
    public static func next(
        in payload: Span<UInt8>,
        paths: FieldPaths,
        at cursor: inout ReportCursor,
        into report: inout RangeReport
    ) throws(ReportError) -> Bool {
        report = RangeReport()
        guard !cursor.isFinished else { return false }
        do throws(ReportError) {
            return paths.hasList
                ? try nextOfList(in: payload, paths, at: &cursor, into: &report)
                : try nextRoot(in: payload, paths, at: &cursor, into: &report)
        } catch {
            report = RangeReport()
            throw error
        }
    }

    private static func nextRoot(
        in payload: Span<UInt8>,
        _ paths: FieldPaths,
        at cursor: inout ReportCursor,
        into report: inout RangeReport
    ) throws(ReportError) -> Bool {
        guard let start = try JSONScanner.nextObject(in: payload, at: &cursor) else { return false }
        var offset = start
        try decode(in: payload, at: &offset, paths, FieldPlaces(), into: &report)
        return true
    }

    /// Decodes the next element of the list that is open, or of the next one.
    private static func nextOfList(
        in payload: Span<UInt8>,
        _ paths: FieldPaths,
        at cursor: inout ReportCursor,
        into report: inout RangeReport
    ) throws(ReportError) -> Bool {
        while true {
            if cursor.element > 0 {
                // A single object has left the cursor at its start, an array has not.
                let isLast = cursor.mode == .start
                var offset = cursor.element
                var isFirst = cursor.elementEnd == 1
                // Only a cursor used with a payload not its own can fail between here and the end of the element.
                cursor.isFinished = true
                if try JSONScanner.nextElement(in: payload, at: &offset, isFirst: &isFirst) {
                    cursor.element = offset
                    try JSONScanner.skipValue(in: payload, at: &cursor.element)
                    cursor.elementEnd = 0
                    cursor.isFinished = false
                    try decode(in: payload, at: &offset, paths, cursor.places, into: &report)
                    return true
                }
                cursor.element = 0
                cursor.isFinished = isLast
            }
            guard !cursor.isFinished, let root = try JSONScanner.nextObject(in: payload, at: &cursor) else {
                return false
            }
            try openList(in: payload, of: root, paths, at: &cursor)
        }
    }

    /// Looks for the list of a root and for what the root says for all of its elements.
    private static func openList(
        in payload: Span<UInt8>,
        of root: Int,
        _ paths: FieldPaths,
        at cursor: inout ReportCursor
    ) throws(ReportError) {
        var offset = root
        var places = FieldPlaces()
        _ = try places.find(paths.ofRoot, of: paths, in: payload, at: &offset)
        if let duplicate = places.duplicate { throw ReportError(.duplicateField, at: duplicate) }
        guard let list = places.list else { throw ReportError(.noKnownField, at: root) }
        guard JSONScanner.peek(in: payload, at: list) == UInt8(ascii: "[") else {
            var end = list
            let literal = try JSONScanner.literal(in: payload, at: &end)
            guard literal == .null else { throw ReportError(.invalidValue, at: list) }
            return
        }
        cursor.places = places
        cursor.element = list + 1
        cursor.elementEnd = 1
        cursor.isFinished = false
    }

    // MARK: A report

    /// Reads one report; `shared` has the places that its root says for all of them.
    private static func decode(
        in payload: Span<UInt8>,
        at offset: inout Int,
        _ paths: FieldPaths,
        _ shared: FieldPlaces,
        into report: inout RangeReport
    ) throws(ReportError) {
        let start = offset
        let first = JSONScanner.peek(in: payload, at: start)
        guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else {
            throw ReportError(.invalidValue, at: start)
        }
        var places = shared
        guard try places.find(paths.ofElement, of: paths, in: payload, at: &offset) else {
            throw ReportError(.noKnownField, at: start)
        }
        if let duplicate = places.duplicate { throw ReportError(.duplicateField, at: duplicate) }
        if let place = places[.status] {
            report.status = try status(in: payload, at: place, paths)
        } else if !paths.okWords.isEmpty {
            // Who says what success looks like has none without it.
            report.status = .error
        }
        if let place = places[.peer] { report.peer = try peer(in: payload, at: place) }
        if let place = places[.reporter] { report.reporter = try peer(in: payload, at: place) }
        try decodeDetails(in: payload, places, into: &report)
        if paths.hasPosition {
            var coordinates = Coordinates()
            coordinates.x = try number(in: payload, at: places[.x])
            coordinates.y = try number(in: payload, at: places[.y])
            coordinates.z = paths.has(.z) ? try number(in: payload, at: places[.z]) : 0
            try coordinates.give(to: &report, at: start)
        } else {
            let distance = try number(in: payload, at: places[.distance])
            if report.status == .ok { report.distance = distance }
        }
    }

    private static func decodeDetails(
        in payload: Span<UInt8>,
        _ places: FieldPlaces,
        into report: inout RangeReport
    ) throws(ReportError) {
        report.azimuth = try narrow(in: payload, at: places[.azimuth])
        report.elevation = try narrow(in: payload, at: places[.elevation])
        report.rssi = try narrow(in: payload, at: places[.rssi])
        report.quality = try narrow(in: payload, at: places[.quality])
        guard 0...1 ~= report.quality ?? 0 else { throw ReportError(.invalidValue, at: places[.quality] ?? 0) }
        if let place = places[.nlos] {
            var end = place
            let fault = try JSONReportField.nonLineOfSight.decode(in: payload, at: &end, into: &report)
            if let fault { throw ReportError(fault, at: place) }
        }
        if let place = places[.sequence] {
            var end = place
            var isWhole = true
            report.sequence = try JSONScanner.withNumber(in: payload, at: &end) { number, text in
                let integer = number.integer(in: text)
                isWhole = integer != nil || !number.value(in: text).isFinite
                return integer
            }
            guard isWhole else { throw ReportError(.invalidValue, at: place) }
        }
        if let place = places[.timestamp] {
            var end = place
            guard let fault = try JSONReportField.timestamp.decode(in: payload, at: &end, into: &report) else { return }
            // A number in a string, perhaps.
            end = place
            report.timestamp = try JSONScanner.withNumber(in: payload, at: &end) {
                JSONReportField.nanoseconds($0, in: $1)
            }
            guard report.timestamp != nil else { throw ReportError(fault, at: place) }
        }
    }

    // MARK: Values

    private static func number(in payload: Span<UInt8>, at place: Int?) throws(ReportError) -> Double? {
        guard var offset = place else { return nil }
        return try JSONScanner.looseMeasurement(in: payload, at: &offset)
    }

    private static func narrow(in payload: Span<UInt8>, at place: Int?) throws(ReportError) -> Float? {
        guard let value = try number(in: payload, at: place).map({ Float($0) }), value.isFinite else { return nil }
        return value
    }

    private static func peer(in payload: Span<UInt8>, at place: Int) throws(ReportError) -> RangeReport.Peer {
        var offset = place
        return try RangeReport.Peer.named(in: payload, at: &offset)
    }

    /// Reads a status: one of the words for success, or the bridge's own.
    private static func status(
        in payload: Span<UInt8>,
        at place: Int,
        _ paths: FieldPaths
    ) throws(ReportError) -> RangeReport.Status {
        var offset = place
        let words = paths.okWords
        if let literal = try JSONScanner.literal(in: payload, at: &offset) {
            guard words.isEmpty else { return words.contains(literal.rawValue) ? .ok : .error }
            switch literal {
            case .null, .true: return .ok
            case .false: return .error
            case .nan, .infinity: throw ReportError(.invalidValue, at: place)
            }
        }
        if JSONScanner.isNumber(in: payload, at: offset), !words.isEmpty {
            let value = try JSONScanner.number(in: payload, at: &offset).value(in: payload)
            return paths.okNumbers.contains(value) ? .ok : .error
        }
        guard JSONScanner.peek(in: payload, at: offset) == UInt8(ascii: "\"") else {
            throw ReportError(.invalidValue, at: place)
        }
        let word = try JSONScanner.string(in: payload, at: &offset)
        let own: RangeReport.Status? = JSONScanner.word(word, in: payload, of: [("ok", .ok), ("timeout", .timeout)])
        guard !words.isEmpty else { return own ?? .error }
        for ok in words where JSONScanner.isText(of: word, ok, in: payload) { return .ok }
        return own == .timeout ? .timeout : .error
    }
}
