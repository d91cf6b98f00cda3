// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What Qorvo's command line and Nearby Interaction firmware print, in all its generations.
///
/// JSON records (`{"Block":…}`, or a bare array before that), in newer firmware the text `SESSION_INFO_NTF: {…}` over
/// several lines. A record is found wherever it begins: log lines, prompts, diagnostics and the length before a
/// machine's reply are passed over. It ends with its last brace, and before the next record at the latest.
///
/// `SESSION_STATUS_NTF: {…}` is passed over too: of the words for its reasons, reference/uwb-reports.md section 2.2 has
/// only the one for commands of our own.
enum QorvoText {
    /// A record of this length without an end is noise (bytes).
    static let longest = 8192
    /// What UCI has for a distance that is none (centimetres).
    static let noDistance = 65_535.0

    /// What a record is, as the cursor's `element` keeps it.
    enum Kind: Int {
        /// A JSON array of measurements.
        case list
        /// One JSON object that is a measurement.
        case object
        /// A notification in text.
        case notification
    }

    /// The beginning of a record.
    private enum Mark: Equatable {
        /// Nothing begins here.
        case none
        /// The payload ends before it is known.
        case partial
        /// A record, with its depth: one that is less deep cannot begin within it.
        case record(depth: Int)
    }

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
                let isFound: Bool
                if cursor.mode == .start {
                    guard try findRecord(in: payload, at: &cursor, into: &report) else { return false }
                    isFound = report.signal != nil
                } else if cursor.element == Kind.notification.rawValue {
                    isFound = try QorvoNotification.next(in: payload, at: &cursor, into: &report)
                } else {
                    isFound = try QorvoJSON.next(in: payload, at: &cursor, into: &report)
                }
                if isFound { return true }
            }
        } catch {
            report = RangeReport()
            throw error
        }
    }

    /// Whether the payload begins with a record, with a machine's reply or with another line of the firmware.
    static func isPlausible(_ payload: Span<UInt8>) -> Bool {
        var offset = 0
        JSONScanner.skipWhitespace(in: payload, at: &offset)
        switch JSONScanner.peek(in: payload, at: offset) {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            guard let letter = JSONScanner.firstLetter(in: payload) else { return isLogLine(payload, at: offset) }
            guard letter <= UInt8(ascii: "Z") || letter == UInt8(ascii: "r") else { return false }
            if case .record = mark(in: payload, at: offset) { return true }
            return false
        case UInt8(ascii: "S"):
            return SerialLine.match("SESSION_INFO_NTF:", in: payload, at: offset) == .whole
                || SerialLine.match("SESSION_STATUS_NTF:", in: payload, at: offset) == .whole
        case UInt8(ascii: "R"): return SerialLine.match("RANGE_DIAGNOSTICS_NTF:", in: payload, at: offset) == .whole
        case UInt8(ascii: "J"): return isReply(payload, at: offset)
        default: return false
        }
    }

    /// Ends a record, whether all of it was read or not.
    static func leaveRecord(_ cursor: inout ReportCursor) {
        cursor.offset = cursor.elementEnd
        cursor.mode = .start
    }

    /// Metres, from centimetres that may be a little negative.
    static func metres(_ centimetres: Double, at offset: Int) throws(ReportError) -> Double {
        guard centimetres.magnitude < noDistance else { throw ReportError(.invalidValue, at: offset) }
        return centimetres / 100
    }

    // MARK: Records

    /// Moves to the next record that is whole and opens it, or finishes the cursor and returns false.
    private static func findRecord(
        in payload: Span<UInt8>,
        at cursor: inout ReportCursor,
        into report: inout RangeReport
    ) throws(ReportError) -> Bool {
        cursor.sequence = nil
        while cursor.offset < payload.count {
            switch mark(in: payload, at: cursor.offset) {
            case .none: cursor.offset += 1
            case .partial:
                SerialLine.suspend(&cursor)
                return false
            case .record(let depth):
                return try openRecord(depth, in: payload, at: &cursor, into: &report)
            }
        }
        cursor.isFinished = true
        return false
    }

    private static func openRecord(
        _ depth: Int,
        in payload: Span<UInt8>,
        at cursor: inout ReportCursor,
        into report: inout RangeReport
    ) throws(ReportError) -> Bool {
        let start = cursor.offset
        cursor.reportOffset = start
        let limit = endOfRecord(depth, in: payload, from: start + 1)
        let record = payload.extracting(0..<limit)
        do throws(ReportError) {
            guard limit - start <= longest || limit < payload.count else { throw ReportError(.syntax, at: start) }
            if record[start] == UInt8(ascii: "S") {
                try QorvoNotification.open(in: record, at: &cursor)
            } else {
                try QorvoJSON.open(in: record, at: &cursor, into: &report)
            }
            return true
        } catch {
            cursor.offset = start
            guard error.reason != .truncated || limit < payload.count else {
                SerialLine.suspend(&cursor)
                return false
            }
            // One fault for the line: nothing within it is looked at again.
            while cursor.offset < limit, record[cursor.offset] != UInt8(ascii: "\n") { cursor.offset += 1 }
            throw error
        }
    }

    /// Where the next record begins that this one cannot contain.
    private static func endOfRecord(_ depth: Int, in payload: Span<UInt8>, from start: Int) -> Int {
        var end = start
        while end < payload.count {
            if case .record(let found) = mark(in: payload, at: end), found <= depth { return end }
            end += 1
        }
        return end
    }

    private static func mark(in payload: Span<UInt8>, at start: Int) -> Mark {
        var offset = start
        var depth = 0
        switch payload[start] {
        case UInt8(ascii: "S"): return mark("SESSION_INFO_NTF:", in: payload, at: start, depth: 0)
        case UInt8(ascii: "["):
            depth = 1
            offset += 1
            JSONScanner.skipWhitespace(in: payload, at: &offset)
            guard offset < payload.count else { return .partial }
            guard payload[offset] == UInt8(ascii: "{") else { return .none }
        case UInt8(ascii: "{"): break
        default: return .none
        }
        offset += 1
        JSONScanner.skipWhitespace(in: payload, at: &offset)
        let measurement = mark("\"Addr\"", in: payload, at: offset, depth: depth == 1 ? 1 : 2)
        guard measurement == .none, depth == 0 else { return measurement }
        let words: InlineArray = ["\"Block\"", "\"results\"", "\"Session Stopped\""]
        for index in words.indices {
            let found = mark(words[index], in: payload, at: offset, depth: 0)
            if found != .none { return found }
        }
        return .none
    }

    private static func mark(_ word: String, in payload: Span<UInt8>, at offset: Int, depth: Int) -> Mark {
        switch SerialLine.match(word, in: payload, at: offset) {
        case .none: .none
        case .partial: .partial
        case .whole: .record(depth: depth)
        }
    }

    // MARK: Other lines

    /// Whether a line of the log begins here: `[00:00:03`.
    private static func isLogLine(_ payload: Span<UInt8>, at offset: Int) -> Bool {
        guard offset + 4 <= payload.count, payload[offset + 3] == UInt8(ascii: ":") else { return false }
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        return digits ~= payload[offset + 1] && digits ~= payload[offset + 2]
    }

    /// Whether `JS`, four hexadecimal digits and an object or array begin here.
    private static func isReply(_ payload: Span<UInt8>, at offset: Int) -> Bool {
        guard SerialLine.match("JS", in: payload, at: offset) == .whole, offset + 7 <= payload.count else {
            return false
        }
        for index in offset + 2..<offset + 6 where Hexadecimal.digit(payload[index]) == nil { return false }
        return payload[offset + 6] == UInt8(ascii: "{") || payload[offset + 6] == UInt8(ascii: "[")
    }
}

extension RangeFormatRow {
    /// Qorvo's DWM3001CDK and QM33 kits.
    static let qorvo = RangeFormatRow(
        format: .qorvo,
        name: "Qorvo command line",
        units: "centimetres; degrees",
        sample: #"{"Block":7, "results":[{"Addr":"0x0001","Status":"Ok","D_cm":91,"LAoA_deg":24.90,"LFoM":92}]}"#,
        isStream: true,
        sniff: QorvoText.isPlausible(_:),
        next: QorvoText.next(in:at:into:)
    )
}
