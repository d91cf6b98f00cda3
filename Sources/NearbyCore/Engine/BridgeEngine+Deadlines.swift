// nearby-bridge · SPDX-License-Identifier: Apache-2.0

extension BridgeEngine {
    /// Carries out what a slot's deadline was set for, and sets the next one.
    ///
    /// Deadlines are lazy: a report moves the time of being lost without touching the table, so a slot may fire with
    /// nothing due yet.
    mutating func fire(_ slot: Int, at now: Instant, into effects: inout EffectBuffer) {
        let index = slot / 2
        guard slot % 2 != 0 else { return fire(ofTrack: index, at: now, into: &effects) }
        // Peers first: an aggregate's event follows theirs, and a stay that ends now has no dwell event.
        for track in accessories[index].tracks + accessories[index].people {
            guard let due = deadlines.deadline(of: 2 * track), due <= now else { continue }
            deadlines.set(nil, for: 2 * track)
            fire(ofTrack: track, at: now, into: &effects)
        }
        dwellAggregate(index, isOverdue: false, at: now, into: &effects)
        advanceSession(of: .accessory(index), at: now, into: &effects)
        armDeadline(ofAccessory: index)
    }

    private mutating func fire(ofTrack track: Int, at now: Instant, into effects: inout EffectBuffer) {
        guard !tracks[track].occupancy.isPerson else {
            dwell(track, isOverdue: false, at: now, into: &effects)
            return deadlines.set(due(ofTrack: track), for: 2 * track)
        }
        var hasChanged = endHold(of: track, at: now, into: &effects)
        let wasPresent = tracks[track].isPresent
        if loseZones(of: track, at: now, into: &effects) { hasChanged = true }
        losePresence(of: track, at: now)
        if wasPresent != tracks[track].isPresent { hasChanged = true }
        if stopAwaiting(track, at: now) || wasPresent != tracks[track].isPresent, tracks[track].occupancy.isWatched {
            if spread(track, hasComeOrGone: true, at: now, into: &effects) { hasChanged = true }
        }
        dwell(track, isOverdue: false, at: now, into: &effects)
        advanceSession(of: .track(track), at: now, into: &effects)
        tellConvergence(of: track, at: now, into: &effects)
        if let forget = forgetAt(track), forget <= now { return self.forget(track, at: now, into: &effects) }
        if hasChanged || tracks[track].isByException {
            snapshot(track, at: now, peerChanged: hasChanged, aggregateChanged: hasChanged, into: &effects)
        }
        deadlines.set(due(ofTrack: track), for: 2 * track)
    }

    /// Makes sure that a track's next deadline is in the table; after changes that may bring one forward.
    mutating func armDeadline(ofTrack track: Int) {
        guard let due = due(ofTrack: track) else { return }
        deadlines.bringForward(due, for: 2 * track)
    }

    /// The same for an accessory's own deadline: the dwell time of its zones.
    mutating func armDeadline(ofAccessory accessory: Int) {
        var due = accessories[accessory].session.nextDeadline
        for zone in zoneSets[accessories[accessory].zoneSet].zones where zone.dwell != .max {
            let status = accessories[accessory].zones[zone.index]
            guard status.state == .inside, !status.hasDwelt else { continue }
            let end = status.since.advanced(byNanoseconds: zone.dwell)
            // An overdue dwell waits for a report that proves the stay; that report arms it again.
            guard end > clock else { continue }
            due = min(due ?? end, end)
        }
        deadlines.set(due, for: 2 * accessory + 1)
    }

    /// The moment from which a track's silence counts.
    func silenceBegan(_ track: Int) -> Instant {
        max(tracks[track].lastReport ?? tracks[track].madeAt, watchedSince)
    }

    /// Whom its source calls away is lost after so long: a gateway may lose sight of him for a moment.
    static let goneGrace = Duration.seconds(5)

    /// When a track's silence is a loss.
    func lostAt(_ track: Int, _ lostAfter: Int64) -> Instant {
        let silent = silenceBegan(track).advanced(byNanoseconds: lostAfter)
        guard let gone = tracks[track].goneSince else { return silent }
        return min(silent, max(gone, watchedSince).advanced(by: Self.goneGrace))
    }

    /// When a stay in a zone is lost to silence, or a sector to the lack of an angle.
    func lostAt(_ track: Int, to zone: Zone) -> Instant {
        let silent = lostAt(track, zone.lostAfter)
        guard zone.sector != nil else { return silent }
        return min(silent, unseenSince(track, zone.index).advanced(byNanoseconds: zone.lostAfter))
    }

    /// The moment from which a sector's lack of an angle counts: silence of another kind, and no more so while we are
    /// blind.
    func unseenSince(_ track: Int, _ zone: Int) -> Instant {
        let bearing = tracks[track].tracker.bearing(of: zone, in: zoneSets[tracks[track].zoneSet])
        return max(bearing?.lastAt ?? tracks[track].madeAt, watchedSince)
    }

    private func due(ofTrack track: Int) -> Instant? {
        let set = zoneSets[tracks[track].zoneSet]
        var due = tracks[track].session?.nextDeadline
        func consider(_ instant: Instant) { due = min(due ?? instant, instant) }
        for zone in set.zones where tracks[track].tracker.zones[zone.index].state == .inside {
            if zone.lostAfter != .max, !tracks[track].occupancy.isPerson { consider(lostAt(track, to: zone)) }
            let status = tracks[track].tracker.zones[zone.index]
            if tracks[track].isNamed, zone.dwell != .max, !status.hasDwelt {
                let end = status.since.advanced(byNanoseconds: zone.dwell)
                if end > clock { consider(end) }
            }
        }
        if tracks[track].occupancy.isPerson { return due }
        if tracks[track].isPresent || tracks[track].occupancy.isAwaited, set.lostAfter != .max {
            consider(lostAt(track, set.lostAfter))
        }
        if let end = holdEnd(of: track) { consider(end) }
        if let news = newsAt(track) { consider(news) }
        if let news = tracks[track].convergence.due { consider(news) }
        if let forget = forgetAt(track) { consider(forget) }
        return due
    }

    // MARK: Holds that no report ends

    /// When a running hold of a source that speaks on change only ends, or a beginning is proved: no further report need
    /// say so.
    ///
    /// Silence means that nothing changed, but not while we are blind: what was left of the hold then begins anew.
    private func holdEnd(of track: Int) -> Instant? {
        let set = zoneSets[tracks[track].zoneSet]
        let end =
            tracks[track].isByException
            ? tracks[track].tracker.earliestHoldEnd(in: set, at: tracks[track].distance)
            : tracks[track].filter.provedAt
        guard let end else { return nil }
        return silenceBegan(track).advanced(byNanoseconds: max(0, end &- tracks[track].filterTime))
    }

    private mutating func endHold(of track: Int, at now: Instant, into effects: inout EffectBuffer) -> Bool {
        guard let end = holdEnd(of: track), end <= now else { return false }
        let time = tracks[track].filterTime &+ silenceBegan(track).nanoseconds(to: now)
        if !tracks[track].isByException {
            tracks[track].filter.settle()
            tracks[track].lastConfirmed = now
        }
        let set = zoneSets[tracks[track].zoneSet]
        let changes = tracks[track].tracker.observe(tracks[track].distance, at: time, isConfirmed: true, in: set)
        guard !changes.isEmpty else { return false }
        _ = apply(changes, reason: .left, to: track, at: now, into: &effects)
        return true
    }

    // MARK: Lost

    private mutating func loseZones(of track: Int, at now: Instant, into effects: inout EffectBuffer) -> Bool {
        let set = zoneSets[tracks[track].zoneSet]
        var outermost: Int?
        var changes = ZoneChanges()
        for place in set.zones.indices where set.zones[place].lostAfter != .max {
            let zone = set.zones[place]
            guard tracks[track].tracker.zones[zone.index].state == .inside else { continue }
            guard lostAt(track, to: zone) <= now else { continue }
            changes.exited |= 1 << UInt32(zone.index)
            // A sector lies in no zone, and none in it.
            if zone.sector == nil { outermost = place }
        }
        if let outermost {
            for zone in set.zones[...outermost] where tracks[track].tracker.zones[zone.index].state == .inside {
                changes.exited |= 1 << UInt32(zone.index)
            }
        }
        guard !changes.isEmpty else { return false }
        // The distance is as lost as the peer: an exit must not tell it.
        losePresence(of: track, at: now)
        _ = apply(changes, reason: .lost, to: track, at: now, into: &effects)
        return true
    }

    private mutating func losePresence(of track: Int, at now: Instant) {
        let lostAfter = zoneSets[tracks[track].zoneSet].lostAfter
        guard tracks[track].isPresent, lostAfter != .max else { return }
        guard lostAt(track, lostAfter) <= now else { return }
        tracks[track].isPresent = false
        tracks[track].forgetPlace()
    }

    /// Whether a peer that was outside in an earlier life was awaited, and is so no more.
    private mutating func stopAwaiting(_ track: Int, at now: Instant) -> Bool {
        let lostAfter = zoneSets[tracks[track].zoneSet].lostAfter
        guard tracks[track].occupancy.isAwaited, lostAfter != .max, lostAt(track, lostAfter) <= now else {
            return false
        }
        tracks[track].occupancy.isAwaited = false
        return true
    }

    // MARK: Dwell

    /// A stay is proved only by a confirmed distance since our own last blindness.
    ///
    /// An overdue dwell needs more: a distance that does not speak of leaving.
    private func isProved(_ track: Int, _ zone: Int, isOverdue: Bool) -> Bool {
        let status = tracks[track].tracker.zones[zone]
        if status.state == .inside, tracks[track].occupancy.isPerson {
            return tracks[track].occupancy.devices.contains { isProved($0, zone, isOverdue: isOverdue) }
        }
        guard status.state == .inside, tracks[track].lastConfirmed >= watchedSince else { return false }
        if let bearing = tracks[track].tracker.bearing(of: zone, in: zoneSets[tracks[track].zoneSet]) {
            guard bearing.lastAt >= watchedSince else { return false }
        }
        return !isOverdue || status.holdSince == ZoneStatus.noHold
    }

    private mutating func dwell(
        _ track: Int,
        isOverdue: Bool,
        at now: Instant,
        into effects: inout EffectBuffer
    ) {
        guard tracks[track].isNamed, zoneSets[tracks[track].zoneSet].hasDwell else { return }
        let set = zoneSets[tracks[track].zoneSet]
        for zone in set.zones.reversed() where zone.dwell != .max {
            let status = tracks[track].tracker.zones[zone.index]
            guard !status.hasDwelt, isProved(track, zone.index, isOverdue: isOverdue) else { continue }
            guard status.since.advanced(byNanoseconds: zone.dwell) <= now else { continue }
            tracks[track].tracker.zones[zone.index].hasDwelt = true
            emit(.dwell(status.since.duration(to: now)), zone.index, track, now).map { effects.append(.event($0)) }
            tellNumber(of: streamID(ofTrack: track), into: &effects)
        }
    }

    private mutating func dwellAggregate(
        _ accessory: Int,
        isOverdue: Bool,
        at now: Instant,
        into effects: inout EffectBuffer
    ) {
        guard zoneSets[accessories[accessory].zoneSet].hasDwell else { return }
        let set = zoneSets[accessories[accessory].zoneSet]
        for zone in set.zones.reversed() where zone.dwell != .max {
            let status = accessories[accessory].zones[zone.index]
            guard status.state == .inside, !status.hasDwelt else { continue }
            guard status.since.advanced(byNanoseconds: zone.dwell) <= now else { continue }
            let isStayProved = accessories[accessory].tracks.contains {
                isProved($0, zone.index, isOverdue: isOverdue)
            }
            guard isStayProved else { continue }
            accessories[accessory].zones[zone.index].hasDwelt = true
            let dwell = status.since.duration(to: now)
            effects.append(.event(emitAggregate(.dwell(dwell), zone.index, accessory, now)))
            tellNumber(of: StreamID(accessory: AccessoryIndex(accessory)), into: &effects)
        }
    }

    /// A confirmed report proves stays whose dwell time passed while we were blind.
    mutating func dwellIfOverdue(_ track: Int, at now: Instant, into effects: inout EffectBuffer) {
        dwell(track, isOverdue: true, at: now, into: &effects)
        let person = tracks[track].occupancy.person
        if person >= 0 { dwell(person, isOverdue: true, at: now, into: &effects) }
        dwellAggregate(tracks[track].accessory, isOverdue: true, at: now, into: &effects)
    }
}
