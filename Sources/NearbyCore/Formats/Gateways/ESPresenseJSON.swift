// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What Bluetooth presence nodes publish: ESPresense, and OpenMQTTGateway or Theengs Gateway with presence tracking.
///
/// `{"mac":"dd8800003777","id":"iBeacon:…","rssi":-81.10,"distance":6.58,…}` and
/// `{"id":"45:F6:8A:76:86:C5","rssi":-55,"distance":0.495572}`; a device that is heard but not placed has no distance.
enum ESPresenseJSON {
    /// The keys that are used.
    private enum Field: Int {
        case identifier, hardware, distance, signal
    }

    /// Decodes the next report.
    static func next(
        in payload: Span<UInt8>,
        at cursor: inout ReportCursor,
        into report: inout RangeReport
    ) throws(ReportError) -> Bool {
        report = RangeReport()
        guard let start = try JSONScanner.nextObject(in: payload, at: &cursor) else { return false }
        do throws(ReportError) {
            try decode(in: payload, at: start, into: &report)
            return true
        } catch {
            report = RangeReport()
            throw error
        }
    }

    /// Whether the payload begins with `{"mac":"…"` or with `{"id":"…"` and a hardware address, and names no `peer`.
    static func isPlausible(_ payload: Span<UInt8>) -> Bool {
        guard let letter = JSONScanner.firstLetter(in: payload),
            letter == UInt8(ascii: "m") || letter == UInt8(ascii: "i")
        else { return false }
        var offset = 0
        JSONScanner.skipWhitespace(in: payload, at: &offset)
        let start = offset
        guard let (key, value) = JSONScanner.firstKey(in: payload, at: start), payload[value] == UInt8(ascii: "\"")
        else {
            return false
        }
        offset = value
        if !JSONScanner.isText(of: key, "mac", in: payload) {
            guard JSONScanner.isText(of: key, "id", in: payload),
                let string = try? JSONScanner.string(in: payload, at: &offset),
                RadioAddress(hardware: payload.extracting(string.range)) != nil
            else { return false }
        }
        return !JSONScanner.hasKey("peer", in: payload, at: start)
    }

    private static func decode(
        in payload: Span<UInt8>,
        at start: Int,
        into report: inout RangeReport
    ) throws(ReportError) {
        var offset = start + 1
        var isFirst = true
        var seen = 0
        var hardware: RangeReport.Peer?
        while let key = try JSONScanner.nextKey(in: payload, at: &offset, isFirst: &isFirst) {
            let field: Field? = JSONScanner.word(
                key,
                in: payload,
                of: [("id", .identifier), ("mac", .hardware), ("distance", .distance), ("rssi", .signal)]
            )
            guard let field else {
                try JSONScanner.skipValue(in: payload, at: &offset, depth: 1)
                continue
            }
            guard seen & 1 << field.rawValue == 0 else { throw ReportError(.duplicateField, at: key.range.lowerBound) }
            seen |= 1 << field.rawValue
            switch field {
            case .identifier: report.peer = try RangeReport.Peer.identity(in: payload, at: &offset) ?? .unnamed
            case .hardware: hardware = try RangeReport.Peer.identity(in: payload, at: &offset)
            case .distance:
                let place = offset
                report.distance = try JSONScanner.measurement(in: payload, at: &offset)
                    .map { metres throws(ReportError) in try SerialLine.plausible(metres, at: place) }
            case .signal: report.rssi = try JSONScanner.measurement(in: payload, at: &offset).map { Float($0) }
            }
        }
        // The node that hears it stands still.
        report.isReportedByAnchor = true
        guard seen != 0 else { throw ReportError(.invalidValue, at: start) }
        if report.peer == .unnamed { report.peer = hardware ?? .unnamed }
        if report.distance == nil { report.status = .error }
        if report.rssi?.isFinite == false { report.rssi = nil }
    }
}

extension RangeFormatRow {
    /// Presence by Bluetooth.
    static let espresense = RangeFormatRow(
        format: .espresense,
        name: "ESPresense and OpenMQTTGateway",
        units: "metres",
        sample:
            #"{"mac":"dd8800003777","id":"iBeacon:426c7565-3838-4949","rssi@1m":-59,"rssi":-81.10,"distance":6.58}"#,
        sniff: ESPresenseJSON.isPlausible(_:),
        next: ESPresenseJSON.next(in:at:into:)
    )
}
