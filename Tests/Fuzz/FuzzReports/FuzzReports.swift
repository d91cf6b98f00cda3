// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// libFuzzer's entry: decodes the bytes in every format, and traps if a promise of a decoder is broken.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzReports(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let buffer = unsafe UnsafeBufferPointer(start: bytes, count: count)
    let payload = unsafe buffer.span
    for format in RangeFormat.allCases {
        check(payload) { (cursor, report) throws(ReportError) in
            try RangeFormat.next(in: payload, format: format, at: &cursor, into: &report)
        }
    }
    for paths in mappings {
        check(payload) { (cursor, report) throws(ReportError) in
            try MappedJSON.next(in: payload, paths: paths, at: &cursor, into: &report)
        }
    }
    return 0
}

/// Paths into the objects that the corpus has: distances, positions and a list.
private let mappings: [FieldPaths] = [
    try? FieldPaths(
        fields: [
            .distance: "distance", .peer: "peer", .azimuth: "azimuth", .quality: "quality", .nlos: "nlos",
            .sequence: "seq", .timestamp: "timestamp", .status: "status", .rssi: "direction.1",
        ]
    ),
    try? FieldPaths(
        each: "reports",
        fields: [
            .x: "data.coordinates.x", .y: "data.coordinates.y", .z: "0", .reporter: "$.tagId", .status: "$.success",
        ],
        okWords: ["ok", "true", "1"]
    ),
].compactMap { $0 }

private func check(
    _ payload: Span<UInt8>,
    next: (inout ReportCursor, inout RangeReport) throws(ReportError) -> Bool
) {
    var cursor = ReportCursor()
    var report = RangeReport()
    var steps = 0
    while true {
        steps += 1
        precondition(steps <= payload.count + 2, "more reports than bytes")
        do throws(ReportError) {
            guard try next(&cursor, &report) else { break }
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
    precondition(report.status == .ok || report.position == nil, "a position from a failed round")
    precondition(report.distance == nil || report.position == nil, "both a distance and a position")
    for index in 0..<3 { precondition(report.position?[index].isFinite ?? true, "a coordinate that is none") }
    for peer in [report.peer, report.reporter] {
        guard case .name(let range) = peer else { continue }
        precondition(AccessoryIdentifier.isValid(payload.extracting(range)), "a name that is no identifier")
    }
}
