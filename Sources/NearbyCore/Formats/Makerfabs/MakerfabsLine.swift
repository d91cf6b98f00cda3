// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// A line of lists that run side by side, an element for each slot of an anchor.
///
/// `tid:1,mask:04,seq:63,range:(0,0,30),rssi:(0.00,0.00,-77.93)` and what later firmware makes of it: read by key, since
/// the keys differ. The mask says which slots were measured; what stands in the others means nothing.
struct MakerfabsLine {
    /// More slots than any firmware prints; the line is read anew for each, so there is a limit.
    static let slots = 32

    /// A list that has been read to its closing parenthesis.
    private struct List {
        var start: Int
        var count: Int
    }

    /// The slots that were measured.
    private(set) var mask: UInt64 = 0
    /// The counter of the tag, of eight bits.
    private(set) var sequence: Int64?
    /// The number of the tag, which measured.
    var tag: UInt64?
    /// Behind the last value.
    private(set) var end: Int
    private var ranges: List?
    private var strengths: List?
    private var anchors: List?
    private var hasMask = false
    private var hasTimer = false
    private var hasUnknownList = false
    private var isLastValueClosed = false

    /// Reads the line from its first key; `line` is the payload up to the line's end.
    init(in line: Span<UInt8>, at start: Int, isTerminated: Bool) throws(ReportError) {
        end = start
        repeat {
            try readPair(in: line)
        } while readComma(in: line)
        let next = JSONScanner.peek(in: line, at: end)
        if next == nil, !isTerminated, !isComplete { throw ReportError(.truncated, at: end) }
        // A comma that was garbled may not cost the anchors their ids.
        let isCut = next != nil && next != UInt8(ascii: " ") && !isComplete
        guard hasMask, ranges != nil, !isCut, anchors != nil || !hasUnknownList else {
            throw ReportError(.syntax, at: end)
        }
    }

    /// Whether nothing that the next bytes might bring is missing: firmware with a timer ends with anchor ids.
    private var isComplete: Bool {
        isLastValueClosed && ranges != nil && (anchors != nil || (strengths != nil && !hasTimer))
    }

    private mutating func readComma(in line: Span<UInt8>) -> Bool {
        guard JSONScanner.peek(in: line, at: end) == UInt8(ascii: ",") else { return false }
        end += 1
        return true
    }

    private mutating func readPair(in line: Span<UInt8>) throws(ReportError) {
        let start = end
        while let byte = JSONScanner.peek(in: line, at: end), byte != UInt8(ascii: ":") {
            guard UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 else { throw ReportError(.syntax, at: end) }
            end += 1
        }
        let key = line.extracting(start..<end)
        try JSONScanner.expect(UInt8(ascii: ":"), in: line, at: &end)
        isLastValueClosed = JSONScanner.peek(in: line, at: end) == UInt8(ascii: "(")
        guard !isLastValueClosed else {
            let list = try readList(in: line)
            if JSONScanner.isEqual(key, "range") {
                try Self.set(&ranges, to: list, at: start)
            } else if JSONScanner.isEqual(key, "rssi") {
                try Self.set(&strengths, to: list, at: start)
            } else if JSONScanner.isEqual(key, "ancid") {
                try Self.set(&anchors, to: list, at: start)
            } else {
                hasUnknownList = true
            }
            return
        }
        if JSONScanner.isEqual(key, "mask") {
            guard !hasMask else { throw ReportError(.duplicateField, at: start) }
            hasMask = true
            mask = try SerialLine.hexadecimal(in: line, at: &end).value
            return
        }
        let value = try SerialLine.decimal(in: line, at: &end)
        if JSONScanner.isEqual(key, "seq") {
            guard sequence == nil else { throw ReportError(.duplicateField, at: start) }
            sequence = value.flatMap(JSONNumber.truncated(_:))
        } else if JSONScanner.isEqual(key, "tid") {
            guard tag == nil else { throw ReportError(.duplicateField, at: start) }
            tag = value.flatMap(JSONNumber.whole(_:)).flatMap(UInt64.init(exactly:))
        } else if JSONScanner.isEqual(key, "timer") {
            hasTimer = true
        }
    }

    private static func set(_ field: inout List?, to list: List, at start: Int) throws(ReportError) {
        guard field == nil else { throw ReportError(.duplicateField, at: start) }
        field = list
    }

    private mutating func readList(in line: Span<UInt8>) throws(ReportError) -> List {
        let open = end
        var count = 0
        repeat {
            end += 1
            _ = try SerialLine.decimal(in: line, at: &end)
            count += 1
            guard count <= Self.slots else { throw ReportError(.invalidValue, at: open) }
        } while JSONScanner.peek(in: line, at: end) == UInt8(ascii: ",")
        try JSONScanner.expect(UInt8(ascii: ")"), in: line, at: &end)
        return List(start: open + 1, count: count)
    }

    // MARK: Slots

    /// Who measured.
    var reporter: RangeReport.Peer { tag.map { .address(RadioAddress($0)) } ?? .unnamed }

    /// The first slot that was measured, from this one on.
    func measuredSlot(from slot: Int) -> Int? {
        guard slot < Self.slots else { return nil }
        let rest = mask >> UInt64(slot)
        return rest == 0 ? nil : slot + rest.trailingZeroBitCount
    }

    /// Puts what the lists have for a slot into the report.
    ///
    /// No range is no measurement: 0, a negative one, or an anchor id of -1.
    func read(slot: Int, in line: Span<UInt8>, into report: inout RangeReport) throws(ReportError) {
        report.sequence = sequence
        report.reporter = reporter
        var isKnown = true
        var anchor: UInt16? = UInt16(exactly: slot)
        if let anchors {
            let id = try value(of: anchors, slot: slot, in: line).flatMap(JSONNumber.truncated(_:))
            isKnown = id ?? -1 >= 0
            anchor = id.flatMap(UInt16.init(exactly:))
        }
        if isKnown {
            guard let anchor else { throw ReportError(.invalidValue, at: end) }
            report.peer = .address(RadioAddress(UInt64(anchor)))
        }
        let strength = try strengths.flatMap { list throws(ReportError) in
            try value(of: list, slot: slot, in: line)
        }
        if let strength, strength != 0 { report.rssi = Float(strength) }
        guard isKnown, let ranges, let range = try value(of: ranges, slot: slot, in: line), range > 0 else {
            report.status = .timeout
            return
        }
        report.distance = try SerialLine.plausible(range / 100, at: ranges.start)
    }

    /// An element of a list, `nil` if the list is shorter.
    private func value(of list: List, slot: Int, in line: Span<UInt8>) throws(ReportError) -> Double? {
        guard slot < list.count else { return nil }
        var offset = list.start
        var left = slot
        while left > 0, offset < line.count {
            if line[offset] == UInt8(ascii: ",") { left -= 1 }
            offset += 1
        }
        return try SerialLine.decimal(in: line, at: &offset)
    }
}
