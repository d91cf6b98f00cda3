// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// The whole product logic: reports and inputs with their instants in, effects out.
///
/// No clock, no lock, no I/O: `now` is an argument and effects are values, so live operation, replay and tests run
/// the very same code. Every call first advances to `now`, which carries out the deadlines that came before it.
/// Belongs to one thread at a time.
public struct BridgeEngine: Sendable {
    /// What it was told to do.
    public internal(set) var options: EngineOptions
    /// What became of everything that came in.
    public internal(set) var counters = EngineCounters()

    var identifiers: IdentifierTable
    /// The accessory's number by its place in the identifier table.
    var accessoryPlaces: [Int] = []
    /// The track's number by its place in the identifier table.
    var trackPlaces: [Int] = []
    var accessories: [Accessory] = []
    var tracks: [Track] = []
    /// Tracks that nobody holds; those freed in this turn wait in `retired`.
    var freeTracks: [Int] = []
    var retiredTracks: [Int] = []
    var zoneSets: [ZoneSet] = []
    /// People and groups.
    var occupancy = Occupancy()
    /// The order of zones from inner to outer for each set, disabled ones last.
    var zoneOrders: [[Int]] = []
    /// Whose reports come in on foreign topics, as they were at the beginning.
    var sources: [Source]
    /// The foreign topics that were heard of, devices and ports, and their places by that of their name.
    var feeds: [Feed] = []
    var feedNames: IdentifierTable
    /// Slot 2n is track n, slot 2n+1 is accessory n.
    var deadlines = DeadlineTable()
    /// The latest instant that was ever told: time does not run backwards.
    var clock = Instant.distantPast
    /// Accessories that were removed, to be used again; those of this turn wait in `retiredAccessories`.
    var freeAccessories: [Int] = []
    var retiredAccessories: [Int] = []
    /// No stream that is gone has used this number or a greater one.
    var greatestRetired: Int64 = 0
    /// What people decided about accessories.
    public internal(set) var membership = Membership()
    /// Until then anybody may join though `join: approve` says otherwise; `nil` if nobody asked for that.
    public internal(set) var permitJoinUntil: Instant?
    /// Who waits for approval, first come first.
    public internal(set) var candidates: [Candidate] = []
    /// Silence counts from here at the earliest.
    var watchedSince = Instant.distantPast
    /// Our subscriptions are not acknowledged: silence means nothing.
    var isBlind = true
    /// Streams were restored and not yet brought together.
    var hasRestored = false
    /// Snapshots that may still be made now, over all accessories.
    var stateAllowance: Double
    var stateAllowanceAt = Instant.distantPast
    /// Hashes of refused identifiers already told, oldest overwritten first.
    var refusedMarks: [UInt64] = []
    var refusedNext = 0
    let refusedKey: UInt64
    /// The id of the next session: begins anywhere, so that two lives of a bridge are unlikely to meet.
    var nextSessionID: UInt32
    /// Which sessions may begin now.
    var admission = Admission()
    /// What accessories are called on the air.
    var airNames: AirNames
    /// Whom somebody asks about.
    var watches = ReportWatches()
    /// What became of reports, if somebody wants to know.
    var observations: [ReportObservation]?
    /// For key material and jitter.
    var generator: any RandomNumberGenerator & Sendable

    /// Creates an engine that knows its configured accessories and nothing else.
    ///
    /// - Parameters:
    ///   - options: What to do.
    ///   - generator: A source of randomness for hash keys; seeded in tests.
    ///   - secrets: A source of randomness for key material and jitter; seeded in tests only.
    public init(
        options: EngineOptions,
        using generator: inout some RandomNumberGenerator,
        secrets: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        var options = options
        options.limitZones()
        self.options = options
        occupancy = Occupancy(options)
        identifiers = IdentifierTable(key: generator.next())
        refusedKey = generator.next()
        feedNames = IdentifierTable(key: generator.next())
        let key = generator.next()
        sources = options.sources.map { Source($0, key: key) }
        airNames = AirNames(key: key)
        self.generator = secrets
        // Command lines of radios read a signed number.
        nextSessionID = UInt32.random(in: 1...UInt32(Int32.max), using: &self.generator)
        stateAllowance = max(1, options.limits.stateRate)
        findWhoAsks()
    }

    /// How many places there are for accessories: every `AccessoryIndex` is below it, and some may stand for none.
    public var accessoryCount: Int { accessories.count }

    /// How many accessories have joined.
    public var joinedAccessories: Int { accessories.count - freeAccessories.count - retiredAccessories.count }

    /// When the engine wants to be advanced next, `nil` while nothing is due.
    public var nextDeadline: Instant? { isBlind ? nil : earliestDeadline }

    private var earliestDeadline: Instant? {
        var earliest = deadlines.earliest
        for other in [occupancy.deadlines.earliest, admission.nextExpiry] {
            if let other { earliest = min(earliest ?? other, other) }
        }
        return earliest
    }

    /// Carries out every deadline up to `now`, each at its own time.
    public mutating func advance(to now: Instant, into effects: inout EffectBuffer) {
        if !isBlind {
            while let due = earliestDeadline, due <= now {
                clock = max(clock, due)
                if let expiry = admission.nextExpiry, expiry <= due {
                    expireGrants(into: &effects)
                    continue
                }
                // Peers and accessories first: people and groups follow them.
                if let slot = deadlines.popDue(at: due) {
                    fire(slot, at: clock, into: &effects)
                } else if let slot = occupancy.deadlines.popDue(at: due) {
                    fireOccupancy(slot, at: clock, into: &effects)
                }
            }
            if !admission.queue.isEmpty { fillPlaces(into: &effects) }
        }
        clock = max(clock, now)
    }

    /// Takes an input other than a report.
    public mutating func handle(_ input: BridgeInput, at now: Instant, into effects: inout EffectBuffer) {
        switch input {
        case .subscribed:
            advance(to: now, into: &effects)
            isBlind = false
            watchedSince = clock
            settleRestored(at: clock, into: &effects)
            watchSessionsAnew()
            watchOccupancyAnew()
            if admission.asksPermission { reviewPermissions(into: &effects) }
        case .disconnected:
            advance(to: now, into: &effects)
            isBlind = true
        case .stalled:
            watchedSince = max(now, clock)
            clock = watchedSince
            watchSessionsAnew()
            watchOccupancyAnew()
        case .configuration(let payload, let accessory, let isRetained):
            advance(to: now, into: &effects)
            takeConfiguration(payload, of: accessory.rawValue, isRetained: isRetained, into: &effects)
        case .message(let payload, let accessory):
            advance(to: now, into: &effects)
            takeMessage(payload, of: accessory.rawValue, into: &effects)
        case .shareable(let payload, let accessory, let peer, let isRetained):
            advance(to: now, into: &effects)
            takeShareable(payload, of: accessory.rawValue, peer: peer, isRetained: isRetained, into: &effects)
        case .token(let payload, let accessory, let peer, let isRetained):
            advance(to: now, into: &effects)
            takeToken(payload, of: accessory.rawValue, peer: peer, isRetained: isRetained, into: &effects)
        case .availability(let isOnline, let accessory):
            advance(to: now, into: &effects)
            takeAvailability(isOnline, of: accessory.rawValue, into: &effects)
        case .session(let input, let accessory, let peer):
            advance(to: now, into: &effects)
            // Where nothing is exchanged, nothing but its reports begins a session.
            if input == .start, !exchangesConfiguration(accessory) { return }
            guard let owner = sessionOwner(of: accessory.rawValue, peer: peer) else { return }
            handle(input, of: owner, into: &effects)
        case .approve(let identifier):
            advance(to: now, into: &effects)
            approve(identifier, into: &effects)
        case .remove(let identifier, let isBlocked):
            advance(to: now, into: &effects)
            remove(identifier, isBlocked: isBlocked, into: &effects)
        case .grant(let identifier, let peer, let expiry):
            advance(to: now, into: &effects)
            grant(identifier, peer: peer, until: expiry, into: &effects)
        case .revoke(let identifier, let peer):
            advance(to: now, into: &effects)
            revoke(identifier, peer: peer, into: &effects)
        case .permitJoin(let until):
            advance(to: now, into: &effects)
            permitJoinUntil = until
        case .members(let membership):
            self.membership = membership
            findNextExpiry()
            if !isBlind, admission.asksPermission { reviewPermissions(into: &effects) }
        case .restore(let stream):
            restore(stream, at: now, into: &effects)
        case .restoreGroup(let group):
            restore(group, into: &effects)
        case .options(let options):
            advance(to: now, into: &effects)
            take(options, into: &effects)
            findWhoAsks()
            reviewPermissions(into: &effects)
        }
        if !isBlind, !admission.queue.isEmpty { fillPlaces(into: &effects) }
    }

    /// Lets the places of forgotten peers be used again.
    ///
    /// Call it when the effects of a turn have been carried out.
    public mutating func effectsPerformed() {
        freeAccessories.append(contentsOf: retiredAccessories)
        retiredAccessories.removeAll(keepingCapacity: true)
        guard !retiredTracks.isEmpty else { return }
        freeTracks.append(contentsOf: retiredTracks)
        retiredTracks.removeAll(keepingCapacity: true)
    }

    /// The accessory of an identifier's raw bytes, which joins if it is new and may.
    ///
    /// - Returns: `nil` for an accessory that is refused; the first refusal of each makes a notice.
    public mutating func accessory(
        _ identifier: Span<UInt8>,
        at now: Instant,
        into effects: inout EffectBuffer
    ) -> AccessoryIndex? {
        if let index = identifiers.index(of: identifier, in: 0) {
            return AccessoryIndex(accessoryPlaces[index])
        }
        if let index = airNames.accessory(of: identifier) { return AccessoryIndex(index) }
        advance(to: now, into: &effects)
        return newAccessory(identifier, origin: .own, into: &effects).map { AccessoryIndex($0) }
    }

    /// Lets an accessory join that is new, if it may.
    mutating func newAccessory(
        _ identifier: Span<UInt8>,
        origin: Accessory.Origin,
        into effects: inout EffectBuffer
    ) -> Int? {
        if let refusal = refusal(of: identifier) {
            counters.refusedAccessories += 1
            if refusal == .notApproved { noteCandidate(identifier.text) }
            if isFirstRefusal(identifier) {
                let shown = identifier.extracting(0..<min(64, identifier.count))
                let notice = BridgeNotice(kind: .accessoryRefused(refusal), accessory: shown.text, at: clock)
                effects.append(.notice(notice))
            }
            return nil
        }
        let index = join(identifier, origin: origin, at: clock)
        effects.append(.notice(BridgeNotice(kind: .accessoryJoined, accessory: name(ofAccessory: index), at: clock)))
        return index
    }

    /// The accessory of an identifier, `nil` if it has not joined.
    public func accessory(named name: String) -> AccessoryIndex? {
        let bytes = Array(name.utf8)
        return identifiers.index(of: bytes.span, in: 0).map { AccessoryIndex(accessoryPlaces[$0]) }
    }

    /// Counts a message of an accessory that says nothing we know.
    public mutating func countMalformedMessage() {
        counters.malformedMessages += 1
    }

    /// Counts a retained report: it tells of the past and never makes an event.
    public mutating func countRetainedReport() {
        counters.retained += 1
    }
}

extension Span<UInt8> {
    /// The bytes as text, with replacement characters where they are not UTF-8.
    ///
    /// Allocates.
    var text: String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        for index in indices { bytes.append(self[index]) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
