// nearby-bridge · SPDX-License-Identifier: Apache-2.0

@testable import NearbyCore

/// What comes out of messages that cut a stream anywhere, put together as the engine does it.
struct FormatStream: Equatable {
    /// The reports, in order.
    var reports: [RangeReport] = []
    /// How many faults there were.
    var errors = 0

    /// Decodes messages one after the other.
    init(_ messages: [[UInt8]], format: RangeFormat) {
        var unfinished: [UInt8] = []
        var row: Int?
        for message in messages {
            let payload = unfinished + message
            var cursor = ReportCursor()
            cursor.row = row
            decode(payload, format, &cursor)
            unfinished = cursor.unfinishedTail.map { Array(payload[$0...]) } ?? []
            row = unfinished.isEmpty ? nil : cursor.row
        }
    }

    private mutating func decode(_ payload: [UInt8], _ format: RangeFormat, _ cursor: inout ReportCursor) {
        var report = RangeReport()
        while true {
            do throws(ReportError) {
                guard try RangeFormat.next(in: payload.span, format: format, at: &cursor, into: &report) else { return }
                reports.append(report)
            } catch {
                errors += 1
            }
        }
    }

    // MARK: What holds for every stream

    /// The places where a cut into two messages changes what comes out.
    static func harmfulCuts(of payload: [UInt8], _ format: RangeFormat) -> [Int] {
        let whole = FormatStream([payload], format: format)
        return (1..<payload.count).filter {
            FormatStream([Array(payload[..<$0]), Array(payload[$0...])], format: format) != whole
        }
    }

    /// The lengths to which a payload can be cut so that something other than its first reports comes out.
    static func harmfulTruncations(of payload: [UInt8], _ format: RangeFormat) -> [Int] {
        let whole = FormatStream([payload], format: format).reports
        return (0..<payload.count).filter {
            !whole.starts(with: FormatStream([Array(payload[..<$0])], format: format).reports)
        }
    }

    /// Every payload that differs in one bit, with the place of the byte.
    static func flips(of payload: [UInt8]) -> [(offset: Int, payload: [UInt8])] {
        payload.indices.flatMap { offset in
            (0..<8).map { bit in
                var flipped = payload
                flipped[offset] ^= 1 << UInt8(bit)
                return (offset, flipped)
            }
        }
    }
}
