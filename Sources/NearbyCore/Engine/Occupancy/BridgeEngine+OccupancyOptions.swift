// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// People and groups that are made up otherwise while the bridge runs.
///
/// Who is taken out of a group or from a person while inside ends the stay only if nobody else is inside; who is added
/// begins one only if nobody was: then there is an event, because it is news for whoever listens there.
extension BridgeEngine {
    /// Ends the stays of people and groups that the new options do not know.
    mutating func leavePeopleAndGroups(goneWith new: EngineOptions, into effects: inout EffectBuffer) {
        for accessory in accessories.indices where accessories[accessory].isLive {
            for person in accessories[accessory].people {
                guard new.people[identifiers.name(of: tracks[person].identifier)] == nil else { continue }
                for zone in zoneOrders[tracks[person].zoneSet] {
                    guard tracks[person].tracker.zones[zone].state == .inside else { continue }
                    let dwell = stay(in: tracks[person].tracker.zones[zone], until: clock)
                    let kind = ZoneEvent.Kind.exit(reason: .memberRemoved, dwell: dwell)
                    emit(kind, zone, person, clock).map { effects.append(.event($0)) }
                    Self.leave(&tracks[person].tracker.zones[zone], .memberRemoved, at: clock)
                }
            }
        }
        for group in occupancy.groups.indices where new.groups[occupancy.groups[group].identifier] == nil {
            for zone in occupancy.groups[group].zones.indices {
                occupancy.groups[group].zones[zone].resetCounts { _ in false }
            }
            evaluate(group, .max, because: .memberRemoved, at: clock, into: &effects)
            greatestRetired = max(greatestRetired, occupancy.groups[group].nextSequence)
            let peers = occupancy.groups[group].choices.keys.sorted()
            effects.append(.groupGone(occupancy.groups[group].identifier, peers: peers))
        }
    }

    /// Makes people and groups up anew, with what is still true of them.
    ///
    /// - Parameters:
    ///   - old: The options before.
    ///   - places: The new place of each zone.
    ///   - effects: What is to be done.
    mutating func revise(_ old: EngineOptions, _ places: [Int?], into effects: inout EffectBuffer) {
        let before = occupancy
        let live = accessories.indices.filter { accessories[$0].isLive }
        let hadPeople = live.filter { !accessories[$0].people.isEmpty }
        var speakers: [Int: Int] = [:]
        for accessory in live {
            for person in accessories[accessory].people {
                let carrier = tracks[person].occupancy.carrier
                if carrier >= 0 { speakers[person] = before.choices[carrier].choice.incumbent }
                tracks[person].occupancy = TrackOccupancy()
                tracks[person].occupancy.isPerson = true
            }
            for track in accessories[accessory].tracks {
                let isAwaited = tracks[track].occupancy.isAwaited
                tracks[track].occupancy = TrackOccupancy()
                tracks[track].occupancy.isAwaited = isAwaited
            }
        }
        occupancy = Occupancy(options)
        for accessory in live { readmit(accessory, speakers, into: &effects) }
        carryOver(before, old, places, into: &effects)
        // Counted anew below.
        occupancy.isStale = !occupancy.groups.isEmpty
        for accessory in live where !accessories[accessory].people.isEmpty || hadPeople.contains(accessory) {
            for person in accessories[accessory].people {
                guard review(person, because: .memberRemoved, at: clock, into: &effects) != 0 else { continue }
                snapshotPerson(person, at: clock, hasChanged: true, into: &effects)
            }
            for person in accessories[accessory].people where tracks[person].occupancy.devices.isEmpty {
                leaveChoices(person, at: clock, into: &effects)
                drop(person, into: &effects)
            }
            _ = aggregate(.max, of: accessory, because: .memberRemoved, at: clock, into: &effects)
            snapshotAggregate(of: accessory, at: clock, hasChanged: true, into: &effects)
        }
        // What was restored and is not settled yet is settled with its own reasons.
        if !hasRestored {
            settleGroups(isRestored: false, because: .memberRemoved, at: clock, into: &effects)
            for accessory in live where !accessories[accessory].groups.isEmpty {
                for track in occupants(of: accessory) where shownTrack(of: track) != nil {
                    approach(track, at: clock, into: &effects)
                }
            }
        }
    }

    /// Gives an accessory its groups, and its peers the people who carry them now.
    private mutating func readmit(_ accessory: Int, _ speakers: [Int: Int], into effects: inout EffectBuffer) {
        accessories[accessory].groups = []
        joinGroups(accessory, name(ofAccessory: accessory))
        for person in accessories[accessory].people {
            if let said = options.people[identifiers.name(of: tracks[person].identifier)] {
                arrange(person, said)
                enterChoices(person)
            } else {
                drop(person, into: &effects)
            }
        }
        for track in accessories[accessory].tracks { admit(track) }
        for person in accessories[accessory].people {
            let carrier = tracks[person].occupancy.carrier
            guard carrier >= 0 else { continue }
            if let speaker = speakers[person], tracks[speaker].occupancy.person == person {
                occupancy.choices[carrier].choice.restore(tracks[speaker].occupancy.slot)
            }
            for device in tracks[person].occupancy.devices where tracks[device].isPresent {
                _ = moveSpeaker(device, at: clock)
            }
        }
    }

    /// Keeps stays and numbers of groups that stay, and has all of them published.
    private mutating func carryOver(
        _ before: Occupancy,
        _ old: EngineOptions,
        _ places: [Int?],
        into effects: inout EffectBuffer
    ) {
        for group in occupancy.groups.indices {
            let identifier = occupancy.groups[group].identifier
            if let place = before.places[identifier] {
                let known = before.groups[place]
                for (zone, place) in places.enumerated() {
                    if let place { occupancy.groups[group].zones[place] = known.zones[zone] }
                    guard known.shown & (1 << UInt32(zone)) != 0 else { continue }
                    let isShown = place.map { occupancy.groups[group].shown & (1 << UInt32($0)) != 0 } ?? false
                    guard !isShown else { continue }
                    effects.append(.groupZoneGone(group: identifier, zone: old.zones[zone].name))
                }
                occupancy.groups[group].nextSequence = known.nextSequence
                occupancy.groups[group].restored =
                    known.restored
                    + known.choices.sorted { $0.key < $1.key }.map { peer, choice in
                        let told = before.choices[choice].told
                        return RestoredGroup.Nearest(
                            peer: peer,
                            accessory: told.accessory,
                            distance: told.distance,
                            since: told.since
                        )
                    }
            }
            for zone in options.zones.indices where occupancy.groups[group].shown & (1 << UInt32(zone)) != 0 {
                effects.append(.groupZone(group: identifier, zone: options.zones[zone].name))
            }
            effects.append(.groupState(identifier))
        }
    }
}
