// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// The range lists of Eliko's server: `$PEKIO,RR_L,227,0x000644,0x000454,559,0x000488,1901,…,15578410,0x00,…`.
///
/// A counter, the tag, pairs of an anchor and a distance, the tag's clock in milliseconds, flags. Positions are
/// `$PEKIO,COORD,148,0x000810,18.78,4.10,0.91,,1607780734.22`: a counter, the tag, metres, what the server has to say of
/// it, seconds.
enum ElikoText {
    private static let word = "$PEKIO,RR_L,"
    private static let positionWord = "$PEKIO,COORD,"

    /// Decodes the next report.
    static func next(
        in payload: Span<UInt8>,
        at cursor: inout ReportCursor,
        into report: inout RangeReport
    ) throws(ReportError) -> Bool {
        report = RangeReport()
        try SerialLine.requireBytes(payload, &cursor)
        do throws(ReportError) {
            while true {
                if cursor.mode != .start, try nextPair(in: payload, at: &cursor, into: &report) { return true }
                guard let region = SerialLine.nextRegion(in: payload, at: &cursor, start(in:at:)) else { return false }
                if SerialLine.match(positionWord, in: payload, at: cursor.offset) == .whole {
                    return try position(region, in: payload, at: &cursor, into: &report)
                }
                guard try open(region, in: payload, at: &cursor) else { return false }
            }
        } catch {
            report = RangeReport()
            throw error
        }
    }

    /// Whether the payload begins with a sentence of the server.
    static func isPlausible(_ payload: Span<UInt8>) -> Bool {
        var offset = 0
        JSONScanner.skipWhitespace(in: payload, at: &offset)
        return SerialLine.match("$PEKIO,", in: payload, at: offset) == .whole
    }

    private static func start(in payload: Span<UInt8>, at offset: Int) -> SerialLine.Match {
        guard payload[offset] == UInt8(ascii: "$") else { return .none }
        let list = SerialLine.match(word, in: payload, at: offset)
        return list == .none ? SerialLine.match(positionWord, in: payload, at: offset) : list
    }

    /// The region up to the next line, if the newline between them was lost.
    private static func untangled(_ region: SerialLine.Region, in payload: Span<UInt8>) -> SerialLine.Region {
        var end = region.range.lowerBound + 1
        while end < region.range.upperBound, payload[end] != UInt8(ascii: "$") { end += 1 }
        return SerialLine.Region(
            range: region.range.lowerBound..<end,
            isTerminated: region.isTerminated || end < region.range.upperBound
        )
    }

    /// Reads a line up to the tag's clock and opens it; false if the cursor is finished.
    private static func open(
        _ region: SerialLine.Region,
        in payload: Span<UInt8>,
        at cursor: inout ReportCursor
    ) throws(ReportError) -> Bool {
        let region = untangled(region, in: payload)
        let first = region.range.lowerBound + word.utf8.count
        let end = region.range.upperBound
        let line = payload.extracting(0..<end)
        var offset = first
        do throws(ReportError) {
            guard region.range.count <= SerialLine.longest else { throw ReportError(.syntax, at: first) }
            let counter = try integer(in: line, at: &offset)
            cursor.reporter = .address(RadioAddress(try address(in: line, at: &offset)))
            try SerialLine.expect(",", in: line, at: &offset)
            let pairs = offset
            while SerialLine.match("0x", in: line, at: offset) == .whole { _ = try pair(in: line, at: &offset) }
            cursor.elementEnd = offset
            if region.isTerminated, lineEnds(in: line, after: offset) {
                // The flags may be missing, but the clock may not be cut.
                cursor.timestamp = try milliseconds(in: line, at: &offset)
            } else {
                cursor.timestamp = try integer(in: line, at: &offset)
            }
            cursor.timestamp = cursor.timestamp.map { $0 * 1_000_000 }
            cursor.sequence = counter
            cursor.offset = pairs
            cursor.mode = .restOfList
            return true
        } catch {
            guard !region.isUnfinished(error) else {
                SerialLine.suspend(&cursor)
                return false
            }
            cursor.offset = end
            throw error
        }
    }

    /// Decodes the next pair of the open line, or closes it and returns false.
    private static func nextPair(
        in payload: Span<UInt8>,
        at cursor: inout ReportCursor,
        into report: inout RangeReport
    ) throws(ReportError) -> Bool {
        guard cursor.offset < min(cursor.elementEnd, payload.count) else {
            cursor.mode = .start
            return false
        }
        let start = cursor.offset
        var offset = start
        cursor.offset = cursor.elementEnd
        let (anchor, centimetres) = try pair(in: payload, at: &offset)
        cursor.offset = offset
        report.peer = .address(RadioAddress(anchor))
        report.reporter = cursor.reporter
        report.sequence = cursor.sequence
        report.timestamp = cursor.timestamp
        guard let centimetres, centimetres > 0 else {
            report.status = .error
            return true
        }
        report.distance = try SerialLine.plausible(centimetres / 100, at: start)
        return true
    }

    // MARK: Positions

    /// Decodes a line with a position; false if the cursor is finished.
    private static func position(
        _ region: SerialLine.Region,
        in payload: Span<UInt8>,
        at cursor: inout ReportCursor,
        into report: inout RangeReport
    ) throws(ReportError) -> Bool {
        let region = untangled(region, in: payload)
        let line = payload.extracting(0..<region.range.upperBound)
        var offset = region.range.lowerBound + positionWord.utf8.count
        let first = offset
        do throws(ReportError) {
            report.sequence = try integer(in: line, at: &offset)
            report.reporter = .address(RadioAddress(try address(in: line, at: &offset)))
            var coordinates = Coordinates()
            coordinates.x = try coordinate(in: line, at: &offset)
            coordinates.y = try coordinate(in: line, at: &offset)
            coordinates.z = try coordinate(in: line, at: &offset)
            try SerialLine.expect(",", in: line, at: &offset)
            while let byte = JSONScanner.peek(in: line, at: offset), byte != UInt8(ascii: ",") { offset += 1 }
            try SerialLine.expect(",", in: line, at: &offset)
            report.timestamp = try time(in: line, at: &offset, isTerminated: region.isTerminated)
            try coordinates.give(to: &report, at: first)
            cursor.offset = region.range.upperBound
            return true
        } catch {
            report = RangeReport()
            guard !region.isUnfinished(error) else {
                SerialLine.suspend(&cursor)
                return false
            }
            cursor.offset = region.range.upperBound
            throw error
        }
    }

    /// The comma before a coordinate and the coordinate, `nil` if nothing stands there.
    private static func coordinate(in line: Span<UInt8>, at offset: inout Int) throws(ReportError) -> Double? {
        try SerialLine.expect(",", in: line, at: &offset)
        guard JSONScanner.peek(in: line, at: offset) != UInt8(ascii: ",") else { return nil }
        return try SerialLine.decimal(in: line, at: &offset)
    }

    /// Reads seconds, which have two decimals: with fewer at the end of the payload they are cut.
    private static func time(
        in line: Span<UInt8>,
        at offset: inout Int,
        isTerminated: Bool
    ) throws(ReportError) -> Int64? {
        let number = try JSONScanner.number(in: line, at: &offset)
        let isCut = offset == line.count && !isTerminated && line[offset - 3] != UInt8(ascii: ".")
        guard !isCut else { throw ReportError(.truncated, at: offset) }
        guard offset == line.count || line[offset] <= UInt8(ascii: " ") || line[offset] == UInt8(ascii: ",") else {
            throw ReportError(.syntax, at: offset)
        }
        return number.isExact ? number.scaled(byPowerOfTen: 9, isTruncating: true) : nil
    }

    // MARK: Values

    /// An anchor, its distance in centimetres if it is one, and the comma behind it.
    private static func pair(
        in line: Span<UInt8>,
        at offset: inout Int
    ) throws(ReportError) -> (anchor: UInt64, distance: Double?) {
        let anchor = try address(in: line, at: &offset)
        try SerialLine.expect(",", in: line, at: &offset)
        let distance = try SerialLine.decimal(in: line, at: &offset)
        try SerialLine.expect(",", in: line, at: &offset)
        return (anchor, distance)
    }

    private static func address(in line: Span<UInt8>, at offset: inout Int) throws(ReportError) -> UInt64 {
        var end = offset
        try SerialLine.expect("0x", in: line, at: &end)
        return try SerialLine.hexadecimal(in: line, at: &offset).value
    }

    /// A whole number and the comma behind it.
    private static func integer(in line: Span<UInt8>, at offset: inout Int) throws(ReportError) -> Int64 {
        let value = try milliseconds(in: line, at: &offset)
        try SerialLine.expect(",", in: line, at: &offset)
        return value
    }

    /// A whole number of a size that nanoseconds have room for.
    private static func milliseconds(in line: Span<UInt8>, at offset: inout Int) throws(ReportError) -> Int64 {
        let start = offset
        guard let value = try SerialLine.decimal(in: line, at: &offset), 0...9e12 ~= value,
            let integer = JSONNumber.whole(value)
        else { throw ReportError(.invalidValue, at: start) }
        return integer
    }

    /// Whether no comma follows.
    private static func lineEnds(in line: Span<UInt8>, after start: Int) -> Bool {
        for index in start..<line.count where line[index] == UInt8(ascii: ",") { return false }
        return true
    }
}

extension RangeFormatRow {
    /// Eliko's server.
    static let eliko = RangeFormatRow(
        format: .eliko,
        name: "Eliko range list and position",
        units: "centimetres; metres in COORD",
        sample: "$PEKIO,RR_L,227,0x000644,0x000454,559,0x000488,1901,15578410,0x00,0x00,0x00\r\n",
        isStream: true,
        isLines: true,
        sniff: ElikoText.isPlausible(_:),
        next: ElikoText.next(in:at:into:)
    )
}
