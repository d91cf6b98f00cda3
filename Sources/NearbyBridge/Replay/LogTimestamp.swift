// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// The time with which terminals, loggers and `ts` begin a line.
struct LogTimestamp: Equatable {
    /// Since 1970, or since midnight or the device's start.
    var nanoseconds: Int64
    /// Whether it counts from midnight, and begins anew there.
    var isOfDay: Bool
    /// Where the rest of the line begins.
    var end: Int

    /// Reads `[00:00:03.831,174]`, `12:34:56.789 ->`, ISO 8601 or seconds since 1970; `nil` if the line begins
    /// otherwise.
    init?(_ line: Span<UInt8>) {
        var offset = 0
        Self.skipBlanks(in: line, at: &offset)
        let isBracketed = offset < line.count && line[offset] == UInt8(ascii: "[")
        if isBracketed { offset += 1 }
        guard let (nanoseconds, isOfDay) = Self.value(in: line, at: &offset) else { return nil }
        self.nanoseconds = nanoseconds
        self.isOfDay = isOfDay
        if isBracketed {
            guard offset < line.count, line[offset] == UInt8(ascii: "]") else { return nil }
            offset += 1
        } else {
            guard offset == line.count || !Self.isWord(line[offset]) else { return nil }
        }
        Self.skipArrow(in: line, at: &offset)
        end = offset
    }

    private static func value(in line: Span<UInt8>, at offset: inout Int) -> (nanoseconds: Int64, isOfDay: Bool)? {
        if let time = calendar(in: line, at: &offset) { return (time, false) }
        if let time = clock(in: line, at: &offset) { return (time, true) }
        return epoch(in: line, at: &offset).map { ($0, false) }
    }

    private static func calendar(in line: Span<UInt8>, at offset: inout Int) -> Int64? {
        var text: [UInt8] = []
        var end = offset
        while end < line.count, text.count < 40 {
            let byte = line[end]
            // One blank between date and time.
            let isGap = byte == UInt8(ascii: " ") && text.count == 10
            guard isGap || isOfTimestamp(byte) else { break }
            // Python's logging has a comma before the fraction.
            text.append(byte == UInt8(ascii: ",") ? UInt8(ascii: ".") : byte)
            end += 1
        }
        // A comma or colon may follow it.
        while let last = text.last, last == UInt8(ascii: ".") || last == UInt8(ascii: ":") {
            text.removeLast()
            end -= 1
        }
        guard text.count >= 19, let time = ISO8601Timestamp.nanoseconds(text.span) else { return nil }
        offset = end
        return time
    }

    private static func isOfTimestamp(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: ":"), UInt8(ascii: "."),
            UInt8(ascii: ","), UInt8(ascii: "T"), UInt8(ascii: "t"), UInt8(ascii: "Z"), UInt8(ascii: "z"),
            UInt8(ascii: "+"):
            true
        default: false
        }
    }

    /// `HH:MM:SS` with a fraction or without; Zephyr has `.831,174` for 831 ms and 174 µs.
    private static func clock(in line: Span<UInt8>, at offset: inout Int) -> Int64? {
        var end = offset
        guard let hours = number(1...4, in: line, at: &end), colon(in: line, at: &end),
            let minutes = number(2...2, in: line, at: &end), minutes < 60, colon(in: line, at: &end),
            let seconds = number(2...2, in: line, at: &end), seconds < 60
        else { return nil }
        var nanoseconds = ((hours * 60 + minutes) * 60 + seconds) * 1_000_000_000
        var unit: Int64 = 100_000_000
        while end + 1 < line.count, line[end] == UInt8(ascii: ".") || line[end] == UInt8(ascii: ","),
            digit(line[end + 1]) != nil
        {
            end += 1
            while end < line.count, let digit = digit(line[end]) {
                nanoseconds += digit * unit
                unit /= 10
                end += 1
            }
        }
        offset = end
        return nanoseconds
    }

    /// Seconds, milliseconds or microseconds since 1970.
    private static func epoch(in line: Span<UInt8>, at offset: inout Int) -> Int64? {
        var end = offset
        guard let whole = number(10...16, in: line, at: &end) else { return nil }
        let scale: Int64
        switch whole {
        case 1_000_000_000..<9_000_000_000: scale = 1_000_000_000
        case 1_000_000_000_000..<9_000_000_000_000: scale = 1_000_000
        case 1_000_000_000_000_000..<9_000_000_000_000_000: scale = 1000
        default: return nil
        }
        var nanoseconds = whole * scale
        if end < line.count, line[end] == UInt8(ascii: ".") {
            end += 1
            var unit = scale / 10
            while end < line.count, let digit = digit(line[end]) {
                nanoseconds += digit * unit
                unit /= 10
                end += 1
            }
        }
        offset = end
        return nanoseconds
    }

    // MARK: Characters

    private static func number(_ lengths: ClosedRange<Int>, in line: Span<UInt8>, at offset: inout Int) -> Int64? {
        let start = offset
        var value: Int64 = 0
        while offset < line.count, offset - start < lengths.upperBound, let digit = digit(line[offset]) {
            value = value * 10 + digit
            offset += 1
        }
        return lengths ~= offset - start ? value : nil
    }

    private static func digit(_ byte: UInt8) -> Int64? {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte ? Int64(byte - UInt8(ascii: "0")) : nil
    }

    private static func colon(in line: Span<UInt8>, at offset: inout Int) -> Bool {
        guard offset < line.count, line[offset] == UInt8(ascii: ":") else { return false }
        offset += 1
        return true
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
    }

    /// Moves over blanks and tabs.
    private static func skipBlanks(in line: Span<UInt8>, at offset: inout Int) {
        while offset < line.count, line[offset] == UInt8(ascii: " ") || line[offset] == UInt8(ascii: "\t") {
            offset += 1
        }
    }

    /// Moves over blanks, and over what terminals put between time and text.
    private static func skipArrow(in line: Span<UInt8>, at offset: inout Int) {
        Self.skipBlanks(in: line, at: &offset)
        let start = offset
        while offset < line.count, offset - start < 2 {
            switch line[offset] {
            case UInt8(ascii: "-"), UInt8(ascii: ">"), UInt8(ascii: ":"), UInt8(ascii: ","), UInt8(ascii: "|"),
                UInt8(ascii: ";"):
                offset += 1
                continue
            default: break
            }
            break
        }
        Self.skipBlanks(in: line, at: &offset)
    }
}
