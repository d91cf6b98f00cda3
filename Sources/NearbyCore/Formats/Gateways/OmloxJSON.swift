// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// omlox: the `Proximity` objects of a hub, whose `accuracy` is the distance in metres, and its `Location` objects.
///
/// A `Location` has a position, and its accuracy is that of the position: no measurement of a distance.
enum OmloxJSON {
    /// The keys that are used.
    private enum Field: Int {
        case source, provider, position, coordinates, accuracy, time
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
        var provider = RangeReport.Peer.unnamed
        var coordinates = Coordinates()
        while let key = try JSONScanner.nextKey(in: payload, at: &offset, isFirst: &isFirst) {
            let field: Field? = JSONScanner.word(
                key,
                in: payload,
                of: [
                    ("provider_id", .provider), ("position", .position), ("accuracy", .accuracy),
                    ("timestamp_generated", .time), ("source", .source), ("crs", .coordinates),
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
            case .source: report.reporter = try RangeReport.Peer.identity(in: payload, at: &offset) ?? .unnamed
            case .provider: provider = try RangeReport.Peer.identity(in: payload, at: &offset) ?? .unnamed
            case .position: try readPoint(in: payload, at: &offset, into: &coordinates)
            case .coordinates:
                // Others are degrees, or metres from an origin that is not the anchors': no distance comes of them.
                guard let text = try JSONScanner.text(in: payload, at: &offset) else { continue }
                if !JSONScanner.isText(of: text, "local", in: payload) { report.status = .error }
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
        guard seen & 1 << Field.position.rawValue == 0 else {
            report.reporter = provider
            report.distance = nil
            return try coordinates.give(to: &report, at: start)
        }
        report.peer = provider
        report.isReportedByAnchor = report.reporter != .unnamed
        // An accuracy below zero says that it is not known.
        if report.distance ?? -1 < 0 { report.distance = nil }
        report.status = report.distance == nil ? .error : .ok
    }

    /// Reads the point of GeoJSON; `null` and other shapes are no position.
    private static func readPoint(
        in payload: Span<UInt8>,
        at offset: inout Int,
        into coordinates: inout Coordinates
    ) throws(ReportError) {
        let start = offset
        if try JSONScanner.literal(in: payload, at: &offset) == .null { return }
        guard JSONScanner.peek(in: payload, at: start) == UInt8(ascii: "{") else {
            throw ReportError(.invalidValue, at: start)
        }
        offset += 1
        var isFirst = true
        var isPoint = false
        var found: Coordinates?
        while let key = try JSONScanner.nextKey(in: payload, at: &offset, isFirst: &isFirst) {
            if JSONScanner.isText(of: key, "coordinates", in: payload) {
                guard found == nil else { throw ReportError(.duplicateField, at: key.range.lowerBound) }
                var point = Coordinates()
                try point.readArray(in: payload, at: &offset)
                found = point
            } else if JSONScanner.isText(of: key, "type", in: payload) {
                let type = try JSONScanner.text(in: payload, at: &offset)
                isPoint = type.map { JSONScanner.isText(of: $0, "Point", in: payload) } ?? false
            } else {
                try JSONScanner.skipValue(in: payload, at: &offset, depth: 2)
            }
        }
        if isPoint, let found { coordinates = found }
    }
}

extension RangeFormatRow {
    /// Hubs after the omlox standard.
    static let omlox = RangeFormatRow(
        format: .omlox,
        name: "omlox location and proximity",
        units: "metres",
        sample: #"{"source":"gate-1","provider_type":"virtual","provider_id":"7CB0D3FFFE0A1B2C","accuracy":1.25}"#,
        sniff: OmloxJSON.isPlausible(_:),
        next: OmloxJSON.next(in:at:into:)
    )
}
