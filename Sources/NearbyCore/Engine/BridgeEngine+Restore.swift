// nearby-bridge · SPDX-License-Identifier: Apache-2.0

extension BridgeEngine {
    /// Takes over what an earlier life left of one stream.
    ///
    /// No event is made for it.
    mutating func restore(_ stream: RestoredStream, at now: Instant, into effects: inout EffectBuffer) {
        guard let accessory = restoredAccessory(stream.accessory, at: now) else { return }
        accessories[accessory].hasSession = true
        occupancy.isStale = !occupancy.groups.isEmpty
        guard let peer = stream.peer else {
            Self.continueNumbering(&accessories[accessory].stream, stream.lastSequence)
            Self.overlay(stream.zones, of: options.zones, on: &accessories[accessory].zones)
            if let session = stream.session { restore(session, of: accessory, at: now) }
            accessories[accessory].restoredConvergence = stream.convergence
            hasRestored = true
            return
        }
        if stream.isPerson || options.people[peer] != nil {
            return restorePerson(stream, peer, of: accessory, into: &effects)
        }
        let bytes = Array(peer.utf8)
        guard AccessoryIdentifier.isValid(bytes.span), let track = track(named: bytes.span, of: accessory) else {
            return
        }
        Self.continueNumbering(&tracks[track].stream, stream.lastSequence)
        Self.overlay(stream.zones, of: options.zones, on: &tracks[track].tracker.zones)
        if let session = stream.session { restore(session, ofTrack: track, at: now) }
        tracks[track].convergence.restore(stream.convergence)
        tracks[track].hasSession = true
        tracks[track].isRestored = true
        tracks[track].occupancy.isAwaited = true
        hasRestored = true
    }

    /// Brings restored aggregates and peers together once listening begins.
    ///
    /// What no named peer explains belongs to the unnamed one, so a stay of the aggregate that no peer is inside for
    /// ends as `lost` like any other. Where aggregate and peers disagree otherwise, the earlier life ended between the
    /// two: the aggregate's event is made now, with the number it would have had. A stay in a zone that is disabled
    /// now ends with that reason.
    mutating func settleRestored(at now: Instant, into effects: inout EffectBuffer) {
        guard hasRestored else { return }
        hasRestored = false
        tieRestored()
        for accessory in accessories.indices where accessories[accessory].hasSession {
            adoptUnexplained(accessory)
            joinVisits(of: accessory)
            let before = accessories[accessory].zones
            for track in accessories[accessory].tracks { leaveDisabled(track, at: now, into: &effects) }
            settlePeople(of: accessory, at: now, into: &effects)
            _ = aggregate(.max, of: accessory, at: now, into: &effects)
            if accessories[accessory].zones != before {
                snapshotAggregate(of: accessory, at: now, hasChanged: true, into: &effects)
            }
            for track in accessories[accessory].tracks + accessories[accessory].people { armDeadline(ofTrack: track) }
            armDeadline(ofAccessory: accessory)
        }
        settleGroups(isRestored: true, at: now, into: &effects)
    }

    /// Counts peers into the aggregate's running visits: those inside, and those lost since such a visit began.
    private mutating func joinVisits(of accessory: Int) {
        for (zone, aggregate) in accessories[accessory].zones.enumerated() {
            for track in occupants(of: accessory) {
                let status = tracks[track].tracker.zones[zone]
                let wasLost = status.isLostInside && status.since >= aggregate.since
                guard status.state == .inside || wasLost else { continue }
                tracks[track].tracker.zones[zone].aggregateVisit = aggregate.visit
            }
        }
    }

    private mutating func leaveDisabled(_ track: Int, at now: Instant, into effects: inout EffectBuffer) {
        let enabled = zoneSets[tracks[track].zoneSet].zones.map(\.index)
        var changes = ZoneChanges()
        for (zone, status) in tracks[track].tracker.zones.enumerated()
        where status.state == .inside && !enabled.contains(zone) {
            changes.exited |= 1 << UInt32(zone)
        }
        guard !changes.isEmpty else { return }
        _ = apply(changes, reason: .zoneDisabled, to: track, at: now, into: &effects)
        snapshot(track, at: now, peerChanged: true, aggregateChanged: false, into: &effects)
    }

    private mutating func restoredAccessory(_ identifier: String, at now: Instant) -> Int? {
        let bytes = Array(identifier.utf8)
        if let known = identifiers.index(of: bytes.span, in: 0) { return accessoryPlaces[known] }
        guard refusal(of: bytes.span, isKnown: true) == nil else { return nil }
        return join(bytes.span, origin: .restored, at: now)
    }

    /// No numbers of ours are greater: what is was written by somebody else, and must not run over.
    public static let greatestSequence: Int64 = 1 << 53

    // Static: with a method of `self` the whole table would be copied for the length of the call.
    static func continueNumbering(_ stream: inout StreamBookkeeping, _ lastSequence: Int64?) {
        guard let lastSequence, lastSequence > 0, lastSequence < greatestSequence else { return }
        stream.nextSequence = max(stream.nextSequence, lastSequence + 1)
    }

    static func overlay(
        _ zones: [RestoredStream.Zone],
        of known: [EngineOptions.NamedZone],
        on statuses: inout [ZoneStatus]
    ) {
        for zone in zones {
            guard let index = known.firstIndex(where: { $0.name == zone.name }) else { continue }
            statuses[index].state = zone.state
            statuses[index].since = zone.since
            statuses[index].visit = zone.visit
            // The dwell event may have been sent already: a second one would be invented.
            statuses[index].hasDwelt = true
            statuses[index].isLostInside = zone.state == .unknown && zone.visit > 0
            if statuses[index].isLostInside { statuses[index].exitReason = .lost }
        }
    }

    private mutating func adoptUnexplained(_ accessory: Int) {
        let aggregate = accessories[accessory].zones
        let isAlone = accessories[accessory].tracks.isEmpty
        let unexplained = aggregate.indices.filter { zone in
            guard aggregate[zone].state != .outside else {
                return isAlone
            }
            return !(accessories[accessory].tracks + accessories[accessory].people).contains { track in
                tracks[track].tracker.zones[zone].state == aggregate[zone].state
            }
        }
        guard !unexplained.isEmpty, let track = unnamedTrack(of: accessory) else { return }
        for zone in unexplained {
            tracks[track].tracker.zones[zone] = aggregate[zone]
            // Where nobody else is known, whoever was lost inside may have been anybody: the next one decides.
            if isAlone { tracks[track].tracker.zones[zone].isLostInside = false }
        }
        // Who is in an inner zone is in the outer ones too, whoever else explains those.
        var isInside = false
        let set = accessories[accessory].zoneSet
        for zone in zoneOrders[set] {
            if tracks[track].tracker.zones[zone].state == .inside { isInside = true }
            guard isInside, aggregate[zone].state == .inside, !isSector(zone, set) else { continue }
            tracks[track].tracker.zones[zone] = aggregate[zone]
        }
        tracks[track].isRestored = true
    }
}
