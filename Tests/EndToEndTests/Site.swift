// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import MosquittoClient
import TestSupport
import Testing

/// A broker, a bridge, someone who reports and someone who listens to everything, for one test.
final class Site {
    let broker: MosquittoProcess
    /// The base topic.
    let base: String
    /// What every bridge of this site is told besides the port.
    private(set) var settings: [String]
    /// Between bridge and broker, if there is one.
    let proxy: TCPProxy?
    private(set) var bridge: BridgeProcess
    private let filter: String
    /// The configuration file, if there is one.
    private let configuration: String?
    /// Where its bridges keep their store, if they have one.
    let stateDirectory: TemporaryDirectory?
    /// Retained messages survive SIGKILL of the broker, and no queue of its own loses anything.
    private static let brokerExtra = ["max_queued_messages 0", "autosave_on_changes true", "autosave_interval 1"]
    /// Subscribed to everything below the base topic before the bridge started.
    private(set) var consumer: MQTTTestClient
    private(set) var source: MQTTTestClient

    /// Starts all four and waits until the bridge listens.
    init(
        base: String = "nearby",
        set settings: [String] = [],
        persistence: Bool = false,
        listeningTo filter: String = "#",
        throughProxy: Bool = false,
        configuration: String? = nil,
        keepingState: Bool = false,
        brokerExtra: [String] = []
    ) throws {
        self.base = base
        stateDirectory = keepingState ? try TemporaryDirectory() : nil
        self.settings = ["state.path=\(stateDirectory?.path ?? "none")"] + settings
        if base != "nearby" { self.settings.append("mqtt.base_topic=\(base)") }
        broker = try MosquittoProcess(persistence: persistence, extra: Self.brokerExtra + brokerExtra)
        proxy = throughProxy ? try TCPProxy(to: broker.port) : nil
        if let proxy { self.settings.append("mqtt.port=\(proxy.port)") }
        self.filter = filter
        self.configuration = configuration
        consumer = try Self.consumer(of: broker, "\(base)/\(filter)")
        source = try MQTTTestClient(port: broker.port, clientIdentifier: "source")
        bridge = try BridgeProcess(Self.arguments(broker, self.settings, configuration))
        try waitForBridge(bridge)
    }

    private static func arguments(
        _ broker: MosquittoProcess,
        _ settings: [String],
        _ configuration: String?
    ) -> [String] {
        let all = ["mqtt.host=127.0.0.1", "mqtt.port=\(broker.port)"] + settings
        return ["run"] + (configuration.map { ["--config", $0] } ?? []) + all.flatMap { ["--set", $0] }
    }

    private static func consumer(of broker: MosquittoProcess, _ filter: String) throws -> MQTTTestClient {
        let consumer = try MQTTTestClient(port: broker.port, clientIdentifier: "consumer")
        try consumer.subscribe(filter)
        return consumer
    }

    /// A topic below the base topic.
    func topic(_ rest: String) -> String { "\(base)/\(rest)" }

    // MARK: The bridge

    /// Another bridge with the same settings; it is not waited for.
    ///
    /// `fault` is where it dies: see `FaultPoint`.
    func secondBridge(fault: String? = nil) throws -> BridgeProcess {
        let environment = fault.map { BridgeProcess.environment + ["NEARBY_FAULT=\($0)"] }
        return try BridgeProcess(Self.arguments(broker, settings, configuration), environment: environment)
    }

    /// Starts a bridge that will die at a place, after the first has ended; it is not waited for.
    func restartBridge(toDieAt fault: String) throws { bridge = try secondBridge(fault: fault) }

    /// Starts a bridge again after the first has ended, without forgetting a message.
    func restartBridgeUnseen() throws { bridge = try secondBridge() }

    /// Starts a bridge again after the first has ended, and waits until it listens.
    func restartBridge(alsoSet more: [String] = []) throws {
        consumer.forgetMessages()
        settings += more
        bridge = try secondBridge()
        try waitForBridge(bridge)
    }

    /// Waits until `bridge` has subscribed: the first `online` since the consumer forgot comes right after.
    func waitForBridge(_ bridge: BridgeProcess) throws {
        let isOnline = consumer.waitFor { messages in
            messages.contains { $0.topic == topic("bridge/state") && !$0.isRetained && $0.text.contains("online") }
        }
        try #require(isOnline, "the bridge does not come up:\n\(bridge.log)")
    }

    /// Connects consumer and source again after the broker was away; the messages so far are forgotten.
    func reconnectClients() throws {
        consumer = try Self.consumer(of: broker, "\(base)/\(filter)")
        source = try MQTTTestClient(port: broker.port, clientIdentifier: "source")
    }

    /// What health says now.
    func health(_ transaction: String = "health-\(UInt32.random(in: 0...UInt32.max))") throws -> Answer.Data {
        try source.publish(topic("bridge/request/health"), "{\"transaction\":\"\(transaction)\"}")
        let isAnswered = consumer.waitFor { messages in
            messages.contains { $0.topic == topic("bridge/response/health") && $0.text.contains(transaction) }
        }
        try #require(isAnswered, "no answer:\n\(bridge.log)")
        let messages = consumer.messages.filter { $0.topic.hasSuffix("response/health") }
        let message = try #require(messages.last { $0.text.contains(transaction) })
        return try #require(try message.decoded(Answer.self).data)
    }

    // MARK: Reports

    /// Reports a distance once.
    func report(_ distance: Double, of accessory: String = "lamp", peer: String? = nil) throws {
        let name = peer.map { ",\"peer\":\"\($0)\"" } ?? ""
        try source.publish(
            topic("accessory/\(accessory)/report"),
            "{\"distance\":\(distance)\(name)}",
            qualityOfService: .atMostOnce
        )
    }

    /// Reports a distance for so many seconds, at so many reports a second.
    func report(
        _ distance: Double,
        for seconds: Double,
        rate: Double = 10,
        of accessory: String = "lamp",
        peer: String? = nil
    ) throws {
        for _ in 0..<Int(seconds * rate) {
            try report(distance, of: accessory, peer: peer)
            Waiting.sleep(milliseconds: UInt32(1000 / rate))
        }
    }

    /// Brings an accessory inside both zones and waits for the two events.
    func enterBoth(_ accessory: String = "lamp", peer: String? = nil) throws {
        let end = MonotonicClock.now() + 30_000_000_000
        repeat {
            try report(1.0, of: accessory, peer: peer)
            Waiting.sleep(milliseconds: 100)
        } while events(of: accessory).count < 2 && MonotonicClock.now() < end
        try #require(events(of: accessory).map(\.summary) == ["enter near", "enter immediate"], "\(bridge.log)")
    }

    // MARK: What came

    /// The events of an accessory's aggregate so far.
    func events(of accessory: String = "lamp", peer: String? = nil) -> [Event] {
        let level = peer.map { "/peer/\($0)" } ?? ""
        let messages = consumer.messages.filter { $0.topic == topic("accessory/\(accessory)\(level)/event") }
        return messages.compactMap { message in
            do {
                return try message.decoded(Event.self)
            } catch {
                Issue.record("an event that cannot be read: \(message.text): \(error)")
                return nil
            }
        }
    }

    /// Waits for so many events of an accessory, and then for one more that must not come.
    func waitForEvents(_ count: Int, of accessory: String = "lamp", peer: String? = nil) -> [Event] {
        _ = Waiting.until { events(of: accessory, peer: peer).count >= count }
        Waiting.sleep(milliseconds: 600)
        return events(of: accessory, peer: peer)
    }

    /// Everything the broker keeps below the base topic, as a newcomer gets it.
    func retained() throws -> [String: String] {
        let name = "newcomer-\(UInt32.random(in: 0...UInt32.max))"
        let newcomer = try MQTTTestClient(port: broker.port, clientIdentifier: name)
        try newcomer.subscribe("\(base)/#", "end/\(name)")
        // The broker sends what it keeps before anything that is published later.
        try newcomer.publish("end/\(name)", "")
        try #require(newcomer.waitFor { $0.contains { $0.topic == "end/\(name)" } })
        var retained: [String: String] = [:]
        for message in newcomer.messages where message.isRetained { retained[message.topic] = message.text }
        return retained
    }

    /// The word that the broker keeps for each zone of an accessory or one of its peers.
    func zones(of accessory: String = "lamp", peer: String? = nil) throws -> [String: String] {
        let level = peer.map { "/peer/\($0)" } ?? ""
        let prefix = topic("accessory/\(accessory)\(level)/zone/")
        var zones: [String: String] = [:]
        for (topic, text) in try retained() where topic.hasPrefix(prefix) {
            zones[String(topic.dropFirst(prefix.count))] = text
        }
        return zones
    }

    /// The newest state that came.
    func state(of accessory: String = "lamp", peer: String? = nil) throws -> Snapshot {
        let level = peer.map { "/peer/\($0)" } ?? ""
        let wanted = topic("accessory/\(accessory)\(level)/state")
        let message = try #require(consumer.messages.last { $0.topic == wanted }, "no state of \(accessory)\(level)")
        return try message.decoded(Snapshot.self)
    }
}
