// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Groups: first in and last out over several accessories, and who is inside where.
extension BridgeEngine {
    /// Groups in their order.
    public var groups: [String] { occupancy.groups.map(\.identifier) }

    // MARK: Membership

    /// A new accessory belongs to its groups.
    mutating func joinGroups(_ accessory: Int, _ name: String) {
        guard !occupancy.groups.isEmpty else { return }
        accessories[accessory].groups = occupancy.groups(of: name)
        for group in accessories[accessory].groups { show(accessory, in: group) }
    }

    /// A group has the zones that any of its accessories has.
    func shownZones(of accessory: Int) -> UInt32 {
        zoneSets[accessories[accessory].zoneSet].zones.reduce(0) { $0 | 1 << UInt32($1.index) }
    }

    private mutating func show(_ accessory: Int, in group: Int) {
        occupancy.groups[group].shown |= shownZones(of: accessory)
    }

    /// An accessory is removed: what it counted for is gone, and nobody's nearest is there.
    mutating func leaveGroups(_ accessory: Int, into effects: inout EffectBuffer) {
        for track in accessories[accessory].tracks + accessories[accessory].people {
            leaveChoices(track, at: clock, into: &effects)
            if tracks[track].occupancy.carrier >= 0 { occupancy.free(tracks[track].occupancy.carrier) }
            tracks[track].occupancy = TrackOccupancy()
        }
        guard !occupancy.isStale else { return }
        for group in accessories[accessory].groups {
            for zone in options.zones.indices {
                let status = accessories[accessory].zones[zone]
                let old = GroupZone.Standing(status)
                occupancy.groups[group].zones[zone].move(accessory, from: old, to: .never, status.exitReason)
                occupancy.groups[group].zones[zone].forget(accessory)
            }
            evaluate(group, .max, at: clock, into: &effects)
        }
    }

    // MARK: Counting

    /// Somebody who counts came into zones or went out of them.
    mutating func count(_ track: Int, entered: UInt32, exited: UInt32) {
        let accessory = tracks[track].accessory
        guard entered | exited != 0, !accessories[accessory].groups.isEmpty, !occupancy.isStale else { return }
        let name = tracks[track].isNamed ? identifiers.name(of: tracks[track].identifier) : nil
        for group in accessories[accessory].groups {
            for zone in options.zones.indices where (entered | exited) & (1 << UInt32(zone)) != 0 {
                let hasEntered = entered & (1 << UInt32(zone)) != 0
                occupancy.groups[group].zones[zone].count(name, hasEntered: hasEntered)
            }
            occupancy.groups[group].hasNews = true
        }
    }

    /// Aggregates an accessory, and has its groups tell who is inside.
    mutating func aggregateAndTell(
        _ mask: UInt32,
        of accessory: Int,
        at now: Instant,
        into effects: inout EffectBuffer
    ) -> Bool {
        let hasChanged = aggregate(mask, of: accessory, at: now, into: &effects)
        for group in accessories[accessory].groups where occupancy.groups[group].hasNews {
            tell(group, isChange: false, at: now, into: &effects)
        }
        return hasChanged
    }

    /// Zones of an accessory's aggregate have changed.
    mutating func updateGroups(
        of accessory: Int,
        before: [ZoneStatus],
        at now: Instant,
        into effects: inout EffectBuffer
    ) {
        guard !occupancy.isStale else { return }
        for group in accessories[accessory].groups {
            var mask: UInt32 = 0
            for zone in before.indices {
                let status = accessories[accessory].zones[zone]
                let (old, new) = (GroupZone.Standing(before[zone]), GroupZone.Standing(status))
                guard old != new else { continue }
                occupancy.groups[group].zones[zone].move(accessory, from: old, to: new, status.exitReason)
                mask |= 1 << UInt32(zone)
            }
            evaluate(group, mask, by: accessory, at: now, into: &effects)
        }
    }

    /// The zones of a group from inner to outer, by their own radii.
    private func zoneOrder() -> [Int] {
        let enabled = options.zoneSet(AccessoryOptions(), nil).zones.map(\.index)
        return enabled + options.zones.indices.filter { !enabled.contains($0) }
    }

    /// Brings the zones of a group, those in `mask`, in line with what was counted.
    mutating func evaluate(
        _ group: Int,
        _ mask: UInt32,
        by accessory: Int? = nil,
        because cause: ZoneExitReason? = nil,
        at now: Instant,
        into effects: inout EffectBuffer
    ) {
        let changing = options.zones.indices.filter { zone in
            let counted = occupancy.groups[group].zones[zone]
            return mask & (1 << UInt32(zone)) != 0 && counted.derived != counted.status.state
        }
        guard !changing.isEmpty else { return }
        let order = zoneOrder().filter { changing.contains($0) }
        let name = accessory.map { self.name(ofAccessory: $0) }
        var entered: [Int] = []
        for zone in order {
            let counted = occupancy.groups[group].zones[zone]
            let new = counted.derived
            if new == .inside {
                entered.append(zone)
                continue
            }
            if counted.status.state == .inside {
                let reason = cause ?? counted.reason
                let dwell = stay(in: counted.status, until: now)
                let zoneName = options.zones[zone].name
                let visit = counted.status.visit
                emit(
                    .exit(zone: zoneName, accessory: name, visit: visit, reason: reason, dwell: dwell),
                    of: group,
                    at: now,
                    into: &effects
                )
                Self.leave(&occupancy.groups[group].zones[zone].status, reason, at: now)
            }
            occupancy.groups[group].zones[zone].status.state = new
            occupancy.groups[group].zones[zone].status.since = now
        }
        for zone in entered.reversed() {
            occupancy.groups[group].zones[zone].beginVisit()
            Self.enter(&occupancy.groups[group].zones[zone].status, at: now)
            let visit = number(after: occupancy.groups[group].nextSequence, at: now)
            occupancy.groups[group].zones[zone].status.visit = visit
            let zoneName = options.zones[zone].name
            emit(.enter(zone: zoneName, accessory: name, visit: visit), of: group, at: now, into: &effects)
        }
        let identifier = occupancy.groups[group].identifier
        for zone in order.filter({ !entered.contains($0) }) + entered.reversed() {
            effects.append(.groupZone(group: identifier, zone: options.zones[zone].name))
        }
        tell(group, isChange: true, at: now, into: &effects)
    }

    /// Numbers an event of a group.
    mutating func emit(_ kind: GroupEvent.Kind, of group: Int, at now: Instant, into effects: inout EffectBuffer) {
        let sequence = number(after: occupancy.groups[group].nextSequence, at: now)
        occupancy.groups[group].nextSequence = sequence + 1
        counters.events += 1
        let identifier = occupancy.groups[group].identifier
        effects.append(.groupEvent(GroupEvent(group: identifier, sequence: sequence, at: now, kind: kind)))
    }

    /// Has a group's state told: a change at once, who came or went not too often.
    mutating func tell(_ group: Int, isChange: Bool, at now: Instant, into effects: inout EffectBuffer) {
        let last = occupancy.groups[group].lastState
        let due = last == .distantPast ? now : last.advanced(byNanoseconds: Self.changeSpacing)
        guard isChange || due <= now else { return occupancy.deadlines.bringForward(due, for: 2 * group + 1) }
        occupancy.groups[group].hasNews = false
        occupancy.groups[group].lastState = now
        occupancy.deadlines.set(nil, for: 2 * group + 1)
        effects.append(.groupState(occupancy.groups[group].identifier))
    }

    // MARK: Deadlines

    /// Carries out what a deadline of people or groups was set for.
    mutating func fireOccupancy(_ slot: Int, at now: Instant, into effects: inout EffectBuffer) {
        let index = slot / 2
        guard slot % 2 == 0 else {
            if occupancy.groups[index].hasNews { tell(index, isChange: false, at: now, into: &effects) }
            return
        }
        switch occupancy.choices[index].subject {
        case .nothing: return
        case .carrier(let person):
            if occupancy.choices[index].choice.advance(to: now) {
                let hasChanged = reviewAndTell(person, at: now, into: &effects).person
                let accessory = tracks[person].accessory
                snapshotAggregate(of: accessory, at: now, hasChanged: hasChanged, into: &effects)
                approach(person, at: now, into: &effects)
            }
        case .accessory: settleChoice(index, at: now, into: &effects)
        }
        armChoice(index)
    }

    /// Silence counts anew, and so do holds.
    mutating func watchOccupancyAnew() {
        for choice in occupancy.choices.indices {
            occupancy.choices[choice].choice.cancelHold()
            if occupancy.choices[choice].choice.isAwaiting { awaitIncumbent(choice) }
            armChoice(choice)
        }
    }

    // MARK: What payloads are written from

    /// Everything that the state topic of a group tells; `nil` if there is none of this name.
    public func state(ofGroup identifier: String) -> GroupState? {
        guard let place = occupancy.places[identifier] else { return nil }
        let group = counted(place)
        let zones = zoneOrder().filter { group.shown & (1 << UInt32($0)) != 0 }
        return GroupState(
            group: identifier,
            name: group.options.name,
            zones: zones.map { zone in
                let counted = group.zones[zone]
                let names = counted.inside.prefix(GroupState.mostListed).map { name(ofAccessory: $0) }.sorted()
                return GroupState.Zone(
                    name: options.zones[zone].name,
                    state: counted.status.state,
                    since: counted.status.since == .distantPast ? nil : counted.status.since,
                    visit: counted.status.visit == 0 ? nil : counted.status.visit,
                    count: counted.count,
                    accessories: names,
                    occupants: Array(counted.occupants.prefix(GroupState.mostListed))
                )
            },
            sequence: group.nextSequence > 0 ? group.nextSequence - 1 : nil
        )
    }

    /// A group with its counts, which are not true before what was restored is settled.
    private func counted(_ group: Int) -> Group {
        guard occupancy.isStale else { return occupancy.groups[group] }
        var other = self
        other.occupancy.isStale = false
        other.recount(isRestored: true)
        return other.occupancy.groups[group]
    }

    /// The nearest accessory of a peer or person in a group; `nil` if nobody of that name is known there.
    public func nearest(of peer: String, inGroup identifier: String) -> NearestState? {
        guard let place = occupancy.places[identifier] else { return nil }
        return occupancy.groups[place].choices[peer].map { occupancy.choices[$0].told }
    }

    /// The peers and people of a group whose nearest accessories are told, sorted.
    public func peers(ofGroup identifier: String) -> [String] {
        guard let place = occupancy.places[identifier] else { return [] }
        return occupancy.groups[place].choices.keys.sorted()
    }
}
