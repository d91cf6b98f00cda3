// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import MosquittoClient
import NearbyCore

/// What a bridge does before it listens: looks for a living twin and reads back its own retained states.
///
/// Runs on a connection of its own, clean and without a will, so that it can neither disturb a twin nor receive the
/// backlog of the persistent session too early (ARCHITECTURE section 5, "Coming up"). A bridge that lost its connection
/// looks for a twin again, because a twin may be why: mosquitto 2.0 does not tell whom it pushes out. Its own states it
/// reads back only if a twin was in charge meanwhile.
final class StartUp: MosquittoClientDelegate {
    /// How far it got.
    enum Outcome {
        /// Goes on.
        case working
        /// Another bridge is alive on this base topic.
        case standingBy
        /// Done: these states are to be taken over, and these retained topics of zones that are no more to be cleared.
        case finished([RestoredStream], [RestoredGroup], stale: [String])
    }

    /// How long a living twin has to answer.
    static let twinPatience: Duration = .seconds(2)
    /// How long a standby waits before it asks the twin again.
    static let standbyInterval: Duration = .seconds(30)
    /// How long the broker has to send what it retains.
    static let restorePatience: Duration = .seconds(10)

    private enum Step {
        case connecting
        /// Retained messages are coming in.
        case reading(since: Instant)
        /// A bridge of another instance says it is online: does it answer?
        case askingTwin(since: Instant)
        case standingBy(since: Instant)
        case finished
    }

    private struct BridgeState: Decodable { var state: String }
    private struct BridgeInfo: Decodable { var instance: String }
    private struct Answer: Decodable { var transaction: String? }

    /// What the bridge is told to do; may change while it starts.
    var options: BridgeOptions
    private let connection: Connection
    private let log: Log
    private let token = BridgeOptions.randomToken()
    private var step = Step.connecting
    private var subscription: Int32?
    private var bridgeState: String?
    private var bridgeInstance: String?
    private var restored: [RestoredStream] = []
    private var groups: [RestoredGroup] = []
    private var stale: [String] = []
    private var sessions: [TopicScheme.Stream: RestoredSession] = [:]
    /// The broker knows better than the engine: at the first start, and after a twin.
    private var restores: Bool
    private var hasToldStandby = false
    private var now = Instant(nanoseconds: 0)

    /// Prepares the start on a connection.
    ///
    /// Without `restores` the engine's own states stay, unless a twin is met.
    init(options: BridgeOptions, connection: Connection, log: Log, restores: Bool) {
        self.options = options
        self.connection = connection
        self.log = log
        self.restores = restores
    }

    /// Opens the start connection at a moment to come.
    func begin(at now: Instant) {
        self.now = now
        var broker = options.broker
        broker.clientIdentifier = "\(options.clientIdentifier)-start-\(token)"
        broker.cleanStart = true
        broker.sessionExpiry = .zero
        connection.open(broker, delegate: self, at: now)
    }

    /// Goes on with what the time brings.
    func check(at now: Instant) -> Outcome {
        self.now = now
        switch step {
        case .connecting:
            return .working
        case .reading(let since):
            guard since.duration(to: now) >= Self.restorePatience else { return .working }
            log.warning(
                "the broker did not deliver \(options.topics.sentinel(token)) within \(Self.restorePatience): "
                    + "starting without the retained states. May this user read and write there?"
            )
            return finish()
        case .askingTwin(let since):
            return since.duration(to: now) >= Self.twinPatience ? finish() : .working
        case .standingBy(let since):
            // A twin that answered once and died without a word would be waited for in vain.
            if since.duration(to: now) >= Self.standbyInterval {
                restores = true
                connectionLost()
                begin(at: now)
            }
            return .standingBy
        case .finished:
            return .finished(everything, groups, stale: stale)
        }
    }

    /// Whether another bridge does the work.
    var isStandingBy: Bool {
        if case .standingBy = step { true } else { false }
    }

    /// When `check` wants to be called next.
    var deadline: Instant? {
        switch step {
        case .reading(let since): since.advanced(by: Self.restorePatience)
        case .askingTwin(let since): since.advanced(by: Self.twinPatience)
        case .standingBy(let since): since.advanced(by: Self.standbyInterval)
        case .connecting: nil
        case .finished: now
        }
    }

    /// The start connection was lost: begins again on the next one.
    func connectionLost() {
        step = .connecting
        restored.removeAll()
        groups.removeAll()
        stale.removeAll()
        sessions.removeAll()
        bridgeState = nil
        bridgeInstance = nil
    }

    /// The states with the sessions that belong to them.
    private var everything: [RestoredStream] {
        restored.map { stream in
            var stream = stream
            stream.session = sessions[TopicScheme.Stream(accessory: stream.accessory, peer: stream.peer)]
            return stream
        }
    }

    private func finish() -> Outcome {
        step = .finished
        return .finished(everything, groups, stale: stale)
    }

    // MARK: MosquittoClientDelegate

    func mosquittoClient(_ client: MosquittoClient, didObserve event: MosquittoEvent) {
        switch event {
        case .connected:
            connection.accepted(at: now)
            step = .reading(since: now)
            subscription = try? client.subscribe(
                restores ? options.topics.startFilters(token: token) : options.topics.twinFilters(token: token),
                qualityOfService: .atMostOnce
            )
        case .subscribed(let messageID, _) where messageID == subscription:
            // The broker sends what it retains before it answers, so this comes back after all of it.
            let payload: [UInt8] = []
            _ = try? client.publish(
                topic: options.topics.sentinel(token),
                payload: payload.span,
                qualityOfService: .atMostOnce
            )
        case .refused, .disconnected, .subscribed, .unsubscribed, .acknowledged:
            break
        }
    }

    func mosquittoClient(
        _ client: MosquittoClient,
        didReceiveMessageOn topic: borrowing Span<UInt8>,
        payload: borrowing Span<UInt8>,
        attributes: MessageAttributes
    ) {
        let name = topic.string
        let bytes = payload.array
        if name == options.topics.bridgeState {
            noteBridgeState((try? JSONDecoder().decode(BridgeState.self, from: Data(bytes)))?.state)
        } else if name == options.topics.bridgeInfo {
            bridgeInstance = (try? JSONDecoder().decode(BridgeInfo.self, from: Data(bytes)))?.instance
        } else if name == options.topics.sentinel(token) {
            readEverything(client)
        } else if name == options.topics.response("health") {
            noteAnswer(bytes)
        } else if attributes.isRetained, let zone = options.topics.zoneName(name) {
            let isKnown = options.engine.zones.contains { $0.name == zone && $0.options.isEnabled ?? true }
            if !isKnown { stale.append(name) }
        } else if attributes.isRetained, options.topics.isCharacteristic(name) {
            // What is still true is told again with everything else.
            stale.append(name)
        } else if attributes.isRetained, let group = options.topics.stateGroup(name) {
            RetainedState.add(bytes, ofGroup: group, nil, .current(), to: &groups)
        } else if attributes.isRetained, let (group, peer) = options.topics.nearestPeer(name) {
            RetainedState.add(bytes, ofGroup: group, peer, .current(), to: &groups)
        } else if attributes.isRetained, let stream = options.topics.sessionStream(name) {
            sessions[stream] = RetainedState.readSession(bytes)
        } else if attributes.isRetained, let stream = options.topics.stateStream(name) {
            let wall = WallTime.current()
            if let state = RetainedState.read(bytes, accessory: stream.accessory, peer: stream.peer, wall) {
                restored.append(state)
            }
        }
    }

    private func readEverything(_ client: MosquittoClient) {
        guard case .reading = step else { return }
        let seesTwin = bridgeState == "online" && bridgeInstance != options.instance
        // Where nothing is retained a twin cannot be seen, only asked.
        guard seesTwin || !options.isRetaining else {
            step = .finished
            return
        }
        step = .askingTwin(since: now)
        let payload = Array("{\"transaction\":\"\(token)\"}".utf8)
        _ = try? client.publish(
            topic: options.topics.request("health"),
            payload: payload.span,
            qualityOfService: .atLeastOnce
        )
    }

    private func noteAnswer(_ bytes: [UInt8]) {
        guard case .askingTwin = step else { return }
        guard (try? JSONDecoder().decode(Answer.self, from: Data(bytes)))?.transaction == token else { return }
        step = .standingBy(since: now)
        guard !hasToldStandby else { return }
        hasToldStandby = true
        log.warning(
            "another bridge is alive on \(options.topics.base): standing by until it ends. "
                + "Two bridges on one broker need different mqtt.base_topic and mqtt.client_id"
        )
    }

    private func noteBridgeState(_ word: String?) {
        bridgeState = word
        guard case .standingBy = step, word != "online" else { return }
        // What the twin left behind is read anew, and it may have come back meanwhile.
        log.info("the other bridge is gone: taking over")
        restores = true
        connectionLost()
        begin(at: now)
    }
}

extension Span<UInt8> {
    /// The bytes as an array.
    ///
    /// Allocates.
    var array: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        for index in indices { bytes.append(self[index]) }
        return bytes
    }

    /// The bytes as text.
    ///
    /// Allocates.
    var string: String { String(decoding: array, as: UTF8.self) }
}
