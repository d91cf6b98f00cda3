// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import MosquittoClient
import NearbyCore

extension ShardLoop {
    /// Turns of the loop hand over at most so many messages.
    static let handOverLimit = 256

    /// Carries out what the engine decided.
    func performEffects() {
        if !effects.isEmpty {
            performer.perform(
                effects.effects,
                of: engine,
                isOnline: connection.openClient != nil && isMain,
                at: now,
                into: &outbox
            )
            effects.removeAll()
        }
        engine.effectsPerformed()
    }

    /// Whether the connection that stands is the real one, not the one of the start.
    var isMain: Bool {
        if case .starting = stage { return false }
        return true
    }

    /// Whether the next turn can hand over without waiting for anything.
    var hasMoreToHandOver: Bool {
        guard isMain, let client = connection.openClient, !client.wantsWrite else { return false }
        return outbox.hasRoomInWindow && (outbox.waiting > 0 || !performer.isRepublicationComplete)
    }

    /// Hands messages to the library: never more than the window, never while the socket is behind.
    func handOver() {
        guard isMain, let client = connection.openClient else {
            outbox.expire(at: now)
            return
        }
        publishRest()
        var count = 0
        let limit = FaultPoint.isAwaited ? 1 : Self.handOverLimit
        while count < limit, outbox.hasRoomInWindow, let message = outbox.next(at: now) {
            guard publish(message, with: client) else { return }
            count += 1
            // Messages of level 0 are not acknowledged: the socket is what slows them down.
            if message.qualityOfService == 0, client.wantsWrite, count % 32 == 0 { break }
        }
    }

    /// What is published besides effects: the retained set after a connect, the accessories, our log.
    private func publishRest() {
        if outbox.needsRepublication, outbox.waiting == 0 {
            outbox.needsRepublication = false
            performer.beginRepublication(&outbox)
        }
        performer.continueRepublication(of: engine, into: &outbox)
        publishInfoIfStale()
        if performer.accessoriesChanged, performer.isRepublicationComplete, nextAccessories <= now {
            performer.accessoriesChanged = false
            nextAccessories = now.advanced(by: .seconds(1))
            outbox.append(
                retained(
                    options.topics.bridgeAccessories,
                    BridgePayloads.accessories(engine, options.accessorySettings, .current())
                )
            )
        }
        for line in log.takeMirror() {
            outbox.append(
                OutgoingMessage(
                    topic: options.topics.bridgeLogging,
                    payload: line.json,
                    qualityOfService: 0,
                    isRetained: false
                )
            )
        }
    }

    private func publish(_ waiting: OutgoingMessage, with client: MosquittoClient) -> Bool {
        var message = waiting
        if let stamp = message.stampAt {
            let published = Timestamp.text(unixNanoseconds: WallTime.current().unixNanoseconds(of: now))
            message.payload.replaceSubrange(stamp..<stamp + Timestamp.length, with: published)
            message.stampAt = nil
            if let key = message.event { performer.journal.stamp(key, message.payload) }
        }
        let left = message.expiresAt.map { max(1, now.duration(to: $0).components.seconds) }
        do throws(MosquittoError) {
            try readBackIfFirst(message, with: client)
            let identifier = try client.publish(
                topic: message.topic,
                payload: message.payload.span,
                qualityOfService: message.qualityOfService == 0 ? .atMostOnce : .atLeastOnce,
                isRetained: message.isRetained,
                messageExpiry: left.map { UInt32(clamping: $0) },
                correlationData: message.correlationData,
                userProperties: message.userProperties
            )
            outbox.handedOver(message, as: identifier)
            health.published += 1
            return true
        } catch {
            guard error.kind == .payloadTooLarge || error.kind == .invalidTopic else {
                connectionEnded(error)
                return false
            }
            // A line about a line that cannot be told would be another such line, for ever.
            if message.topic != options.topics.bridgeLogging, givenUpLines.spend(at: now) {
                log.error("a message to \(message.topic) was given up: \(error)\(givenUpLines.remark())", .mqtt)
            }
            outbox.giveUp()
            return true
        }
    }

    /// Answers the requests of this turn.
    ///
    /// Of those that change options only one: with many accessories it costs a good part of a second, and reports must
    /// not wait for a hundred of them.
    func answerRequests() {
        guard !requests.isEmpty else { return }
        var answered = 0
        for request in requests {
            answered += 1
            let response: Response
            switch request.command {
            case "health":
                var json = JSONWriter()
                currentHealth().write(into: &json)
                response = .ok(json.bytes)
            default:
                response = answer(request)
            }
            outbox.append(
                OutgoingMessage(
                    topic: responseTopic(of: request),
                    payload: response.payload(transaction: request.transaction),
                    qualityOfService: 1,
                    isRetained: false,
                    expiresAt: now.advanced(by: .seconds(10)),
                    isAnswer: true,
                    correlationData: request.correlationData
                )
            )
            if OptionRequests.commands.contains(request.command) { break }
        }
        requests.removeFirst(answered)
    }

    /// Carries out a request.
    private func answer(_ request: Request) -> Response {
        log.debug("\(request.command) is asked for", .requests)
        switch OptionRequests.change(of: request, in: engine, configuration.loaded.configuration) {
        case .unknown: break
        case .refused(let text): return .error(text)
        case .change(let change): return answer(request, changing: change)
        }
        if request.command == "snapshot" { return answerSnapshot(request) }
        if let response = ExplainRequests.answer(request, in: &engine, .current(), at: now) { return response }
        switch AccessoryRequests.input(of: request, in: engine, at: now) {
        case .unknown: break
        case .refused(let text): return .error(text)
        case .input(let input): return answer(input)
        case .inputs(let first, let second):
            engine.handle(first, at: now, into: &effects)
            return answer(second)
        }
        switch SessionRequests.input(of: request, in: engine) {
        case .unknown:
            let known =
                (["health", "snapshot"] + SessionRequests.commands + OptionRequests.commands
                + AccessoryRequests.commands + ExplainRequests.commands).joined(separator: ", ")
            return .error("unknown request \"\(request.command)\"; this version answers: \(known)")
        case .refused(let text):
            return .error(text)
        case .input(let input, let accessory):
            engine.handle(input, at: now, into: &effects)
            performEffects()
            let stream = engine.stream(of: accessory, peer: request.peer) ?? StreamID(accessory: accessory)
            var json = JSONWriter()
            json.beginObject()
            json.pair("session", engine.sessionState(of: stream).word)
            json.endObject()
            return .ok(json.bytes)
        }
    }

    /// Where MQTT 5 asks for the answer, unless that would put words into the mouth of an accessory of ours.
    private func responseTopic(of request: Request) -> String {
        if let wanted = request.responseTopic, TopicFilter.isValidTopic(wanted),
            !wanted.hasPrefix("\(options.topics.base)/") || wanted.hasPrefix(options.topics.response(""))
        {
            return wanted
        }
        let command = TopicFilter.isValidTopic(request.command) ? request.command : "unknown"
        return options.topics.response(command)
    }

    /// Publishes `bridge/health` when its time has come.
    func publishHealthIfDue() {
        guard isMain, connection.openClient != nil, nextHealth <= now else { return }
        var json = JSONWriter()
        currentHealth().write(into: &json)
        outbox.append(retained(options.topics.bridgeHealth, json.bytes))
        reportsAtLastHealth = engine.counters.reports
        lastHealth = now
        nextHealth = now.advanced(by: Self.healthInterval)
    }

    private func currentHealth() -> HealthPayload {
        var payload = health
        payload.accessories = engine.joinedAccessories
        payload.counters = engine.counters
        payload.inputs = inputs.counters
        payload.eventsDropped = outbox.dropped
        payload.eventsExpired = outbox.expired
        payload.outboxBytes = outbox.bytes
        payload.outboxMessages = outbox.count
        let passed = lastHealth.duration(to: now).inSeconds
        payload.reportRate = passed > 0 ? Double(engine.counters.reports - reportsAtLastHealth) / passed : 0
        payload.uptime = started.duration(to: now).inSeconds
        return payload
    }
}
