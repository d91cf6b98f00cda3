// nearby-bridge · SPDX-License-Identifier: Apache-2.0

public import NearbyCore

/// A consumer of groups who believes what is published, counts for himself, and notes every contradiction.
///
/// For each group: `seq` grows by one, no exit without an enter, no second enter, one visit from enter to exit, dwell
/// times that add up, `from` of a `nearest_changed` is the `to` before. For each turn: states and counts are those that
/// a naive count over all streams gives, and the state topic tells every change of a zone.
public struct GroupChecker {
    private struct Stay {
        var visit: Int64
        var since: Instant
    }

    /// The last state told of each group.
    public private(set) var retained: [String: GroupState] = [:]
    /// Who was told to be the nearest, by group and peer.
    public private(set) var nearest: [String: [String: NearestState]] = [:]
    private var stays: [String: [String: Stay]] = [:]
    private var words: [String: [String: ZoneState]] = [:]
    private var lastSequences: [String: Int64] = [:]
    /// What events said last of who is nearest.
    private var lastNearest: [String: [String: String]] = [:]

    /// Whatever was told of groups that are no more is gone with them.
    private var newborn: Set<String> = []

    init() {}

    /// What a new engine is given.
    public var restored: [RestoredGroup] {
        retained.values.sorted { $0.group < $1.group }.map { state in
            RestoredGroup(
                group: state.group,
                lastSequence: lastSequences[state.group],
                zones: state.zones.compactMap { zone in
                    zone.since.map { .init(name: zone.name, state: zone.state, since: $0, visit: zone.visit ?? 0) }
                },
                nearest: (nearest[state.group] ?? [:]).sorted { $0.key < $1.key }.map { peer, state in
                    .init(peer: peer, accessory: state.accessory, distance: state.distance, since: state.since)
                }
            )
        }
    }

    /// Takes an effect; returns what is wrong with it.
    mutating func take(_ effect: BridgeEffect, at now: Instant, _ engine: BridgeEngine) -> [String] {
        switch effect {
        case .groupEvent(let event): return take(event, at: now)
        case .groupZone(let group, let zone):
            words[group, default: [:]][zone] = engine.state(ofGroup: group)?.zones.first { $0.name == zone }?.state
        case .groupState(let group): retained[group] = engine.state(ofGroup: group)
        case .groupGone(let group, _):
            newborn.insert(group)
            let wasInside = stays[group]?.isEmpty == false
            retained[group] = nil
            nearest[group] = nil
            lastNearest[group] = nil
            stays[group] = nil
            words[group] = nil
            return wasInside ? ["\(group) is gone while inside"] : []
        case .groupZoneGone(let group, let zone): words[group]?[zone] = nil
        case .nearest(let group, let peer):
            nearest[group, default: [:]][peer] = engine.nearest(of: peer, inGroup: group)
        case .nearestGone(let group, let peer):
            nearest[group]?[peer] = nil
            lastNearest[group]?[peer] = nil
        case .event, .sessionEvent, .grantChanged, .command, .radio, .phoneConfiguration, .zone, .state, .session,
            .notice, .removed, .forgotten, .zoneGone, .peerRenamed, .zonesChanged, .complaint:
            break
        }
        return []
    }

    private mutating func take(_ event: GroupEvent, at now: Instant) -> [String] {
        var faults: [String] = []
        let last = lastSequences[event.group]
        if let last, newborn.contains(event.group) ? event.sequence <= last : event.sequence != last + 1 {
            faults.append("\(event.identifier) follows \(last)")
        }
        newborn.remove(event.group)
        lastSequences[event.group] = event.sequence
        switch event.kind {
        case .enter(let zone, _, let visit):
            if stays[event.group]?[zone] != nil { faults.append("\(event.identifier): second enter of \(zone)") }
            if visit != event.sequence { faults.append("\(event.identifier): a visit is named by its enter event") }
            stays[event.group, default: [:]][zone] = Stay(visit: visit, since: event.at)
        case .exit(let zone, _, let visit, _, let dwell):
            guard let stay = stays[event.group]?.removeValue(forKey: zone) else {
                return faults + ["\(event.identifier): exit of \(zone) without enter"]
            }
            if stay.visit != visit { faults.append("\(event.identifier): visit \(visit) began as \(stay.visit)") }
            if dwell != stay.since.duration(to: event.at) { faults.append("\(event.identifier): dwell \(dwell)") }
        case .nearestChanged(let peer, let from, let to, _):
            let told = lastNearest[event.group]?[peer]
            lastNearest[event.group, default: [:]][peer] = to
            if from != told { faults.append("\(event.identifier): from \(from ?? "none"), told \(told ?? "none")") }
            if from == to { faults.append("\(event.identifier): nothing changed") }
        }
        return faults
    }

    /// What is wrong after a turn.
    func compare(_ engine: BridgeEngine) -> [String] {
        engine.groups.flatMap { group -> [String] in
            guard let state = engine.state(ofGroup: group), let options = engine.options.groups[group] else {
                return []
            }
            var faults: [String] = []
            for peer in engine.peers(ofGroup: group) {
                let known = engine.nearest(of: peer, inGroup: group)?.accessory
                if known != lastNearest[group]?[peer] || known != nearest[group]?[peer]?.accessory {
                    faults.append("\(group): nearest of \(peer) is \(known ?? "none") against its events")
                }
            }
            let count = Self.count(options, engine)
            for zone in state.zones {
                let known = count[zone.name] ?? Count()
                let told = words[group]?[zone.name] ?? .unknown
                if told != zone.state { faults.append("\(group): \(zone.name) is \(zone.state), but \(told) is told") }
                if (zone.state == .inside) != (stays[group]?[zone.name] != nil) {
                    faults.append("\(group): \(zone.name) is \(zone.state) against its events")
                }
                if let expected = known.state, zone.state != expected {
                    faults.append("\(group): \(zone.name) is \(zone.state), counted \(expected)")
                }
                if zone.count != known.occupants.count + known.unnamed {
                    faults.append("\(group): \(zone.count) in \(zone.name), counted \(known)")
                }
                if zone.occupants != Array(known.occupants.sorted().prefix(GroupState.mostListed)) {
                    faults.append("\(group): \(zone.occupants) in \(zone.name), counted \(known.occupants)")
                }
                let isComplete = known.inside.count <= GroupState.mostListed
                let isListed =
                    isComplete
                    ? zone.accessories == known.inside.sorted()
                    : zone.accessories.count == GroupState.mostListed && known.inside.isSuperset(of: zone.accessories)
                if !isListed {
                    faults.append("\(group): \(zone.name) at \(zone.accessories), counted \(known.inside)")
                }
                let retained = retained[group]?.zones.first { $0.name == zone.name }?.state ?? .unknown
                if retained != zone.state {
                    faults.append("\(group): \(zone.name) is \(zone.state), but the state topic says \(retained)")
                }
            }
            return faults
        }
    }

    private struct Count {
        var inside: Set<String> = []
        var isLost = false
        var isOutside = false
        var occupants: Set<String> = []
        var unnamed = 0

        /// `nil` while nothing was judged.
        var state: ZoneState? { !inside.isEmpty ? .inside : isLost ? .unknown : isOutside ? .outside : nil }
    }

    /// Who is where, counted stream by stream.
    private static func count(_ options: GroupOptions, _ engine: BridgeEngine) -> [String: Count] {
        var counts: [String: Count] = [:]
        for index in 0..<engine.accessoryCount {
            let states = engine.streams(of: AccessoryIndex(index)).compactMap { engine.state(of: $0) }
            guard let aggregate = states.first else { continue }
            if case .listed(let names) = options.members, !names.contains(aggregate.accessory) { continue }
            let carried = Set(aggregate.peers.filter { $0.person != nil }.map(\.identifier))
            for zone in aggregate.zones {
                var count = counts[zone.name] ?? Count()
                if zone.state == .inside { count.inside.insert(aggregate.accessory) }
                if zone.state == .unknown, zone.visit != nil { count.isLost = true }
                if zone.state == .outside { count.isOutside = true }
                let named = states.dropFirst().compactMap { state -> String? in
                    guard let peer = state.peer, !carried.contains(peer) else { return nil }
                    return state.zones.contains { $0.name == zone.name && $0.state == .inside } ? peer : nil
                }
                count.occupants.formUnion(named)
                count.unnamed += zone.count - named.count
                counts[zone.name] = count
            }
        }
        return counts
    }
}
