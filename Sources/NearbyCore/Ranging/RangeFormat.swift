// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// The formats in which range reports arrive.
///
/// CONTRACT section 3. A new format is a file in `Formats`, a case here and a row in `RangeFormatRow.table`.
public enum RangeFormat: String, CaseIterable, Sendable {
    /// Whichever format the first bytes of a payload look like.
    case auto
    /// The bridge's own JSON.
    case json
    /// FiRa UCI notifications.
    case uci
    /// Qorvo's command line and Nearby Interaction firmware.
    case qorvo
    /// The shell of PANS firmware.
    case pans
    /// Bluetooth presence: ESPresense, OpenMQTTGateway, Theengs Gateway.
    case espresense
    /// Eliko's server.
    case eliko
    /// omlox location and proximity.
    case omlox
    /// The gateway of DRTLS and PANS PRO.
    case drtls
    /// Pozyx.
    case pozyx
    /// Makerfabs' modules and sketches.
    case makerfabs
    /// The DW1000 library for Arduino, and its forks.
    case dw1000
    /// TREK1000 and its clones.
    case trek
    /// Frames of Nooploop's LinkTrack.
    case linktrack

    /// Decodes the next report of a payload, in the format that is named or that the first bytes look like.
    ///
    /// Which format it is, is decided by the first call with a cursor.
    ///
    /// - Parameters:
    ///   - payload: One message from an accessory.
    ///   - format: The format that was configured, or `auto`.
    ///   - cursor: Where to read on; a new one for each payload.
    ///   - report: The report. It says nothing if the call throws or returns false.
    /// - Returns: Whether there was a report.
    /// - Throws: A fault of the payload, after which the cursor is finished, or of one report: the rest can go on.
    public static func next(
        in payload: Span<UInt8>,
        format: RangeFormat = .auto,
        at cursor: inout ReportCursor,
        into report: inout RangeReport
    ) throws(ReportError) -> Bool {
        guard !cursor.isFinished else { return false }
        guard !payload.isEmpty else {
            report = RangeReport()
            cursor.isFinished = true
            throw ReportError(.empty, at: 0)
        }
        let row: Int
        if let known = cursor.row {
            row = known
        } else if let found = RangeFormatRow.index(for: payload, format: format) {
            row = found
            cursor.row = found
        } else {
            report = RangeReport()
            cursor.isFinished = true
            throw ReportError(.unknownFormat, at: 0)
        }
        return try RangeFormatRow.table[row].next(payload, &cursor, &report)
    }
}
