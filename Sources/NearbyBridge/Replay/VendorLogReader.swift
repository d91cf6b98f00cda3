// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// Cuts a log into pieces that hold reports, as a device would have sent them.
struct VendorLogReader {
    /// A part of the log that is whole by itself and holds a report.
    struct Piece {
        var payload: [UInt8]
        /// What stands before its line (nanoseconds).
        var lineTime: Int64?
        /// What its first report says (nanoseconds).
        var deviceTime: Int64?
    }

    /// The first place that began like a report and was none.
    struct Fault {
        /// Counted from 1, in text.
        var line: Int
        /// Of the file, in binary.
        var offset: Int
        var reason: ReportError.Reason
    }

    /// So many bytes of a binary log are looked at together.
    private static let window = 4096
    /// A record without an end is given up after so many bytes, as the bridge does.
    private static let longestRecord = 65_536
    /// Nanoseconds of a day.
    private static let day: Int64 = 86_400_000_000_000

    /// Every piece, in order.
    private(set) var pieces: [Piece] = []
    /// How many faults there were.
    private(set) var faults = 0
    /// The first of them.
    private(set) var firstFault: Fault?
    private let format: RangeFormat
    private let isStream: Bool
    /// What was read and is not finished.
    private var carry: [UInt8] = []
    /// From which places of `carry` on which time holds.
    private var marks: [(offset: Int, time: Int64?)] = []
    private var line = 0
    private var offset = 0
    private var lastTime: Int64?
    private var days: Int64 = 0

    /// Prepares to read one format.
    init(format: RangeFormat) {
        self.format = format
        isStream = RangeFormatRow.table.first { $0.format == format }?.isStream ?? false
    }

    /// Reads a whole log.
    mutating func read(_ bytes: [UInt8], isText: Bool) {
        guard isText else {
            for start in stride(from: 0, to: bytes.count, by: Self.window) {
                offset = start
                take(bytes[start..<min(start + Self.window, bytes.count)], time: nil)
            }
            return
        }
        if !isStream {
            // One document may have more than one line.
            takeObject(bytes[...], nil)
            guard pieces.isEmpty else { return }
            (faults, firstFault) = (0, nil)
        }
        Self.forEachLine(of: bytes) { text in
            line += 1
            let (body, time) = body(of: text)
            if isStream { takeLine(body, time) } else { takeObject(body, time) }
        }
    }

    // MARK: Lines

    /// Calls a closure with every line, its end included.
    private static func forEachLine(of bytes: [UInt8], _ body: (ArraySlice<UInt8>) -> Void) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let end = rest.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? rest.endIndex
            body(rest[..<end])
            rest = rest[end...]
        }
    }

    private static func stamp(of line: ArraySlice<UInt8>) -> LogTimestamp? {
        let span = line.span
        return LogTimestamp(span)
    }

    /// The line behind its timestamp, and that as a time that does not jump at midnight.
    private mutating func body(of text: ArraySlice<UInt8>) -> (ArraySlice<UInt8>, Int64?) {
        guard let stamp = Self.stamp(of: text) else { return (text, nil) }
        var time = stamp.nanoseconds
        if stamp.isOfDay {
            time += days * Self.day
            if let lastTime, lastTime - time > Self.day / 2 {
                days += 1
                time += Self.day
            }
            lastTime = time
        }
        return (text[(text.startIndex + stamp.end)...], time)
    }

    private mutating func takeLine(_ body: ArraySlice<UInt8>, _ time: Int64?) {
        // Hexadecimal text goes on with nothing else.
        if format == .uci, (try? Hexadecimal.decode(body.span)) == nil { return }
        take(body, time: time)
    }

    /// A line that is an object or an array, with whatever a logger put before it.
    private mutating func takeObject(_ body: ArraySlice<UInt8>, _ time: Int64?) {
        guard let start = body.indices.first(where: { Self.isOpening($0, in: body) }) else { return }
        carry = Array(body[start...])
        marks = [(0, time)]
        decode()
        carry = []
    }

    /// Whether an object begins at a place, or an array of such: loggers have brackets too.
    private static func isOpening(_ place: Int, in body: ArraySlice<UInt8>) -> Bool {
        guard body[place] == UInt8(ascii: "[") else { return body[place] == UInt8(ascii: "{") }
        return body[(place + 1)...].first { $0 > 0x20 } == UInt8(ascii: "{")
    }

    // MARK: Pieces

    /// Takes the next bytes of a stream.
    private mutating func take(_ bytes: ArraySlice<UInt8>, time: Int64?) {
        offset -= carry.count
        marks.append((carry.count, time))
        carry += bytes
        let tail = decode()
        // The tail began under the last time that holds at its place.
        marks = tail.map { tail in marks.last { $0.offset <= tail }.map { [(0, $0.time)] } ?? [] } ?? []
        carry = tail.map { Array(carry[$0...]) } ?? []
        if carry.count > Self.longestRecord {
            carry = []
            marks = []
        }
    }

    /// Makes pieces of what is whole.
    ///
    /// - Returns: Where something begins that is not finished.
    @discardableResult
    private mutating func decode() -> Int? {
        var cursor = ReportCursor()
        var report = RangeReport()
        var begins: [(offset: Int, deviceTime: Int64?)] = []
        while true {
            do throws(ReportError) {
                guard try RangeFormat.next(in: carry.span, format: format, at: &cursor, into: &report) else { break }
                if begins.last?.offset != cursor.reportOffset { begins.append((cursor.reportOffset, report.timestamp)) }
            } catch {
                faults += 1
                firstFault = firstFault ?? Fault(line: line, offset: offset + error.offset, reason: error.reason)
                if cursor.isFinished { break }
            }
        }
        if !isStream, let first = begins.first { begins = [(0, first.deviceTime)] }
        let end = cursor.unfinishedTail ?? carry.count
        for (index, begin) in begins.enumerated() {
            let next = index + 1 < begins.count ? begins[index + 1].offset : max(end, begin.offset)
            pieces.append(
                Piece(
                    payload: Array(carry[begin.offset..<max(begin.offset, next)]),
                    lineTime: marks.last { $0.offset <= begin.offset }?.time,
                    deviceTime: begin.deviceTime
                )
            )
        }
        return cursor.unfinishedTail
    }

    // MARK: Recognising

    /// So many lines are looked through for one that begins a report.
    private static let searchedLines = 20_000
    /// So many words of each.
    private static let searchedWords = 8
    /// So many bytes from there on must hold a report.
    private static let searchedBytes = 2048

    /// Whether a log is text: hardly any bytes that no terminal shows.
    static func isText(_ bytes: [UInt8]) -> Bool {
        let sample = bytes.prefix(8192)
        let strange = sample.count { $0 < 0x20 && !(0x09...0x0D ~= $0) && $0 != 0x1B || $0 == 0x7F }
        return strange * 20 <= sample.count
    }

    /// The format of the first report that a log holds, `nil` if there is none.
    static func format(of bytes: [UInt8], isText: Bool) -> RangeFormat? {
        guard isText else { return binaryFormat(of: bytes) }
        var rest = bytes[...]
        for _ in 0..<searchedLines where !rest.isEmpty {
            let end = rest.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? rest.endIndex
            let stamp = stamp(of: rest[..<end])?.end ?? 0
            var start = rest.startIndex + stamp
            for _ in 0..<searchedWords where start < end {
                if let format = format(at: start, lineEnd: end, in: bytes) { return format }
                while start < end, bytes[start] > 0x20 { start += 1 }
                while start < end, bytes[start] <= 0x20 { start += 1 }
            }
            rest = rest[end...]
        }
        return format(at: 0, lineEnd: bytes.count, in: bytes)
    }

    /// The format that begins at a place and gives a report there.
    private static func format(at start: Int, lineEnd: Int, in bytes: [UInt8]) -> RangeFormat? {
        let line = bytes[start..<lineEnd]
        guard let row = row(of: line) else { return nil }
        // A record may have several lines; an object that is a payload has one.
        let end = row.isStream && row.format != .uci ? min(bytes.count, max(lineEnd, start + searchedBytes)) : lineEnd
        return reports(in: bytes[start..<end], row.format) > 0 ? row.format : nil
    }

    private static func row(of line: ArraySlice<UInt8>) -> RangeFormatRow? {
        RangeFormatRow.table.first { $0.looksLike(line.span) }
    }

    private static func binaryFormat(of bytes: [UInt8]) -> RangeFormat? {
        let sample = bytes.prefix(65_536)
        let counts = [RangeFormat.uci, .linktrack].map { (format: $0, count: reports(in: sample, $0)) }
        let most = counts.max { $0.count < $1.count }
        return most.flatMap { $0.count > 0 ? $0.format : nil }
    }

    /// How many reports a payload holds.
    private static func reports(in payload: ArraySlice<UInt8>, _ format: RangeFormat) -> Int {
        var cursor = ReportCursor()
        var report = RangeReport()
        var count = 0
        while true {
            do throws(ReportError) {
                guard try RangeFormat.next(in: payload.span, format: format, at: &cursor, into: &report) else {
                    return count
                }
                count += 1
            } catch {
                if cursor.isFinished { return count }
            }
        }
    }
}
