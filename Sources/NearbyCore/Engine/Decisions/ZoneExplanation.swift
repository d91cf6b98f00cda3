// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Why a zone of an accessory, or of one of its peers, is what it is right now.
public struct ZoneExplanation: Equatable, Sendable {
    /// What the zone asks for, every option resolved.
    public struct Rules: Equatable, Sendable {
        /// Metres: entered below.
        public var radius: Double
        /// Metres: left beyond.
        public var exitRadius: Double
        /// How long it must stay below.
        public var enterHold: Duration
        /// How long it must stay beyond.
        public var exitHold: Duration
        /// How long a silence is a loss; `nil` for never.
        public var lostAfter: Duration?
        /// The dwell event comes after so long; `nil` for never.
        public var dwell: Duration?
        /// The directions in which it lies; `nil` for all.
        public var sector: Sector?

        init(_ zone: Zone) {
            radius = zone.radius
            exitRadius = zone.exitRadius
            enterHold = .nanoseconds(zone.enterHold)
            exitHold = .nanoseconds(zone.exitHold)
            lostAfter = zone.lostAfter == .max ? nil : .nanoseconds(zone.lostAfter)
            dwell = zone.dwell == .max ? nil : .nanoseconds(zone.dwell)
            sector = zone.sector
        }
    }

    /// One peer of an accessory that has several.
    public struct Peer: Equatable, Sendable {
        /// Its name; the address that reports have for it, or empty, where it has none.
        public var name: String
        /// Where it is.
        public var state: ZoneState
        /// Since when; `nil` while nothing was ever decided.
        public var since: Instant?
        /// Smoothed metres; `nil` while there is no distance.
        public var distance: Double?
        /// What was last decided about it and this zone.
        public var decision: ZoneDecision?
    }

    /// The accessory's identifier.
    public var accessory: String
    /// The peer that was asked about; `nil` for the accessory itself.
    public var peer: String?
    /// The zone's name.
    public var zone: String
    /// When it was asked.
    public var at: Instant
    /// Where the peer is.
    public var state: ZoneState
    /// Since when; `nil` while nothing was ever decided.
    public var since: Instant?
    /// The running or last stay; `nil` before the first.
    public var visit: Int64?
    /// What the zone asks for; `nil` where it is disabled.
    public var rules: Rules?
    /// Smoothed metres; `nil` while there is no distance.
    public var distance: Double?
    /// Corrected metres before smoothing.
    public var rawDistance: Double?
    /// Of a sector, the smoothed azimuth in degrees; `nil` of other zones, and while none is known.
    public var azimuth: Double?
    /// Of a sector, whether the last report had an angle that counts.
    public var hasAngle = false
    /// Of a sector, how long there has been no angle that counts; `nil` of other zones.
    public var angleSilence: Duration?
    /// Whether the last report may cause an event.
    public var isConfirmed = false
    /// What the speed gate knows; `nil` for a source that has none.
    public var gate: GateState?
    /// How long the running hold has run; `nil` if none runs.
    public var held: Duration?
    /// When the last valid report came; `nil` before the first.
    public var lastReport: Instant?
    /// How long the silence counts by now: from the last report, from the first sight of the peer, or from when the
    /// bridge began to listen.
    public var silence: Duration?
    /// The mean time between reports; `nil` while unknown.
    public var interval: Duration?
    /// When the silence will be a loss; `nil` where nothing can be lost.
    public var lostAt: Instant?
    /// Whether the bridge hears nothing, so that silence means nothing.
    public var isBlind = false
    /// Whether the source speaks on change only.
    public var isByException = false
    /// Whether the source has said that the peer is away.
    public var isGone = false
    /// Whether the state comes from an earlier life and no report has confirmed it yet.
    public var isRestored = false
    /// The session.
    public var session: SessionState
    /// Every peer, if there are several and none was asked about.
    public var peers: [Peer] = []
    /// The last decisions, about any zone, oldest first.
    public var decisions: [ZoneDecision] = []
    /// The last reports, oldest first.
    public var samples: [ReportSample] = []
    /// Whether reports are kept from now on, and were not before.
    public var isNewlyWatched = false
}
