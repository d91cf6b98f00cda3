// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Inside after so many reports inside, outside after so many outside, of a bare radius.
struct CountRule: ComparisonRule {
    /// Whether an outside report, while the inside ones are counted, takes back one of them.
    enum Interruption: Sendable {
        /// It changes nothing, unless the inside ones come too far apart.
        case ignored
        /// It takes one back.
        case countedDown
    }

    let enterCount: Int
    let exitCount: Int
    /// Seconds between two reports that count together.
    let interval: Double
    let interruption: Interruption
    private var state = false
    private var count = 0
    private var lastCounted = -Double.infinity

    init(enterCount: Int, exitCount: Int, interval: Double = .infinity, interruption: Interruption = .ignored) {
        self.enterCount = enterCount
        self.exitCount = exitCount
        self.interval = interval
        self.interruption = interruption
    }

    mutating func isInside(_ distance: Double, at time: Double, _ zone: ZoneRadii) -> Bool {
        let isWithin = distance < zone.radius
        guard isWithin != state else {
            // On the way out a report inside begins the count anew.
            if state {
                count = 0
            } else if case .countedDown = interruption {
                count = max(0, count - 1)
            }
            return state
        }
        if time - lastCounted > interval { count = 0 }
        count += 1
        lastCounted = time
        if count >= (state ? exitCount : enterCount) {
            state = isWithin
            count = 0
        }
        return state
    }
}
