// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What modules and sketches of Makerfabs print: `AT+RANGE=…` in three generations, `T1,mask:…`, `DIST: 3.21 m`, and the
/// JSON of its gateways.
///
/// Each slot that the mask names is a report; a line whose mask names none is a round in which nobody answered. The
/// slots that it does not name are empty, not failures: most lines have more of them than anchors.
enum MakerfabsText {
    /// Decodes the next report.
    static func next(
        in payload: Span<UInt8>,
        at cursor: inout ReportCursor,
        into report: inout RangeReport
    ) throws(ReportError) -> Bool {
        report = RangeReport()
        try SerialLine.requireBytes(payload, &cursor)
        if cursor.mode != .start, try MakerfabsJSON.element(in: payload, at: &cursor, into: &report) { return true }
        while let region = SerialLine.nextRegion(in: payload, at: &cursor, start(in:at:)) {
            let element = cursor.element
            do throws(ReportError) {
                if try decode(region, in: payload, at: &cursor, into: &report) { return true }
            } catch {
                report = RangeReport()
                // A fault of one slot has moved on to the next, which is none the worse for it.
                if cursor.offset == region.range.lowerBound, cursor.element == element {
                    guard !isUnfinished(region, error, in: payload) else {
                        SerialLine.suspend(&cursor)
                        return false
                    }
                    cursor.element = 0
                    cursor.offset += 1
                }
                throw error
            }
        }
        return false
    }

    /// Whether the payload begins with such a report.
    static func isPlausible(_ payload: Span<UInt8>) -> Bool {
        var offset = 0
        JSONScanner.skipWhitespace(in: payload, at: &offset)
        guard start(in: payload, at: offset) == .whole else { return false }
        return payload[offset] != UInt8(ascii: "{") || MakerfabsJSON.isPlausible(payload, at: offset)
    }

    private static func decode(
        _ region: SerialLine.Region,
        in payload: Span<UInt8>,
        at cursor: inout ReportCursor,
        into report: inout RangeReport
    ) throws(ReportError) -> Bool {
        let start = region.range.lowerBound
        guard payload[start] != UInt8(ascii: "{") else {
            return try MakerfabsJSON.first(in: payload, at: &cursor, into: &report)
        }
        let line = payload.extracting(0..<region.range.upperBound)
        if payload[start] == UInt8(ascii: "D") {
            var offset = start
            try SerialLine.expect("DIST: ", in: line, at: &offset)
            let distance = try SerialLine.decimal(in: line, at: &offset)
            try SerialLine.expect(" m", in: line, at: &offset)
            guard JSONScanner.peek(in: line, at: offset) ?? 0 <= UInt8(ascii: " ") else {
                throw ReportError(.syntax, at: offset)
            }
            report.distance = try distance.map { metres throws(ReportError) in
                try SerialLine.plausible(metres, at: start)
            }
            report.status = distance == nil ? .error : .ok
            cursor.offset = offset
            return true
        }
        var offset = start
        while offset < line.count, line[offset] != UInt8(ascii: "="), line[offset] != UInt8(ascii: ",") { offset += 1 }
        var lists = try MakerfabsLine(in: line, at: offset + 1, isTerminated: region.isTerminated)
        if line[start] == UInt8(ascii: "T") {
            var number = start + 1
            lists.tag = try SerialLine.decimal(in: line, at: &number).flatMap(JSONNumber.whole(_:))
                .flatMap(UInt64.init(exactly:))
        }
        if let slot = lists.measuredSlot(from: cursor.element) {
            let next = lists.measuredSlot(from: slot + 1)
            cursor.element = next ?? 0
            if next == nil { cursor.offset = lists.end }
            try lists.read(slot: slot, in: line, into: &report)
        } else {
            report.sequence = lists.sequence
            report.reporter = lists.reporter
            report.status = .timeout
            cursor.offset = lists.end
        }
        return true
    }

    /// Whether the next message may bring what is missing; an object may go on in the next line.
    private static func isUnfinished(
        _ region: SerialLine.Region,
        _ error: ReportError,
        in payload: Span<UInt8>
    ) -> Bool {
        guard payload[region.range.lowerBound] == UInt8(ascii: "{") else { return region.isUnfinished(error) }
        return error.reason == .truncated && payload.count - region.range.lowerBound <= SerialLine.longest
    }

    private static func start(in payload: Span<UInt8>, at offset: Int) -> SerialLine.Match {
        switch JSONScanner.peek(in: payload, at: offset) {
        case UInt8(ascii: "A"): return SerialLine.match("AT+RANGE=", in: payload, at: offset)
        case UInt8(ascii: "D"): return SerialLine.match("DIST: ", in: payload, at: offset)
        case UInt8(ascii: "T"):
            var end = offset + 1
            while end < payload.count, end <= offset + 5, UInt8(ascii: "0")...UInt8(ascii: "9") ~= payload[end] {
                end += 1
            }
            guard end > offset + 1 else { return end == payload.count ? .partial : .none }
            return SerialLine.match(",mask:", in: payload, at: end)
        case UInt8(ascii: "{"):
            var end = offset + 1
            JSONScanner.skipWhitespace(in: payload, at: &end)
            return SerialLine.match("\"", in: payload, at: end)
        default: return .none
        }
    }
}

extension RangeFormatRow {
    /// Makerfabs.
    static let makerfabs = RangeFormatRow(
        format: .makerfabs,
        name: "Makerfabs AT+RANGE, DW3000 and DW1000 sketches, their JSON",
        units: "centimetres in range, metres in DIST and R",
        sample: "AT+RANGE=tid:0,mask:01,seq:205,range:(90,0,0,0,0,0,0,0),ancid:(0,-1,-1,-1,-1,-1,-1,-1)\r\n",
        isStream: true,
        isLines: true,
        sniff: MakerfabsText.isPlausible(_:),
        next: MakerfabsText.next(in:at:into:)
    )
}
