// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// People: each is one peer more of every accessory, whose zones follow from those of the devices.
extension BridgeEngine {
    /// Who counts at an accessory: peers that nobody carries, and people.
    func occupants(of accessory: Int) -> [Int] {
        guard !accessories[accessory].people.isEmpty else { return accessories[accessory].tracks }
        return accessories[accessory].tracks.filter { tracks[$0].occupancy.person < 0 } + accessories[accessory].people
    }

    /// The track whose distance is shown for a peer or person: `nil` while there is none.
    func shownTrack(of track: Int) -> Int? {
        guard tracks[track].occupancy.isPerson else { return tracks[track].isPresent ? track : nil }
        if let speaker = speaker(of: track), tracks[speaker].isPresent { return speaker }
        let isFarthest = tracks[track].occupancy.presence == .all
        var shown: Int?
        for device in tracks[track].occupancy.devices where tracks[device].isPresent {
            guard let best = shown else {
                shown = device
                continue
            }
            let isNearer = tracks[device].distance < tracks[best].distance
            if isNearer != isFarthest { shown = device }
        }
        return shown
    }

    /// The device that was chosen to speak for a person.
    private func speaker(of person: Int) -> Int? {
        let carrier = tracks[person].occupancy.carrier
        return carrier < 0 ? nil : occupancy.choices[carrier].choice.incumbent
    }

    // MARK: Coming and going

    /// Finds out who carries a new named peer, and whose nearest accessories it helps to choose.
    mutating func admit(_ track: Int) {
        guard tracks[track].isNamed, !options.people.isEmpty || !options.groups.isEmpty else { return }
        let accessory = tracks[track].accessory
        let name = identifiers.name(of: tracks[track].identifier)
        if let identifier = occupancy.persons[name], let person = personTrack(identifier, of: accessory) {
            carry(track, by: person)
        } else {
            enterChoices(track)
        }
    }

    /// The track of a person at an accessory, which is made if it is not there; `nil` if a peer has that name.
    mutating func personTrack(_ identifier: String, of accessory: Int) -> Int? {
        guard let said = options.people[identifier] else { return nil }
        let bytes = Array(identifier.utf8)
        guard AccessoryIdentifier.isValid(bytes.span) else { return nil }
        if let place = identifiers.index(of: bytes.span, in: accessory + 1) {
            let known = trackPlaces[place]
            return tracks[known].occupancy.isPerson ? known : nil
        }
        let place = identifiers.insert(bytes.span, in: accessory + 1)
        let person = addTrack(identifier: place, of: accessory, nil, isPerson: true)
        self.place(place, is: person)
        // A session was told of the accessory: the person's topic tells the same.
        tracks[person].hasSession = accessories[accessory].hasSession
        arrange(person, said)
        enterChoices(person)
        return person
    }

    /// Has a person decided as the options say.
    mutating func arrange(_ person: Int, _ said: PersonOptions) {
        tracks[person].occupancy.presence = said.presence
        tracks[person].occupancy.carrier = -1
        guard said.presence == .nearest else { return }
        let like = NearestOptions()
        let choice = NearestChoice(margin: like.margin, hold: like.hold, takesFirstAtOnce: true)
        tracks[person].occupancy.carrier = occupancy.add(Occupancy.Choice(subject: .carrier(person), choice: choice))
    }

    mutating func carry(_ device: Int, by person: Int) {
        tracks[device].occupancy.person = person
        tracks[person].occupancy.devices.append(device)
        let carrier = tracks[person].occupancy.carrier
        if carrier >= 0 { tracks[device].occupancy.slot = occupancy.choices[carrier].choice.add(device) }
    }

    /// A peer is forgotten: a person goes with the last device.
    mutating func leave(_ track: Int, at now: Instant, into effects: inout EffectBuffer) {
        let person = tracks[track].occupancy.person
        guard person >= 0 else { return leaveChoices(track, at: now, into: &effects) }
        tracks[person].occupancy.devices.removeAll { $0 == track }
        let carrier = tracks[person].occupancy.carrier
        if carrier >= 0 { _ = occupancy.choices[carrier].choice.remove(tracks[track].occupancy.slot, at: now) }
        tracks[track].occupancy = TrackOccupancy()
        _ = reviewAndTell(person, at: now, into: &effects)
        guard tracks[person].occupancy.devices.isEmpty else { return }
        rememberLoss(of: person)
        leaveChoices(person, at: now, into: &effects)
        drop(person, into: &effects)
    }

    /// A person is gone from an accessory.
    mutating func drop(_ person: Int, into effects: inout EffectBuffer) {
        let accessory = tracks[person].accessory
        let name = identifiers.name(of: tracks[person].identifier)
        effects.append(.forgotten(accessory: self.name(ofAccessory: accessory), peer: name))
        identifiers.remove(tracks[person].identifier)
        retire(tracks[person].stream)
        if tracks[person].occupancy.carrier >= 0 { occupancy.free(tracks[person].occupancy.carrier) }
        tracks[person].isLive = false
        tracks[person].occupancy = TrackOccupancy()
        deadlines.set(nil, for: 2 * person)
        accessories[accessory].people.removeAll { $0 == person }
        retiredTracks.append(person)
    }

    // MARK: What devices bring

    /// Zones of a device have changed.
    ///
    /// - Returns: Whether the accessory's aggregate changed.
    mutating func passOn(
        from device: Int,
        to person: Int,
        at now: Instant,
        into effects: inout EffectBuffer
    ) -> Bool {
        // A device that is lost gives its place away before the person is asked for.
        if !tracks[device].isPresent { _ = moveSpeaker(device, at: now) }
        // Other zones may depend on a device that has only just come: all of them change at once, or none.
        return reviewAndTell(person, at: now, into: &effects).aggregate
    }

    /// A confirmed distance, or that there is none any more, goes on to people and groups.
    ///
    /// - Returns: Whether a person or an aggregate changed by it.
    mutating func spread(
        _ track: Int,
        hasComeOrGone: Bool,
        at now: Instant,
        into effects: inout EffectBuffer
    ) -> Bool {
        let person = tracks[track].occupancy.person
        guard person >= 0 else {
            approach(track, at: now, into: &effects)
            return false
        }
        var hasChanged = false
        let hasMoved = moveSpeaker(track, at: now)
        if hasMoved || (hasComeOrGone && tracks[person].occupancy.presence == .all) {
            hasChanged = reviewAndTell(person, at: now, into: &effects).person
        }
        approach(person, at: now, into: &effects)
        return hasChanged
    }

    /// Whether another device speaks for the person now.
    mutating func moveSpeaker(_ device: Int, at now: Instant) -> Bool {
        let carrier = tracks[tracks[device].occupancy.person].occupancy.carrier
        guard carrier >= 0 else { return false }
        let distance = tracks[device].isPresent ? tracks[device].distance : nil
        let slot = tracks[device].occupancy.slot
        defer { armChoice(carrier) }
        return occupancy.choices[carrier].choice.observe(slot, distance, at: now)
    }

    // MARK: A person's zones

    /// Brings a person in line with the devices, and the accessory with the person.
    ///
    /// - Returns: Whether the person changed, and whether the accessory's aggregate did.
    mutating func reviewAndTell(
        _ person: Int,
        at now: Instant,
        into effects: inout EffectBuffer
    ) -> (person: Bool, aggregate: Bool) {
        let changed = review(person, at: now, into: &effects)
        guard changed != 0 else { return (false, false) }
        let hasChanged = aggregateAndTell(changed, of: tracks[person].accessory, at: now, into: &effects)
        snapshotPerson(person, at: now, hasChanged: true, into: &effects)
        return (true, hasChanged)
    }

    /// Brings a person in line with the devices; `cause` is why stays end, if not the devices know.
    ///
    /// - Returns: The zones that changed, as bits.
    mutating func review(
        _ person: Int,
        because cause: ZoneExitReason? = nil,
        at now: Instant,
        into effects: inout EffectBuffer
    ) -> UInt32 {
        let order = zoneOrders[tracks[person].zoneSet]
        var entered: UInt32 = 0
        var exited: UInt32 = 0
        var changed: UInt32 = 0
        var isInInner = false
        let enabled = zoneSets[tracks[person].zoneSet].zones
        for (place, zone) in order.enumerated() {
            let old = tracks[person].tracker.zones[zone].state
            // Devices change at their own times: who is in an inner zone by one of them is in the outer ones too. Who is
            // near need not look at a sector.
            let isNested = place < enabled.count && enabled[place].sector == nil
            let new = isNested && isInInner ? .inside : state(of: person, in: zone)
            if isNested, new == .inside { isInInner = true }
            if new == .inside, old == .inside { joinVisit(zone, ofPerson: person) }
            guard new != old else { continue }
            changed |= 1 << UInt32(zone)
            if new == .inside {
                entered |= 1 << UInt32(zone)
            } else if old == .inside {
                exited |= 1 << UInt32(zone)
                let reason = cause ?? exitReason(of: person, in: zone)
                let dwell = stay(in: tracks[person].tracker.zones[zone], until: now)
                emit(.exit(reason: reason, dwell: dwell), zone, person, now).map { effects.append(.event($0)) }
                Self.leave(&tracks[person].tracker.zones[zone], reason, at: now)
                tracks[person].tracker.zones[zone].state = new
                tracks[person].tracker.zones[zone].isLostInside = new == .unknown
            } else {
                tracks[person].tracker.zones[zone].state = new
                tracks[person].tracker.zones[zone].isLostInside = false
                tracks[person].tracker.zones[zone].since = now
            }
        }
        for zone in order.reversed() where entered & (1 << UInt32(zone)) != 0 {
            Self.enter(&tracks[person].tracker.zones[zone], at: now)
            emit(.enter, zone, person, now).map { effects.append(.event($0)) }
            joinVisit(zone, ofPerson: person)
        }
        guard changed != 0 else { return 0 }
        announce(changed, of: streamID(ofTrack: person), order, into: &effects)
        count(person, entered: entered, exited: exited)
        armDeadline(ofTrack: person)
        return changed
    }

    /// Marks every device inside as one of the person's running visit.
    private mutating func joinVisit(_ zone: Int, ofPerson person: Int) {
        let visit = tracks[person].tracker.zones[zone].visit
        for device in tracks[person].occupancy.devices where tracks[device].tracker.zones[zone].state == .inside {
            tracks[device].tracker.zones[zone].aggregateVisit = visit
        }
    }

    /// Where the devices say that a person is.
    private func state(of person: Int, in zone: Int) -> ZoneState {
        let before = tracks[person].tracker.zones[zone].state
        var state = before == .inside ? .unknown : before
        let speaker = speaker(of: person)
        var isLostInside = false
        var isInside = false
        for device in tracks[person].occupancy.devices where speaker == nil || speaker == device {
            let status = tracks[device].tracker.zones[zone]
            if status.state == .inside { isInside = true }
            if status.isLostInside { isLostInside = true }
            if status.state == .outside {
                state = .outside
                if tracks[person].occupancy.presence == .all, countsAsThere(device) { return .outside }
            }
        }
        switch tracks[person].occupancy.presence {
        case .any, .all: break
        // Who was somewhere in an earlier life stays there until a device speaks.
        case .nearest: if speaker == nil, isInside { return before }
        }
        if isInside { return .inside }
        return isLostInside ? .unknown : state
    }

    /// Whether a device that is outside keeps a person outside who is inside only with all of them.
    private func countsAsThere(_ device: Int) -> Bool {
        tracks[device].isPresent || tracks[device].occupancy.isAwaited
    }

    private func exitReason(of person: Int, in zone: Int) -> ZoneExitReason {
        let visit = tracks[person].tracker.zones[zone].visit
        let devices = tracks[person].occupancy.devices
        let decisive: Int?
        switch tracks[person].occupancy.presence {
        case .any: decisive = nil
        case .all: decisive = devices.first { tracks[$0].tracker.zones[zone].state == .outside && countsAsThere($0) }
        case .nearest: decisive = speaker(of: person)
        }
        if let decisive {
            let status = tracks[decisive].tracker.zones[zone]
            switch status.exitReason {
            case .left: return .left
            // Who was lost and was seen outside since has left.
            case .lost, .sessionEnded, .suspended: return status.isLostInside ? status.exitReason : .left
            case .zoneDisabled, .accessoryRemoved, .memberRemoved:
                return status.aggregateVisit == visit ? status.exitReason : .left
            }
        }
        if tracks[person].tracker.zones[zone].hasForgottenLoss { return .lost }
        return sharedReason(of: zone, visit, devices)
    }
}
