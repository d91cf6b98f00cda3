// nearby-bridge · SPDX-License-Identifier: Apache-2.0

extension BridgeEngine {
    /// Metres that a distance must move before a snapshot tells of it (CONTRACT section 2.2).
    static let snapshotStep = 0.1
    /// Changes of measurement or motion closer together than this share a snapshot (nanoseconds).
    static let changeSpacing: Int64 = 250_000_000

    /// Decides whether the snapshots of a peer and of its accessory are due.
    mutating func snapshot(
        _ track: Int,
        at now: Instant,
        peerChanged: Bool,
        aggregateChanged: Bool,
        into effects: inout EffectBuffer
    ) {
        if tracks[track].isNamed {
            let verdict = judge(tracks[track].stream, track, hasChanged: peerChanged, at: now)
            if let isChange = verdict {
                tracks[track].stream.noteSnapshot(of: tracks[track], at: now)
                effects.append(.state(streamID(ofTrack: track), isChange: isChange))
            }
        }
        let person = tracks[track].occupancy.person
        if person >= 0 { snapshotPerson(person, at: now, hasChanged: false, into: &effects) }
        // The accessory's snapshot lists its named peers and counts who is inside: a peer's change is its change too.
        let hasChanged = peerChanged || aggregateChanged
        snapshotAggregate(of: tracks[track].accessory, at: now, hasChanged: hasChanged, into: &effects)
    }

    /// Decides whether the snapshot of a person is due.
    mutating func snapshotPerson(_ person: Int, at now: Instant, hasChanged: Bool, into effects: inout EffectBuffer) {
        let shown = shownTrack(of: person)
        guard let isChange = judge(tracks[person].stream, shown, hasChanged: hasChanged, at: now) else { return }
        tracks[person].stream.noteSnapshot(of: shown.map { tracks[$0] }, at: now)
        effects.append(.state(streamID(ofTrack: person), isChange: isChange))
    }

    /// Decides whether the snapshot of an accessory's aggregate is due.
    mutating func snapshotAggregate(
        of accessory: Int,
        at now: Instant,
        hasChanged: Bool,
        into effects: inout EffectBuffer
    ) {
        let nearest = nearestTrack(of: accessory)
        if let isChange = judge(accessories[accessory].stream, nearest, hasChanged: hasChanged, at: now) {
            accessories[accessory].stream.noteSnapshot(of: nearest.map { tracks[$0] }, at: now)
            effects.append(.state(StreamID(accessory: AccessoryIndex(accessory)), isChange: isChange))
        }
    }

    /// `nil` if no snapshot is due, else whether it tells of a change.
    private mutating func judge(
        _ stream: StreamBookkeeping,
        _ track: Int?,
        hasChanged: Bool,
        at now: Instant
    ) -> Bool? {
        guard let last = stream.lastSnapshot, !hasChanged else { return true }
        let news = news(since: stream, track)
        let due = last.advanced(byNanoseconds: news?.spacing ?? heartbeat)
        let isChange = news?.isChange ?? false
        guard due <= now, isChange || spendStateAllowance(at: now) else { return nil }
        return isChange
    }

    /// What the last snapshot of a stream did not tell: how long after that one it may be told, and whether it is a
    /// change of measurement or motion.
    private func news(since stream: StreamBookkeeping, _ track: Int?) -> (spacing: Int64, isChange: Bool)? {
        let measurement = track.map { tracks[$0].measurement } ?? .none
        let motion = track.flatMap { tracks[$0].motion }
        if measurement != stream.snapshotMeasurement || motion != stream.snapshotMotion {
            return (Self.changeSpacing, true)
        }
        let distance = track.map { tracks[$0].distance } ?? .nan
        if abs(distance - stream.snapshotDistance) < Self.snapshotStep { return nil }
        return (min(options.stateInterval.wholeNanoseconds, heartbeat), false)
    }

    /// A snapshot at least so often while reports come (nanoseconds).
    private var heartbeat: Int64 { options.stateHeartbeat.wholeNanoseconds }

    /// When a source that speaks on change only has news that no further report will bring to the state topics.
    func newsAt(_ track: Int) -> Instant? {
        guard tracks[track].isByException, tracks[track].isPresent else { return nil }
        let nearest = nearestTrack(of: tracks[track].accessory)
        let aggregate = accessories[tracks[track].accessory].stream
        var due: Instant?
        if let last = aggregate.lastSnapshot, let news = news(since: aggregate, nearest) {
            due = last.advanced(byNanoseconds: news.spacing)
        }
        let own = tracks[track].stream
        if tracks[track].isNamed, let last = own.lastSnapshot, let news = news(since: own, track) {
            let other = last.advanced(byNanoseconds: news.spacing)
            due = min(due ?? other, other)
        }
        // One that `limits.state_rate` held back is tried again.
        return due.map { $0 > clock ? $0 : clock.advanced(byNanoseconds: Self.changeSpacing) }
    }

    /// Lets all accessories together spend one snapshot of `limits.state_rate`.
    private mutating func spendStateAllowance(at now: Instant) -> Bool {
        let rate = options.limits.stateRate
        if stateAllowanceAt != .distantPast {
            let passed = Double(stateAllowanceAt.nanoseconds(to: now)) * 1e-9
            stateAllowance = min(max(1, rate), stateAllowance + max(0, passed) * rate)
        }
        stateAllowanceAt = now
        guard stateAllowance >= 1 else { return false }
        stateAllowance -= 1
        return true
    }

    // MARK: What payloads are written from

    /// Whether an accessory stands at a place.
    private func isJoined(_ accessory: AccessoryIndex) -> Bool {
        accessories.indices.contains(accessory.rawValue) && accessories[accessory.rawValue].isLive
    }

    /// The streams of an accessory: its aggregate first, then its named peers and people.
    public func streams(of accessory: AccessoryIndex) -> [StreamID] {
        guard isJoined(accessory) else { return [] }
        let everybody = accessories[accessory.rawValue].tracks + accessories[accessory.rawValue].people
        let named = everybody.filter { tracks[$0].isNamed }
        return [StreamID(accessory: accessory)] + named.map { StreamID(accessory: accessory, peer: $0) }
    }

    /// The identifiers of a stream, `nil` if it is gone.
    public func names(of stream: StreamID) -> (accessory: String, peer: String?)? {
        guard isJoined(stream.accessory) else { return nil }
        let accessory = name(ofAccessory: stream.accessory.rawValue)
        guard let track = stream.peer else { return (accessory, nil) }
        guard tracks.indices.contains(track), tracks[track].isLive, tracks[track].isNamed else { return nil }
        return (accessory, identifiers.name(of: tracks[track].identifier))
    }

    /// The state of one zone of a stream.
    public func zoneState(_ zone: Int, of stream: StreamID) -> ZoneState {
        guard let track = stream.peer else { return accessories[stream.accessory.rawValue].zones[zone].state }
        return tracks[track].tracker.zones[zone].state
    }

    /// The places of the zones that apply to a stream, from the innermost.
    public func zones(of stream: StreamID) -> [Int] {
        let set = stream.peer.map { tracks[$0].zoneSet } ?? accessories[stream.accessory.rawValue].zoneSet
        return zoneSets[set].zones.map(\.index)
    }

    /// Everything that a stream's state topic tells, `nil` if the stream is gone.
    public func state(of stream: StreamID) -> StreamState? {
        guard let names = names(of: stream) else { return nil }
        let accessory = accessories[stream.accessory.rawValue]
        let track = stream.peer.flatMap { shownTrack(of: $0) }
        let nearest = stream.peer == nil ? nearestTrack(of: stream.accessory.rawValue) : track
        let shown = nearest.map { tracks[$0] }
        let book = stream.peer.map { tracks[$0].stream } ?? accessory.stream
        let devices = stream.peer.map { tracks[$0].occupancy.devices } ?? []
        let involved = stream.peer.map { devices.isEmpty ? [$0] : devices } ?? accessory.tracks
        let subject = subject(shown: nearest, among: involved)
        let runs = session(of: stream).run
        return StreamState(
            accessory: names.accessory,
            name: names.peer == nil ? displayName(of: stream.accessory) : nil,
            peer: names.peer,
            zones: zoneStates(of: stream, accessory),
            peers: stream.peer == nil ? peerStates(of: accessory) : [],
            devices: devices.map { identifiers.name(of: tracks[$0].identifier) }.sorted(),
            isPerson: stream.peer.map { tracks[$0].occupancy.isPerson } ?? false,
            distance: shown?.distance,
            rawDistance: shown?.rawDistance,
            direction: shown?.direction,
            azimuth: shown?.azimuth,
            elevation: shown?.elevation,
            horizontalAngle: shown?.horizontalAngle,
            vertical: shown?.vertical,
            worldPosition: shown?.worldPosition,
            measurement: shown?.measurement ?? .none,
            motion: shown?.motion,
            speed: shown?.speed,
            approach: shown.flatMap { approach(of: $0) },
            quality: shown?.quality,
            session: sessionState(of: stream),
            run: runs > 0 ? runs : nil,
            lastReport: involved.compactMap { tracks[$0].lastReport }.max(),
            reportRate: reportRate(of: involved),
            capabilities: capabilities(
                of: stream.accessory.rawValue,
                stream.peer == nil ? nil : subject ?? stream.peer
            ),
            convergence: subject.flatMap { tracks[$0].convergence.current },
            guidance: guidance(of: stream, subject: subject),
            sequence: book.nextSequence > 0 ? book.nextSequence - 1 : nil,
            isRestored: involved.contains { tracks[$0].isRestored }
        )
    }

    /// A way that takes longer than this says nothing of where somebody goes (seconds).
    static let longestApproach = 10.0

    /// The outermost zone that somebody who comes closer is not in yet.
    private func approach(of track: Track) -> StreamState.Approach? {
        guard track.motion == .approaching, let speed = track.speed, speed < 0 else { return nil }
        for zone in zoneSets[track.zoneSet].zones.reversed() where track.tracker.zones[zone.index].state != .inside {
            // Whether somebody comes into a sector is no matter of distance alone.
            if zone.sector != nil { continue }
            let seconds = max(0, track.distance - zone.radius) / -speed
            guard seconds <= Self.longestApproach else { return nil }
            return StreamState.Approach(zone: options.zones[zone.index].name, seconds: seconds)
        }
        return nil
    }

    private func zoneStates(of stream: StreamID, _ accessory: Accessory) -> [StreamState.Zone] {
        let set = stream.peer.map { tracks[$0].zoneSet } ?? accessory.zoneSet
        return zones(of: stream).map { zone in
            let status = stream.peer.map { tracks[$0].tracker.zones[zone] } ?? accessory.zones[zone]
            let involved = stream.peer.map { [$0] } ?? occupants(of: stream.accessory.rawValue)
            return StreamState.Zone(
                name: options.zones[zone].name,
                state: status.state,
                since: status.since == .distantPast ? nil : status.since,
                visit: status.visit == 0 ? nil : status.visit,
                count: involved.count { tracks[$0].tracker.zones[zone].state == .inside },
                isSector: isSector(zone, set)
            )
        }
    }

    private func peerStates(of accessory: Accessory) -> [StreamState.Peer] {
        var peers: [StreamState.Peer] = []
        for track in accessory.tracks + accessory.people where tracks[track].isNamed {
            let person = tracks[track].occupancy.person
            let order = zoneSets[tracks[track].zoneSet].zones.filter { $0.sector == nil }.map(\.index)
            let states = order.map { tracks[track].tracker.zones[$0].state }
            let innermost = zip(order, states).first { $0.1 == .inside }.map { options.zones[$0.0].name }
            peers.append(
                StreamState.Peer(
                    identifier: identifiers.name(of: tracks[track].identifier),
                    zone: innermost ?? (states.contains(.unknown) ? "unknown" : "outside"),
                    distance: shownTrack(of: track).map { tracks[$0].distance },
                    session: sessionState(of: streamID(ofTrack: track)),
                    person: person < 0 ? nil : identifiers.name(of: tracks[person].identifier)
                )
            )
        }
        return peers.sorted { $0.identifier < $1.identifier }
    }

    /// Reports a second over all peers that are present.
    private func reportRate(of involved: [Int]) -> Double? {
        var rate = 0.0
        for track in involved where tracks[track].isPresent && tracks[track].interval > 0 {
            rate += 1 / tracks[track].interval
        }
        return rate > 0 ? rate : nil
    }
}
