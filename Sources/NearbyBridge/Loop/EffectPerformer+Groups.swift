// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// What is told of groups.
extension EffectPerformer {
    /// Carries out an effect that concerns a group.
    mutating func performGroup(
        _ effect: BridgeEffect,
        of engine: borrowing BridgeEngine,
        _ wall: WallTime,
        isOnline: Bool,
        at now: Instant,
        into outbox: inout Outbox
    ) {
        switch effect {
        case .groupEvent(let event):
            log.debug("\(event.identifier) \(GroupPayload.type(of: event.kind))", .zones)
            json.removeAll()
            let stamp = GroupPayload.write(event, wall, into: &json)
            journal.change(group: event.group)
            append(EventKey(group: event.group, sequence: event.sequence), stampAt: stamp, engine, at: now, to: &outbox)
        case .groupZone(let group, let zone):
            journal.change(group: group)
            if isOnline { publishZone(zone, ofGroup: group, engine, to: &outbox) }
        case .groupState(let group):
            journal.change(group: group)
            if !untoldGroups.contains(group) { untoldGroups.append(group) }
        case .groupGone(let group, let peers):
            journal.forget(group: group)
            let zones = options.engine.zones.map { options.topics.zone($0.name, ofGroup: group) }
            let nearest = peers.map { options.topics.nearest(of: $0, inGroup: group) }
            clear(zones + nearest + [options.topics.state(ofGroup: group)], isOnline: isOnline, to: &outbox)
        case .groupZoneGone(let group, let zone):
            clear([options.topics.zone(zone, ofGroup: group)], isOnline: isOnline, to: &outbox)
        case .nearest(let group, let peer):
            journal.change(nearest: peer, inGroup: group)
            if isOnline { publishNearest(of: peer, inGroup: group, engine, wall, to: &outbox) }
        case .nearestGone(let group, let peer):
            journal.forget(nearest: peer, inGroup: group)
            clear([options.topics.nearest(of: peer, inGroup: group)], isOnline: isOnline, to: &outbox)
        case .event, .sessionEvent, .grantChanged, .command, .radio, .phoneConfiguration, .zone, .state, .session,
            .notice, .removed, .forgotten, .zoneGone, .peerRenamed, .zonesChanged, .complaint:
            break
        }
    }

    /// Publishes the states of groups that have changed, once a turn.
    mutating func tellGroups(
        of engine: borrowing BridgeEngine,
        _ wall: WallTime,
        isOnline: Bool,
        to outbox: inout Outbox
    ) {
        guard !untoldGroups.isEmpty else { return }
        if isOnline {
            for group in untoldGroups { publishState(ofGroup: group, engine, wall, to: &outbox) }
        }
        untoldGroups.removeAll(keepingCapacity: true)
    }

    /// Publishes what is retained of groups once more, as long as there is room.
    ///
    /// - Returns: Whether all of it was.
    mutating func republishGroups(
        of engine: borrowing BridgeEngine,
        _ wall: WallTime,
        to outbox: inout Outbox
    ) -> Bool {
        let groups = engine.groups
        while republishedGroups < groups.count, outbox.waiting < 64, !outbox.isHalfFull {
            let group = groups[republishedGroups]
            for zone in engine.state(ofGroup: group)?.zones ?? [] {
                publishZone(zone.name, ofGroup: group, engine, to: &outbox)
            }
            for peer in engine.peers(ofGroup: group) {
                publishNearest(of: peer, inGroup: group, engine, wall, to: &outbox)
            }
            publishState(ofGroup: group, engine, wall, to: &outbox)
            republishedGroups += 1
        }
        return republishedGroups >= groups.count
    }

    private func publishZone(
        _ zone: String,
        ofGroup group: String,
        _ engine: borrowing BridgeEngine,
        to outbox: inout Outbox
    ) {
        let state = engine.state(ofGroup: group)?.zones.first { $0.name == zone }
        guard let state else { return }
        let topic = options.topics.zone(zone, ofGroup: group)
        append(retained: topic, Array(state.state.word.utf8), qualityOfService: 1, to: &outbox)
    }

    private mutating func publishState(
        ofGroup group: String,
        _ engine: borrowing BridgeEngine,
        _ wall: WallTime,
        to outbox: inout Outbox
    ) {
        guard let state = engine.state(ofGroup: group) else { return }
        json.removeAll()
        GroupPayload.write(state, wall, into: &json)
        append(retained: options.topics.state(ofGroup: group), json.bytes, qualityOfService: 1, to: &outbox)
    }

    private mutating func publishNearest(
        of peer: String,
        inGroup group: String,
        _ engine: borrowing BridgeEngine,
        _ wall: WallTime,
        to outbox: inout Outbox
    ) {
        // Who was never near anything has no topic yet.
        guard let nearest = engine.nearest(of: peer, inGroup: group), nearest.since != .distantPast else { return }
        json.removeAll()
        GroupPayload.write(nearest, wall, into: &json)
        append(retained: options.topics.nearest(of: peer, inGroup: group), json.bytes, qualityOfService: 1, to: &outbox)
    }
}
