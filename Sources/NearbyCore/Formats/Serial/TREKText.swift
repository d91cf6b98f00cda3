// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// The lines of TREK1000 and its many clones: `mc 0f 00000663 000005a3 00000512 000004cb 095f c1 00024c24 a0:0`.
///
/// Kind, mask, four or eight ranges, range count, sequence, time, and who prints: `a` an anchor or `t` a tag, with the
/// number of the tag whose ranges these are before the colon and that of the anchor behind it.
/// `mc` is corrected for the bias of the signal's strength, `mr` is not; `ma` lies between anchors and is passed over.
/// Each slot that the mask names is a report; a line whose mask names none is a round in which nobody answered.
enum TREKText {
    /// A line up to its last field.
    private struct Line {
        var isCorrected: Bool
        var mask: UInt64
        var ranges: Int
        var count: UInt64
        var round: UInt64
        var time: UInt64
        var tag: UInt64
        /// Where the first range stands.
        var firstRange: Int
        var end: Int
    }

    /// What stands in the slot of an anchor that did not answer, whatever the mask says.
    private static let invalid: UInt32 = 0xFFFF_FFFF

    /// Decodes the next report.
    static func next(
        in payload: Span<UInt8>,
        at cursor: inout ReportCursor,
        into report: inout RangeReport
    ) throws(ReportError) -> Bool {
        report = RangeReport()
        try SerialLine.requireBytes(payload, &cursor)
        guard let region = SerialLine.nextRegion(in: payload, at: &cursor, start(in:at:)) else { return false }
        let text = payload.extracting(0..<region.range.upperBound)
        let line: Line
        do throws(ReportError) {
            line = try self.line(in: text, at: cursor.offset)
        } catch {
            guard !region.isUnfinished(error) else {
                SerialLine.suspend(&cursor)
                return false
            }
            cursor.offset += 1
            throw error
        }
        let slot = measuredSlot(of: line, from: cursor.element)
        let next = slot.flatMap { measuredSlot(of: line, from: $0 + 1) }
        cursor.element = next ?? 0
        if next == nil { cursor.offset = line.end }
        do throws(ReportError) {
            try fill(&report, from: line, slot: slot, in: text)
        } catch {
            report = RangeReport()
            throw error
        }
        return true
    }

    /// Whether the payload begins with such a line.
    static func isPlausible(_ payload: Span<UInt8>) -> Bool {
        var offset = 0
        JSONScanner.skipWhitespace(in: payload, at: &offset)
        guard start(in: payload, at: offset) == .whole || SerialLine.match("ma ", in: payload, at: offset) == .whole
        else { return false }
        offset += 3
        return (try? SerialLine.hexadecimal(in: payload, at: &offset).digits) == 2
            && JSONScanner.peek(in: payload, at: offset) == UInt8(ascii: " ")
    }

    private static func start(in payload: Span<UInt8>, at offset: Int) -> SerialLine.Match {
        guard JSONScanner.peek(in: payload, at: offset) == UInt8(ascii: "m") else { return .none }
        guard let kind = JSONScanner.peek(in: payload, at: offset + 1) else { return .partial }
        guard kind == UInt8(ascii: "c") || kind == UInt8(ascii: "r") else { return .none }
        return SerialLine.match(" ", in: payload, at: offset + 2)
    }

    // MARK: A line

    private static func line(in text: Span<UInt8>, at start: Int) throws(ReportError) -> Line {
        var offset = start + 3
        let mask = try field(1...4, in: text, at: &offset)
        let firstRange = offset
        var ranges = 0
        var field = try self.field(1...8, in: text, at: &offset)
        while field.digits == 8 {
            ranges += 1
            guard ranges <= 8 else { throw ReportError(.syntax, at: offset) }
            field = try self.field(1...8, in: text, at: &offset)
        }
        guard ranges == 4 || ranges == 8, field.digits >= 4 else { throw ReportError(.syntax, at: offset) }
        let round = try self.field(1...7, in: text, at: &offset)
        let time = try self.field(8...8, in: text, at: &offset)
        guard let end = JSONScanner.peek(in: text, at: offset) else { throw ReportError(.truncated, at: offset) }
        guard end == UInt8(ascii: "a") || end == UInt8(ascii: "t") else { throw ReportError(.syntax, at: offset) }
        offset += 1
        let tag = try digits(in: text, at: &offset)
        try SerialLine.expect(":", in: text, at: &offset)
        _ = try digits(in: text, at: &offset)
        return Line(
            isCorrected: text[start + 1] == UInt8(ascii: "c"),
            mask: mask.value,
            ranges: ranges,
            count: field.value,
            round: round.value,
            time: time.value,
            tag: tag,
            firstRange: firstRange,
            end: offset
        )
    }

    /// Reads digits and the blanks behind them.
    private static func field(
        _ lengths: ClosedRange<Int>,
        in text: Span<UInt8>,
        at offset: inout Int
    ) throws(ReportError) -> (value: UInt64, digits: Int) {
        let field = try SerialLine.hexadecimal(in: text, at: &offset)
        guard offset < text.count else { throw ReportError(.truncated, at: offset) }
        guard lengths ~= field.digits, text[offset] == UInt8(ascii: " ") else { throw ReportError(.syntax, at: offset) }
        SerialLine.skipBlanks(in: text, at: &offset)
        return field
    }

    /// Reads a decimal number of one digit or more.
    private static func digits(in text: Span<UInt8>, at offset: inout Int) throws(ReportError) -> UInt64 {
        let start = offset
        var value: UInt64 = 0
        while let byte = JSONScanner.peek(in: text, at: offset), UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte {
            guard offset - start < 19 else { throw ReportError(.invalidValue, at: start) }
            value = value * 10 + UInt64(byte - UInt8(ascii: "0"))
            offset += 1
        }
        guard offset > start else { throw ReportError(offset < text.count ? .syntax : .truncated, at: offset) }
        return value
    }

    // MARK: A slot

    private static func measuredSlot(of line: Line, from slot: Int) -> Int? {
        guard slot < line.ranges else { return nil }
        for slot in slot..<line.ranges where line.mask >> UInt64(slot) & 1 == 1 { return slot }
        return nil
    }

    private static func fill(
        _ report: inout RangeReport,
        from line: Line,
        slot: Int?,
        in text: Span<UInt8>
    ) throws(ReportError) {
        // The raw line follows the corrected one of its round. Counted as the older of the two, it is late and dropped
        // where both come, and used where only raw ones do.
        report.sequence = Int64(line.count << 9 | (line.round & 0xFF) << 1) | (line.isCorrected ? 1 : 0)
        // In raw lines antenna delays stand in place of the time, in some clones nothing does.
        if line.isCorrected, line.time > 0 { report.timestamp = Int64(line.time) * 1_000_000 }
        report.reporter = .address(RadioAddress(line.tag))
        guard let slot else {
            report.status = .timeout
            return
        }
        report.peer = .address(RadioAddress(UInt64(slot)))
        var offset = line.firstRange
        for _ in 0..<slot { _ = try field(8...8, in: text, at: &offset) }
        let start = offset
        let bits = UInt32(truncatingIfNeeded: try field(8...8, in: text, at: &offset).value)
        guard bits != invalid else {
            report.status = .timeout
            return
        }
        report.distance = try SerialLine.plausible(Double(Int32(bitPattern: bits)) / 1000, at: start)
    }
}

extension RangeFormatRow {
    /// Evaluation kits and clones.
    static let trek = RangeFormatRow(
        format: .trek,
        name: "TREK1000 mc and mr lines",
        units: "millimetres, in hexadecimal",
        sample: "mc 0f 00000663 000005a3 00000512 000004cb 095f c1 00024c24 a0:0\r\n",
        isStream: true,
        isLines: true,
        sniff: TREKText.isPlausible(_:),
        next: TREKText.next(in:at:into:)
    )
}
