// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Finds and reads what a serial port prints: reports in lines, among prompts, banners and what else there is.
///
/// A report begins where a word stands that begins reports, wherever that is: a newline may be lost. It ends with the
/// line at the latest.
enum SerialLine {
    /// No line of a report is longer (bytes): what goes on without an end is not waited for.
    static let longest = 1024
    /// No radio measures this far, whatever the format's units (metres).
    static let farthest = 100_000.0

    /// How much of a word stands at a place.
    enum Match {
        /// Something else stands there.
        case none
        /// The payload ends within it.
        case partial
        /// All of it.
        case whole
    }

    /// Where a report stands, and what is known of its end.
    struct Region {
        /// From its first byte to the end of its line, or to where even the longest has ended.
        var range: Range<Int>
        /// Whether that is the end: if not, the next message may go on with it.
        var isTerminated: Bool

        /// Whether a fault is a lack of bytes that the next message may bring.
        func isUnfinished(_ error: ReportError) -> Bool { error.reason == .truncated && !isTerminated }
    }

    /// Compares the bytes at a place with a word.
    @inline(__always)
    static func match(_ word: String, in payload: Span<UInt8>, at offset: Int) -> Match {
        let word = word.utf8.span
        for index in word.indices {
            guard offset + index < payload.count else { return .partial }
            guard payload[offset + index] == word[index] else { return .none }
        }
        return .whole
    }

    /// Moves the cursor to the next place where a report begins and returns the region, or finishes the cursor.
    ///
    /// What the payload may have cut within the first word is left as its unfinished tail.
    static func nextRegion(
        in payload: Span<UInt8>,
        at cursor: inout ReportCursor,
        _ start: (Span<UInt8>, Int) -> Match
    ) -> Region? {
        while cursor.offset < payload.count {
            switch start(payload, cursor.offset) {
            case .none: cursor.offset += 1
            case .partial:
                suspend(&cursor)
                return nil
            case .whole:
                cursor.reportOffset = cursor.offset
                // A line is searched for its end once, however many reports seem to begin in it.
                if cursor.elementEnd <= cursor.offset {
                    cursor.elementEnd = cursor.offset
                    while cursor.elementEnd < payload.count, !isEnd(payload[cursor.elementEnd]) {
                        cursor.elementEnd += 1
                    }
                }
                let end = min(cursor.elementEnd, payload.count, cursor.offset + longest)
                return Region(range: cursor.offset..<end, isTerminated: end < payload.count)
            }
        }
        cursor.isFinished = true
        return nil
    }

    /// Leaves what begins at the cursor to the next message.
    static func suspend(_ cursor: inout ReportCursor) {
        cursor.unfinishedTail = cursor.offset
        cursor.isFinished = true
    }

    /// Checks what every format refuses: nothing at all.
    static func requireBytes(_ payload: Span<UInt8>, _ cursor: inout ReportCursor) throws(ReportError) {
        guard payload.isEmpty else { return }
        cursor.isFinished = true
        throw ReportError(.empty, at: 0)
    }

    private static func isEnd(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") || byte == 0
    }

    // MARK: Values

    /// Refuses a distance that no radio measures.
    static func plausible(_ metres: Double, at offset: Int) throws(ReportError) -> Double {
        guard metres.magnitude < farthest else { throw ReportError(.invalidValue, at: offset) }
        return metres
    }

    /// Moves over blanks and tabs.
    @inline(__always)
    static func skipBlanks(in line: Span<UInt8>, at offset: inout Int) {
        while offset < line.count, line[offset] == UInt8(ascii: " ") || line[offset] == UInt8(ascii: "\t") {
            offset += 1
        }
    }

    /// Moves over a word that must stand here.
    static func expect(_ word: String, in line: Span<UInt8>, at offset: inout Int) throws(ReportError) {
        for byte in word.utf8 { try JSONScanner.expect(byte, in: line, at: &offset) }
    }

    /// Reads a decimal number; `nil` for the words that C prints for what is none (`nan`, `inf`, `ovf`).
    ///
    /// A blank may stand behind the minus sign, as a manual prints it.
    static func decimal(in line: Span<UInt8>, at offset: inout Int) throws(ReportError) -> Double? {
        guard let first = JSONScanner.peek(in: line, at: offset) else { throw ReportError(.truncated, at: offset) }
        let isNegative = first == UInt8(ascii: "-")
        if isNegative {
            offset += 1
            skipBlanks(in: line, at: &offset)
        }
        if let letter = JSONScanner.peek(in: line, at: offset), letter | 0x20 >= UInt8(ascii: "a") {
            try notANumber(in: line, at: &offset)
            return nil
        }
        guard JSONScanner.peek(in: line, at: offset) != UInt8(ascii: "-") else {
            throw ReportError(.syntax, at: offset)
        }
        let value = try JSONScanner.number(in: line, at: &offset).value(in: line)
        return value.isFinite ? (isNegative ? -value : value) : nil
    }

    private static func notANumber(in line: Span<UInt8>, at offset: inout Int) throws(ReportError) {
        let start = offset
        var letters: UInt32 = 0
        for _ in 0..<3 {
            guard let byte = JSONScanner.peek(in: line, at: offset) else { throw ReportError(.truncated, at: offset) }
            letters = letters << 8 | UInt32(byte | 0x20)
            offset += 1
        }
        switch letters {
        case 0x6E_616E, 0x69_6E66, 0x6F_7666: return  // nan, inf, ovf
        default: throw ReportError(.syntax, at: start)
        }
    }

    /// Reads a hexadecimal number of one digit or more, `0x` before it or not, and returns it with its digits' count.
    static func hexadecimal(
        in line: Span<UInt8>,
        at offset: inout Int
    ) throws(ReportError) -> (value: UInt64, digits: Int) {
        if JSONScanner.peek(in: line, at: offset) == UInt8(ascii: "0"),
            JSONScanner.peek(in: line, at: offset + 1).map({ $0 | 0x20 }) == UInt8(ascii: "x")
        {
            offset += 2
        }
        let start = offset
        var value: UInt64 = 0
        while let digit = JSONScanner.peek(in: line, at: offset).flatMap(Hexadecimal.digit(_:)) {
            guard offset - start < 16 else { throw ReportError(.invalidValue, at: start) }
            value = value << 4 | UInt64(digit)
            offset += 1
        }
        guard offset > start else {
            throw ReportError(offset < line.count ? .syntax : .truncated, at: offset)
        }
        return (value, offset - start)
    }
}
