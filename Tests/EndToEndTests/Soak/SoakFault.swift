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

    /// Every kind once in a random order, again and again; now and then one outlasts `lost_after`.
    struct Deck {
        private var kinds: [Kind] = []
        private var random: SeededGenerator

        init(seed: UInt64) { random = SeededGenerator(seed: seed) }

        /// The next fault.
        ///
        /// `sparing` the bridge lets one life be long enough to show what leaks.
        mutating func next(sparingTheBridge isSparing: Bool) -> SoakFault {
            if kinds.isEmpty { kinds = Kind.allCases.shuffled(using: &random) }
            let kind = kinds.removeLast()
            let isLong = Int.random(in: 0..<12, using: &random) == 0
            let milliseconds = isLong ? 12_000 : UInt32.random(in: 0...4_000, using: &random)
            return SoakFault(kind: isSparing && kind == .bridgeKilled ? .reset : kind, milliseconds: milliseconds)
        }

        /// How long nothing happens before it.
        mutating func pause(upTo longest: UInt32) -> UInt32 { UInt32.random(in: 500...longest, using: &random) }
    }
}
