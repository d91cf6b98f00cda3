// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// One group while it is used.
struct Group: Sendable {
    let identifier: String
    var options: GroupOptions
    /// By zone index.
    var zones: [GroupZone]
    /// The zone that somebody must be in to be near, if that was asked for.
    var reach: Int?
    /// Zones that the group has, as bits: those of the bridge, and those of any of its accessories.
    var shown: UInt32 = 0
    var nextSequence: Int64 = 0
    /// The choice of each peer or person.
    var choices: [String: Int] = [:]
    /// What was told of the nearest accessories in an earlier life.
    var restored: [RestoredGroup.Nearest] = []
    /// Somebody came or went and the state does not tell it yet.
    var hasNews = false
    var lastState = Instant.distantPast
}
