// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What a track has to do with people and groups.
struct TrackOccupancy: Sendable {
    /// A candidate's place in a choice.
    struct Slot: Sendable {
        var choice: Int
        var slot: Int
    }

    /// The track of the person who carries the peer; -1 if nobody does.
    var person = -1
    /// It is a person.
    var isPerson = false
    /// The tracks of the devices of a person.
    var devices: [Int] = []
    /// Where a person is.
    var presence = PersonOptions.Presence.any
    /// The choice that decides which device speaks for a person.
    var carrier = -1
    /// The place of a device in that choice.
    var slot = -1
    /// The choices of groups that it is a candidate of.
    var slots: [Slot] = []
    /// Restored outside and not heard yet: it counts as there until it must have spoken.
    var isAwaited = false

    /// Whether its distances matter beyond its own zones.
    var isWatched: Bool { person >= 0 || !slots.isEmpty }
}
