// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// Range reports explained: which format a payload is, what each report and each field says, and what is wrong.
struct ReportExplanation {
    /// The word for this kind on the command line.
    static let word = "report"

    /// The format.
    let row: RangeFormatRow
    let payload: [UInt8]
    private(set) var reports: [(report: RangeReport, offset: Int)] = []
    private(set) var errors: [ReportError] = []
    private(set) var unfinishedTail: Int?
    /// Every value of the payload.
    private(set) var fields: [ReportField] = []
    /// What is unusual, the faults of the decoder left out.
    private(set) var warnings: [String] = []

    /// Explains what somebody typed or piped; `nil` if no format of reports begins like it.
    ///
    /// Hexadecimal text may also stand for the bytes of a binary format.
    init?(_ text: [UInt8], as format: RangeFormat = .auto) {
        let found = ReportExplanation(bytes: text, as: format)
        if let found, !found.reports.isEmpty {
            self = found
        } else if let decoded = try? Hexadecimal.decode(text.span),
            let binary = ReportExplanation(bytes: decoded, as: format), found == nil || !binary.reports.isEmpty
        {
            self = binary
        } else if let found {
            self = found
        } else {
            return nil
        }
    }

    private init?(bytes: [UInt8], as format: RangeFormat) {
        let row = RangeFormatRow.table.first { format == .auto ? $0.looksLike(bytes.span) : $0.format == format }
        guard let row else { return nil }
        self.row = row
        payload = bytes
        var cursor = ReportCursor()
        var report = RangeReport()
        var begins: Set<Int> = []
        while true {
            do throws(ReportError) {
                guard try RangeFormat.next(in: bytes.span, format: row.format, at: &cursor, into: &report) else {
                    break
                }
                reports.append((report, cursor.reportOffset))
                begins.insert(cursor.reportOffset)
            } catch {
                errors.append(error)
                begins.insert(cursor.reportOffset)
                if cursor.isFinished { break }
            }
        }
        unfinishedTail = cursor.unfinishedTail
        if let unfinishedTail { begins.insert(unfinishedTail) }
        explainFields(begins: begins)
    }

    private mutating func explainFields(begins: Set<Int>) {
        let explained = ReportFields(payload, row.format, begins: Array(begins))
        fields = explained.fields
        warnings = explained.warnings
        // The same fault is not told twice.
        let faulty = errors.map(\.offset)
        for field in fields where !faulty.contains(where: { field.range.contains($0) }) {
            guard let warning = field.warning else { continue }
            warnings.append("byte \(field.range.lowerBound), \(PlainText.plain(field.place)): \(warning)")
        }
    }

    /// Whether there is anything to explain.
    var hasReports: Bool { !reports.isEmpty }

    /// Whether it is certainly reports: there are some, and nothing is wrong.
    var isSound: Bool { !reports.isEmpty && errors.isEmpty }

    /// What a report says, with units.
    func fields(of report: RangeReport) -> [(name: String, text: String)] {
        var fields: [(name: String, text: String)] = []
        func add(_ name: String, _ text: String?) {
            if let text { fields.append((name, text)) }
        }
        if let signal = report.signal { return [("status", "\(Self.word(of: signal)): \(Self.text(of: signal))")] }
        guard !report.isGone else {
            return [("status", "the node is gone")] + (name(of: report.reporter).map { [("reporter", $0)] } ?? [])
        }
        if let position = report.position {
            add("position", Self.text(of: position, count: report.isHorizontal ? 2 : 3))
        } else if !report.isAnchorPosition {
            add("distance", report.distance.map { "\(Column.decimal($0, 3)) m" } ?? "none")
        }
        if report.isAnchorPosition { add("anchor_position", report.position == nil ? "none" : "yes") }
        add("peer", name(of: report.peer))
        add("reporter", name(of: report.reporter))
        if report.isReportedByAnchor { add("reported_by", "anchor") }
        add("status", isNoMeasurement(report) ? "no measurement" : Self.word(of: report.status))
        add("azimuth", report.azimuth.map { "\(Column.decimal(Double($0), 1))°" })
        add("elevation", report.elevation.map { "\(Column.decimal(Double($0), 1))°" })
        add("horizontal_angle", report.horizontalAngle.map { "\(Column.decimal(Double($0), 3)) rad" })
        add("vertical", report.vertical?.word)
        add("world_position", report.worldPosition.map { Self.text(of: SIMD3<Double>($0), count: 3) })
        if let status = report.convergence {
            let convergence = convergence(of: report, status)
            add("convergence", ([status.word] + convergence.words).joined(separator: " "))
            add("hint", convergence.hint)
        }
        add("quality", report.quality.map { Column.decimal(Double($0), 2) })
        add("line_of_sight", report.isNonLineOfSight.map { $0 ? "no" : "yes" })
        add("rssi", report.rssi.map { "\(Column.decimal(Double($0), 1)) dBm" })
        add("seq", report.sequence.map { "\($0)" })
        add("timestamp", report.timestamp.map { "\(Column.decimal(Double($0) * 1e-9, 3)) s" })
        add("run", report.run.map { "\($0)" })
        return fields
    }

    /// Coordinates in metres.
    private static func text(of position: SIMD3<Double>, count: Int) -> String {
        (0..<count).map { Column.decimal(position[$0], 3) }.joined(separator: " ") + " m"
    }

    /// What a report says of camera assistance.
    func convergence(of report: RangeReport, _ status: Convergence.Status) -> Convergence {
        Convergence(report, in: payload.span) ?? Convergence(status: status)
    }

    /// Whether a round that did not fail has measured nothing that zones can use.
    func isNoMeasurement(_ report: RangeReport) -> Bool {
        guard report.status == .ok, report.signal == nil, !report.isGone, report.position == nil else { return false }
        let range = BridgeEngine.leastDistance...BridgeEngine.greatestDistance
        return !report.isAnchorPosition && !(report.distance.map { range ~= $0 } ?? false)
    }

    /// The name or address of an end, `nil` if the payload does not say.
    func name(of peer: RangeReport.Peer) -> String? {
        switch peer {
        case .unnamed: nil
        case .name(let range): String(decoding: payload[range], as: UTF8.self)
        case .address(let address): "\(address)"
        }
    }

    static func word(of status: RangeReport.Status) -> String {
        switch status {
        case .ok: "ok"
        case .timeout: "timeout"
        case .error: "error"
        }
    }

    static func word(of signal: RangeReport.Signal) -> String {
        switch signal {
        case .ended: "ended"
        case .exhausted: "exhausted"
        case .suspended: "suspended"
        case .resumed: "resumed"
        }
    }

    private static func text(of signal: RangeReport.Signal) -> String {
        switch signal {
        case .ended: "the other end has ended the session"
        case .exhausted: "the radio has given up after too many failed rounds"
        case .suspended: "the other end has paused the session"
        case .resumed: "the other end goes on with the session"
        }
    }
}
