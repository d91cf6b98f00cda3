// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport

/// What a soak does to the bridge and to those it depends on, and for how long.
struct SoakFault {
    enum Kind: String, CaseIterable {
        case bridgeKilled = "bridge killed"
        case bridgeStopped = "bridge stopped (SIGSTOP)"
        case brokerKilled = "broker killed, its data kept"
        case brokerRestarted = "broker restarted in order"
        case brokerStopped = "broker stopped (SIGSTOP)"
        case reset = "connection reset"
        case halfOpen = "connection half open"
        case blackHole = "black hole"
        case takenOver = "client identifier taken over"
    }

    var kind: Kind
    var milliseconds: UInt32

    /// The next fault of a seed; now and then one outlasts `lost_after`.
    static func next(sparingTheBridge isSparing: Bool, using random: inout SeededGenerator) -> SoakFault {
        let kind = Kind.allCases.randomElement(using: &random) ?? .reset
        let isLong = Int.random(in: 0..<12, using: &random) == 0
        let milliseconds = isLong ? 12_000 : UInt32.random(in: 0...4_000, using: &random)
        // One life must be long enough to show what leaks.
        return SoakFault(kind: isSparing && kind == .bridgeKilled ? .reset : kind, milliseconds: milliseconds)
    }
}
