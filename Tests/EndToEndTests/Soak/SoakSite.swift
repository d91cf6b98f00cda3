// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import MosquittoClient
import TestSupport
import Testing

/// A broker, a bridge behind a proxy, and two who listen to all events; everything can be made to fail.
final class SoakSite {
    let broker: MosquittoProcess
    private let proxy: TCPProxy
    private let directory: TemporaryDirectory
    private(set) var bridge: BridgeProcess
    /// How many bridges there have been.
    private(set) var lives = 1
    private var listeners: [MQTTTestClient?] = [nil, nil]
    private(set) var checker = PublishedEventChecker()
    /// Who took the bridge's client identifier.
    private var stranger: MQTTTestClient?

    init() throws {
        // What the broker keeps survives its death but for the last second.
        broker = try MosquittoProcess(
            persistence: true,
            extra: ["max_queued_messages 0", "autosave_interval 1", "log_type none", "log_type information"]
        )
        proxy = try TCPProxy(to: broker.port)
        directory = try TemporaryDirectory()
        bridge = try Self.start(proxy, directory)
        listen()
    }

    private static func start(_ proxy: TCPProxy, _ directory: TemporaryDirectory) throws -> BridgeProcess {
        let settings = [
            "mqtt.host=127.0.0.1", "mqtt.port=\(proxy.port)", "mqtt.keep_alive=5s", "state.path=\(directory.path)",
        ]
        return try BridgeProcess(["run"] + settings.flatMap { ["--set", $0] })
    }

    // MARK: Faults

    /// Lets a fault happen, for as long as it lasts.
    func suffer(_ fault: SoakFault) throws {
        switch fault.kind {
        case .bridgeKilled:
            bridge.kill()
            pause(fault)
            bridge = try Self.start(proxy, directory)
            lives += 1
        case .bridgeStopped:
            bridge.freeze(true)
            pause(fault)
            bridge.freeze(false)
        case .brokerKilled:
            broker.kill()
            pause(fault)
            try broker.restart()
        case .brokerRestarted:
            broker.stop()
            pause(fault)
            try broker.restart()
        case .brokerStopped:
            broker.freeze(true)
            pause(fault)
            broker.freeze(false)
        case .reset:
            proxy.cut()
        case .halfOpen:
            proxy.abandon()
        case .blackHole:
            proxy.isBlackHole = true
            pause(fault)
            proxy.isBlackHole = false
        case .takenOver:
            stranger = try MQTTTestClient(port: broker.port, clientIdentifier: "nearby-bridge")
        }
    }

    private func pause(_ fault: SoakFault) { Waiting.sleep(milliseconds: fault.milliseconds) }

    /// Waits until the bridge answers and everybody listens again; the answer, and how long it took in milliseconds.
    func recover() throws -> (health: Answer.Data, milliseconds: Int) {
        let begin = MonotonicClock.now()
        var answer: Answer.Data?
        _ = Waiting.until(.seconds(120)) {
            answer = ask()
            return answer != nil
        }
        let milliseconds = Int((MonotonicClock.now() - begin) / 1_000_000)
        stranger = nil
        let health = try #require(answer, "the bridge does not come back:\n\(bridge.log.suffix(3000))")
        let isHeard = Waiting.until(.seconds(60)) {
            listen()
            return listeners.allSatisfy { $0?.isConnected ?? false }
        }
        try #require(isHeard, "the broker does not let the listeners in")
        return (health, milliseconds)
    }

    /// What health says, from a client that was not there before; `nil` if it does not say it soon.
    private func ask() -> Answer.Data? {
        let name = "prober-\(UInt32.random(in: 0...UInt32.max))"
        guard let prober = try? MQTTTestClient(port: broker.port, clientIdentifier: name) else { return nil }
        guard (try? prober.subscribe("nearby/bridge/response/health")) != nil else { return nil }
        let end = MonotonicClock.now() + 2_000_000_000
        while MonotonicClock.now() < end {
            let request = "{\"transaction\":\"\(name)\"}"
            _ = try? prober.publish("nearby/bridge/request/health", request, qualityOfService: .atMostOnce)
            let isAnswered = prober.waitFor(.milliseconds(100)) { !$0.isEmpty }
            if isAnswered, let message = prober.messages.last { return try? message.decoded(Answer.self).data }
            if prober.error != nil { return nil }
        }
        return nil
    }

    // MARK: Listening

    /// Shows the checker what came, and connects again whoever was cut off.
    ///
    /// One listener has a session that waits for it while it is away. The other acknowledges nothing: so nothing that a
    /// dying broker has sent is lost with an acknowledgement that cannot be written any more.
    func listen() {
        for number in listeners.indices {
            guard let listener = listeners[number] else {
                listeners[number] = connect(number)
                continue
            }
            let isOver = listener.error != nil
            for message in listener.takeMessages() {
                checker.take(message.payload, on: message.topic, isRetained: message.isRetained, from: number)
            }
            if isOver { listeners[number] = connect(number) }
        }
    }

    private func connect(_ number: Int) -> MQTTTestClient? {
        let options = ConnectionOptions(
            host: "127.0.0.1",
            port: broker.port,
            clientIdentifier: "listener-\(number)",
            cleanStart: number > 0,
            sessionExpiry: number > 0 ? .zero : .seconds(600)
        )
        guard let listener = try? MQTTTestClient(options) else { return nil }
        let level: QualityOfService = number > 0 ? .atMostOnce : .atLeastOnce
        let filters = ("nearby/accessory/+/event", "nearby/accessory/+/peer/+/event")
        guard (try? listener.subscribe(filters.0, filters.1, qualityOfService: level)) != nil else { return nil }
        return listener
    }

    /// The words that the broker keeps for all zones.
    func zoneWords() throws -> [String: String] {
        let newcomer = try MQTTTestClient(port: broker.port, clientIdentifier: "newcomer")
        try newcomer.subscribe("nearby/accessory/+/zone/+", "nearby/accessory/+/peer/+/zone/+", "end")
        try newcomer.publish("end", "")
        _ = newcomer.waitFor { $0.contains { $0.topic == "end" } }
        let words = newcomer.messages.filter { $0.topic != "end" }.map { ($0.topic, $0.text) }
        return Dictionary(words, uniquingKeysWith: { $1 })
    }
}
