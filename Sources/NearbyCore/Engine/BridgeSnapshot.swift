// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What can be measured of a peer right now.
public enum MeasurementKind: UInt8, Sendable, CaseIterable {
    /// There is no distance now.
    case none
    /// A distance alone.
    case distance
    /// A distance and a direction.
    case distanceAndDirection
}

/// Everything the state topic of one stream tells (CONTRACT section 4.1).
public struct StreamState: Equatable, Sendable {
    /// One zone.
    public struct Zone: Equatable, Sendable {
        /// The zone's name.
        public var name: String
        /// Where the peer is.
        public var state: ZoneState
        /// Since when; `nil` while nothing was ever decided.
        public var since: Instant?
        /// The running or last stay; `nil` before the first.
        public var visit: Int64?
        /// How many peers are inside; a person counts once, whatever the person carries.
        public var count: Int
        /// Whether it lies in some directions only.
        public var isSector = false
    }

    /// One named peer of an aggregate.
    public struct Peer: Equatable, Sendable {
        /// The peer's identifier.
        public var identifier: String
        /// Its innermost zone.
        public var zone: String
        /// Its smoothed distance in metres.
        public var distance: Double?
        /// Its session.
        public var session: SessionState
        /// The person who carries it, and who counts instead.
        public var person: String?
    }

    /// The way to a zone.
    public struct Approach: Equatable, Sendable {
        /// The zone's name.
        public var zone: String
        /// How long it takes at the present speed.
        public var seconds: Double
    }

    /// The accessory's identifier.
    public var accessory: String
    /// The configured name.
    public var name: String?
    /// The peer's identifier; `nil` for the aggregate.
    public var peer: String?
    /// From the innermost zone to the outermost.
    public var zones: [Zone]
    /// Named peers, sorted by identifier; empty for a peer's own stream.
    public var peers: [Peer]
    /// What a person carries and was heard of, sorted; empty for anybody else.
    public var devices: [String] = []
    /// Whether the peer is a person.
    public var isPerson = false
    /// Smoothed metres.
    public var distance: Double?
    /// Corrected metres before smoothing.
    public var rawDistance: Double?
    /// Unit vector.
    public var direction: SIMD3<Float>?
    /// Degrees.
    public var azimuth: Float?
    /// Degrees.
    public var elevation: Float?
    /// Radians, as Nearby Interaction's `horizontalAngle`.
    public var horizontalAngle: Float?
    /// Coarse elevation.
    public var vertical: RangeReport.Vertical?
    /// Where the peer is in the phone's own world, in metres.
    public var worldPosition: SIMD3<Float>?
    /// What is measured.
    public var measurement: MeasurementKind
    /// Where the distance is going; `nil` while it is not known.
    public var motion: Motion?
    /// Metres a second, positive when receding.
    public var speed: Double?
    /// The zone that will be entered next if the motion goes on; decides nothing.
    public var approach: Approach?
    /// 0…1.
    public var quality: Float?
    /// The session.
    public var session: SessionState
    /// The session's run; `nil` before the first.
    public var run: Int64?
    /// When the last valid report came.
    public var lastReport: Instant?
    /// Reports a second.
    public var reportRate: Double?
    /// What the device can, as far as somebody says.
    public var capabilities: Capabilities?
    /// How far camera assistance has come, as far as reports say.
    public var convergence: Convergence?
    /// What can be measured now; `nil` while no report ever came.
    public var guidance: Guidance?
    /// The last sequence number used; `nil` if no event was made yet.
    public var sequence: Int64?
    /// Whether the state comes from an earlier life and no report confirmed it yet.
    public var isRestored: Bool

    /// The innermost zone inside, `outside`, or `unknown` if nothing is known or something was lost inside.
    ///
    /// Sectors do not count. This word tells how near somebody is, and must not change because he turns; sectors overlap
    /// instead of lying in each other, so that none is the innermost; and where no angle comes, they are unknown for ever.
    public var zone: String {
        for zone in zones where zone.state == .inside && !zone.isSector { return zone.name }
        for zone in zones where zone.state == .unknown && !zone.isSector { return "unknown" }
        return "outside"
    }
}
