// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import MosquittoClient
import NearbyCore

extension ShardLoop {
    /// Goes on with what the stage waits for.
    func checkStage() {
        switch stage {
        case .starting(let startUp):
            guard case .finished(let streams, let groups, let stale) = startUp.check(at: now) else { return }
            outbox.clearLater(stale)
            begin(with: streams, groups)
        case .stopping(let until):
            if outbox.count == 0 || connection.openClient == nil || until <= now { sayGoodbye() }
        case .running, .ended:
            break
        }
    }

    /// Takes over what an earlier life left and opens the real connection.
    private func begin(with retained: [RestoredStream], _ retainedGroups: [RestoredGroup]) {
        let streams = Restoration.merge(takeStoredStreams(), retained)
        // The aggregate last: what its named peers do not explain belongs to the unnamed one.
        for stream in streams.sorted(by: { ($0.peer != nil ? 0 : 1) < ($1.peer != nil ? 0 : 1) }) {
            engine.handle(.restore(stream), at: now, into: &effects)
        }
        for group in Restoration.merge(takeStoredGroups(), retainedGroups) {
            engine.handle(.restoreGroup(group), at: now, into: &effects)
        }
        if !streams.isEmpty { log.info("took over \(streams.count) retained states") }
        stage = .running
        var broker = options.broker
        broker.clientIdentifier = options.clientIdentifier
        broker.cleanStart = false
        broker.will = Will(
            topic: options.topics.bridgeState,
            payload: BridgePayloads.state("offline"),
            qualityOfService: .atLeastOnce,
            isRetained: options.isRetaining
        )
        connection.open(broker, delegate: self, at: now)
    }

    /// Stops in order: tells it, hands over what waits, and leaves.
    ///
    /// Never waits for an attempt to connect.
    func stop() {
        serviceManager?.send(.stopping)
        switch stage {
        case .stopping:
            // Asked twice: the user is in a hurry.
            sayGoodbye()
        case .starting, .running:
            guard case .running = stage, connection.openClient != nil else {
                stage = .ended
                return connection.close()
            }
            outbox.append(retained(options.topics.bridgeState, BridgePayloads.state("stopped")))
            stage = .stopping(until: now.advanced(by: Self.goodbye))
        case .ended:
            break
        }
    }

    private func sayGoodbye() {
        if let client = connection.openClient {
            client.disconnect()
            try? client.write()
        }
        connection.close()
        stage = .ended
    }

    /// The broker has accepted us: listen, then say that we are there, then tell everything once more.
    private func listen(_ client: MosquittoClient) {
        connection.accepted(at: now)
        line.reset(at: now)
        do throws(MosquittoError) {
            // First what is foreign: the broker answers in order, and with the answer about our own our eyes are open.
            for filter in options.sources.filters {
                let asked = try client.subscribe([filter], qualityOfService: options.reportQualityOfService)
                sourceSubscriptions[asked] = filter
            }
            reportSubscription = try client.subscribe(
                [options.topics.reportFilter],
                qualityOfService: options.reportQualityOfService
            )
            try client.subscribe(options.topics.accessoryFilters, qualityOfService: .atLeastOnce)
            requestSubscription = try client.subscribe([options.topics.requestFilter], qualityOfService: .atLeastOnce)
        } catch {
            return connectionEnded(error)
        }
        outbox.prepend([
            retained(options.topics.bridgeState, BridgePayloads.state("online")),
            retained(options.topics.bridgeInfo, BridgePayloads.info(options, startedAt: startedAt)),
        ])
        performer.beginRepublication(&outbox)
        nextHealth = now
    }

    func retained(_ topic: String, _ payload: [UInt8]) -> OutgoingMessage {
        OutgoingMessage(topic: topic, payload: payload, qualityOfService: 1, isRetained: options.isRetaining)
    }
}

extension ShardLoop: MosquittoClientDelegate {
    func mosquittoClient(_ client: MosquittoClient, didObserve event: MosquittoEvent) {
        switch event {
        case .connected(let acknowledgement):
            log.info(
                "connected to \(options.broker.host):\(options.broker.port) as \(options.clientIdentifier), "
                    + (acknowledgement.isSessionPresent ? "session resumed" : "new session"),
                .mqtt
            )
            noteSession(isPresent: acknowledgement.isSessionPresent)
            listen(client)
        case .subscribed(let messageID, let granted):
            noteHeard(at: now)
            noteSubscription(messageID, granted)
        case .unsubscribed:
            noteHeard(at: now)
        case .acknowledged(let messageID, let reasonCode):
            // Level 0 is acknowledged by our own socket: that is no sign of life.
            if let message = outbox.acknowledged(messageID) {
                noteHeard(at: now)
                writeCheck.acknowledged(message.topic, at: now)
                if reasonCode >= 128 { noteRefusedPublish(reasonCode, message.topic) }
                if let key = message.event { performer.journal.acknowledge(key) }
            }
        case .refused, .disconnected:
            // What ends a connection is also thrown by read, write or maintain, which is where it is handled.
            break
        }
    }

    func mosquittoClient(
        _ client: MosquittoClient,
        didReceiveMessageOn topic: borrowing Span<UInt8>,
        payload: borrowing Span<UInt8>,
        attributes: MessageAttributes
    ) {
        health.received += 1
        let now = now
        noteHeard(at: now)
        switch options.topics.parse(topic) {
        case .report(let identifier):
            guard !attributes.isRetained else { return engine.countRetainedReport() }
            let name = topic.extracting(identifier)
            guard let accessory = engine.accessory(name, at: now, into: &effects) else { return }
            engine.handleReport(payload, from: accessory, at: now, into: &effects)
        case .configuration(let identifier):
            take(topic.extracting(identifier), at: now) { accessory in
                .configuration(payload.array, of: accessory, isRetained: attributes.isRetained)
            }
        case .message(let identifier):
            // A frame is an answer to something: one that the broker kept answers nothing any more.
            guard !attributes.isRetained else { return engine.countRetainedReport() }
            take(topic.extracting(identifier), at: now) { .message(payload.array, of: $0) }
        case .shareable(let identifier, let peer):
            let peer = peer.map { topic.extracting($0).string }
            take(topic.extracting(identifier), at: now) { accessory in
                .shareable(payload.array, of: accessory, peer: peer, isRetained: attributes.isRetained)
            }
        case .token(let identifier, let peer):
            let peer = topic.extracting(peer).string
            take(topic.extracting(identifier), at: now) { accessory in
                .token(payload.array, of: accessory, peer: peer, isRetained: attributes.isRetained)
            }
        case .availability(let identifier):
            let word = payload.string
            guard word == "online" || word == "offline" else {
                // An empty one only clears what was retained.
                return word.isEmpty ? () : engine.countMalformedMessage()
            }
            take(topic.extracting(identifier), at: now) { .availability(isOnline: word == "online", of: $0) }
        case .request(let command):
            takeRequest(topic.extracting(command), payload, attributes, of: client)
        case .other:
            if let feed = options.sources.feed(topic, at: now, in: &engine, into: &effects) {
                return engine.handleReport(
                    payload,
                    from: feed,
                    isRetained: attributes.isRetained,
                    at: now,
                    into: &effects
                )
            }
            // The broker's copy of an earlier life proves nothing.
            if !attributes.isRetained { noteOwn(topic, client) }
        }
    }

    private func takeRequest(
        _ command: borrowing Span<UInt8>,
        _ payload: borrowing Span<UInt8>,
        _ attributes: MessageAttributes,
        of client: MosquittoClient
    ) {
        // A retained request is somebody's mistake, asked again at every start.
        guard !attributes.isRetained, requests.count < 100, payload.count <= 65_536 else { return }
        let topic = attributes.hasProperties ? client.currentResponseTopic : nil
        requests.append(
            Request(
                command: command.string,
                payload: payload.array,
                responseTopic: topic.map { String(decoding: $0, as: UTF8.self) },
                correlationData: attributes.hasProperties ? client.currentCorrelationData : nil
            )
        )
    }

    private func take(
        _ identifier: borrowing Span<UInt8>,
        at now: Instant,
        _ input: (AccessoryIndex) -> BridgeInput
    ) {
        guard let accessory = engine.accessory(identifier, at: now, into: &effects) else { return }
        engine.handle(input(accessory), at: now, into: &effects)
    }

    /// Whoever had a session and finds none has lost what came meanwhile.
    private func noteSession(isPresent: Bool) {
        if hadSession, !isPresent, options.broker.sessionExpiry > .zero {
            health.sessionsLost += 1
            log.warning("the broker has forgotten our session: what accessories sent meanwhile is lost")
        }
        hadSession = true
    }

    private func noteSubscription(_ messageID: Int32, _ granted: [UInt8]) {
        if granted.contains(where: { $0 >= 128 }) {
            let own =
                switch messageID {
                case reportSubscription: options.topics.reportFilter
                case requestSubscription: options.topics.requestFilter
                default: options.topics.accessoryFilters.joined(separator: ", ")
                }
            let filter = sourceSubscriptions[messageID] ?? own
            log.error("the broker refuses the subscription to \(filter): allow user and client to read it there", .mqtt)
            // Deaf to reports we stay blind: silence would mean nothing.
            return
        }
        guard messageID == reportSubscription else { return }
        engine.handle(.subscribed, at: now, into: &effects)
        reportHint.subscribed(at: now)
    }
}
