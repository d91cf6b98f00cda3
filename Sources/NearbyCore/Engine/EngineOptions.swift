// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Everything the engine needs to be told before it starts.
public struct EngineOptions: Equatable, Sendable {
    /// Who may join.
    public enum Join: Equatable, Sendable {
        /// Any valid identifier, up to the limit.
        case open
        /// Those that are configured or approved.
        case approve
        /// Configured accessories only.
        case allowlist
    }

    /// A zone and its name.
    public struct NamedZone: Equatable, Sendable {
        /// `[a-z0-9_]{1,32}`, not `outside` or `unknown`.
        public var name: String
        /// What the configuration says of it.
        public var options: ZoneOptions

        /// Creates a named zone.
        public init(name: String, options: ZoneOptions) {
            self.name = name
            self.options = options
        }
    }

    /// Bounds that keep strangers from growing the engine.
    public struct Limits: Equatable, Sendable {
        /// Accessories in all.
        public var accessories = 10_000
        /// Peers of one accessory.
        public var peers = 64
        /// Bytes of one payload.
        public var payload = 64 * 1024
        /// Reports of one accessory a second.
        public var reportRate = 100.0
        /// State snapshots a second over all accessories.
        public var stateRate = 2000.0
        /// Sessions that run at once, over all accessories.
        public var sessions = 10_000
        /// Sessions that run at once at one accessory.
        public var accessorySessions = 8
        /// Sessions that run at once with one named peer, over all accessories.
        public var peerSessions = 10_000
        /// Sessions that may begin within any second.
        public var sessionStarts = 250

        /// Creates the default limits.
        public init() {}
    }

    /// The zones in the order of the configuration; at most `Zone.maximumCount`.
    public var zones: [NamedZone] = [
        NamedZone(name: "immediate", options: ZoneOptions(radius: 1.5)),
        NamedZone(name: "near", options: ZoneOptions(radius: 3.0)),
    ]
    /// The smoothing of every accessory.
    public var smoothing = FilterOptions()
    /// The default for zones of sources that report as a stream.
    public var lostAfter: Patience = .after(.seconds(10))
    /// The least time between two snapshots whose only news is distance.
    public var stateInterval: Duration = .seconds(1)
    /// A snapshot at least so often while reports come.
    public var stateHeartbeat: Duration = .seconds(60)
    /// After so long without a report an unconfigured peer is forgotten; `nil` keeps it.
    public var peerForget: Duration? = .seconds(3600)
    /// Bounds.
    public var limits = Limits()
    /// Who may join.
    public var join: Join = .open
    /// How sessions are run.
    public var session = SessionOptions()
    /// Configured accessories by identifier.
    public var accessories: [String: AccessoryOptions] = [:]
    /// Who carries which peers, by the person's identifier.
    public var people: [String: PersonOptions] = [:]
    /// Which accessories belong together, by the group's identifier.
    public var groups: [String: GroupOptions] = [:]
    /// Whose reports come in on foreign topics; what changes here while the engine lives is not heard.
    public var sources: [SourceOptions] = []
    /// Unix time in milliseconds at the clock's origin: the seed of sequence numbers, never used as a clock.
    public var unixMillisecondsAtOrigin: Int64 = 0

    /// Creates the defaults of CONTRACT sections 5 and 7.
    public init() {}
}

/// What the configuration says of one accessory.
public struct AccessoryOptions: Equatable, Sendable {
    /// How the source speaks.
    public enum Reports: Equatable, Sendable {
        /// All the time: silence means that the peer is lost.
        case stream
        /// On change only: no speed gate, no smoothing, no confirming report, and silence means no change.
        case byException
    }

    /// For people; by default the identifier.
    public var name: String?
    /// Metres added to every measured distance after scaling.
    public var distanceOffset: Double?
    /// Factor on every measured distance.
    public var distanceScale: Double?
    /// How the source speaks.
    public var reports: Reports = .stream
    /// The format of its payloads.
    public var format: RangeFormat = .auto
    /// Overrides the bridge-wide value.
    public var lostAfter: Patience?
    /// Who makes shareable configuration data; overrides the bridge-wide value.
    public var shareable: ShareableMode?
    /// What it can; instead of what it says itself.
    public var capabilities: Capabilities?
    /// Where it stands, in metres of the coordinates in which its reports tell positions.
    public var position: SIMD3<Double>?
    /// Its position has no height: distances to it are horizontal.
    public var isHorizontal = false
    /// Whether a person must allow ranging; overrides the bridge-wide value.
    public var authorization: Authorization?
    /// How it measures, whatever it says itself; `nil` believes it.
    public var technology: Technology?
    /// Whether a phone runs it in the background, whatever it says itself; `nil` believes it.
    public var isBackground: Bool?
    /// Overrides by zone name.
    public var zones: [String: ZoneOptions] = [:]
    /// Named peers by identifier.
    public var peers: [String: PeerOptions] = [:]

    /// Creates options that change nothing.
    public init() {}
}

/// What the configuration says of one peer of an accessory.
public struct PeerOptions: Equatable, Sendable {
    /// What topics call the peer; by default what its reports call it.
    public var name: String?
    /// A FiRa radio that the bridge drives: it gets the parameters of each run, and makes none.
    public var isRadio = false
    /// What the peer can, instead of the accessory.
    public var capabilities: Capabilities?
    /// Whether a person must allow ranging; overrides the accessory's.
    public var authorization: Authorization?
    /// Metres, instead of the accessory's.
    public var distanceOffset: Double?
    /// Factor, instead of the accessory's.
    public var distanceScale: Double?
    /// Overrides the accessory's.
    public var lostAfter: Patience?
    /// Overrides by zone name.
    public var zones: [String: ZoneOptions] = [:]

    /// Creates options that change nothing.
    public init() {}
}
