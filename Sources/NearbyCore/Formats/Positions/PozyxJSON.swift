// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What Pozyx publishes of its tags: an array of updates, or one of them.
///
/// `[{"version":"2.0","tagId":"200000297","timestamp":1776879440.19,"data":{"coordinates":{"x":-606,"y":1186,"z":500},…},
/// "success":true}]` in millimetres and seconds. Of an update without success nothing but the tag is believed.
enum PozyxJSON {
    /// The keys that are used.
    private enum Field: Int {
        case tag, time, success, data
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

    /// Whether the payload is an update, or an array whose first element is: `tagId` with `success` or `data`.
    static func isPlausible(_ payload: Span<UInt8>) -> Bool {
        switch JSONScanner.firstLetter(in: payload) {
        case UInt8(ascii: "a"), UInt8(ascii: "d"), UInt8(ascii: "g"), UInt8(ascii: "s"), UInt8(ascii: "t"),
            UInt8(ascii: "v"):
            break
        default: return false
        }
        var start = 0
        JSONScanner.skipWhitespace(in: payload, at: &start)
        if JSONScanner.peek(in: payload, at: start) == UInt8(ascii: "[") {
            start += 1
            JSONScanner.skipWhitespace(in: payload, at: &start)
        }
        return JSONScanner.hasKey("tagId", in: payload, at: start)
            && (JSONScanner.hasKey("success", in: payload, at: start)
                || JSONScanner.hasKey("data", in: payload, at: start))
            && !JSONScanner.hasKey("distance", in: payload, at: start)
    }

    private static func decode(
        in payload: Span<UInt8>,
        at start: Int,
        into report: inout RangeReport
    ) throws(ReportError) {
        var offset = start + 1
        var isFirst = true
        var seen = 0
        var hasSucceeded = false
        var coordinates = Coordinates()
        while let key = try JSONScanner.nextKey(in: payload, at: &offset, isFirst: &isFirst) {
            let field: Field? = JSONScanner.word(
                key,
                in: payload,
                of: [("tagId", .tag), ("timestamp", .time), ("success", .success), ("data", .data)]
            )
            guard let field else {
                try JSONScanner.skipValue(in: payload, at: &offset, depth: 1)
                continue
            }
            guard seen & 1 << field.rawValue == 0 else { throw ReportError(.duplicateField, at: key.range.lowerBound) }
            seen |= 1 << field.rawValue
            switch field {
            case .tag: report.reporter = try RangeReport.Peer.named(in: payload, at: &offset)
            case .time: report.timestamp = try time(in: payload, at: &offset)
            case .success:
                let place = offset
                let literal = try JSONScanner.literal(in: payload, at: &offset)
                guard literal == .true || literal == .false else { throw ReportError(.invalidValue, at: place) }
                hasSucceeded = literal == .true
            case .data: try readData(in: payload, at: &offset, into: &coordinates)
            }
        }
        guard report.reporter != .unnamed else { throw ReportError(.invalidValue, at: start) }
        if !hasSucceeded { report.status = .error }
        try coordinates.give(to: &report, at: start)
    }

    /// Reads the coordinates among what was measured.
    private static func readData(
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
        var hasCoordinates = false
        while let key = try JSONScanner.nextKey(in: payload, at: &offset, isFirst: &isFirst) {
            guard JSONScanner.isText(of: key, "coordinates", in: payload) else {
                try JSONScanner.skipValue(in: payload, at: &offset, depth: 2)
                continue
            }
            guard !hasCoordinates else { throw ReportError(.duplicateField, at: key.range.lowerBound) }
            hasCoordinates = true
            _ = try coordinates.readObject(in: payload, at: &offset, depth: 2)
        }
        coordinates.x = coordinates.x.map { $0 / 1000 }
        coordinates.y = coordinates.y.map { $0 / 1000 }
        coordinates.z = coordinates.z.map { $0 / 1000 }
    }

    /// Reads seconds as nanoseconds.
    private static func time(in payload: Span<UInt8>, at offset: inout Int) throws(ReportError) -> Int64? {
        try JSONScanner.withNumber(in: payload, at: &offset) { number, text in
            number.isExact
                ? number.scaled(byPowerOfTen: 9, isTruncating: true)
                : JSONNumber.truncated(number.value(in: text) * 1e9)
        }
    }
}

extension RangeFormatRow {
    /// Pozyx.
    static let pozyx = RangeFormatRow(
        format: .pozyx,
        name: "Pozyx positions",
        units: "millimetres",
        sample: #"[{"version":"2.0","tagId":"200000297","timestamp":1776879440.1924548,"data":{"coordinates":"#
            + #"{"x":-606,"y":1186,"z":500}},"success":true}]"#,
        sniff: PozyxJSON.isPlausible(_:),
        next: PozyxJSON.next(in:at:into:)
    )
}
