// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What the shell of PANS firmware (DWM1001, MDEK1001) prints for `lec`, `les` and `lep`.
///
/// `lec`: `DIST,2,AN0,022E,7.94,8.03,0.00,3.44,AN1,…`, in one custom firmware `DIST,2;[AN0,022E,x,y,z]=[mm,quality];…`.
/// `les`: `022E[7.94,8.03,0.00]=3.38 9280[…]=5.49 le_us=3082 est[…]`. A position at the end of either is passed over,
/// since the distances are there. `lep`: `POS,7.10,5.24,-2.03,53`, see `PANSPosition`.
enum PANSShell {
    /// An anchor of a line, and where its distance ends.
    private struct Anchor {
        /// Its address.
        var address: UInt64
        /// Metres; `nil` if it was not measured.
        var distance: Double?
        /// 0 to 1, where the firmware says so.
        var quality: Float?
    }

    /// Decodes the next report.
    static func next(
        in payload: Span<UInt8>,
        at cursor: inout ReportCursor,
        into report: inout RangeReport
    ) throws(ReportError) -> Bool {
        report = RangeReport()
        try SerialLine.requireBytes(payload, &cursor)
        while true {
            if cursor.mode != .start {
                if nextOfList(in: payload, at: &cursor, into: &report) { return true }
            }
            guard let region = SerialLine.nextRegion(in: payload, at: &cursor, start(in:at:)) else { return false }
            if payload[cursor.offset] == UInt8(ascii: "P") {
                return try PANSPosition.next(region, in: payload, at: &cursor, into: &report)
            }
            guard payload[cursor.offset] == UInt8(ascii: "D"), payload[cursor.offset + 1] == UInt8(ascii: "I") else {
                return try single(region, in: payload, at: &cursor, into: &report)
            }
            guard try openList(region, in: payload, at: &cursor) else { return false }
        }
    }

    /// Whether the payload begins with such a line or with the shell's prompt.
    static func isPlausible(_ payload: Span<UInt8>) -> Bool {
        var offset = 0
        JSONScanner.skipWhitespace(in: payload, at: &offset)
        guard offset < payload.count else { return false }
        return start(in: payload, at: offset) == .whole || SerialLine.match("dwm>", in: payload, at: offset) == .whole
    }

    private static func start(in payload: Span<UInt8>, at offset: Int) -> SerialLine.Match {
        switch payload[offset] {
        case UInt8(ascii: "P") where offset == 0 || payload[offset - 1] != UInt8(ascii: ","):
            return SerialLine.match("POS,", in: payload, at: offset)
        // Cut between the comma and the position of a list, which must not look like one of its own.
        case UInt8(ascii: ","): return SerialLine.match(",POS,", in: payload, at: offset) == .partial ? .partial : .none
        default: break
        }
        let list = payload[offset] == UInt8(ascii: "D") ? SerialLine.match("DIST,", in: payload, at: offset) : .none
        guard list == .none else { return list }
        for index in offset..<offset + 4 {
            guard index < payload.count else { return .partial }
            guard Hexadecimal.digit(payload[index]) != nil else { return .none }
        }
        return SerialLine.match("[", in: payload, at: offset + 4)
    }

    private static func fill(_ report: inout RangeReport, with anchor: Anchor) {
        report.peer = .address(RadioAddress(anchor.address))
        report.distance = anchor.distance
        report.status = anchor.distance == nil ? .error : .ok
        report.quality = anchor.quality
    }

    // MARK: les

    private static func single(
        _ region: SerialLine.Region,
        in payload: Span<UInt8>,
        at cursor: inout ReportCursor,
        into report: inout RangeReport
    ) throws(ReportError) -> Bool {
        let line = payload.extracting(0..<region.range.upperBound)
        var offset = cursor.offset
        do throws(ReportError) {
            let address = try SerialLine.hexadecimal(in: line, at: &offset).value
            try skipPosition(behind: "[", in: line, at: &offset)
            try SerialLine.expect("]=", in: line, at: &offset)
            let distance = try metres(in: line, at: &offset, isTerminated: region.isTerminated)
            guard offset == line.count || line[offset] <= UInt8(ascii: " ") else {
                throw ReportError(.syntax, at: offset)
            }
            cursor.offset = offset
            fill(&report, with: Anchor(address: address, distance: distance))
            return true
        } catch {
            guard !region.isUnfinished(error) else {
                SerialLine.suspend(&cursor)
                return false
            }
            cursor.offset += "022E[".utf8.count
            throw error
        }
    }

    // MARK: lec

    /// Opens a line of anchors if all of it is there; false if the cursor is finished.
    private static func openList(
        _ region: SerialLine.Region,
        in payload: Span<UInt8>,
        at cursor: inout ReportCursor
    ) throws(ReportError) -> Bool {
        let start = cursor.offset
        var region = region
        var offset = start + "DIST,".utf8.count
        var end = offset
        // A newline may be lost between two lines.
        while end < region.range.upperBound, SerialLine.match("DIST,", in: payload, at: end) != .whole { end += 1 }
        region.isTerminated = region.isTerminated || end < region.range.upperBound
        region.range = start..<end
        let line = payload.extracting(0..<end)
        do throws(ReportError) {
            let expected = try SerialLine.decimal(in: line, at: &offset)
            guard let expected, 0...64 ~= expected else { throw ReportError(.invalidValue, at: start) }
            var found = 0.0
            var fault = ReportError(.syntax, at: start)
            while moveToAnchor(in: line, at: &offset) {
                do throws(ReportError) {
                    _ = try anchor(in: line, at: &offset, isTerminated: region.isTerminated)
                    found += 1
                } catch { fault = error }
            }
            guard found >= expected || region.isTerminated else { throw ReportError(.truncated, at: end) }
            cursor.mode = .restOfList
            cursor.element = start
            cursor.elementEnd = end
            cursor.offset = start
            // One fault for the line; the anchors that are whole count all the same.
            guard found >= expected else { throw fault }
            return true
        } catch {
            guard !region.isUnfinished(error) else {
                SerialLine.suspend(&cursor)
                return false
            }
            if cursor.mode == .start { cursor.offset = end }
            throw error
        }
    }

    /// Decodes the next anchor of the open line, or closes it and returns false.
    private static func nextOfList(
        in payload: Span<UInt8>,
        at cursor: inout ReportCursor,
        into report: inout RangeReport
    ) -> Bool {
        let line = payload.extracting(0..<min(cursor.elementEnd, payload.count))
        while moveToAnchor(in: line, at: &cursor.offset) {
            let start = cursor.offset
            // A broken one is the shell's stammer, or was complained of when the line was opened.
            guard let anchor = try? anchor(in: line, at: &cursor.offset, isTerminated: true),
                !isRepeated(anchor.address, before: start, in: line, from: cursor.element)
            else { continue }
            fill(&report, with: anchor)
            return true
        }
        cursor.mode = .start
        cursor.offset = line.count
        if line.count == payload.count,
            let comma = (max(0, line.count - 4)..<line.count).first(where: {
                start(in: payload, at: $0) == .partial && payload[$0] == UInt8(ascii: ",")
            })
        {
            cursor.offset = comma
        }
        return false
    }

    /// Whether an anchor stands in the line already: at high rates the shell stammers.
    private static func isRepeated(_ address: UInt64, before end: Int, in line: Span<UInt8>, from start: Int) -> Bool {
        var offset = start
        while moveToAnchor(in: line, at: &offset), offset < end {
            if let earlier = try? anchor(in: line, at: &offset, isTerminated: true), earlier.address == address {
                return true
            }
        }
        return false
    }

    /// Moves to the next `AN`.
    private static func moveToAnchor(in line: Span<UInt8>, at offset: inout Int) -> Bool {
        while offset + 1 < line.count {
            if line[offset] == UInt8(ascii: "A"), line[offset + 1] == UInt8(ascii: "N") { return true }
            offset += 1
        }
        return false
    }

    /// Reads the anchor at the offset; after a fault the offset is behind its first letters.
    private static func anchor(
        in line: Span<UInt8>,
        at offset: inout Int,
        isTerminated: Bool
    ) throws(ReportError) -> Anchor {
        offset += 2
        var end = offset
        _ = try SerialLine.decimal(in: line, at: &end)
        try SerialLine.expect(",", in: line, at: &end)
        var anchor = Anchor(address: try SerialLine.hexadecimal(in: line, at: &end).value)
        try skipPosition(behind: ",", in: line, at: &end)
        if JSONScanner.peek(in: line, at: end) == UInt8(ascii: "]") {
            try SerialLine.expect("]=[", in: line, at: &end)
            let start = end
            anchor.distance = try measured(SerialLine.decimal(in: line, at: &end).map { $0 / 1000 }, at: start)
            try SerialLine.expect(",", in: line, at: &end)
            let quality = try SerialLine.decimal(in: line, at: &end) ?? -1
            guard 0...100 ~= quality else { throw ReportError(.invalidValue, at: end) }
            anchor.quality = Float(quality / 100)
            try SerialLine.expect("]", in: line, at: &end)
        } else {
            try SerialLine.expect(",", in: line, at: &end)
            anchor.distance = try metres(in: line, at: &end, isTerminated: isTerminated)
            guard
                end == line.count || line[end] == UInt8(ascii: ",") || line[end] <= UInt8(ascii: " ")
                    || SerialLine.match("DIST,", in: line, at: end) == .whole
            else { throw ReportError(.syntax, at: end) }
        }
        offset = end
        return anchor
    }

    // MARK: Values

    private static func skipPosition(
        behind word: String,
        in line: Span<UInt8>,
        at offset: inout Int
    ) throws(ReportError) {
        try SerialLine.expect(word, in: line, at: &offset)
        _ = try SerialLine.decimal(in: line, at: &offset)
        try SerialLine.expect(",", in: line, at: &offset)
        _ = try SerialLine.decimal(in: line, at: &offset)
        try SerialLine.expect(",", in: line, at: &offset)
        _ = try SerialLine.decimal(in: line, at: &offset)
    }

    /// Reads a distance, which has two decimals: with fewer at the end of the payload it is cut.
    private static func metres(
        in line: Span<UInt8>,
        at offset: inout Int,
        isTerminated: Bool
    ) throws(ReportError) -> Double? {
        let start = offset
        let value = try SerialLine.decimal(in: line, at: &offset)
        if offset == line.count, !isTerminated, value != nil {
            guard offset - start >= 4, line[offset - 3] == UInt8(ascii: ".") || line[offset - 4] == UInt8(ascii: ".")
            else { throw ReportError(.truncated, at: offset) }
        }
        return try measured(value, at: start)
    }

    /// The shell prints 0 for an anchor that it has no distance of.
    private static func measured(_ metres: Double?, at offset: Int) throws(ReportError) -> Double? {
        guard let metres, metres != 0 else { return nil }
        return try SerialLine.plausible(metres, at: offset)
    }
}

extension RangeFormatRow {
    /// Firmware of Decawave's modules.
    static let pans = RangeFormatRow(
        format: .pans,
        name: "PANS shell",
        units: "metres",
        sample: "DIST,2,AN0,022E,7.94,8.03,0.00,3.44,AN1,9280,7.95,0.00,0.00,5.68\r\n",
        isStream: true,
        isLines: true,
        sniff: PANSShell.isPlausible(_:),
        next: PANSShell.next(in:at:into:)
    )
}
