// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What an earlier life left behind of a group.
public struct RestoredGroup: Equatable, Sendable {
    /// Who was the nearest of a peer.
    public struct Nearest: Equatable, Sendable {
        /// The peer or person.
        public var peer: String
        /// What was told.
        public var state: NearestState

        /// Creates what was told of a peer.
        public init(peer: String, accessory: String?, distance: Double?, since: Instant) {
            self.peer = peer
            state = NearestState(accessory: accessory, distance: distance, since: since)
        }
    }

    /// The group's identifier.
    public var group: String
    /// The last sequence number used; `nil` if none was.
    public var lastSequence: Int64?
    /// The zones.
    public var zones: [RestoredStream.Zone]
    /// Who was the nearest of whom.
    public var nearest: [Nearest]

    /// Creates a restored group.
    public init(
        group: String,
        lastSequence: Int64? = nil,
        zones: [RestoredStream.Zone] = [],
        nearest: [Nearest] = []
    ) {
        self.group = group
        self.lastSequence = lastSequence
        self.zones = zones
        self.nearest = nearest
    }
}
