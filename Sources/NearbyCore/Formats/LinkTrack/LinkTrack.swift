// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Ranges of Nooploop's LinkTrack: frames of the NLink protocol, in a stream.
///
/// Each node of a frame is a report. Frames without distances are skipped, and so is the anchor's: it has no sum, and
/// its distances are those between other nodes. A frame whose sum is wrong gives nothing; from its second byte on the
/// next one is searched.
enum LinkTrack {
    /// So many bytes of garbled frames are summed up in one payload; `ReportCursor.elementEnd` counts them.
    private static let longestSearch = 1 << 18
    /// What an anchor's frame says of its sender; a tag's says 2.
    private static let anchorRole: UInt8 = 1

    /// Decodes the next report.
    static func next(
        in payload: Span<UInt8>,
        at cursor: inout ReportCursor,
        into report: inout RangeReport
    ) throws(ReportError) -> Bool {
        report = RangeReport()
        try SerialLine.requireBytes(payload, &cursor)
        // While garbage is passed over, what may be a frame that goes on in the next message.
        var candidate: Int?
        while cursor.offset < payload.count {
            let start = cursor.offset
            let finding = LinkTrackFrame.find(in: payload, at: start)
            switch finding {
            case .whole(let frame, let end):
                cursor.mode = .start
                cursor.reportOffset = start
                if give(from: frame, end: end, in: payload, at: &cursor, into: &report) { return true }
            case .partial where cursor.mode == .start:
                SerialLine.suspend(&cursor)
                return false
            case .partial:
                candidate = candidate ?? start
                cursor.offset += 1
            case .none, .broken:
                if case .broken(let length) = finding { cursor.elementEnd += length }
                cursor.offset += 1
                // Bytes made to look like one frame after the other would cost a sum each.
                guard cursor.elementEnd <= longestSearch else {
                    cursor.isFinished = true
                    throw ReportError(.syntax, at: start)
                }
                guard cursor.mode == .start else { continue }
                // One fault for all that is passed over.
                cursor.mode = .restOfList
                cursor.element = 0
                throw ReportError(.syntax, at: start)
            }
        }
        cursor.unfinishedTail = candidate
        cursor.isFinished = true
        return false
    }

    /// Whether the payload begins with a frame.
    static func isPlausible(_ payload: Span<UInt8>) -> Bool {
        switch LinkTrackFrame.find(in: payload, at: 0) {
        case .none, .broken: false
        case .partial: payload.count > 1
        case .whole: true
        }
    }

    /// Gives out the next record of a frame, and moves behind the frame with the last.
    private static func give(
        from frame: LinkTrackFrame,
        end: Int,
        in payload: Span<UInt8>,
        at cursor: inout ReportCursor,
        into report: inout RangeReport
    ) -> Bool {
        let start = cursor.offset
        let count = frame.count(in: payload, at: start)
        var index = cursor.element
        while index < count, isEmpty(index, of: frame, in: payload, at: start) { index += 1 }
        let isSilent = cursor.element == 0 && index >= count && frame.records != .none
        if index < count || isSilent {
            report.reporter = node(frame.owner, in: payload, at: start)
            report.isReportedByAnchor = frame.role.map { payload[start + $0] == anchorRole } ?? false
        }
        if index < count {
            read(index, of: frame, in: payload, at: start, into: &report)
        } else if isSilent {
            report.status = .timeout
            report.timestamp = time(of: frame, in: payload, at: start)
        }
        cursor.element = index + 1
        if index + 1 >= count {
            cursor.element = 0
            cursor.offset = end
        }
        return index < count || isSilent
    }

    /// Whether a place for an anchor's distance has none: the frame has eight of them, whatever there is.
    private static func isEmpty(_ index: Int, of frame: LinkTrackFrame, in payload: Span<UInt8>, at start: Int) -> Bool
    {
        guard case .anchors = frame.records else { return false }
        return millimetres(in: payload, at: frame.record(index, in: payload, at: start)) == 0
    }

    private static func read(
        _ index: Int,
        of frame: LinkTrackFrame,
        in payload: Span<UInt8>,
        at start: Int,
        into report: inout RangeReport
    ) {
        let record = frame.record(index, in: payload, at: start)
        report.timestamp = time(of: frame, in: payload, at: start)
        if case .anchors = frame.records {
            report.peer = .address(RadioAddress(UInt64(index)))
            report.distance = Double(millimetres(in: payload, at: record)) / 1000
            return
        }
        report.peer = node(frame.id, in: payload, at: record)
        report.distance = Double(millimetres(in: payload, at: record + frame.distance)) / 1000
        let strength = payload[record + frame.strength]
        if strength != 0 { report.rssi = -Float(strength) / 2 }
        report.azimuth = frame.azimuth.flatMap { degrees(in: payload, at: record + $0, limit: 180) }
        report.elevation = frame.elevation.flatMap { degrees(in: payload, at: record + $0, limit: 90) }
    }

    /// Which node the id at a place of a frame or record names.
    private static func node(
        _ id: (offset: Int, size: Int),
        in payload: Span<UInt8>,
        at start: Int
    ) -> RangeReport.Peer {
        var offset = start + id.offset
        let number =
            id.size == 1
            ? UInt64(payload[offset]) : UInt64(ByteReader.integer(UInt32.self, in: payload, at: &offset) ?? 0)
        return .address(RadioAddress(number))
    }

    /// The device's own time in nanoseconds.
    private static func time(of frame: LinkTrackFrame, in payload: Span<UInt8>, at start: Int) -> Int64? {
        var offset = start + frame.time
        return ByteReader.integer(UInt32.self, in: payload, at: &offset).map { Int64($0) * 1_000_000 }
    }

    /// An integer of three bytes with its sign.
    private static func millimetres(in payload: Span<UInt8>, at offset: Int) -> Int32 {
        let bits = UInt32(payload[offset]) | UInt32(payload[offset + 1]) << 8 | UInt32(payload[offset + 2]) << 16
        return Int32(bitPattern: bits << 8) >> 8
    }

    private static func degrees(in payload: Span<UInt8>, at offset: Int, limit: Float) -> Float? {
        var offset = offset
        guard let hundredths = ByteReader.integer(Int16.self, in: payload, at: &offset) else { return nil }
        let degrees = Float(hundredths) / 100
        return degrees.magnitude <= limit ? degrees : nil
    }
}

extension RangeFormatRow {
    /// Nooploop.
    static let linktrack = RangeFormatRow(
        format: .linktrack,
        name: "Nooploop LinkTrack frames",
        units: "millimetres; hundredths of a degree",
        sample: "\u{55}\u{5}\u{1D}\0\u{2}\u{1}\u{10}\u{20}\0\0\u{10}\u{20}\0\0\0\0\0\0\u{5A}\u{13}\u{1}"
            + "\u{1}\0\u{22}\u{B}\0\u{7F}\u{7E}\u{73}",
        isStream: true,
        sniff: LinkTrack.isPlausible(_:),
        next: LinkTrack.next(in:at:into:)
    )
}
