// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// What came out of a payload, in a form that tests can compare.
struct JSONDecoding {
    /// The reports, in order.
    var reports: [RangeReport] = []
    /// The faults, in order.
    var errors: [ReportError] = []
    /// The bytes that were decoded.
    let payload: [UInt8]

    /// Takes what something else has decoded.
    init(reports: [RangeReport], errors: [ReportError], payload: [UInt8]) {
        (self.reports, self.errors, self.payload) = (reports, errors, payload)
    }

    /// Decodes all reports of a text.
    init(_ text: String, format: RangeFormat = .json) {
        self.init([UInt8](text.utf8), format: format)
    }

    /// Decodes all reports of a payload.
    init(_ payload: [UInt8], format: RangeFormat = .json) {
        self.payload = payload
        var cursor = ReportCursor()
        var report = RangeReport()
        while true {
            do throws(ReportError) {
                guard try RangeFormat.next(in: payload.span, format: format, at: &cursor, into: &report) else { return }
                reports.append(report)
            } catch {
                errors.append(error)
                if report != RangeReport() { errors.append(ReportError(.syntax, at: -1)) }
            }
        }
    }

    /// The only report, if there is exactly one and no fault.
    var report: RangeReport? { reports.count == 1 && errors.isEmpty ? reports[0] : nil }

    /// The reason of the only fault, if there is exactly one and no report.
    var reason: ReportError.Reason? { errors.count == 1 && reports.isEmpty ? errors[0].reason : nil }

    /// The names of the reports' peers; an empty one where there is none.
    var peers: [String] { reports.map { name(of: $0.peer) } }

    /// The names of those who measured; an empty one where there is none.
    var reporters: [String] { reports.map { name(of: $0.reporter) } }

    private func name(of peer: RangeReport.Peer) -> String {
        guard case .name(let range) = peer else { return "" }
        return String(decoding: payload[range], as: UTF8.self)
    }

    /// Whether every report keeps the promises of `RangeReport`.
    var isWellFormed: Bool {
        reports.allSatisfy { report in
            var numbers = [report.azimuth, report.elevation, report.horizontalAngle, report.quality, report.rssi]
            for index in 0..<3 { numbers += [report.direction?[index], report.worldPosition?[index]] }
            guard numbers.allSatisfy({ $0?.isFinite ?? true }), report.distance?.isFinite ?? true else { return false }
            guard 0...1 ~= report.quality ?? 0, report.status == .ok || report.distance == nil else { return false }
            for index in 0..<3 where !(report.position?[index].isFinite ?? true) { return false }
            guard report.status == .ok || report.position == nil, report.distance == nil || report.position == nil
            else { return false }
            return [report.peer, report.reporter].allSatisfy { peer in
                guard case .name(let range) = peer else { return true }
                return range.upperBound <= payload.count && AccessoryIdentifier.isValid(payload.span.extracting(range))
            }
        }
    }
}
