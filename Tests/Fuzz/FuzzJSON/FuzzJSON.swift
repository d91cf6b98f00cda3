// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// libFuzzer's entry: decodes the bytes as JSON reports and traps if a promise of the decoder is broken.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzJSON(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let buffer = unsafe UnsafeBufferPointer(start: bytes, count: count)
    check(unsafe buffer.span)
    return 0
}

private func check(_ payload: Span<UInt8>) {
    var isSound = true
    var end = 0
    do throws(ReportError) {
        try JSONScanner.skipValue(in: payload, at: &end)
        try JSONScanner.expectEnd(in: payload, at: &end)
        precondition(end == payload.count, "the end is not the end")
    } catch {
        isSound = false
        precondition(0...payload.count ~= error.offset, "a fault outside of the payload")
    }
    var cursor = ReportCursor()
    var report = RangeReport()
    var steps = 0
    while true {
        steps += 1
        precondition(steps <= payload.count + 2, "more reports than bytes")
        do throws(ReportError) {
            guard try RangeFormat.next(in: payload, format: .json, at: &cursor, into: &report) else { break }
            precondition(isSound, "a report from broken JSON")
            check(report, in: payload)
        } catch {
            precondition(0...payload.count ~= error.offset, "a fault outside of the payload")
            precondition(report == RangeReport(), "something is left of a report that failed")
            precondition(isSound || cursor.isFinished, "broken JSON that goes on")
        }
    }
    precondition(cursor.isFinished, "an end that is none")
    _ = ISO8601Timestamp.nanoseconds(payload)
}

private func check(_ report: RangeReport, in payload: Span<UInt8>) {
    precondition(report.distance?.isFinite ?? true, "a distance that is none")
    precondition(report.status == .ok || report.distance == nil, "a distance from a failed round")
    precondition(0...1 ~= report.quality ?? 0, "a quality outside of its range")
    precondition(report.azimuth?.isFinite ?? true, "an azimuth that is none")
    precondition(report.elevation?.isFinite ?? true, "an elevation that is none")
    precondition(report.horizontalAngle?.isFinite ?? true, "an angle that is none")
    precondition(report.rssi?.isFinite ?? true, "a signal strength that is none")
    if let direction = report.direction {
        precondition(direction.x.isFinite && direction.y.isFinite && direction.z.isFinite, "a direction that is none")
    }
    if let place = report.worldPosition {
        precondition(place.x.isFinite && place.y.isFinite && place.z.isFinite, "a place that is none")
    }
    for index in 0..<3 { precondition(report.position?[index].isFinite ?? true, "a coordinate that is none") }
    precondition(report.status == .ok || report.position == nil, "a position from a failed round")
    precondition(report.distance == nil || report.position == nil, "both a distance and a position")
    if let convergence = Convergence(report, in: payload) {
        precondition(convergence.status == report.convergence, "another convergence")
        precondition(convergence.others.count <= Convergence.mostOthers, "too many reasons")
        precondition(Set(convergence.words).count == convergence.words.count, "a reason twice")
        let again = Convergence(status: convergence.status.word, reasons: convergence.words)
        precondition(again == convergence, "not what was written")
    } else {
        precondition(report.convergenceReasons.isEmpty && report.otherReasons == nil, "reasons for nothing")
    }
    if case .name(let range) = report.peer {
        precondition(AccessoryIdentifier.isValid(payload.extracting(range)), "a peer that is no identifier")
    }
}
