// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// omlox: the `Proximity` objects of a hub, whose `accuracy` is the distance in metres.
///
/// A `Location` has a position and an accuracy of that position: it is no measurement of a distance.
enum OmloxJSON {
    /// The keys that are used.
    private enum Field: Int {
        case provider, position, accuracy, time
    }

    /// Decodes the next report.
    static func next(
        in payload: Span<UInt8>,
        at cursor: inout ReportCursor,
        into report: inout RangeReport
    ) throws(ReportError) -> Bool {
        report = RangeReport()
        guard let start = try JSONScanner.nextObject(in: payload, at: &cursor) else { return false }
        do throws(ReportError) {
            try decode(in: payload, at: start, into: &report)
            return true
        } catch {
            report = RangeReport()
            throw error
        }
    }

    /// Whether the payload is an object of omlox, or an array whose first element is: one with a `provider_id`.
    static func isPlausible(_ payload: Span<UInt8>) -> Bool {
        switch JSONScanner.firstLetter(in: payload) {
        case UInt8(ascii: "a"), UInt8(ascii: "c"), UInt8(ascii: "p"), UInt8(ascii: "s"), UInt8(ascii: "t"): break
        default: return false
        }
        var offset = 0
        JSONScanner.skipWhitespace(in: payload, at: &offset)
        if JSONScanner.peek(in: payload, at: offset) == UInt8(ascii: "[") {
            offset += 1
            JSONScanner.skipWhitespace(in: payload, at: &offset)
        }
        guard let key = JSONScanner.firstKey(in: payload, at: offset)?.key else { return false }
        let keys: InlineArray = [
            ("provider_id", true), ("provider_type", true), ("source", true), ("position", true), ("accuracy", true),
            ("timestamp_generated", true), ("timestamp_sent", true), ("crs", true),
        ]
        return JSONScanner.word(key, in: payload, of: keys) != nil
            && JSONScanner.hasKey("provider_id", in: payload, at: offset)
            && !JSONScanner.hasKey("distance", in: payload, at: offset)
    }

    private static func decode(
        in payload: Span<UInt8>,
        at start: Int,
        into report: inout RangeReport
    ) throws(ReportError) {
        var offset = start + 1
        var isFirst = true
        var seen = 0
        while let key = try JSONScanner.nextKey(in: payload, at: &offset, isFirst: &isFirst) {
            let field: Field? = JSONScanner.word(
                key,
                in: payload,
                of: [
                    ("provider_id", .provider), ("position", .position), ("accuracy", .accuracy),
                    ("timestamp_generated", .time),
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
            case .provider: report.peer = try RangeReport.Peer.identity(in: payload, at: &offset) ?? .unnamed
            case .position: try JSONScanner.skipValue(in: payload, at: &offset, depth: 1)
            case .accuracy:
                let metres = try JSONScanner.measurement(in: payload, at: &offset)
                report.distance = try metres.map { metres throws(ReportError) in
                    try SerialLine.plausible(metres, at: place)
                }
            case .time:
                guard let text = try JSONScanner.text(in: payload, at: &offset) else { continue }
                report.timestamp = JSONScanner.withText(of: text, in: payload) { ISO8601Timestamp.nanoseconds($0) }
                if report.timestamp == nil { throw ReportError(.invalidValue, at: place) }
            }
        }
        guard seen & 1 << Field.provider.rawValue != 0 else { throw ReportError(.invalidValue, at: start) }
        // An accuracy below zero says that it is not known.
        if seen & 1 << Field.position.rawValue != 0 || report.distance ?? -1 < 0 { report.distance = nil }
        if report.distance == nil { report.status = .error }
    }
}

extension RangeFormatRow {
    /// Hubs after the omlox standard.
    static let omlox = RangeFormatRow(
        format: .omlox,
        name: "omlox proximity",
        units: "metres",
        sample: #"{"source":"gate-1","provider_type":"virtual","provider_id":"7CB0D3FFFE0A1B2C","accuracy":1.25}"#,
        sniff: OmloxJSON.isPlausible(_:),
        next: OmloxJSON.next(in:at:into:)
    )
}
