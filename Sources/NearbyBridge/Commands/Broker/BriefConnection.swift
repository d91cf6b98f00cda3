// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import MosquittoClient
import NearbyCore

/// A connection for a command that asks the broker something and leaves.
///
/// Under a client identifier of its own, clean and without a will: it can disturb nobody. Each call waits for the
/// broker's answer, but never beyond the deadline. One thread.
final class BriefConnection: MosquittoClientDelegate {
    /// A message as it came in.
    struct Message: Equatable, Sendable {
        var topic: String
        var payload: [UInt8]
        var isRetained: Bool
    }

    /// What the broker said when it accepted us.
    private(set) var acknowledgement: ConnectAcknowledgement?
    /// Called with each message.
    var onMessage: ((Message) -> Void)?
    /// When waiting ends.
    var deadline: Instant
    private let options: ConnectionOptions
    private var client: MosquittoClient?
    private var granted: [Int32: [UInt8]] = [:]
    private var reasons: [Int32: Int32] = [:]
    private var refusal: MosquittoError?

    /// Prepares a connection as `<client identifier>-<purpose>-<token>`.
    init(_ options: BridgeOptions, for purpose: String, token: String, timeout: Duration) {
        var broker = options.broker
        broker.clientIdentifier = "\(options.clientIdentifier)-\(purpose)-\(token)"
        broker.cleanStart = true
        broker.sessionExpiry = .zero
        self.options = broker
        deadline = Self.now.advanced(by: timeout)
    }

    /// Moves the deadline to so far from now.
    func allow(_ time: Duration) { deadline = Self.now.advanced(by: time) }

    /// The time now.
    static var now: Instant { Instant(nanoseconds: MonotonicClock.now()) }

    private var address: String { "\(options.host):\(options.port)" }

    /// Connects and waits until the broker has accepted us.
    func open() throws(MosquittoError) {
        let inbox: Inbox
        do throws(SystemError) {
            inbox = try Inbox()
            try inbox.connect(options, attempt: 1)
        } catch {
            throw MosquittoError(operation: "connect to \(address)", kind: .other, code: error.code, detail: "\(error)")
        }
        try connect(from: inbox)
        guard try wait(until: { acknowledgement != nil }) else {
            throw timedOut("connect to \(address)", "the broker does not answer")
        }
    }

    private func connect(from inbox: Inbox) throws(MosquittoError) {
        var poller = Poller()
        _ = poller.add(inbox.descriptor)
        while true {
            for item in inbox.collect() {
                switch item {
                case .connected(_, let client):
                    client.delegate = self
                    self.client = client
                    return
                case .failed(_, let error): throw error
                case .stop: break
                }
            }
            let now = Self.now
            guard now < deadline else { throw timedOut("connect to \(address)", "no connection in time") }
            _ = try? poller.wait(timeout: now.duration(to: deadline))
        }
    }

    /// Subscribes and returns the broker's answer for each filter: 128 and above is a refusal.
    func subscribe(
        _ filters: [String],
        qualityOfService: QualityOfService = .atLeastOnce
    ) throws(MosquittoError) -> [UInt8] {
        let client = try opened("subscribe to \(filters.joined(separator: ", "))")
        let messageID = try client.subscribe(filters, qualityOfService: qualityOfService)
        guard try wait(until: { granted[messageID] != nil }) else {
            throw timedOut("subscribe to \(filters.joined(separator: ", "))", "the broker does not answer")
        }
        return granted.removeValue(forKey: messageID) ?? []
    }

    /// Ends subscriptions; what is under way may still come.
    func unsubscribe(_ filters: [String]) throws(MosquittoError) {
        try opened("unsubscribe").unsubscribe(filters)
    }

    /// Publishes at level 1 and returns the broker's reason code: 128 and above is a refusal (MQTT 5 only), 16 means
    /// that nobody listens.
    func publish(
        _ payload: [UInt8],
        to topic: String,
        messageExpiry: UInt32? = nil
    ) throws(MosquittoError) -> Int32 {
        let messageID = try opened("publish to \(topic)").publish(
            topic: topic,
            payload: payload,
            qualityOfService: .atLeastOnce,
            messageExpiry: messageExpiry
        )
        guard try wait(until: { reasons[messageID] != nil }) else {
            throw timedOut("publish to \(topic)", "the broker does not answer")
        }
        return reasons.removeValue(forKey: messageID) ?? 0
    }

    /// Publishes at level 0: the broker says nothing.
    func send(_ payload: [UInt8], to topic: String, isRetained: Bool = false) throws(MosquittoError) {
        let client = try opened("publish to \(topic)")
        try client.publish(topic: topic, payload: payload, qualityOfService: .atMostOnce, isRetained: isRetained)
    }

    /// Waits until the broker has everything that was sent, and we have everything that it sent before.
    ///
    /// False if it does not come back in time: perhaps this user may not read and write `topic`.
    func pass(_ topic: String) throws(MosquittoError) -> Bool {
        var isBack = false
        let others = onMessage
        onMessage = { message in
            if message.topic == topic { isBack = true } else { others?(message) }
        }
        defer { onMessage = others }
        try send([], to: topic)
        return try wait(until: { isBack })
    }

    /// Lets the connection work until a condition holds; false if the deadline comes first.
    func wait(until condition: () -> Bool) throws(MosquittoError) -> Bool {
        let client = try opened("use the connection to \(address)")
        var poller = Poller()
        let socket = poller.add()
        var hasMore = false
        while !condition() {
            let now = Self.now
            guard now < deadline else { return false }
            // Often enough for the library's own pings.
            let patience = min(now.duration(to: deadline), .milliseconds(500))
            poller.set(socket, to: client.descriptor, for: client.wantsWrite ? [.readable, .writable] : .readable)
            _ = try? poller.wait(timeout: hasMore ? .zero : patience)
            do throws(MosquittoError) {
                hasMore = try client.read()
                if client.wantsWrite { try client.write() }
                try client.maintain()
            } catch {
                throw refusal ?? error
            }
        }
        return true
    }

    /// Says goodbye.
    func close() {
        guard let client else { return }
        client.disconnect()
        try? client.write()
        self.client = nil
    }

    private func opened(_ operation: @autoclosure () -> String) throws(MosquittoError) -> MosquittoClient {
        if let client { return client }
        throw MosquittoError(operation: operation(), kind: .notConnected, code: 0, detail: "there is no connection")
    }

    private func timedOut(_ operation: String, _ detail: String) -> MosquittoError {
        MosquittoError(operation: operation, kind: .timedOut, code: 0, detail: detail)
    }

    // MARK: MosquittoClientDelegate

    func mosquittoClient(_ client: MosquittoClient, didObserve event: MosquittoEvent) {
        switch event {
        case .connected(let acknowledgement): self.acknowledgement = acknowledgement
        case .refused(let error): refusal = error
        case .subscribed(let messageID, let codes): granted[messageID] = codes
        case .acknowledged(let messageID, let reasonCode): reasons[messageID] = reasonCode
        case .disconnected, .unsubscribed: break
        }
    }

    func mosquittoClient(
        _ client: MosquittoClient,
        didReceiveMessageOn topic: borrowing Span<UInt8>,
        payload: borrowing Span<UInt8>,
        attributes: MessageAttributes
    ) {
        onMessage?(Message(topic: topic.string, payload: payload.array, isRetained: attributes.isRetained))
    }
}
