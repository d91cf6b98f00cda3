// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What one message of a stream began and the next one ends.
extension BridgeEngine {
    /// Keeps a packet or line that the payload does not end, if it is not longer than a payload may be.
    mutating func keepUnfinished(
        _ payload: Span<UInt8>,
        _ cursor: ReportCursor,
        of origin: ReportOrigin,
        into effects: inout EffectBuffer
    ) {
        guard let tail = cursor.unfinishedTail, let row = cursor.row, tail < payload.count else { return }
        guard payload.count - tail <= options.limits.payload else {
            counters.malformed += 1
            return complain(.report(ReportError(.truncated, at: tail)), about: origin, into: &effects)
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(payload.count - tail)
        for place in tail..<payload.count { bytes.append(payload[place]) }
        switch origin {
        case .accessory(let index): accessories[index].unfinished = (row, bytes)
        case .feed(let feed, _): feeds[feed].unfinished = (row, bytes)
        }
    }

    func hasUnfinished(_ origin: ReportOrigin) -> Bool {
        switch origin {
        case .accessory(let index): accessories[index].unfinished != nil
        case .feed(let feed, _): feeds[feed].unfinished != nil
        }
    }

    mutating func takeUnfinished(of origin: ReportOrigin) -> (row: Int, bytes: [UInt8])? {
        switch origin {
        case .accessory(let index): accessories[index].unfinished.take()
        case .feed(let feed, _): feeds[feed].unfinished.take()
        }
    }
}
