// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// The nearest accessory of each named peer and person, in groups that want to know.
extension BridgeEngine {
    /// Somebody who counts and has a name becomes a candidate's distance in the choices of the accessory's groups.
    mutating func enterChoices(_ track: Int) {
        for group in accessories[tracks[track].accessory].groups {
            guard let said = occupancy.groups[group].options.nearest else { continue }
            let name = identifiers.name(of: tracks[track].identifier)
            let choice: Int
            if let known = occupancy.groups[group].choices[name] {
                choice = known
            } else {
                let empty = NearestChoice(margin: said.margin, hold: said.hold)
                let subject = Occupancy.Subject.accessory(group: group, peer: name)
                choice = occupancy.add(Occupancy.Choice(subject: subject, choice: empty))
                occupancy.groups[group].choices[name] = choice
            }
            let slot = occupancy.choices[choice].choice.add(track)
            tracks[track].occupancy.slots.append(TrackOccupancy.Slot(choice: choice, slot: slot))
        }
    }

    /// Somebody is forgotten at an accessory.
    mutating func leaveChoices(_ track: Int, at now: Instant, into effects: inout EffectBuffer) {
        for place in tracks[track].occupancy.slots {
            if occupancy.choices[place.choice].choice.remove(place.slot, at: now) {
                tellNearest(place.choice, at: now, into: &effects)
            }
            guard occupancy.choices[place.choice].choice.isEmpty else {
                armChoice(place.choice)
                continue
            }
            if case .accessory(let group, let peer) = occupancy.choices[place.choice].subject {
                occupancy.groups[group].choices[peer] = nil
                effects.append(.nearestGone(group: occupancy.groups[group].identifier, peer: peer))
            }
            occupancy.free(place.choice)
        }
        tracks[track].occupancy.slots = []
    }

    /// Takes the distance of a peer or person into its choices.
    mutating func approach(_ track: Int, at now: Instant, into effects: inout EffectBuffer) {
        guard !tracks[track].occupancy.slots.isEmpty else { return }
        let distance = shownTrack(of: track).map { tracks[$0].distance }
        for index in tracks[track].occupancy.slots.indices {
            let place = tracks[track].occupancy.slots[index]
            let counted = distance.flatMap { isInReach($0, track, place) ? $0 : nil }
            if occupancy.choices[place.choice].choice.observe(place.slot, counted, at: now) {
                tellNearest(place.choice, at: now, into: &effects)
            }
            armChoice(place.choice)
        }
    }

    private func isInReach(_ distance: Double, _ track: Int, _ place: TrackOccupancy.Slot) -> Bool {
        guard case .accessory(let group, _) = occupancy.choices[place.choice].subject,
            let said = occupancy.groups[group].options.nearest
        else { return false }
        switch said.reach {
        case .unlimited: return true
        case .metres(let metres):
            let isIncumbent = occupancy.choices[place.choice].choice.isIncumbent(place.slot)
            return distance <= metres + (isIncumbent ? said.margin : 0)
        case .zone:
            guard let zone = occupancy.groups[group].reach else { return false }
            return tracks[track].tracker.zones[zone].state == .inside
        }
    }

    /// A hold, or the waiting for an incumbent of an earlier life, has come to an end.
    mutating func settleChoice(_ choice: Int, at now: Instant, into effects: inout EffectBuffer) {
        var hasChanged = false
        if let until = occupancy.choices[choice].awaitedUntil, until <= now {
            occupancy.choices[choice].awaitedUntil = nil
            hasChanged = occupancy.choices[choice].choice.giveUpWaiting(at: now)
        }
        if occupancy.choices[choice].choice.advance(to: now) { hasChanged = true }
        if hasChanged { tellNearest(choice, at: now, into: &effects) }
    }

    /// Sets the deadline of a choice.
    mutating func armChoice(_ choice: Int) {
        if case .nothing = occupancy.choices[choice].subject { return }
        var due = occupancy.choices[choice].choice.due
        if occupancy.choices[choice].choice.isAwaiting, let until = occupancy.choices[choice].awaitedUntil {
            due = min(due ?? until, until)
        }
        occupancy.deadlines.set(due, for: 2 * choice)
    }

    /// An incumbent of an earlier life is waited for as long as a peer may be silent.
    mutating func awaitIncumbent(_ choice: Int) {
        occupancy.choices[choice].awaitedUntil = nil
        guard let incumbent = occupancy.choices[choice].choice.incumbent else { return }
        let lostAfter = zoneSets[tracks[incumbent].zoneSet].lostAfter
        guard lostAfter != .max else { return }
        occupancy.choices[choice].awaitedUntil = max(clock, watchedSince).advanced(byNanoseconds: lostAfter)
    }

    /// Tells that another accessory is the nearest, if it is.
    mutating func tellNearest(_ choice: Int, at now: Instant, into effects: inout EffectBuffer) {
        guard case .accessory(let group, let peer) = occupancy.choices[choice].subject else { return }
        let incumbent = occupancy.choices[choice].choice.incumbent
        let accessory = incumbent.map { name(ofAccessory: tracks[$0].accessory) }
        let before = occupancy.choices[choice].told.accessory
        guard accessory != before else { return }
        let distance = occupancy.choices[choice].choice.distance
        occupancy.choices[choice].told = NearestState(accessory: accessory, distance: distance, since: now)
        let kind = GroupEvent.Kind.nearestChanged(peer: peer, from: before, to: accessory, distance: distance)
        emit(kind, of: group, at: now, into: &effects)
        effects.append(.nearest(group: occupancy.groups[group].identifier, peer: peer))
        tell(group, isChange: true, at: now, into: &effects)
    }
}
