// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// The numbering and the last snapshot of one stream.
struct StreamBookkeeping: Equatable, Sendable {
    /// The sequence number of the next event; 0 while no event was made.
    var nextSequence: Int64 = 0
    /// When the last snapshot was made; `nil` before the first.
    var lastSnapshot: Instant?
    /// The distance that the last snapshot told; NaN for none.
    var snapshotDistance = Double.nan
    var snapshotMeasurement = MeasurementKind.none
    var snapshotMotion: Motion?

    /// Remembers what a snapshot tells: of a peer, or of the nearest one; `nil` if no peer is present.
    mutating func noteSnapshot(of track: Track?, at now: Instant) {
        lastSnapshot = now
        snapshotDistance = track.flatMap { $0.isPresent ? $0.distance : nil } ?? .nan
        snapshotMeasurement = track?.measurement ?? .none
        snapshotMotion = track?.motion
    }
}

/// One accessory–peer: everything its reports decide.
struct Track: Sendable {
    /// The accessory's place.
    var accessory: Int
    /// The peer's place in the identifier table; -1 is the unnamed peer.
    var identifier: Int
    /// The radio address that the peer is called by, if it is called by one.
    var address: ShortAddress?
    /// What reports call an unnamed peer, if they tell several apart.
    var radio: RadioAddress?
    /// Named in the configuration: never forgotten.
    var isConfigured: Bool
    /// Taken; a free track waits to be used again.
    var isLive = true
    /// The session topic was told.
    var hasSession = false
    /// States of an earlier life that no report confirmed yet.
    var isRestored = false
    /// A distance is known.
    var isPresent = false
    /// The source speaks on change only.
    var isByException: Bool
    /// Which `ZoneSet` applies.
    var zoneSet: Int
    var distanceOffset: Double
    var distanceScale: Double

    var clock = ReportClock()
    var filter = RangeFilter()
    /// Nanoseconds of filter time since the track began.
    var filterTime: Int64 = 0
    /// Smoothed seconds of filter time between reports; 0 while unknown.
    var interval = 0.0
    /// When the track was made: a peer that never gave a valid report has been silent since then.
    var madeAt: Instant
    /// When the last valid report came; `nil` before the first.
    var lastReport: Instant?
    /// When its source said that it is away; `nil` again with the next valid report.
    var goneSince: Instant?
    /// Pauses that were long for `lost_after`, more than short ones lately.
    var sparseReports: UInt8 = 0
    /// Reports of it that a source may still bring now.
    var allowance = ReportAllowance()
    /// When a confirmed distance last came: only that proves a stay.
    var lastConfirmed = Instant.distantPast

    /// Smoothed metres, meaningful while `isPresent`.
    var distance = 0.0
    /// Corrected metres of the last report.
    var rawDistance = 0.0
    var direction: SIMD3<Float>?
    var azimuth: Float?
    var elevation: Float?
    var horizontalAngle: Float?
    var vertical: RangeReport.Vertical?
    var worldPosition: SIMD3<Float>?
    var quality: Float?
    /// A report had a direction: it can be measured.
    var hadDirection = false
    /// When a report came that measured nothing; `nil` again with the next valid one.
    var failedAt: Instant?
    /// Filter time that repetitions of the last report have brought.
    var repeatedTime: Int64 = 0
    /// How far the phone's camera assistance has come.
    var convergence = TrackConvergence()

    var tracker: ZoneTracker
    /// What was last decided about its zones.
    var decisions = DecisionRing()
    var stream = StreamBookkeeping()
    /// Until then reports without a run may still be those of a run that has just ended.
    var echoesUntil = Instant.distantPast
    /// A session of its own; without one the accessory's covers the peer.
    var session: AccessorySession?
    /// What it was told to run, if it is a radio.
    var radioRun: RadioRun?
    /// The track of the same pair of phones at the other phone; -1 is none.
    var twin = -1
    /// What its accessory, a phone, gave for the peer: an identity, never written anywhere.
    var token: SecretBytes?
    /// The last end or pause of the pair's session came from the other phone.
    var isEndedByTwin = false
    /// What it has to do with people and groups.
    var occupancy = TrackOccupancy()

    /// A peer with a name has topics of its own.
    var isNamed: Bool { identifier >= 0 }

    var measurement: MeasurementKind {
        guard isPresent else { return .none }
        return direction != nil || azimuth != nil || horizontalAngle != nil ? .distanceAndDirection : .distance
    }

    /// When a report came last, with a distance or without.
    var heardAt: Instant? {
        guard let failedAt else { return lastReport }
        return lastReport.map { max($0, failedAt) } ?? failedAt
    }

    /// A source that speaks on change only says nothing of what happens in between.
    var motion: Motion? { isPresent && !isByException ? filter.motion : nil }

    var speed: Double? { isPresent && !isByException ? filter.speed : nil }

    /// Forgets where the peer was: what comes next is a beginning.
    mutating func forgetPlace() {
        filter.reset()
        tracker.cancelHolds()
        tracker.forgetBearings()
    }
}

/// One accessory: its peers and their aggregate.
struct Accessory: Sendable {
    /// Where its reports come from: sources may say how patient to be with it.
    enum Origin: Equatable, Sendable {
        /// An earlier life knew it; where it will report is not known yet.
        case restored
        /// Topics of its own.
        case own
        /// The source at this place.
        case source(Int)
    }

    /// The accessory's place in the identifier table.
    var identifier: Int
    /// Where its reports come from.
    var origin: Origin
    /// Taken; a free place waits to be used again.
    var isLive = true
    /// What the configuration says.
    var options: AccessoryOptions
    /// Places of its peers in the track table, in the order of their coming.
    var tracks: [Int] = []
    /// Places of the people among the tracks, one for each who was seen with a device.
    var people: [Int] = []
    /// Its groups.
    var groups: [Int] = []
    /// The zones at the accessory's level.
    var zoneSet: Int
    /// By zone index.
    var zones: [ZoneStatus]
    var stream = StreamBookkeeping()
    /// The session of the unnamed peer, which also covers named ones without a session of their own.
    var session = AccessorySession()
    /// A named peer has, or had, a session of its own.
    var hasPeerSessions = false
    /// The beginning of a packet or line whose end is still to come, and the row of its format.
    var unfinished: (row: Int, bytes: [UInt8])?
    /// Whether it has ever sent a report.
    var understanding = ReportUnderstanding()
    /// When a report of nobody known came that measured nothing; `nil` before the first.
    var failedAt: Instant?
    /// What an earlier life told last of the camera assistance of its nearest peer.
    var restoredConvergence: Convergence?
    /// What it says of itself.
    var announced = AccessoryAnnouncement()
    /// Whether the accessory writes bytes; otherwise it is answered in JSON.
    var speaksBinary = false
    /// The session topic was told.
    var hasSession = false
    /// Reports on its topic that may still come now.
    var allowance = ReportAllowance()
    /// The earliest moment for the next complaint.
    var nextComplaint = Instant.distantPast
    var suppressedComplaints = 0
    /// Somebody was told that its reports come too rarely.
    var hasToldSparse = false
}
