// nearby-bridge · SPDX-License-Identifier: Apache-2.0

public import NearbyCore

/// A consumer who believes what is published and notes every contradiction (CONTRACT sections 2.2, 4.2 and 5).
///
/// For each stream: `seq` grows by one, no exit without an enter, no second enter, one visit from enter to exit, inner
/// zones inside outer ones, dwell times that add up. Between streams: a peer's event comes before its aggregate's, and
/// the aggregate's zones and reasons follow from the peers'. For each turn: every change of a zone was announced, in
/// the zone's word and in a snapshot.
public struct EventStreamChecker {
    /// A stream by its names.
    public struct Stream: Hashable, Sendable {
        /// The accessory's identifier.
        public var accessory: String
        /// The peer's identifier; `nil` for the aggregate.
        public var peer: String?

        /// Names a stream.
        public init(accessory: String, peer: String? = nil) {
            self.accessory = accessory
            self.peer = peer
        }
    }

    private struct Stay {
        var visit: Int64
        var since: Instant
        var hasDwelt = false
    }

    /// What was found wrong, at most twenty of them.
    public private(set) var violations: [String] = []
    /// The last state told of each stream.
    public private(set) var retained: [Stream: StreamState] = [:]
    /// The last sequence number of each stream.
    public private(set) var lastSequences: [Stream: Int64] = [:]

    /// What a consumer makes of groups.
    public private(set) var groups = GroupChecker()

    /// The last session told of each accessory.
    private var sessions: [Stream: RestoredSession] = [:]
    private var options: EngineOptions
    /// Names cost a lookup and a string each: kept until a stream is forgotten.
    private var names: [StreamID: Stream] = [:]
    private var stays: [Stream: [String: Stay]] = [:]
    private var words: [Stream: [String: ZoneState]] = [:]
    private var orders: [Stream: [String]] = [:]
    /// The zones of each stream that lie in some directions only: nothing lies in them.
    private var sectors: [Stream: Set<String>] = [:]
    /// By accessory and zone: how each peer of the aggregate's running visit ended its last stay; `nil` is inside.
    private var visitors: [Stream: [String: [String: ZoneExitReason?]]] = [:]
    /// Aggregates with a peer that has no stream of its own, or whose visit began in an earlier life.
    private var withUnnamed: Set<String> = []
    /// Streams that were forgotten: they begin anew with a greater number.
    private var newborn: Set<Stream> = []
    private var isFreshStart = true
    private var isSettled = true

    /// Creates a consumer that knows nothing yet.
    public init(options: EngineOptions) {
        self.options = options
    }

    /// Notes a contradiction.
    public mutating func report(_ text: String) {
        if violations.count < 20 { violations.append(text) }
    }

    /// An unnamed peer speaks for this accessory: the aggregate cannot be derived from the named ones.
    public mutating func noteUnnamed(_ accessory: String) {
        withUnnamed.insert(accessory)
    }

    /// The engine ended; until it is subscribed again, nothing is in line.
    public mutating func noteRestart() {
        isSettled = false
        isFreshStart = false
        orders = [:]
        names = [:]
    }

    /// The subscriptions are acknowledged.
    public mutating func noteSubscribed() {
        isSettled = true
    }

    /// What a new engine is given: the last state of each stream.
    public var restoredStreams: [RestoredStream] {
        retained.map { stream, state in
            var restored = RestoredStream(
                accessory: stream.accessory,
                peer: stream.peer,
                lastSequence: lastSequences[stream],
                zones: state.zones.compactMap { zone in
                    zone.since.map { .init(name: zone.name, state: zone.state, since: $0, visit: zone.visit ?? 0) }
                }
            )
            restored.session = sessions[stream]
            restored.convergence = state.convergence
            restored.isPerson = state.isPerson
            return restored
        }
        .sorted { ($0.accessory, $0.peer ?? "") < ($1.accessory, $1.peer ?? "") }
    }

    /// Takes the effects of one turn and the engine that made them.
    public mutating func observe(_ effects: [BridgeEffect], at now: Instant, _ engine: BridgeEngine) {
        let streams = (0..<engine.accessoryCount).flatMap { engine.streams(of: AccessoryIndex($0)) }
        for stream in streams { noteOrder(of: stream, engine) }
        for effect in effects {
            switch effect {
            case .event(let event): take(event, at: now)
            case .zone(let stream, let zone):
                guard let name = name(of: stream, engine) else { continue }
                words[name, default: [:]][options.zones[zone].name] = engine.zoneState(zone, of: stream)
            case .state(let stream, _):
                guard let name = name(of: stream, engine), let state = engine.state(of: stream) else { continue }
                retained[name] = state
            case .forgotten(let accessory, let peer): forget(Stream(accessory: accessory, peer: peer))
            case .removed(let accessory, let peers):
                for peer in peers { forget(Stream(accessory: accessory, peer: peer)) }
                forget(Stream(accessory: accessory, peer: nil))
            case .sessionEvent(let event):
                // Numbered in the same stream as the zones' events.
                let stream = Stream(accessory: event.accessory, peer: event.peer)
                if let last = lastSequences[stream], event.sequence != last + 1, !newborn.contains(stream) {
                    report("session event \(event.sequence) of \(stream) follows \(last)")
                }
                newborn.remove(stream)
                lastSequences[stream] = event.sequence
            case .session(let stream): noteSession(of: stream, engine)
            case .zoneGone(let accessory, let peer, let zone):
                words[Stream(accessory: accessory, peer: peer)]?[zone] = nil
            case .peerRenamed(let accessory, let old, let new):
                rename(Stream(accessory: accessory, peer: old), Stream(accessory: accessory, peer: new))
            case .zonesChanged: readEverything(streams, engine)
            case .groupEvent, .groupZone, .groupState, .groupGone, .groupZoneGone, .nearest, .nearestGone:
                for fault in groups.take(effect, at: now, engine) { report(fault) }
            case .command, .radio, .phoneConfiguration, .peerToken, .characteristic, .grantChanged, .notice, .complaint:
                continue
            }
        }
        guard isSettled else { return }
        if !effects.isEmpty { for fault in groups.compare(engine) { report(fault) } }
        for stream in streams { compare(stream, engine) }
        guard !effects.isEmpty else { return }
        for accessory in 0..<engine.accessoryCount { derive(AccessoryIndex(accessory), engine) }
    }

    private mutating func noteSession(of stream: StreamID, _ engine: BridgeEngine) {
        guard let name = name(of: stream, engine) else { return }
        let session = engine.session(of: stream)
        var restored = RestoredSession(
            peer: engine.sessionPeer(of: stream),
            state: session.state,
            reason: session.reason,
            attempt: session.attempt,
            run: session.run,
            configuration: session.configuration?.encoded ?? [],
            interval: session.interval,
            isBinary: engine.speaksBinary(stream.accessory)
        )
        restored.kind = session.toldKind
        restored.isBackground = session.isBackground
        restored.identifiers = session.identifiers
        restored.announced = engine.announcement(of: stream.accessory)
        sessions[name] = restored
    }

    // MARK: One event

    private mutating func take(_ event: ZoneEvent, at now: Instant) {
        let stream = Stream(accessory: event.accessory, peer: event.peer)
        if let last = lastSequences[stream], event.sequence != last + 1, !newborn.contains(stream) {
            report("\(event.identifier) follows \(last)")
        } else if let last = lastSequences[stream], event.sequence <= last {
            report("\(event.identifier) is not new after \(last)")
        }
        newborn.remove(stream)
        lastSequences[stream] = event.sequence
        if event.at > now { report("\(event.identifier) is decided in the future") }
        switch event.kind {
        case .enter: enter(event, stream)
        case .exit(let reason, let dwell): exit(event, stream, reason, dwell)
        case .dwell(let dwell): dwelt(event, stream, dwell)
        }
    }

    private mutating func enter(_ event: ZoneEvent, _ stream: Stream) {
        if stays[stream]?[event.zone] != nil { report("\(event.identifier): second enter of \(event.zone)") }
        if event.visit != event.sequence { report("\(event.identifier): a visit is named by its enter event") }
        for outer in outerZones(of: event.zone, stream) where stays[stream]?[outer] == nil {
            report("\(event.identifier): enter of \(event.zone) before \(outer)")
        }
        stays[stream, default: [:]][event.zone] = Stay(visit: event.visit, since: event.at)
        if let peer = event.peer {
            visitors[Stream(accessory: event.accessory), default: [:]][event.zone, default: [:]][peer] = .some(nil)
        } else if !withUnnamed.contains(event.accessory), !isAnyPeerInside(event.zone, event.accessory) {
            report("\(event.identifier): the aggregate enters before a peer does")
        }
    }

    private mutating func exit(_ event: ZoneEvent, _ stream: Stream, _ reason: ZoneExitReason, _ dwell: Duration) {
        guard let stay = stays[stream]?[event.zone] else {
            return report("\(event.identifier): exit of \(event.zone) without enter")
        }
        if event.visit != stay.visit { report("\(event.identifier): visit \(event.visit) began as \(stay.visit)") }
        if dwell != stay.since.duration(to: event.at) { report("\(event.identifier): a dwell time of \(dwell)") }
        // A zone that is taken away is not left: whoever is in an inner one stays there.
        let isTaken = reason == .zoneDisabled
        for inner in innerZones(of: event.zone, stream) where !isTaken && stays[stream]?[inner] != nil {
            report("\(event.identifier): exit of \(event.zone) before \(inner)")
        }
        stays[stream]?[event.zone] = nil
        let aggregate = Stream(accessory: event.accessory)
        if let peer = event.peer {
            visitors[aggregate]?[event.zone]?[peer] = .some(reason)
            return
        }
        if options.people.isEmpty, isAnyPeerInside(event.zone, event.accessory) {
            report("\(event.identifier): the aggregate leaves before its last peer")
        }
        let reasons = Set((visitors[aggregate]?[event.zone] ?? [:]).values.compactMap(\.self))
        visitors[aggregate]?[event.zone] = nil
        guard isFreshStart, isDerivable(event.accessory) else { return }
        let expected = reasons.count == 1 ? reasons.first : .lost
        if reason != expected { report("\(event.identifier): \(reason), but its peers \(reasons)") }
    }

    private mutating func dwelt(_ event: ZoneEvent, _ stream: Stream, _ dwell: Duration) {
        guard let stay = stays[stream]?[event.zone] else {
            return report("\(event.identifier): dwell in \(event.zone) without enter")
        }
        if event.visit != stay.visit { report("\(event.identifier): visit \(event.visit) began as \(stay.visit)") }
        if stay.hasDwelt { report("\(event.identifier): second dwell") }
        if dwell != stay.since.duration(to: event.at) { report("\(event.identifier): a dwell time of \(dwell)") }
        stays[stream]?[event.zone]?.hasDwelt = true
    }

    private mutating func forget(_ stream: Stream) {
        if stays[stream]?.isEmpty == false { report("\(stream.peer ?? "") is forgotten while inside") }
        newborn.insert(stream)
        names = [:]
        // Whoever returns under this name is somebody else: how this one left stays as it was.
        for (zone, visitors) in visitors[Stream(accessory: stream.accessory)] ?? [:] {
            guard let peer = stream.peer, let reason = visitors[peer] else { continue }
            self.visitors[Stream(accessory: stream.accessory)]?[zone]?[peer] = nil
            self.visitors[Stream(accessory: stream.accessory)]?[zone]?["\(peer)#\(newborn.count)"] = reason
        }
        stays[stream] = nil
        words[stream] = nil
        retained[stream] = nil
        orders[stream] = nil
    }

    /// A peer goes on under another name.
    private mutating func rename(_ old: Stream, _ new: Stream) {
        names = [:]
        stays[new] = stays.removeValue(forKey: old)
        lastSequences[new] = lastSequences.removeValue(forKey: old)
        retained[old] = nil
        words[old] = nil
        orders[old] = nil
        guard let from = old.peer, let to = new.peer else { return }
        for (zone, visitors) in visitors[Stream(accessory: old.accessory)] ?? [:] {
            guard let visitor = visitors[from] else { continue }
            self.visitors[Stream(accessory: old.accessory)]?[zone]?[from] = nil
            self.visitors[Stream(accessory: old.accessory)]?[zone]?[to] = .some(visitor)
        }
    }

    /// The engine has other options from now on.
    public mutating func noteOptions(_ options: EngineOptions) {
        self.options = options
        names = [:]
        orders = [:]
    }

    /// There are other zones: everything is published again.
    private mutating func readEverything(_ streams: [StreamID], _ engine: BridgeEngine) {
        for stream in streams {
            guard let name = name(of: stream, engine), let state = engine.state(of: stream) else { continue }
            retained[name] = state
            for zone in engine.zones(of: stream) {
                words[name, default: [:]][options.zones[zone].name] = engine.zoneState(zone, of: stream)
            }
        }
    }

    // MARK: One turn

    /// The engine's word on each zone was announced, agrees with the events, and is in the last snapshot.
    private mutating func compare(_ stream: StreamID, _ engine: BridgeEngine) {
        guard let name = name(of: stream, engine) else { return }
        for zone in engine.zones(of: stream) {
            let zoneName = options.zones[zone].name
            let state = engine.zoneState(zone, of: stream)
            let word = words[name]?[zoneName] ?? .unknown
            if word != state { report("\(name): \(zoneName) became \(state), but \(word) is retained") }
            if (state == .inside) != (stays[name]?[zoneName] != nil) {
                report("\(name): \(zoneName) is \(state) against its events")
            }
            let told = retained[name]?.zones.first { $0.name == zoneName }?.state ?? .unknown
            if told != state { report("\(name): \(zoneName) is \(state), but the state topic says \(told)") }
        }
    }

    /// The aggregate by the rule of CONTRACT section 2.2.
    private mutating func derive(_ accessory: AccessoryIndex, _ engine: BridgeEngine) {
        let streams = engine.streams(of: accessory)
        guard let first = streams.first, let aggregate = engine.state(of: first), streams.count > 1 else { return }
        guard isDerivable(aggregate.accessory) else { return }
        let peers = streams.dropFirst().compactMap { engine.state(of: $0) }
        for zone in aggregate.zones {
            let states = peers.compactMap { peer in peer.zones.first { $0.name == zone.name } }
            let expected: ZoneState
            if states.contains(where: { $0.state == .inside }) {
                expected = .inside
            } else if states.contains(where: { $0.state == .unknown && $0.visit != nil }) {
                expected = .unknown
            } else if states.contains(where: { $0.state == .outside }) {
                expected = .outside
            } else {
                continue
            }
            if zone.state != expected {
                report("\(aggregate.accessory): \(zone.name) is \(zone.state), its peers say \(expected)")
            }
        }
    }

    private mutating func name(of stream: StreamID, _ engine: BridgeEngine) -> Stream? {
        if let known = names[stream] { return known }
        let name = engine.names(of: stream).map { Stream(accessory: $0.accessory, peer: $0.peer) }
        names[stream] = name
        return name
    }

    private mutating func noteOrder(of stream: StreamID, _ engine: BridgeEngine) {
        guard let name = name(of: stream, engine), orders[name] == nil else { return }
        // Peers with radii of their own may nest differently: then the aggregate has no order.
        let hasOverrides = options.accessories[name.accessory]?.peers.values.contains { !$0.zones.isEmpty } ?? false
        orders[name] = name.peer == nil && hasOverrides ? [] : engine.zones(of: stream).map { options.zones[$0].name }
        sectors[name] = Set((engine.state(of: stream)?.zones ?? []).filter(\.isSector).map(\.name))
    }

    private func outerZones(of zone: String, _ stream: Stream) -> [String] {
        guard let order = orders[stream], let place = order.firstIndex(of: zone) else { return [] }
        return order[(place + 1)...].filter { !isSector($0, stream) }
    }

    private func isSector(_ zone: String, _ stream: Stream) -> Bool { sectors[stream]?.contains(zone) ?? false }

    private func innerZones(of zone: String, _ stream: Stream) -> ArraySlice<String> {
        guard let order = orders[stream], let place = order.firstIndex(of: zone) else { return [] }
        return isSector(zone, stream) ? [] : order[..<place]
    }

    /// Whether the aggregate follows from all that have streams: people stand beside what they carry.
    private func isDerivable(_ accessory: String) -> Bool { !withUnnamed.contains(accessory) && options.people.isEmpty }

    private func isAnyPeerInside(_ zone: String, _ accessory: String) -> Bool {
        stays.contains { $0.key.accessory == accessory && $0.key.peer != nil && $0.value[zone] != nil }
    }
}
