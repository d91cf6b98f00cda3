// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Which sessions may begin now: places, turns, and whether permissions matter at all.
struct Admission: Sendable {
    /// Sessions that have a place, over all accessories.
    var places = 0
    /// Sessions that have a place, by the name of their peer; who has none is not there.
    var placesOfPeers: [String: Int] = [:]
    /// Who waits for a place, first come first; some may not wait any more.
    var queue: [BridgeEngine.SessionOwner] = []
    /// Before this instant all turns are taken.
    var nextTurn = Instant.distantPast
    /// Somebody has to ask.
    var asksPermission = false
    /// When the first grant expires.
    var nextExpiry: Instant?

    /// When the next start is its turn, with so many allowed within any second.
    ///
    /// Half of them may begin at once, and the rest evenly after: then no second, wherever it begins, has more.
    func startsAt(_ limit: Int) -> Instant {
        let (burst, spacing) = Self.pace(limit)
        return nextTurn == .distantPast ? .distantPast : nextTurn.advanced(byNanoseconds: -spacing * (burst - 1))
    }

    /// A start takes the next turn.
    mutating func takeTurn(at now: Instant, _ limit: Int) {
        let (_, spacing) = Self.pace(limit)
        nextTurn = max(nextTurn, now).advanced(byNanoseconds: spacing)
    }

    private static func pace(_ limit: Int) -> (burst: Int64, spacing: Int64) {
        let half = Int64(max(1, limit / 2))
        return (half, 1_000_000_000 / Int64(max(1, limit - limit / 2)))
    }
}
