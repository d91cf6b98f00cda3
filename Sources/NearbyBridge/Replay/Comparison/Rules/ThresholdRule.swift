// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Inside below one threshold, outside beyond another, at once.
struct ThresholdRule: ComparisonRule {
    /// Where it ends.
    enum Exit: Sendable {
        /// At the radius itself.
        case radius
        /// At the zone's exit radius.
        case exitRadius
        /// At so many times the radius.
        case ratio(Double)
    }

    let exit: Exit
    private var state = false

    init(exit: Exit) {
        self.exit = exit
    }

    mutating func isInside(_ distance: Double, at time: Double, _ zone: ZoneRadii) -> Bool {
        let end =
            switch exit {
            case .radius: zone.radius
            case .exitRadius: zone.exitRadius
            case .ratio(let ratio): ratio * zone.radius
            }
        state = state ? distance <= end : distance < zone.radius
        return state
    }
}
