// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// FiRa UCI: the session-info notification (RANGE_DATA_NTF in FiRa 1.x, SESSION_INFO_NTF in 2.0), as octets or as
/// hexadecimal text, any number of packets back to back.
///
/// reference/uwb-reports.md section 1. A session-status notification that tells how the run stands is a report with a
/// signal; responses and other notifications between the reports are passed over. A report comes every round even if
/// nobody answers, so a measurement whose status is neither OK nor OK_NEGATIVE_DISTANCE is a report without a distance.
public enum UCIRangeData {
    private static let notification = UCIReader.Header(type: 3, group: 2, opcode: 0)
    private static let sessionStatus = UCIReader.Header(type: 3, group: 1, opcode: 2)

    /// Decodes the next report of the payload.
    ///
    /// Allocates nothing.
    ///
    /// - Parameters:
    ///   - payload: One message from an accessory.
    ///   - cursor: Where to read on; a new one for each payload.
    ///   - report: The report. It says nothing if the call throws or returns false.
    /// - Returns: Whether there was a report.
    /// - Throws: A fault of one packet: the cursor has moved past it and the rest can go on.
    public static func next(
        in payload: Span<UInt8>,
        at cursor: inout ReportCursor,
        into report: inout RangeReport
    ) throws(ReportError) -> Bool {
        report = RangeReport()
        let isText = isText(payload)
        while !cursor.isFinished {
            guard let start = beginning(in: payload, from: cursor.offset, isText: isText) else {
                cursor.isFinished = true
                return false
            }
            cursor.offset = start
            cursor.reportOffset = start
            guard var whole = UCIReader(payload, at: start, isText: isText), whole.skipToEnd(payload) else {
                return finish(payload, &cursor, at: start, isText: isText)
            }
            guard let reader = UCIReader(payload, at: start, isText: isText) else { continue }
            switch reader.header {
            case notification:
                if try decode(reader, end: whole.offset, payload, &cursor, &report) { return true }
            case sessionStatus:
                cursor.offset = whole.offset
                report.signal = signal(reader, payload)
                if report.signal != nil { return true }
            default:
                cursor.offset = whole.offset
            }
        }
        return false
    }

    /// The payload ends within a packet: what is missing comes with the next one.
    private static func finish(
        _ payload: Span<UInt8>,
        _ cursor: inout ReportCursor,
        at start: Int,
        isText: Bool
    ) -> Bool {
        cursor.isFinished = true
        cursor.unfinishedTail = start
        return false
    }

    /// Whether a payload looks like UCI: a response or notification of a group that ranging has, and no more of it than
    /// a header could say.
    static func isPlausible(_ payload: Span<UInt8>) -> Bool {
        let isText = isText(payload)
        var start = 0
        if isText { while start < payload.count, UCIOctets.isSeparator(payload[start]) { start += 1 } }
        return isHeader(in: payload, at: start, isText: isText)
    }

    /// Text is hexadecimal from its first to its eighth digit.
    private static func isText(_ payload: Span<UInt8>) -> Bool {
        var digits = 0
        for index in payload.indices {
            let byte = payload[index]
            if Hexadecimal.digit(byte) != nil { digits += 1 } else if !UCIOctets.isSeparator(byte) { return false }
            if digits == 8 { return true }
        }
        return digits > 0
    }

    /// Where a packet may begin at or behind an offset: garbage before it is passed over.
    private static func beginning(in payload: Span<UInt8>, from offset: Int, isText: Bool) -> Int? {
        var start = offset
        while start < payload.count {
            if isText, UCIOctets.isSeparator(payload[start]) {
                start += 1
                continue
            }
            if isHeader(in: payload, at: start, isText: isText) { return start }
            start += isText && start + 1 < payload.count ? 2 : 1
        }
        return nil
    }

    /// Whether a header may stand there, as far as the payload goes.
    private static func isHeader(in payload: Span<UInt8>, at start: Int, isText: Bool) -> Bool {
        guard start < payload.count else { return false }
        var octets = UCIOctets(at: start, isText: isText)
        guard let first = octets.next(payload) else { return isText && start + 1 == payload.count }
        let type = first >> 5
        guard type == 2 || type == 3, first & 0x0F <= 2 else { return false }
        guard let opcode = octets.next(payload) else { return true }
        guard opcode <= 0x3F else { return false }
        guard let reserved = octets.next(payload) else { return true }
        guard reserved == 0 else { return false }
        guard first == 0x62, opcode == 0, let length = octets.next(payload) else { return true }
        // A whole range notification has at least its own header.
        return length >= 25
    }

    /// Decodes the measurement that the cursor has come to.
    ///
    /// - Returns: Whether there was one; otherwise the cursor is behind the packet.
    private static func decode(
        _ start: UCIReader,
        end: Int,
        _ payload: Span<UInt8>,
        _ cursor: inout ReportCursor,
        _ report: inout RangeReport
    ) throws(ReportError) -> Bool {
        var reader = start
        let place = cursor.offset
        guard let head = UCIRangeHeader(&reader, payload) else {
            leave(&cursor, end)
            throw ReportError(.truncated, at: place)
        }
        let element = cursor.element
        // Without two ends there is no distance: one-way and TDoA measurements are counted, and that is all.
        guard head.type == UCIRangeHeader.MeasurementType.twoWay.rawValue else {
            leave(&cursor, end)
            return true
        }
        guard element < head.count else {
            leave(&cursor, end)
            return false
        }
        guard reader.skip(element * UCITwoWayMeasurement.length, payload),
            let measurement = UCITwoWayMeasurement(&reader, payload, isExtended: head.isExtended)
        else {
            leave(&cursor, end)
            throw ReportError(.truncated, at: place)
        }
        fill(&report, from: measurement, head)
        // Behind the last one the packet need not be read again to find its end.
        if element + 1 == head.count { leave(&cursor, end) } else { cursor.element = element + 1 }
        return true
    }

    private static func leave(_ cursor: inout ReportCursor, _ end: Int) {
        cursor.offset = end
        cursor.element = 0
    }

    private static func fill(
        _ report: inout RangeReport,
        from measurement: UCITwoWayMeasurement,
        _ head: UCIRangeHeader
    ) {
        report.peer = .address(measurement.address)
        report.sequence = Int64(head.sequence)
        // The source has no clock but its rounds.
        if head.interval > 0 {
            report.timestamp = Int64(head.sequence) &* Int64(head.interval) &* 1_000_000
        }
        report.isNonLineOfSight = measurement.isNonLineOfSight
        report.rssi = measurement.rssi
        guard let distance = measurement.distance else {
            report.status = measurement.status == UCITwoWayMeasurement.receiveTimeout ? .timeout : .error
            return
        }
        report.distance = distance
        report.azimuth = measurement.azimuth.degrees
        if report.azimuth != nil { report.azimuthMerit = Float(measurement.azimuth.merit) }
        report.elevation = measurement.elevation.degrees
    }

    /// What a session-status notification says of the run (section 1.6); `nil` for what our own commands brought about.
    ///
    /// Its length must be the one that it has, and its state one that there is, so that no other packet passes for it.
    private static func signal(_ start: UCIReader, _ payload: Span<UInt8>) -> RangeReport.Signal? {
        var reader = start
        guard reader.skip(4, payload), let state = reader.next(payload), let reason = reader.next(payload),
            reader.next(payload) == nil
        else { return nil }
        // Deinitialised or idle.
        let isOver = state == 1 || state == 3
        // Firmware may call a session that is paused active or idle.
        let isState = state <= 3
        return switch reason {
        case 1 where isOver: .exhausted
        case 3 where isState: .suspended
        case 4 where isState: .resumed
        case 5 where isOver: .ended
        default: nil
        }
    }
}

extension RangeFormatRow {
    /// FiRa UCI.
    static let uci = RangeFormatRow(
        format: .uci,
        name: "FiRa UCI range notification",
        units: "centimetres; degrees in 1/128",
        sample: "62000038000000000100000000c8000000010000000000000000000001010000ff3e000000000000"
            + "0000000000000000790000000000000000000000",
        isStream: true,
        sniff: UCIRangeData.isPlausible(_:),
        next: UCIRangeData.next(in:at:into:)
    )
}
