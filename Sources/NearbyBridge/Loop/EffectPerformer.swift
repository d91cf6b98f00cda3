// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import MosquittoClient
import NearbyCore

/// Turns the engine's effects into messages in the outbox and lines in the log.
///
/// While the broker is out of reach only events are kept: everything retained is published again on connecting.
struct EffectPerformer {
    /// What the bridge is told to do; may change while it runs.
    var options: BridgeOptions
    let log: Log
    var json = JSONWriter()
    /// How much of the retained set was published again; `nil` when it is complete.
    private var republished: (accessories: Int, streams: Int)?
    /// The same of groups, which come after the accessories.
    var republishedGroups = 0
    /// Groups whose state is told when the turn's events are: it names the last of them.
    var untoldGroups: [String] = []
    /// What the store is still to be told.
    var journal = Journal()
    /// The list of accessories is not what was published last.
    var accessoriesChanged = false
    private var complaints = LineBudget()
    private var refusals = LineBudget(burst: 100, perSecond: 100)
    private var joins = LineBudget()

    /// Creates a performer.
    init(options: BridgeOptions, log: Log) {
        self.options = options
        self.log = log
    }

    /// Carries out effects in order.
    mutating func perform(
        _ effects: [BridgeEffect],
        of engine: borrowing BridgeEngine,
        isOnline: Bool,
        at now: Instant,
        into outbox: inout Outbox
    ) {
        let wall = WallTime.current()
        defer { tellGroups(of: engine, wall, isOnline: isOnline, to: &outbox) }
        for effect in effects {
            switch effect {
            case .event(let event):
                log.debug(event.text, .zones)
                json.removeAll()
                let stamp = EventPayload.write(event, wall, into: &json)
                let key = EventKey(accessory: event.accessory, peer: event.peer, sequence: event.sequence)
                append(key, stampAt: stamp, engine, at: now, to: &outbox)
            case .sessionEvent(let event):
                let identifier = EventIdentifier.text(event.accessory, event.peer, event.sequence)
                log.debug("\(identifier) \(SessionEventPayload.type(of: event))", .session)
                if case .authorizationRequired = event.kind { accessoriesChanged = true }
                json.removeAll()
                let stamp = SessionEventPayload.write(event, wall, into: &json)
                let key = EventKey(accessory: event.accessory, peer: event.peer, sequence: event.sequence)
                append(key, stampAt: stamp, engine, at: now, to: &outbox)
            case .command(let command):
                // Stale commands would start sessions that nobody is in: what cannot be sent now is not sent later.
                if isOnline { append(command, at: now, to: &outbox) }
            case .radio(let command):
                if isOnline { append(command, at: now, to: &outbox) }
            case .phoneConfiguration(let configuration):
                if isOnline { append(configuration, at: now, to: &outbox) }
            case .zone(let stream, let zone):
                journal.change(stream)
                if isOnline { publishZone(zone, of: stream, engine, to: &outbox) }
            case .state(let stream, let isChange):
                if isOnline { publishState(of: stream, engine, wall, isChange: isChange, to: &outbox) }
            case .session(let stream):
                journal.change(stream)
                if isOnline { publishSession(of: stream, engine, wall, to: &outbox) }
            case .notice(let notice):
                perform(notice, engine, wall, at: now, to: &outbox)
            case .grantChanged(let accessory, let peer):
                journal.grant(accessory, peer, engine.membership.grants[accessory]?[peer ?? ""])
                accessoriesChanged = true
            case .removed(let accessory, let peers):
                journal.remove(accessory)
                for peer in peers { clear(accessory, peer, isOnline: isOnline, to: &outbox) }
                clear(accessory, nil, isOnline: isOnline, to: &outbox)
            case .forgotten(let accessory, let peer):
                journal.forget(accessory, peer)
                clear(accessory, peer, isOnline: isOnline, to: &outbox)
            case .zoneGone(let accessory, let peer, let zone):
                clear([options.topics.zone(zone, of: accessory, peer: peer)], isOnline: isOnline, to: &outbox)
            case .peerRenamed(let accessory, let old, let new):
                journal.forget(accessory, old)
                change(accessory, new, engine)
                clear(accessory, old, isOnline: isOnline, to: &outbox)
            case .zonesChanged:
                outbox.needsRepublication = isOnline
                accessoriesChanged = true
            case .groupEvent, .groupZone, .groupState, .groupGone, .groupZoneGone, .nearest, .nearestGone:
                performGroup(effect, of: engine, wall, isOnline: isOnline, at: now, into: &outbox)
            case .complaint(let complaint):
                complain(complaint, at: now)
            }
        }
    }

    // MARK: The retained set

    /// Begins to publish everything retained once more; `continueRepublication` does the work in portions.
    mutating func beginRepublication(_ outbox: inout Outbox) {
        republished = (0, 0)
        republishedGroups = 0
        accessoriesChanged = true
        for topic in outbox.takeTopicsToClear() { append(retained: topic, [], qualityOfService: 1, to: &outbox) }
    }

    /// Whether the whole retained set was handed to the outbox since the last connect.
    var isRepublicationComplete: Bool { republished == nil }

    /// Publishes more of the retained set, stream by stream, as long as the outbox is short and far from full.
    mutating func continueRepublication(of engine: borrowing BridgeEngine, into outbox: inout Outbox) {
        guard var (index, done) = republished else { return }
        let wall = WallTime.current()
        while index < engine.accessoryCount, outbox.waiting < 64, !outbox.isHalfFull {
            let streams = engine.streams(of: AccessoryIndex(index))
            while done < streams.count, outbox.waiting < 64, !outbox.isHalfFull {
                for zone in engine.zones(of: streams[done]) {
                    publishZone(zone, of: streams[done], engine, to: &outbox)
                }
                publishSession(of: streams[done], engine, wall, to: &outbox)
                publishState(of: streams[done], engine, wall, isChange: true, to: &outbox)
                done += 1
            }
            guard done >= streams.count else { break }
            index += 1
            done = 0
        }
        republished = (index, done)
        guard index >= engine.accessoryCount, republishGroups(of: engine, wall, to: &outbox) else { return }
        republished = nil
    }

    private mutating func publishZone(
        _ zone: Int,
        of stream: StreamID,
        _ engine: borrowing BridgeEngine,
        to outbox: inout Outbox
    ) {
        guard let names = engine.names(of: stream) else { return }
        let topic = options.topics.zone(engine.options.zones[zone].name, of: names.accessory, peer: names.peer)
        // A zone that was disabled has no word any more: its topic is cleared.
        let word = engine.zones(of: stream).contains(zone) ? engine.zoneState(zone, of: stream).word : ""
        append(retained: topic, Array(word.utf8), qualityOfService: 1, to: &outbox)
    }

    private mutating func publishState(
        of stream: StreamID,
        _ engine: borrowing BridgeEngine,
        _ wall: WallTime,
        isChange: Bool,
        to outbox: inout Outbox
    ) {
        guard let state = engine.state(of: stream) else { return }
        json.removeAll()
        StatePayload.write(state, wall, into: &json)
        let topic = options.topics.state(of: state.accessory, peer: state.peer)
        append(retained: topic, json.bytes, qualityOfService: isChange ? 1 : 0, to: &outbox)
        if let rooms = options.roomTopic, !state.isRestored, let message = MQTTRoom.message(state, below: rooms, &json)
        {
            outbox.append(message)
        }
    }

    private mutating func publishSession(
        of stream: StreamID,
        _ engine: borrowing BridgeEngine,
        _ wall: WallTime,
        to outbox: inout Outbox
    ) {
        guard let names = engine.names(of: stream) else { return }
        json.removeAll()
        SessionPayload.write(of: stream, engine, wall, into: &json)
        let topic = options.topics.session(of: names.accessory, peer: names.peer)
        append(retained: topic, json.bytes, qualityOfService: 1, to: &outbox)
    }

    private mutating func clear(_ accessory: String, _ peer: String?, isOnline: Bool, to outbox: inout Outbox) {
        var topics = options.engine.zones.map { options.topics.zone($0.name, of: accessory, peer: peer) }
        topics.append(options.topics.state(of: accessory, peer: peer))
        topics.append(options.topics.session(of: accessory, peer: peer))
        clear(topics, isOnline: isOnline, to: &outbox)
    }

    mutating func clear(_ topics: [String], isOnline: Bool, to outbox: inout Outbox) {
        guard isOnline else { return outbox.clearLater(topics) }
        for topic in topics { append(retained: topic, [], qualityOfService: 1, to: &outbox) }
    }

    // MARK: Notices and complaints

    private mutating func perform(
        _ notice: BridgeNotice,
        _ engine: borrowing BridgeEngine,
        _ wall: WallTime,
        at now: Instant,
        to outbox: inout Outbox
    ) {
        json.removeAll()
        json.beginObject()
        json.pair("accessory", notice.accessory)
        json.key("at")
        json.time(unixNanoseconds: wall.unixNanoseconds(of: notice.at))
        switch notice.kind {
        case .accessoryJoined:
            tellJoined(notice.accessory, at: now)
            decide(notice.accessory, engine)
            json.pair("type", "accessory_joined")
        case .accessoryApproved:
            decide(notice.accessory, engine)
            json.pair("type", "accessory_approved")
        case .accessoryRemoved:
            decide(notice.accessory, engine)
            json.pair("type", "accessory_removed")
        case .accessoryRefused(let refusal):
            if complaints.spend(at: now) {
                let text = "accessory \"\(notice.accessory)\" refused (\(refusal.word)): \(refusal.advice)"
                log.warning(text + complaints.remark(), .accessories)
            }
            if refusal == .notApproved { accessoriesChanged = true }
            // A flood of strangers must not push zone events out of the outbox; all of them are counted.
            guard refusals.spend(at: now) else { return }
            json.pair("reason", refusal.word)
            json.pair("type", "accessory_refused")
        }
        json.pair("v", 1)
        json.endObject()
        appendBridgeEvent(at: now, to: &outbox)
    }

    /// Has the store remember who belongs to us.
    private mutating func decide(_ accessory: String, _ engine: borrowing BridgeEngine) {
        accessoriesChanged = true
        journal.decide(
            accessory,
            isApproved: engine.membership.approved.contains(accessory),
            isBlocked: engine.membership.blocked.contains(accessory)
        )
    }

    private func appendBridgeEvent(at now: Instant, to outbox: inout Outbox) {
        outbox.append(
            OutgoingMessage(
                topic: options.topics.bridgeEvent,
                payload: json.bytes,
                qualityOfService: 1,
                isRetained: false,
                expiresAt: now.advanced(by: options.eventExpiry)
            )
        )
    }

    /// Tells on `bridge/event` that an accessory has another name.
    mutating func tellRenamed(_ accessory: String, at now: Instant, into outbox: inout Outbox) {
        json.removeAll()
        json.beginObject()
        json.pair("accessory", accessory)
        json.key("at")
        json.time(unixNanoseconds: WallTime.current().unixNanoseconds(of: now))
        json.pair("type", "accessory_renamed")
        json.pair("v", 1)
        json.endObject()
        appendBridgeEvent(at: now, to: &outbox)
    }

    /// A thousand accessories may join within a second; their lines need not.
    private mutating func tellJoined(_ accessory: String, at now: Instant) {
        guard joins.spend(at: now) else { return }
        let untold = joins.takeUntold()
        log.info("accessory \(accessory) joined" + (untold > 0 ? ", and \(untold) more before it" : ""), .accessories)
    }

    private mutating func complain(_ complaint: Complaint, at now: Instant) {
        guard complaints.spend(at: now) else { return }
        let more = complaint.suppressed > 0 ? " (and \(complaint.suppressed) more since the last such line)" : ""
        let subject =
            switch complaint.subject {
            case .accessory: "accessory \(complaint.accessory)"
            case .topic: "topic \(PlainText.quote(complaint.accessory))"
            case .input: "input \(PlainText.plain(complaint.accessory))"
            }
        let text = "\(subject): \(complaint.kind.text(options.engine.limits))\(more)"
        log.warning(text + complaints.remark(), .accessories)
    }

    // MARK: Into the outbox

    mutating func append(
        _ key: EventKey,
        stampAt: Int,
        _ engine: borrowing BridgeEngine,
        at now: Instant,
        to outbox: inout Outbox
    ) {
        let expiresAt = now.advanced(by: options.eventExpiry)
        let event = Journal.Event(key: key, payload: json.bytes, stampAt: stampAt, expiresAt: expiresAt)
        journal.append(event)
        change(key.accessory, key.peer, engine)
        if let prefix = options.fencePrefix, isFenced(key, engine) {
            // Before the event itself: who has that has this.
            if let fence = OutgoingMessage(fenceEventOf: event, below: prefix) { outbox.append(fence) }
        }
        outbox.append(OutgoingMessage(event, options.topics))
    }

    /// Whether an event is told as one of a fence: each peer's, and the accessory's own if it has no named peers.
    private func isFenced(_ key: EventKey, _ engine: borrowing BridgeEngine) -> Bool {
        guard key.group == nil else { return false }
        guard key.peer == nil, let index = engine.accessory(named: key.accessory) else { return true }
        return engine.streams(of: index).count == 1
    }

    /// Has a stream written to the store, if it is still there.
    private mutating func change(_ accessory: String, _ peer: String?, _ engine: borrowing BridgeEngine) {
        guard let index = engine.accessory(named: accessory) else { return }
        if let stream = engine.stream(of: index, peer: peer) { journal.change(stream) }
    }

    func append(retained topic: String, _ payload: [UInt8], qualityOfService: Int, to outbox: inout Outbox) {
        outbox.append(
            OutgoingMessage(
                topic: topic,
                payload: payload,
                qualityOfService: qualityOfService,
                isRetained: options.isRetaining
            )
        )
    }
}

extension ZoneEvent {
    /// The event in one line for the log.
    fileprivate var text: String {
        let what =
            switch kind {
            case .enter: "enters \(zone)"
            case .exit(let reason, let dwell):
                "leaves \(zone) (\(reason.word)) after \(Column.decimal(dwell.inSeconds, 1)) s"
            case .dwell(let dwell): "dwells in \(zone) for \(Column.decimal(dwell.inSeconds, 1)) s"
            }
        return "\(identifier) \(what)" + (distance.map { " at \(Column.decimal($0, 2)) m" } ?? "")
    }
}
