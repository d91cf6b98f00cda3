// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import MosquittoClient

/// A client that publishes and waits for what comes, on one thread.
final class BenchClient: MosquittoClientDelegate {
    /// Why a measurement cannot go on.
    struct Failure: Error { var text: String }

    private let client: MosquittoClient
    private var poller = Poller()
    private let slot: Poller.Slot
    private var mayHoldMore = false
    private var subscriptions = 0
    /// The topic of the last message, and how many there were.
    private(set) var lastTopic = ""
    private var lastPayload: [UInt8] = []
    private(set) var received = 0

    /// Connects to a broker on this machine.
    init(port: Int, name: String) throws {
        client = try MosquittoClient(
            options: ConnectionOptions(host: "127.0.0.1", port: port, clientIdentifier: "nearby-bench-\(name)")
        )
        slot = poller.add()
        client.delegate = self
        try client.connect()
        try wait("the broker's answer") { client.isConnected }
    }

    /// Subscribes at QoS 1 and waits until the broker has it.
    func subscribe(_ filter: String) throws {
        let before = subscriptions
        _ = try client.subscribe([filter], qualityOfService: .atLeastOnce)
        try wait("the subscription to \(filter)") { subscriptions > before }
    }

    /// Publishes and writes as much as the socket takes.
    func publish(_ payload: [UInt8], to topic: String, isReliable: Bool) throws {
        _ = try client.publish(
            topic: topic,
            payload: payload,
            qualityOfService: isReliable ? .atLeastOnce : .atMostOnce
        )
        try client.write()
    }

    /// The payload of the last message.
    var lastText: String { String(decoding: lastPayload, as: UTF8.self) }

    /// A whole number of the last message, which is JSON.
    func number(called key: String) throws -> Int {
        let parts = lastText.split(separator: "\"")
        for (part, value) in zip(parts, parts.dropFirst()) where part == key && value.first == ":" {
            if let number = Int(value.dropFirst().prefix { $0.isNumber }) { return number }
        }
        throw Failure(text: "no \(key) in \(lastText)")
    }

    /// Reads and writes for so long.
    func run(nanoseconds: Int64) throws {
        let end = MonotonicClock.now() + nanoseconds
        while MonotonicClock.now() < end { try turn(until: end) }
    }

    /// Reads and writes until it is so; after ten seconds the measurement fails.
    func wait(_ what: String, until condition: () -> Bool) throws {
        let end = MonotonicClock.now() + 10_000_000_000
        while !condition() {
            guard MonotonicClock.now() < end else { throw Failure(text: "\(what) did not come in ten seconds") }
            try turn(until: end)
        }
    }

    private func turn(until end: Int64) throws {
        var interest: Poller.Readiness = .readable
        if client.wantsWrite { interest.insert(.writable) }
        poller.set(slot, to: client.descriptor, for: interest)
        let rest = max(0, end - MonotonicClock.now())
        _ = try poller.wait(nanoseconds: mayHoldMore ? 0 : min(rest, 500_000_000))
        mayHoldMore = try client.read()
        try client.write()
        client.renewQuickAcknowledgement()
        try client.maintain()
    }

    func mosquittoClient(_ client: MosquittoClient, didObserve event: MosquittoEvent) {
        if case .subscribed = event { subscriptions += 1 }
    }

    func mosquittoClient(
        _ client: MosquittoClient,
        didReceiveMessageOn topic: borrowing Span<UInt8>,
        payload: borrowing Span<UInt8>,
        attributes: MessageAttributes
    ) {
        var bytes: [UInt8] = []
        for index in topic.indices { bytes.append(topic[index]) }
        lastTopic = String(decoding: bytes, as: UTF8.self)
        lastPayload.removeAll(keepingCapacity: true)
        for index in payload.indices { lastPayload.append(payload[index]) }
        received += 1
    }
}
