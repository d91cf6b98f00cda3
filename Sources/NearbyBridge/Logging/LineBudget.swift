// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// How many lines may be written about what strangers do, however many they are.
///
/// A few at once, then one for each turn of a slow clock; what was left out is counted.
struct LineBudget: Equatable, Sendable {
    private let burst: Double
    private let perSecond: Double
    private var left: Double
    private var spentAt: Instant?
    private var untold = 0

    /// A budget that is full.
    init(burst: Int = 20, perSecond: Double = 0.2) {
        self.burst = Double(burst)
        self.perSecond = perSecond
        left = Double(burst)
    }

    /// Whether another line may be written now.
    mutating func spend(at now: Instant) -> Bool {
        if let spentAt { left = min(burst, left + max(0, spentAt.duration(to: now).inSeconds) * perSecond) }
        spentAt = now
        guard left >= 1 else {
            untold += 1
            return false
        }
        left -= 1
        return true
    }

    /// How many lines were left out since this was asked last.
    mutating func takeUntold() -> Int {
        defer { untold = 0 }
        return untold
    }

    /// What to add to a line that may be written: how many were left out before it.
    mutating func remark() -> String {
        let untold = takeUntold()
        return untold > 0 ? " (and \(untold) more such lines were left out)" : ""
    }
}
