// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// libFuzzer's entry: decodes the bytes in every format, and traps if a promise of a decoder is broken.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzReports(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let buffer = unsafe UnsafeBufferPointer(start: bytes, count: count)
    let payload = unsafe buffer.span
    for format in RangeFormat.allCases { check(payload, format) }
    return 0
}

private func check(_ payload: Span<UInt8>, _ format: RangeFormat) {
    var cursor = ReportCursor()
    var report = RangeReport()
    var steps = 0
    while true {
        steps += 1
        precondition(steps <= payload.count + 2, "more reports than bytes")
        do throws(ReportError) {
            guard try RangeFormat.next(in: payload, format: format, at: &cursor, into: &report) else { break }
            check(report, in: payload)
        } catch {
            precondition(0...payload.count ~= error.offset, "a fault outside of the payload")
            precondition(report == RangeReport(), "something is left of a report that failed")
        }
    }
    precondition(cursor.isFinished, "an end that is none")
    if let tail = cursor.unfinishedTail {
        precondition(0...payload.count ~= tail, "a tail outside of the payload")
    }
}

private func check(_ report: RangeReport, in payload: Span<UInt8>) {
    precondition(report.distance?.isFinite ?? true, "a distance that is none")
    precondition(report.status == .ok || report.distance == nil, "a distance from a failed round")
    precondition(0...1 ~= report.quality ?? 0, "a quality outside of its range")
    precondition(report.azimuth?.isFinite ?? true, "an azimuth that is none")
    precondition(report.elevation?.isFinite ?? true, "an elevation that is none")
    precondition(report.rssi?.isFinite ?? true, "a signal strength that is none")
    if case .name(let range) = report.peer {
        precondition(AccessoryIdentifier.isValid(payload.extracting(range)), "a peer that is no identifier")
    }
}
