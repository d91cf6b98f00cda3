// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What the gateways of DRTLS and PANS PRO publish of a node; which node it is stands in the topic.
///
/// Its location `{"position":{"x":3.25,"y":-0.01,"z":0.43,"quality":21},"superFrameNumber":1144,"timestamp":"…"}` in
/// metres and microseconds; its configuration, in which an anchor has its own position; `{"present":false}` when it
/// went away. Data and answers that pass through it are passed over. The number of the superframe is no counter:
/// nothing says where it begins anew.
enum DRTLSJSON {
    /// The keys that are used.
    private enum Field: Int {
        case position, configuration, present, time, other
    }

    /// Decodes the next report.
    static func next(
        in payload: Span<UInt8>,
        at cursor: inout ReportCursor,
        into report: inout RangeReport
    ) throws(ReportError) -> Bool {
        report = RangeReport()
        while !cursor.isFinished, let start = try JSONScanner.nextObject(in: payload, at: &cursor) {
            do throws(ReportError) {
                if try decode(in: payload, at: start, into: &report) { return true }
                report = RangeReport()
            } catch {
                report = RangeReport()
                throw error
            }
        }
        return false
    }

    /// Whether the payload begins with `{"position":{` that has an `x`, or `{"configuration":{` that has a `nodeType`.
    static func isPlausible(_ payload: Span<UInt8>) -> Bool {
        guard let letter = JSONScanner.firstLetter(in: payload),
            letter == UInt8(ascii: "p") || letter == UInt8(ascii: "c")
        else { return false }
        var start = 0
        JSONScanner.skipWhitespace(in: payload, at: &start)
        guard let (key, value) = JSONScanner.firstKey(in: payload, at: start), payload[value] == UInt8(ascii: "{")
        else { return false }
        if JSONScanner.isText(of: key, "configuration", in: payload) {
            return JSONScanner.hasKey("nodeType", in: payload, at: value)
        }
        return JSONScanner.isText(of: key, "position", in: payload)
            && JSONScanner.hasKey("x", in: payload, at: value)
            && !JSONScanner.hasKey("distance", in: payload, at: start)
    }

    /// Reads one object; false if it says nothing of a place or of being there.
    private static func decode(
        in payload: Span<UInt8>,
        at start: Int,
        into report: inout RangeReport
    ) throws(ReportError) -> Bool {
        var offset = start + 1
        var isFirst = true
        var seen = 0
        var isReport = false
        while let key = try JSONScanner.nextKey(in: payload, at: &offset, isFirst: &isFirst) {
            let field: Field? = JSONScanner.word(
                key,
                in: payload,
                of: [
                    ("position", .position), ("configuration", .configuration), ("present", .present),
                    ("timestamp", .time), ("data", .other), ("type", .other),
                ]
            )
            guard let field, field != .other else {
                if field == .other { seen |= 1 << Field.other.rawValue }
                try JSONScanner.skipValue(in: payload, at: &offset, depth: 1)
                continue
            }
            guard seen & 1 << field.rawValue == 0 else { throw ReportError(.duplicateField, at: key.range.lowerBound) }
            seen |= 1 << field.rawValue
            guard field != .time else {
                report.timestamp = try time(in: payload, at: &offset)
                continue
            }
            // What it is, is told by its shape: two shapes are none.
            guard !isReport else { throw ReportError(.invalidValue, at: key.range.lowerBound) }
            switch field {
            case .position:
                try position(in: payload, at: &offset, into: &report)
                isReport = true
            case .configuration: isReport = try configuration(in: payload, at: &offset, into: &report)
            default:
                let place = offset
                let literal = try JSONScanner.literal(in: payload, at: &offset)
                guard literal == .true || literal == .false else { throw ReportError(.invalidValue, at: place) }
                report.isGone = literal == .false
                isReport = report.isGone
            }
        }
        guard seen & ~(1 << Field.time.rawValue) != 0 else { throw ReportError(.noKnownField, at: start) }
        return isReport
    }

    /// Reads a position with its quality, 0 to 100.
    private static func position(
        in payload: Span<UInt8>,
        at offset: inout Int,
        into report: inout RangeReport
    ) throws(ReportError) {
        let start = offset
        var coordinates = Coordinates()
        report.quality = try coordinates.readObject(in: payload, at: &offset, depth: 1).map { Float($0 / 100) }
        guard 0...1 ~= report.quality ?? 0 else { throw ReportError(.invalidValue, at: start) }
        try coordinates.give(to: &report, at: start)
    }

    /// Reads a configuration; false unless it is that of an anchor.
    private static func configuration(
        in payload: Span<UInt8>,
        at offset: inout Int,
        into report: inout RangeReport
    ) throws(ReportError) -> Bool {
        let start = offset
        guard JSONScanner.peek(in: payload, at: start) == UInt8(ascii: "{") else {
            throw ReportError(.invalidValue, at: start)
        }
        var isFirst = true
        var coordinates: Coordinates?
        var isAnchor = false
        offset += 1
        while let key = try JSONScanner.nextKey(in: payload, at: &offset, isFirst: &isFirst) {
            let byte = JSONScanner.peek(in: payload, at: offset)
            if byte == UInt8(ascii: "\""), JSONScanner.isText(of: key, "nodeType", in: payload) {
                let type = try JSONScanner.string(in: payload, at: &offset)
                isAnchor = JSONScanner.isText(of: type, "ANCHOR", in: payload)
            } else if byte == UInt8(ascii: "{"), JSONScanner.isText(of: key, "anchor", in: payload) {
                guard coordinates == nil else { throw ReportError(.duplicateField, at: key.range.lowerBound) }
                coordinates = try place(in: payload, at: &offset)
            } else {
                try JSONScanner.skipValue(in: payload, at: &offset, depth: 2)
            }
        }
        guard isAnchor else { return false }
        report.isAnchorPosition = true
        try (coordinates ?? Coordinates()).give(to: &report, at: start)
        return true
    }

    /// Reads what an anchor's configuration has of its place.
    private static func place(in payload: Span<UInt8>, at offset: inout Int) throws(ReportError) -> Coordinates {
        var coordinates = Coordinates()
        var isFirst = true
        var hasPosition = false
        offset += 1
        while let key = try JSONScanner.nextKey(in: payload, at: &offset, isFirst: &isFirst) {
            guard JSONScanner.isText(of: key, "position", in: payload) else {
                try JSONScanner.skipValue(in: payload, at: &offset, depth: 3)
                continue
            }
            guard !hasPosition else { throw ReportError(.duplicateField, at: key.range.lowerBound) }
            hasPosition = true
            _ = try coordinates.readObject(in: payload, at: &offset, depth: 3)
        }
        return coordinates
    }

    /// Reads microseconds as nanoseconds.
    private static func time(in payload: Span<UInt8>, at offset: inout Int) throws(ReportError) -> Int64? {
        try JSONScanner.withNumber(in: payload, at: &offset) { number, text in
            number.isExact
                ? number.scaled(byPowerOfTen: 3, isTruncating: true)
                : JSONNumber.truncated(number.value(in: text) * 1e3)
        }
    }
}

extension RangeFormatRow {
    /// Gateways of Decawave's and LEAPS' systems.
    static let drtls = RangeFormatRow(
        format: .drtls,
        name: "DRTLS and PANS PRO gateway",
        units: "metres",
        sample:
            #"{"position":{"x":3.25238609,"y":-0.00895162672,"z":0.42510426,"quality":21},"superFrameNumber":1144}"#,
        sniff: DRTLSJSON.isPlausible(_:),
        next: DRTLSJSON.next(in:at:into:)
    )
}
