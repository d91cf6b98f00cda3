// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// A position as PANS firmware prints it: `POS,7.10,5.24,-2.03,53` in metres with a quality of 0 to 100.
///
/// A node that only listens prints those of all tags, a number and the tag before and other things behind:
/// `POS,0,022E,7.10,5.24,-2.03,53,x0A`.
enum PANSPosition {
    /// Decodes the line that begins at the cursor; false if the cursor is finished.
    static func next(
        _ region: SerialLine.Region,
        in payload: Span<UInt8>,
        at cursor: inout ReportCursor,
        into report: inout RangeReport
    ) throws(ReportError) -> Bool {
        let line = payload.extracting(0..<region.range.upperBound)
        var offset = cursor.offset + word.utf8.count
        do throws(ReportError) {
            try decode(line, at: &offset, isTerminated: region.isTerminated, into: &report)
            cursor.offset = offset
            return true
        } catch {
            report = RangeReport()
            guard !region.isUnfinished(error) else {
                SerialLine.suspend(&cursor)
                return false
            }
            cursor.offset += 1
            throw error
        }
    }

    private static let word = "POS,"

    private static func decode(
        _ line: Span<UInt8>,
        at offset: inout Int,
        isTerminated: Bool,
        into report: inout RangeReport
    ) throws(ReportError) {
        let start = offset
        if let tag = try tag(in: line, at: &offset) { report.reporter = .address(RadioAddress(tag)) }
        let coordinates = try Coordinates(in: line, at: &offset)
        try SerialLine.expect(",", in: line, at: &offset)
        let place = offset
        guard let quality = try SerialLine.decimal(in: line, at: &offset), 0...100 ~= quality else {
            throw ReportError(.invalidValue, at: place)
        }
        let next = JSONScanner.peek(in: line, at: offset)
        // One digit at the end of the payload is most likely half of two.
        guard next != nil || isTerminated || offset - place > 1 else { throw ReportError(.truncated, at: offset) }
        if let next, next > UInt8(ascii: " ") {
            // More behind it, or a line whose newline was lost.
            let isWhole =
                report.reporter == .unnamed
                ? SerialLine.match("POS,", in: line, at: offset) == .whole
                    || SerialLine.match("DIST,", in: line, at: offset) == .whole
                : next == UInt8(ascii: ",")
            guard isWhole else { throw ReportError(.syntax, at: offset) }
        }
        report.quality = Float(quality / 100)
        try coordinates.give(to: &report, at: start)
    }

    /// The tag, if a number and four hexadecimal digits stand where a coordinate has a point, and the commas behind.
    private static func tag(in line: Span<UInt8>, at offset: inout Int) throws(ReportError) -> UInt64? {
        var end = offset
        while let byte = JSONScanner.peek(in: line, at: end), UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte { end += 1 }
        guard end > offset, JSONScanner.peek(in: line, at: end) == UInt8(ascii: ",") else { return nil }
        end += 1
        guard let tag = try? SerialLine.hexadecimal(in: line, at: &end) else { return nil }
        guard let next = JSONScanner.peek(in: line, at: end) else { throw ReportError(.truncated, at: end) }
        guard tag.digits == 4, next == UInt8(ascii: ",") else { return nil }
        offset = end + 1
        return tag.value
    }
}
