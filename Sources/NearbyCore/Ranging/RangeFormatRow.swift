// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What there is to know about one format of range reports: a line of documentation that also works.
public struct RangeFormatRow: Sendable {
    /// The format.
    public let format: RangeFormat
    /// What a person calls it.
    public let name: String
    /// The units of its distances and angles.
    public let units: String
    /// A payload of it.
    public let sample: String
    /// Whether packets or lines may be cut by the ends of messages, as a serial port cuts them.
    public var isStream = false
    /// Whether it is lines of text: what begins anew has ended the line before, though its end was not sent.
    public var isLines = false
    /// Whether a payload looks like it; the first row that says yes decides.
    let sniff: @Sendable (Span<UInt8>) -> Bool
    /// Decodes the next report.
    let next: @Sendable (Span<UInt8>, inout ReportCursor, inout RangeReport) throws(ReportError) -> Bool

    /// Every format, those with the narrower sniffing rule first.
    public static let table: [RangeFormatRow] = [
        uci,
        qorvo,
        pans,
        espresense,
        eliko,
        omlox,
        drtls,
        pozyx,
        makerfabs,
        dw1000,
        trek,
        linktrack,
        RangeFormatRow(
            format: .json,
            name: "nearby-bridge JSON",
            units: "metres; degrees, horizontal_angle in radians",
            sample: #"{"distance":2.31,"peer":"alice","azimuth":12.5,"quality":0.93,"timestamp":1764511312.345}"#,
            sniff: JSONReport.isPlausible(_:),
            next: JSONReport.next(in:at:into:)
        ),
    ]

    /// Whether a payload looks like this format.
    public func looksLike(_ payload: Span<UInt8>) -> Bool { sniff(payload) }

    /// The row of a named format, or of the one that the payload looks like.
    static func index(for payload: Span<UInt8>, format: RangeFormat) -> Int? {
        for index in table.indices
        where format == .auto ? table[index].sniff(payload) : table[index].format == format {
            return index
        }
        return nil
    }
}
