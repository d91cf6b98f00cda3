// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import MosquittoClient
import TestSupport

/// Drives a client on the test's own thread, step by step, and keeps what came.
final class ClientDriver: MosquittoClientDelegate {
    let client: MosquittoClient
    var events: [MosquittoEvent] = []
    var messages: [String] = []
    var attributes: [MessageAttributes] = []
    /// How often poll woke up: a client that spins shows here.
    var turns = 0
    var onMessage: ((MosquittoClient, [UInt8]) -> Void)?
    var onEvent: ((MosquittoClient, MosquittoEvent) -> Void)?
    var maximumMessages = 256

    init(_ options: ConnectionOptions) throws {
        client = try MosquittoClient(options: options)
        client.delegate = self
    }

    /// Polls and reads once; writes unless told otherwise.
    func turn(writes: Bool = true) throws {
        var poller = Poller()
        var interest: Poller.Readiness = client.wantsRead ? .readable : []
        if client.wantsWrite && writes { interest.insert(.writable) }
        _ = poller.add(client.descriptor, for: interest)
        var mayHoldMore = true
        try poller.wait(timeout: .milliseconds(200))
        turns += 1
        while mayHoldMore, client.wantsRead {
            mayHoldMore = try client.read(maximumMessages: maximumMessages)
        }
        if writes, client.descriptor >= 0 { try client.write() }
        if client.descriptor >= 0 { try client.maintain() }
    }

    /// Takes turns until `condition` holds; throws what the client throws.
    func run(writes: Bool = true, until condition: () -> Bool) throws {
        let end = MonotonicClock.now() + 60_000_000_000
        while !condition() {
            guard MonotonicClock.now() < end else { throw TimedOut(events: events) }
            try turn(writes: writes)
        }
    }

    /// Connects and waits for the broker's yes.
    @discardableResult
    func start() throws -> ConnectAcknowledgement {
        try client.connect()
        try run { client.isConnected }
        for event in events { if case .connected(let acknowledgement) = event { return acknowledgement } }
        throw TimedOut(events: events)
    }

    /// Connects and takes turns until the client gives up; returns why.
    func failure() -> MosquittoError? {
        do {
            try client.connect()
            try run { false }
        } catch {
            return error as? MosquittoError
        }
        return nil
    }

    /// Subscribes and waits for the answer.
    func subscribe(_ filters: [String], _ qualityOfService: QualityOfService = .atLeastOnce) throws -> [UInt8] {
        let id = try client.subscribe(filters, qualityOfService: qualityOfService)
        var granted: [UInt8]?
        try run {
            for case .subscribed(id, let answer) in events { granted = answer }
            return granted != nil
        }
        return granted ?? []
    }

    struct TimedOut: Error {
        let events: [MosquittoEvent]
    }

    func mosquittoClient(
        _ client: MosquittoClient,
        didReceiveMessageOn topic: borrowing Span<UInt8>,
        payload: borrowing Span<UInt8>,
        attributes: MessageAttributes
    ) {
        var topicBytes: [UInt8] = []
        for index in topic.indices { topicBytes.append(topic[index]) }
        var bytes: [UInt8] = []
        for index in payload.indices { bytes.append(payload[index]) }
        messages.append("\(String(decoding: topicBytes, as: UTF8.self)) \(String(decoding: bytes, as: UTF8.self))")
        self.attributes.append(attributes)
        onMessage?(client, bytes)
    }

    func mosquittoClient(_ client: MosquittoClient, didObserve event: MosquittoEvent) {
        events.append(event)
        onEvent?(client, event)
    }
}

extension ConnectionOptions {
    /// Options for a broker of this test.
    static func local(
        _ port: Int,
        _ clientIdentifier: String = "tester",
        version: ProtocolVersion = .v5,
        cleanStart: Bool = true,
        tls: TLSOptions? = nil,
        host: String = "127.0.0.1"
    ) -> ConnectionOptions {
        ConnectionOptions(
            host: host,
            port: port,
            clientIdentifier: clientIdentifier,
            protocolVersion: version,
            keepAlive: .seconds(30),
            cleanStart: cleanStart,
            tls: tls
        )
    }
}
