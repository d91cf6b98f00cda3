// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// The faults that reports suffer on their way out: twice, too late, too far, by a wrong clock.
struct ReportDistortion: Sendable {
    /// Every how manieth report is too far.
    private static let spikeEvery: Int64 = 20

    private var duplicateEvery: Int64?
    private var reorderEvery: Int64?
    private var spike: Double?
    private var clockRate = 1.0
    private var count: Int64 = 0
    private var held: SimulatedReport?

    /// Takes the faults that concern reports.
    init(_ faults: [Fault]) {
        for fault in faults {
            switch fault {
            case .duplicate(let every): duplicateEvery = Int64(every)
            case .reorder(let every): reorderEvery = Int64(every)
            case .spike(let metres): spike = metres
            case .clockSkew(let parts): clockRate = 1 + parts * 1e-6
            case .silence, .noStart, .stop, .reboot, .slow, .mtuCut: break
            }
        }
    }

    /// What becomes of a report: none, itself, or several.
    mutating func apply(_ report: SimulatedReport) -> [SimulatedReport] {
        count += 1
        var report = report
        report.time *= clockRate
        if let spike, count % Self.spikeEvery == 0 { report.distance = report.distance.map { max(0, $0 + spike) } }
        if let reorderEvery, count % reorderEvery == 0, held == nil {
            held = report
            return []
        }
        var reports = [report]
        if let duplicateEvery, count % duplicateEvery == 0 { reports.append(report) }
        if let late = held {
            reports.append(late)
            held = nil
        }
        return reports
    }
}
