// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What can happen to the engine besides a report and the passing of time.
public enum BridgeInput: Equatable, Sendable {
    /// Our subscriptions are acknowledged: silence means something again, and counts anew from here.
    case subscribed
    /// The broker is out of reach: silence means nothing until `subscribed`.
    case disconnected
    /// The bridge itself stood still (stopped, swapped out, asleep): silence counts anew from here.
    case stalled
    /// A payload of `…/config`.
    case configuration([UInt8], of: AccessoryIndex, isRetained: Bool)
    /// A payload of `…/message`.
    case message([UInt8], of: AccessoryIndex)
    /// A payload of `…/shareable`, or of a named phone's `…/peer/<peer>/shareable`.
    case shareable([UInt8], of: AccessoryIndex, peer: String?, isRetained: Bool)
    /// A payload of `…/peer/<peer>/token`.
    case token([UInt8], of: AccessoryIndex, peer: String, isRetained: Bool)
    /// A payload of `…/availability`.
    case availability(isOnline: Bool, of: AccessoryIndex)
    /// Somebody wants something of a session, of a named peer or of the accessory itself.
    case session(SessionInput, of: AccessoryIndex, peer: String?)
    /// Somebody lets an accessory join.
    case approve(String)
    /// Somebody wants an accessory gone, and perhaps kept away.
    case remove(String, isBlocked: Bool)
    /// Somebody lets an accessory, or one of its peers, range until a Unix time in milliseconds; `Int64.max` is for ever.
    case grant(String, peer: String?, until: Int64)
    /// Somebody takes that back.
    case revoke(String, peer: String?)
    /// Anybody may join until then; `nil` ends that.
    case permitJoin(until: Instant?)
    /// What people decided in an earlier life. Before any state of it.
    case members(Membership)
    /// A state of an earlier life of this bridge. Only before the first report of that stream.
    case restore(RestoredStream)
    /// A group of an earlier life of this bridge. Only before the first report.
    case restoreGroup(RestoredGroup)
    /// What it is told to do has changed.
    case options(EngineOptions)
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
    /// Its session, if the earlier life told of one.
    public var session: RestoredSession?
    /// Whether the peer was a person.
    public var isPerson = false
    /// What was told last of its camera assistance.
    public var convergence: Convergence?

    /// Creates a restored stream.
    public init(accessory: String, peer: String?, lastSequence: Int64?, zones: [Zone]) {
        self.accessory = accessory
        self.peer = peer
        self.lastSequence = lastSequence
        self.zones = zones
    }
}

/// What an earlier life left behind of a session.
public struct RestoredSession: Equatable, Sendable {
    /// The named peer whose session it is; `nil` for the unnamed one.
    public var peer: String?
    /// Where it stood.
    public var state: SessionState
    /// Why it stood there.
    public var reason: SessionReason?
    /// Attempts since its last valid range.
    public var attempt: Int
    /// Its last run.
    public var run: Int64
    /// The accessory's configuration data, bare.
    public var configuration: [UInt8]
    /// Its ranging interval: the silence that is still normal depends on it.
    public var interval: Duration
    /// Whether the accessory writes bytes and wants its commands as such.
    public var isBinary: Bool
    /// What it was between.
    public var kind = SessionKind.uwb
    /// Whether a phone ran it in the background.
    public var isBackground = false
    /// What an accessory with Bluetooth Channel Sounding was called on the air.
    public var identifiers: BluetoothIdentifiers?
    /// What the accessory has said of itself.
    public var announced = AccessoryAnnouncement()

    /// Creates a restored session.
    public init(
        peer: String? = nil,
        state: SessionState,
        reason: SessionReason? = nil,
        attempt: Int = 0,
        run: Int64,
        configuration: [UInt8],
        interval: Duration = .zero,
        isBinary: Bool = false
    ) {
        self.peer = peer
        self.state = state
        self.reason = reason
        self.attempt = attempt
        self.run = run
        self.configuration = configuration
        self.interval = interval
        self.isBinary = isBinary
    }
}
