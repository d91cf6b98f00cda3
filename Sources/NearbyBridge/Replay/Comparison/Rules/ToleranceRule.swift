// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// The fence of an omlox hub: a band beyond the radius that may be stayed in for a while, and a delay of every exit.
///
/// reference/uwb-reports.md 6.3; the band is the zone's hysteresis.
struct ToleranceRule: ComparisonRule {
    /// Seconds in the band that end a stay; infinite makes it plain hysteresis.
    let toleranceTimeout: Double
    /// Seconds that an exit waits for a report that takes it back.
    let exitDelay: Double
    private var state = false
    private var bandSince: Double?
    private var exitSince: Double?

    init(toleranceTimeout: Double, exitDelay: Double) {
        self.toleranceTimeout = toleranceTimeout
        self.exitDelay = exitDelay
    }

    mutating func isInside(_ distance: Double, at time: Double, _ zone: ZoneRadii) -> Bool {
        if distance < zone.radius {
            state = true
            bandSince = nil
            exitSince = nil
        } else if state {
            bandSince = bandSince ?? time
            let isOver = distance > zone.exitRadius || time - (bandSince ?? time) >= toleranceTimeout
            exitSince = isOver ? exitSince ?? time : nil
            if let exitSince, time - exitSince >= exitDelay { state = false }
        }
        return state
    }
}
