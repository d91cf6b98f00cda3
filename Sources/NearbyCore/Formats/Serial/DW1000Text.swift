// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What the sketches of thotro's DW1000 library and its forks print.
///
/// `from: 1782`, `Range: 1.23 m` and `RX power: -75.20 dBm` in one line, in an anchor's sketch without `from`, in some
/// forks without the power.
enum DW1000Text {
    /// Decodes the next report.
    static func next(
        in payload: Span<UInt8>,
        at cursor: inout ReportCursor,
        into report: inout RangeReport
    ) throws(ReportError) -> Bool {
        report = RangeReport()
        try SerialLine.requireBytes(payload, &cursor)
        guard let region = SerialLine.nextRegion(in: payload, at: &cursor, start(in:at:)) else { return false }
        do throws(ReportError) {
            try decode(region, in: payload, at: &cursor.offset, into: &report)
        } catch {
            report = RangeReport()
            cursor.offset = region.range.lowerBound
            guard !region.isUnfinished(error) else {
                SerialLine.suspend(&cursor)
                return false
            }
            // Not at a range: without the peer before it, it would be somebody else's.
            cursor.offset += 1
            while cursor.offset < region.range.upperBound,
                SerialLine.match("from:", in: payload, at: cursor.offset) == .none
            { cursor.offset += 1 }
            throw error
        }
        return true
    }

    /// Whether the payload begins with such a line, or with what the library prints before it.
    static func isPlausible(_ payload: Span<UInt8>) -> Bool {
        var offset = 0
        JSONScanner.skipWhitespace(in: payload, at: &offset)
        return start(in: payload, at: offset) == .whole
            || SerialLine.match("ranging init;", in: payload, at: offset) == .whole
            || SerialLine.match("delete inactive device:", in: payload, at: offset) == .whole
    }

    private static func decode(
        _ region: SerialLine.Region,
        in payload: Span<UInt8>,
        at offset: inout Int,
        into report: inout RangeReport
    ) throws(ReportError) {
        let line = payload.extracting(0..<region.range.upperBound)
        if line[offset] == UInt8(ascii: "f") {
            try SerialLine.expect("from:", in: line, at: &offset)
            SerialLine.skipBlanks(in: line, at: &offset)
            report.peer = .address(RadioAddress(try SerialLine.hexadecimal(in: line, at: &offset).value))
            SerialLine.skipBlanks(in: line, at: &offset)
        }
        let start = offset
        try SerialLine.expect("Range:", in: line, at: &offset)
        SerialLine.skipBlanks(in: line, at: &offset)
        if let distance = try SerialLine.decimal(in: line, at: &offset) {
            report.distance = try SerialLine.plausible(distance, at: start)
        } else {
            report.status = .error
        }
        SerialLine.skipBlanks(in: line, at: &offset)
        try SerialLine.expect("m", in: line, at: &offset)
        guard let next = JSONScanner.peek(in: line, at: offset) else { return }
        guard next <= UInt8(ascii: " ") else { throw ReportError(.syntax, at: offset) }
        do throws(ReportError) {
            var end = offset
            SerialLine.skipBlanks(in: line, at: &end)
            try SerialLine.expect("RX power:", in: line, at: &end)
            SerialLine.skipBlanks(in: line, at: &end)
            let power = try SerialLine.decimal(in: line, at: &end)
            SerialLine.skipBlanks(in: line, at: &end)
            try SerialLine.expect("dBm", in: line, at: &end)
            report.rssi = power.map { Float($0) }
            offset = end
        } catch {
            // The distance is whole: what follows may be missing, but not still to come.
            if region.isUnfinished(error) { throw error }
        }
    }

    private static func start(in payload: Span<UInt8>, at offset: Int) -> SerialLine.Match {
        switch JSONScanner.peek(in: payload, at: offset) {
        case UInt8(ascii: "f"): SerialLine.match("from:", in: payload, at: offset)
        case UInt8(ascii: "R"): SerialLine.match("Range:", in: payload, at: offset)
        default: .none
        }
    }
}

extension RangeFormatRow {
    /// The library for Arduino.
    static let dw1000 = RangeFormatRow(
        format: .dw1000,
        name: "Arduino DW1000 text",
        units: "metres",
        sample: "from: 1782\t Range: 1.23 m\t RX power: -75.20 dBm\r\n",
        isStream: true,
        isLines: true,
        sniff: DW1000Text.isPlausible(_:),
        next: DW1000Text.next(in:at:into:)
    )
}
