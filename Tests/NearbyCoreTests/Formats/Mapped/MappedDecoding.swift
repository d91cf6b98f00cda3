// nearby-bridge · SPDX-License-Identifier: Apache-2.0

@testable import NearbyCore

/// What came out of a payload whose fields a configuration names.
struct MappedDecoding {
    /// The reports, in order, and their faults.
    var decoding: JSONDecoding
    /// Whether a fault left something of its report, or the cursor never came to its end.
    var isBroken = false

    init(_ payload: [UInt8], _ paths: FieldPaths) {
        decoding = JSONDecoding(reports: [], errors: [], payload: payload)
        var cursor = ReportCursor()
        var report = RangeReport()
        for _ in 0...payload.count + 1 {
            do throws(ReportError) {
                guard try MappedJSON.next(in: payload.span, paths: paths, at: &cursor, into: &report) else {
                    isBroken = isBroken || !cursor.isFinished || report != RangeReport()
                    return
                }
                decoding.reports.append(report)
            } catch {
                decoding.errors.append(error)
                isBroken = isBroken || report != RangeReport() || !(0...payload.count ~= error.offset)
            }
        }
        isBroken = true
    }

    init(_ text: String, _ paths: FieldPaths) { self.init([UInt8](text.utf8), paths) }
}
