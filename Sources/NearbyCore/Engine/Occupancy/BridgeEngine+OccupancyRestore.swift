// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What an earlier life left of people and groups.
extension BridgeEngine {
    /// Takes over a person at an accessory; one who is not configured any more is forgotten.
    mutating func restorePerson(
        _ stream: RestoredStream,
        _ identifier: String,
        of accessory: Int,
        into effects: inout EffectBuffer
    ) {
        guard stream.isPerson, let person = personTrack(identifier, of: accessory) else {
            retireNumber(stream.lastSequence)
            return effects.append(.forgotten(accessory: stream.accessory, peer: identifier))
        }
        Self.continueNumbering(&tracks[person].stream, stream.lastSequence)
        Self.overlay(stream.zones, of: options.zones, on: &tracks[person].tracker.zones)
        tracks[person].hasSession = true
        hasRestored = true
    }

    /// Takes over a group; one that is not configured any more is forgotten.
    mutating func restore(_ restored: RestoredGroup, into effects: inout EffectBuffer) {
        guard let group = occupancy.places[restored.group] else {
            retireNumber(restored.lastSequence)
            return effects.append(.groupGone(restored.group, peers: restored.nearest.map(\.peer)))
        }
        var book = StreamBookkeeping()
        book.nextSequence = occupancy.groups[group].nextSequence
        Self.continueNumbering(&book, restored.lastSequence)
        occupancy.groups[group].nextSequence = book.nextSequence
        var statuses = occupancy.groups[group].zones.map(\.status)
        Self.overlay(restored.zones, of: options.zones, on: &statuses)
        for zone in statuses.indices { occupancy.groups[group].zones[zone].status = statuses[zone] }
        occupancy.groups[group].restored = restored.nearest
        // Told on connecting, which comes before anything is settled.
        for nearest in restored.nearest {
            guard let choice = occupancy.groups[group].choices[nearest.peer] else { continue }
            occupancy.choices[choice].told = nearest.state
        }
        occupancy.isStale = true
        hasRestored = true
    }

    /// Numbers of a stream that is gone are not used again.
    private mutating func retireNumber(_ last: Int64?) {
        guard let last, last > 0, last < Self.greatestSequence else { return }
        greatestRetired = max(greatestRetired, last + 1)
    }

    /// Brings restored people in line with their devices: without an event, unless the earlier life ended in between.
    mutating func settlePeople(of accessory: Int, at now: Instant, into effects: inout EffectBuffer) {
        for person in accessories[accessory].people {
            for (zone, level) in tracks[person].tracker.zones.enumerated() {
                for device in tracks[person].occupancy.devices {
                    let status = tracks[device].tracker.zones[zone]
                    let wasLost = status.isLostInside && status.since >= level.since
                    guard status.state == .inside || wasLost else { continue }
                    tracks[device].tracker.zones[zone].aggregateVisit = level.visit
                }
            }
            guard review(person, at: now, into: &effects) != 0 else { continue }
            snapshotPerson(person, at: now, hasChanged: true, into: &effects)
        }
    }

    /// Counts anew who is where in all groups, if that is not known, and tells what has become of them.
    mutating func settleGroups(
        isRestored: Bool,
        because cause: ZoneExitReason? = nil,
        at now: Instant,
        into effects: inout EffectBuffer
    ) {
        guard occupancy.isStale else { return }
        occupancy.isStale = false
        recount(isRestored: isRestored)
        for group in occupancy.groups.indices {
            restoreNearest(of: group, at: now, into: &effects)
            evaluate(group, .max, because: cause, at: now, into: &effects)
            // What was told on connecting did not know yet whom the accessories' own peers explain.
            if isRestored { tell(group, isChange: true, at: now, into: &effects) }
        }
    }

    mutating func recount(isRestored: Bool) {
        for group in occupancy.groups.indices {
            for zone in occupancy.groups[group].zones.indices {
                occupancy.groups[group].zones[zone].resetCounts { accessories[$0].groups.contains(group) }
            }
        }
        for accessory in accessories.indices where accessories[accessory].isLive {
            for group in accessories[accessory].groups {
                for (zone, status) in accessories[accessory].zones.enumerated() {
                    let standing = GroupZone.Standing(status)
                    occupancy.groups[group].zones[zone].move(accessory, from: .never, to: standing, status.exitReason)
                    let level = occupancy.groups[group].zones[zone].status
                    guard isRestored, standing == .lost, level.state == .inside, status.since >= level.since else {
                        continue
                    }
                    occupancy.groups[group].zones[zone].note(accessory, .lost)
                }
            }
            guard !accessories[accessory].groups.isEmpty else { continue }
            for track in occupants(of: accessory) {
                var inside: UInt32 = 0
                for (zone, status) in tracks[track].tracker.zones.enumerated() where status.state == .inside {
                    inside |= 1 << UInt32(zone)
                }
                count(track, entered: inside, exited: 0)
            }
        }
    }

    /// Whoever was the nearest is so until it speaks, or has been silent for too long.
    private mutating func restoreNearest(of group: Int, at now: Instant, into effects: inout EffectBuffer) {
        let identifier = occupancy.groups[group].identifier
        for restored in occupancy.groups[group].restored {
            guard let choice = occupancy.groups[group].choices[restored.peer] else {
                effects.append(.nearestGone(group: identifier, peer: restored.peer))
                continue
            }
            occupancy.choices[choice].told = restored.state
            guard let accessory = restored.state.accessory else { continue }
            if let slot = slot(of: restored.peer, at: accessory, in: choice) {
                occupancy.choices[choice].choice.restore(slot)
                awaitIncumbent(choice)
                armChoice(choice)
            } else {
                // The accessory does not belong to the group any more.
                tellNearest(choice, at: now, into: &effects)
            }
        }
        occupancy.groups[group].restored = []
    }

    private func slot(of peer: String, at accessory: String, in choice: Int) -> Int? {
        guard let accessory = self.accessory(named: accessory)?.rawValue,
            let place = identifiers.index(of: Array(peer.utf8).span, in: accessory + 1)
        else { return nil }
        return tracks[trackPlaces[place]].occupancy.slots.first { $0.choice == choice }?.slot
    }
}
