// nearby-bridge · SPDX-License-Identifier: Apache-2.0

extension BridgeEngine {
    /// Carries changes of one peer's zones into its statuses, its events and the accessory's aggregate.
    ///
    /// - Returns: Whether the aggregate changed too.
    mutating func apply(
        _ changes: ZoneChanges,
        reason: ZoneExitReason,
        to track: Int,
        at now: Instant,
        into effects: inout EffectBuffer
    ) -> Bool {
        let order = zoneOrders[tracks[track].zoneSet]
        for zone in order where changes.exited & (1 << UInt32(zone)) != 0 {
            let dwell = stay(in: tracks[track].tracker.zones[zone], until: now)
            keepDecision(.exited(reason), about: zone, of: track, at: now)
            emit(.exit(reason: reason, dwell: dwell), zone, track, now).map { effects.append(.event($0)) }
            Self.leave(&tracks[track].tracker.zones[zone], reason, at: now)
        }
        for zone in order.reversed() where changes.entered & (1 << UInt32(zone)) != 0 {
            keepDecision(.entered, about: zone, of: track, at: now)
            Self.enter(&tracks[track].tracker.zones[zone], at: now)
            emit(.enter, zone, track, now).map { effects.append(.event($0)) }
        }
        for zone in order where changes.settled & (1 << UInt32(zone)) != 0 {
            keepDecision(.settled, about: zone, of: track, at: now)
            tracks[track].tracker.zones[zone].state = .outside
            tracks[track].tracker.zones[zone].isLostInside = false
            tracks[track].tracker.zones[zone].since = now
        }
        let changed = changes.exited | changes.entered | changes.settled
        if tracks[track].isNamed {
            announce(changed, of: streamID(ofTrack: track), order, into: &effects)
        }
        let person = tracks[track].occupancy.person
        guard person < 0 else { return passOn(from: track, to: person, at: now, into: &effects) }
        count(track, entered: changes.entered, exited: changes.exited)
        return aggregateAndTell(changed, of: tracks[track].accessory, at: now, into: &effects)
    }

    /// Brings an accessory's aggregate in line with its peers and people, and its groups with it.
    ///
    /// - Parameters:
    ///   - mask: The zones to look at, as bits.
    ///   - accessory: The accessory.
    ///   - cause: Why stays end; `nil` if the peers know.
    ///   - now: When.
    ///   - effects: What is to be done.
    /// - Returns: Whether the aggregate changed.
    mutating func aggregate(
        _ mask: UInt32,
        of accessory: Int,
        because cause: ZoneExitReason? = nil,
        at now: Instant,
        into effects: inout EffectBuffer
    ) -> Bool {
        guard !accessories[accessory].groups.isEmpty else {
            return aggregateZones(mask, of: accessory, because: cause, at: now, into: &effects)
        }
        let before = accessories[accessory].zones
        let hasChanged = aggregateZones(mask, of: accessory, because: cause, at: now, into: &effects)
        if hasChanged { updateGroups(of: accessory, before: before, at: now, into: &effects) }
        return hasChanged
    }

    private mutating func aggregateZones(
        _ mask: UInt32,
        of accessory: Int,
        because cause: ZoneExitReason?,
        at now: Instant,
        into effects: inout EffectBuffer
    ) -> Bool {
        let order = zoneOrders[accessories[accessory].zoneSet]
        var entered: UInt32 = 0
        var changed: UInt32 = 0
        for zone in order where mask & (1 << UInt32(zone)) != 0 {
            let old = accessories[accessory].zones[zone].state
            let new = aggregateState(of: zone, accessory)
            if new == .inside, old == .inside { joinVisit(zone, accessory) }
            guard new != old else { continue }
            changed |= 1 << UInt32(zone)
            if new == .inside {
                entered |= 1 << UInt32(zone)
            } else if old == .inside {
                let reason = cause ?? aggregateReason(of: zone, accessory)
                let dwell = stay(in: accessories[accessory].zones[zone], until: now)
                effects.append(.event(emitAggregate(.exit(reason: reason, dwell: dwell), zone, accessory, now)))
                Self.leave(&accessories[accessory].zones[zone], reason, at: now)
                accessories[accessory].zones[zone].state = new
            } else {
                accessories[accessory].zones[zone].state = new
                accessories[accessory].zones[zone].since = now
            }
        }
        for zone in order.reversed() where entered & (1 << UInt32(zone)) != 0 {
            Self.enter(&accessories[accessory].zones[zone], at: now)
            effects.append(.event(emitAggregate(.enter, zone, accessory, now)))
            joinVisit(zone, accessory)
        }
        if changed != 0 {
            announce(changed, of: StreamID(accessory: AccessoryIndex(accessory)), order, into: &effects)
            armDeadline(ofAccessory: accessory)
        }
        return changed != 0
    }

    /// `inside` if any peer is; else `unknown` if one was lost inside; else `outside` once any peer was judged.
    ///
    /// While no peer is left that was judged (they were forgotten), what was known stays.
    private func aggregateState(of zone: Int, _ accessory: Int) -> ZoneState {
        var state = accessories[accessory].zones[zone].state
        if state == .inside { state = .unknown }
        var isLostInside = false
        for track in occupants(of: accessory) {
            let status = tracks[track].tracker.zones[zone]
            if status.state == .inside { return .inside }
            if status.isLostInside { isLostInside = true }
            if status.state == .outside { state = .outside }
        }
        return isLostInside ? .unknown : state
    }

    /// The reason that all peers of the running visit share, else `lost`.
    private func aggregateReason(of zone: Int, _ accessory: Int) -> ZoneExitReason {
        if accessories[accessory].zones[zone].hasForgottenLoss { return .lost }
        return sharedReason(of: zone, accessories[accessory].zones[zone].visit, occupants(of: accessory))
    }

    /// The reason that all of a visit share, else `lost`.
    func sharedReason(of zone: Int, _ visit: Int64, _ visitors: [Int]) -> ZoneExitReason {
        var shared: ZoneExitReason?
        for track in visitors {
            let status = tracks[track].tracker.zones[zone]
            // Whose place was taken by others did not end anything.
            guard status.aggregateVisit == visit, status.exitReason != .memberRemoved else { continue }
            if let shared, shared != status.exitReason { return .lost }
            shared = status.exitReason
        }
        return shared ?? .lost
    }

    /// Marks every peer inside as one of the aggregate's running visit.
    private mutating func joinVisit(_ zone: Int, _ accessory: Int) {
        let visit = accessories[accessory].zones[zone].visit
        for track in occupants(of: accessory) where tracks[track].tracker.zones[zone].state == .inside {
            tracks[track].tracker.zones[zone].aggregateVisit = visit
        }
    }

    // Static: with a method of `self` the whole table would be copied for the length of the call.
    static func enter(_ status: inout ZoneStatus, at now: Instant) {
        status.state = .inside
        status.isLostInside = false
        status.hasDwelt = false
        status.hasForgottenLoss = false
        status.since = now
        status.holdSince = ZoneStatus.noHold
    }

    static func leave(_ status: inout ZoneStatus, _ reason: ZoneExitReason, at now: Instant) {
        switch reason {
        case .left, .zoneDisabled, .accessoryRemoved, .memberRemoved:
            status.state = .outside
            status.isLostInside = false
        case .lost, .sessionEnded, .suspended:
            status.state = .unknown
            status.isLostInside = true
        }
        status.exitReason = reason
        status.since = now
        status.holdSince = ZoneStatus.noHold
    }

    func stay(in status: ZoneStatus, until now: Instant) -> Duration {
        max(.zero, status.since.duration(to: now))
    }

    /// Has the words of changed zones published: those left or lost from the inside out, those entered from the outside
    /// in, as their events.
    func announce(_ mask: UInt32, of stream: StreamID, _ order: [Int], into effects: inout EffectBuffer) {
        for zone in order where mask & (1 << UInt32(zone)) != 0 && zoneState(zone, of: stream) != .inside {
            effects.append(.zone(stream, zone: zone))
        }
        for zone in order.reversed() where mask & (1 << UInt32(zone)) != 0 && zoneState(zone, of: stream) == .inside {
            effects.append(.zone(stream, zone: zone))
        }
    }

    /// The stream of a named peer.
    func streamID(ofTrack track: Int) -> StreamID {
        StreamID(accessory: AccessoryIndex(tracks[track].accessory), peer: track)
    }

    /// Numbers an event of a named peer; an unnamed peer has no stream of its own.
    mutating func emit(_ kind: ZoneEvent.Kind, _ zone: Int, _ track: Int, _ now: Instant) -> ZoneEvent? {
        guard tracks[track].isNamed else { return nil }
        let sequence = number(after: tracks[track].stream.nextSequence, at: now)
        tracks[track].stream.nextSequence = sequence + 1
        counters.events += 1
        if kind == .enter { tracks[track].tracker.zones[zone].visit = sequence }
        return ZoneEvent(
            accessory: name(ofAccessory: tracks[track].accessory),
            peer: identifiers.name(of: tracks[track].identifier),
            sequence: sequence,
            at: now,
            kind: kind,
            zone: options.zones[zone].name,
            radius: radius(of: zone, tracks[track].zoneSet),
            // Whoever is lost has no distance, though the peer as such may be waited for longer.
            distance: kind.isLoss ? nil : shownTrack(of: track).map { tracks[$0].distance },
            visit: tracks[track].tracker.zones[zone].visit,
            azimuth: shownTrack(of: track).flatMap { azimuth(of: $0, kind, zone) }
        )
    }

    /// Numbers an event of an accessory's aggregate.
    mutating func emitAggregate(_ kind: ZoneEvent.Kind, _ zone: Int, _ accessory: Int, _ now: Instant) -> ZoneEvent {
        let sequence = number(after: accessories[accessory].stream.nextSequence, at: now)
        accessories[accessory].stream.nextSequence = sequence + 1
        counters.events += 1
        if kind == .enter { accessories[accessory].zones[zone].visit = sequence }
        // Of a sector somebody nearer may be outside: the event is not about him.
        let nearest =
            isSector(zone, accessories[accessory].zoneSet)
            ? nearestVisitor(of: accessory, zone, isInside: kind.isStay)
            : nearestTrack(of: accessory, notLostIn: kind.isLoss ? zone : nil)
        return ZoneEvent(
            accessory: name(ofAccessory: accessory),
            peer: nil,
            sequence: sequence,
            at: now,
            kind: kind,
            zone: options.zones[zone].name,
            radius: radius(of: zone, accessories[accessory].zoneSet),
            distance: nearest.map { tracks[$0].distance },
            visit: accessories[accessory].zones[zone].visit,
            azimuth: nearest.flatMap { azimuth(of: $0, kind, zone) }
        )
    }

    /// The next number of a stream; the first is Unix time in milliseconds (CONTRACT section 4.2).
    func number(after next: Int64, at now: Instant) -> Int64 {
        guard next == 0 else { return next }
        return max(1, options.unixMillisecondsAtOrigin &+ now.nanoseconds / 1_000_000, greatestRetired)
    }

    /// A stream is gone: one that comes in its place goes on with greater numbers, whatever the clock says.
    mutating func retire(_ stream: StreamBookkeeping) {
        greatestRetired = max(greatestRetired, stream.nextSequence)
    }

    private func radius(of zone: Int, _ set: Int) -> Double {
        for candidate in zoneSets[set].zones where candidate.index == zone { return candidate.radius }
        return options.zones[zone].options.radius ?? 0
    }

    /// Whether a zone of a set lies in some directions only.
    func isSector(_ zone: Int, _ set: Int) -> Bool {
        guard zoneSets[set].sectorCount > 0 else { return false }
        return zoneSets[set].zones.contains { $0.index == zone && $0.sector != nil }
    }

    /// What an event of a sector tells of the direction.
    private func azimuth(of track: Int, _ kind: ZoneEvent.Kind, _ zone: Int) -> Double? {
        guard tracks[track].isPresent, !kind.isLoss, !kind.isDwell else { return nil }
        return tracks[track].tracker.bearing(of: zone, in: zoneSets[tracks[track].zoneSet])?.azimuth
    }

    /// The nearest peer whose distance is known of those inside a zone, or of those that have left in the last visit.
    private func nearestVisitor(of accessory: Int, _ zone: Int, isInside: Bool) -> Int? {
        let visit = accessories[accessory].zones[zone].visit
        let visitors = occupants(of: accessory).filter { occupant in
            let status = tracks[occupant].tracker.zones[zone]
            return isInside ? status.state == .inside : status.aggregateVisit == visit && !status.isLostInside
        }
        return visitors.compactMap { shownTrack(of: $0) }.min { tracks[$0].distance < tracks[$1].distance }
    }

    /// The nearest peer whose distance is known; for a zone that was lost, one that was not lost in it.
    func nearestTrack(of accessory: Int, notLostIn zone: Int? = nil) -> Int? {
        var nearest: Int?
        for track in accessories[accessory].tracks where tracks[track].isPresent {
            if let zone, tracks[track].tracker.zones[zone].isLostInside { continue }
            guard let best = nearest, tracks[best].distance <= tracks[track].distance else {
                nearest = track
                continue
            }
        }
        return nearest
    }
}
