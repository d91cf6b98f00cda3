// nearby-bridge · SPDX-License-Identifier: Apache-2.0

extension BridgeEngine {
    /// Carries out what a slot's deadline was set for, and sets the next one.
    ///
    /// Deadlines are lazy: a report moves the time of being lost without touching the table, so a slot may fire with
    /// nothing due yet.
    mutating func fire(_ slot: Int, at now: Instant, into effects: inout EffectBuffer) {
        let index = slot / 2
        guard slot % 2 == 0 else {
            dwellAggregate(index, at: now, into: &effects)
            return armDeadline(ofAccessory: index)
        }
        guard tracks[index].isLive else { return }
        let endedHold = endHold(of: index, at: now, into: &effects)
        let wasPresent = tracks[index].isPresent
        let lost = loseZones(of: index, at: now, into: &effects)
        losePresence(of: index, at: now)
        dwell(index, at: now, into: &effects)
        if isForgettable(index, at: now) { return forget(index, into: &effects) }
        if endedHold || lost || wasPresent != tracks[index].isPresent {
            snapshot(index, at: now, peerChanged: true, aggregateChanged: true, into: &effects)
        }
        deadlines.set(due(ofTrack: index), for: slot)
    }

    /// Makes sure that a track's next deadline is in the table; after changes that may bring one forward.
    mutating func armDeadline(ofTrack track: Int) {
        guard let due = due(ofTrack: track) else { return }
        deadlines.bringForward(due, for: 2 * track)
    }

    /// The same for an accessory's own deadline: the dwell time of its zones.
    mutating func armDeadline(ofAccessory accessory: Int) {
        var due: Instant?
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

    /// Whether a track has any deadline in the table.
    func hasDeadline(ofTrack track: Int) -> Bool {
        deadlines.deadline(of: 2 * track) != nil
    }

    /// The moment from which a track's silence counts.
    private func silenceBegan(_ track: Int) -> Instant {
        max(tracks[track].lastReport ?? watchedSince, watchedSince)
    }

    private func due(ofTrack track: Int) -> Instant? {
        let silence = silenceBegan(track)
        let set = zoneSets[tracks[track].zoneSet]
        var due: Instant?
        func consider(_ instant: Instant) { due = min(due ?? instant, instant) }
        for zone in set.zones where tracks[track].tracker.zones[zone.index].state == .inside {
            if zone.lostAfter != .max { consider(silence.advanced(byNanoseconds: zone.lostAfter)) }
            let status = tracks[track].tracker.zones[zone.index]
            if tracks[track].isNamed, zone.dwell != .max, !status.hasDwelt {
                let end = status.since.advanced(byNanoseconds: zone.dwell)
                if end > clock { consider(end) }
            }
        }
        if tracks[track].isPresent, set.lostAfter != .max {
            consider(silence.advanced(byNanoseconds: set.lostAfter))
        }
        if let end = holdEnd(of: track) { consider(end) }
        if let forget = forgetAt(track) { consider(max(forget, clock.advanced(byNanoseconds: 1_000_000_000))) }
        return due
    }

    // MARK: Holds of sources that speak on change only

    /// When a running hold of such a source ends: no further report will say so.
    private func holdEnd(of track: Int) -> Instant? {
        guard tracks[track].isByException, let last = tracks[track].lastReport else { return nil }
        let set = zoneSets[tracks[track].zoneSet]
        guard let end = tracks[track].tracker.earliestHoldEnd(in: set) else { return nil }
        return last.advanced(byNanoseconds: max(0, end &- tracks[track].filterTime))
    }

    private mutating func endHold(of track: Int, at now: Instant, into effects: inout EffectBuffer) -> Bool {
        guard let end = holdEnd(of: track), end <= now, let last = tracks[track].lastReport else { return false }
        let time = tracks[track].filterTime &+ last.nanoseconds(to: now)
        let set = zoneSets[tracks[track].zoneSet]
        let changes = tracks[track].tracker.observe(tracks[track].distance, at: time, isConfirmed: true, in: set)
        guard !changes.isEmpty else { return false }
        _ = apply(changes, reason: .left, to: track, at: now, into: &effects)
        return true
    }

    // MARK: Lost

    private mutating func loseZones(of track: Int, at now: Instant, into effects: inout EffectBuffer) -> Bool {
        let silence = silenceBegan(track)
        let set = zoneSets[tracks[track].zoneSet]
        var outermost: Int?
        for place in set.zones.indices where set.zones[place].lostAfter != .max {
            let zone = set.zones[place]
            guard tracks[track].tracker.zones[zone.index].state == .inside else { continue }
            if silence.advanced(byNanoseconds: zone.lostAfter) <= now { outermost = place }
        }
        guard let outermost else { return false }
        var changes = ZoneChanges()
        for zone in set.zones[...outermost] where tracks[track].tracker.zones[zone.index].state == .inside {
            changes.exited |= 1 << UInt32(zone.index)
        }
        // The distance is as lost as the peer: an exit must not tell it.
        losePresence(of: track, at: now)
        _ = apply(changes, reason: .lost, to: track, at: now, into: &effects)
        return true
    }

    private mutating func losePresence(of track: Int, at now: Instant) {
        let lostAfter = zoneSets[tracks[track].zoneSet].lostAfter
        guard tracks[track].isPresent, lostAfter != .max else { return }
        guard silenceBegan(track).advanced(byNanoseconds: lostAfter) <= now else { return }
        tracks[track].isPresent = false
        tracks[track].filter.reset()
        tracks[track].tracker.cancelHolds()
    }

    // MARK: Dwell

    /// A stay is proved only by a report since our own last blindness.
    private func isProved(_ track: Int) -> Bool {
        tracks[track].lastReport.map { $0 >= watchedSince } ?? false
    }

    private mutating func dwell(_ track: Int, at now: Instant, into effects: inout EffectBuffer) {
        guard tracks[track].isNamed, isProved(track) else { return }
        let set = zoneSets[tracks[track].zoneSet]
        for zone in set.zones.reversed() where zone.dwell != .max {
            let status = tracks[track].tracker.zones[zone.index]
            guard status.state == .inside, !status.hasDwelt else { continue }
            guard status.since.advanced(byNanoseconds: zone.dwell) <= now else { continue }
            tracks[track].tracker.zones[zone.index].hasDwelt = true
            emit(.dwell(status.since.duration(to: now)), zone.index, track, now).map { effects.append(.event($0)) }
        }
    }

    private mutating func dwellAggregate(_ accessory: Int, at now: Instant, into effects: inout EffectBuffer) {
        let set = zoneSets[accessories[accessory].zoneSet]
        for zone in set.zones.reversed() where zone.dwell != .max {
            let status = accessories[accessory].zones[zone.index]
            guard status.state == .inside, !status.hasDwelt else { continue }
            guard status.since.advanced(byNanoseconds: zone.dwell) <= now else { continue }
            let isStayProved = accessories[accessory].tracks.contains { track in
                isProved(track) && tracks[track].tracker.zones[zone.index].state == .inside
            }
            guard isStayProved else { continue }
            accessories[accessory].zones[zone.index].hasDwelt = true
            let dwell = status.since.duration(to: now)
            effects.append(.event(emitAggregate(.dwell(dwell), zone.index, accessory, now)))
        }
    }

    /// A report after blindness proves stays whose dwell time passed meanwhile.
    mutating func dwellIfOverdue(_ track: Int, at now: Instant, into effects: inout EffectBuffer) {
        dwell(track, at: now, into: &effects)
        dwellAggregate(tracks[track].accessory, at: now, into: &effects)
    }

    // MARK: Forgetting

    private func forgetAt(_ track: Int) -> Instant? {
        guard let forget = options.peerForget, tracks[track].isNamed, !tracks[track].isConfigured else { return nil }
        guard !tracks[track].isPresent, !tracks[track].tracker.isInside else { return nil }
        return silenceBegan(track).advanced(by: forget)
    }

    private func isForgettable(_ track: Int, at now: Instant) -> Bool {
        guard let forget = forgetAt(track), forget <= now else { return false }
        // The reason of a running visit of the aggregate still depends on how this peer left it.
        let accessory = accessories[tracks[track].accessory]
        for (zone, status) in accessory.zones.enumerated() where status.state == .inside {
            if tracks[track].tracker.zones[zone].aggregateVisit == status.visit { return false }
        }
        return true
    }
}
