// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What can happen to the engine besides a report and the passing of time.
public enum BridgeInput: Equatable, Sendable {
    /// Our subscriptions are acknowledged: silence means something again, and counts anew from here.
    case subscribed
    /// The broker is out of reach: silence means nothing until `subscribed`.
    case disconnected
    /// The bridge itself stood still (stopped, swapped out, asleep): silence counts anew from here.
    case stalled
    /// A state of an earlier life of this bridge. Only before the first report of that stream.
    case restore(RestoredStream)
}

/// What an earlier life left behind of one stream.
public struct RestoredStream: Equatable, Sendable {
    /// One zone of it.
    public struct Zone: Equatable, Sendable {
        /// The zone's name.
        public var name: String
        /// Where the peer was.
        public var state: ZoneState
        /// When that began.
        public var since: Instant
        /// The stay's name: the sequence number of its enter event.
        public var visit: Int64

        /// Creates a zone's restored state.
        public init(name: String, state: ZoneState, since: Instant, visit: Int64) {
            self.name = name
            self.state = state
            self.since = since
            self.visit = visit
        }
    }

    /// The accessory's identifier.
    public var accessory: String
    /// The peer's identifier; `nil` for the aggregate.
    public var peer: String?
    /// The last sequence number used in this stream; `nil` if none was.
    public var lastSequence: Int64?
    /// The zones.
    public var zones: [Zone]

    /// Creates a restored stream.
    public init(accessory: String, peer: String?, lastSequence: Int64?, zones: [Zone]) {
        self.accessory = accessory
        self.peer = peer
        self.lastSequence = lastSequence
        self.zones = zones
    }
}
