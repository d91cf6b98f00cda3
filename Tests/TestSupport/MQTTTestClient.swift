// nearby-bridge · SPDX-License-Identifier: Apache-2.0

internal import LinuxSystem
public import MosquittoClient

/// A client that reads and writes on a thread of its own, so that a test can simply call and wait.
public final class MQTTTestClient: Sendable {
    /// A message as it came in.
    public struct Message: Equatable, Sendable {
        /// Where it was published.
        public let topic: String
        /// Its bytes.
        public let payload: [UInt8]
        /// The level it was delivered with.
        public let qualityOfService: Int32
        /// Whether the broker had kept it.
        public let isRetained: Bool
        /// Where the sender wants the answer (MQTT 5).
        public let responseTopic: String?
        /// What the answer must carry (MQTT 5).
        public let correlationData: [UInt8]?
        /// The payload as text.
        public var text: String { String(decoding: payload, as: UTF8.self) }
    }

    /// Why a call did not work.
    public struct Failure: Error, CustomStringConvertible {
        /// What went wrong.
        public let description: String
    }

    private let shared = Locked(State())
    private let wakeUp: WakeUp
    private let thread: Thread

    /// Connects to a broker on this machine and waits until it has accepted us.
    public convenience init(
        port: Int,
        clientIdentifier: String,
        cleanStart: Bool = true,
        protocolVersion: ConnectionOptions.ProtocolVersion = .v5,
        will: Will? = nil
    ) throws {
        try self.init(
            ConnectionOptions(
                host: "127.0.0.1",
                port: port,
                clientIdentifier: clientIdentifier,
                protocolVersion: protocolVersion,
                cleanStart: cleanStart,
                will: will
            )
        )
    }

    /// The same with all options.
    public init(_ options: ConnectionOptions) throws {
        let client = try MosquittoClient(options: options)
        let wakeUp = try WakeUp()
        self.wakeUp = wakeUp
        thread = try Thread(name: "test client") { [shared] in
            let loop = TestClientLoop(client, shared, wakeUp)
            // The client holds its delegate weakly.
            withExtendedLifetime(loop) { loop.run() }
        }
        guard Waiting.until(condition: { isConnected || error != nil }), isConnected else {
            throw Failure(description: "not connected: \(error.map(\.description) ?? "no answer")")
        }
    }

    deinit { drop() }

    /// All messages so far, in the order they came.
    public var messages: [Message] { shared.withLock { $0.messages } }
    /// All events so far, in the order they came.
    public var events: [MosquittoEvent] { shared.withLock { $0.events } }
    /// Whether the broker has accepted us and the connection stands.
    public var isConnected: Bool { shared.withLock { $0.isConnected } }
    /// Why the connection is over.
    public var error: MosquittoError? { shared.withLock { $0.error } }

    /// Forgets the messages so far.
    public func forgetMessages() { shared.withLock { $0.messages = [] } }

    /// Hands over the messages so far and forgets them: none is seen twice, none is missed.
    public func takeMessages() -> [Message] {
        shared.withLock { state in
            defer { state.messages = [] }
            return state.messages
        }
    }

    /// Waits until `predicate` holds for the messages; false if it does not within `timeout`.
    public func waitFor(_ timeout: Duration = .seconds(30), _ predicate: ([Message]) -> Bool) -> Bool {
        Waiting.until(timeout) { predicate(messages) }
    }

    /// The first message on `topic`, waiting for it; throws if none comes.
    public func message(on topic: String, within timeout: Duration = .seconds(30)) throws -> Message {
        _ = waitFor(timeout) { messages in messages.contains { $0.topic == topic } }
        guard let message = messages.first(where: { $0.topic == topic }) else {
            throw Failure(description: "no message on \(topic); there are \(messages.map(\.topic))")
        }
        return message
    }

    /// Subscribes and waits for the broker's answer, which is returned.
    @discardableResult
    public func subscribe(_ filters: String..., qualityOfService: QualityOfService = .atLeastOnce) throws -> [UInt8] {
        let id = try perform { client throws(MosquittoError) in
            try client.subscribe(filters, qualityOfService: qualityOfService)
        }
        let answer = try waitForEvent { event -> [UInt8]? in
            if case .subscribed(id, let granted) = event { granted } else { nil }
        }
        return answer
    }

    /// Publishes and waits until the broker has it (level 1) or it is sent (level 0); returns the reason code.
    @discardableResult
    public func publish(
        _ topic: String,
        _ payload: String,
        qualityOfService: QualityOfService = .atLeastOnce,
        isRetained: Bool = false,
        responseTopic: String? = nil,
        correlationData: [UInt8]? = nil
    ) throws -> Int32 {
        try publish(
            topic,
            bytes: Array(payload.utf8),
            qualityOfService: qualityOfService,
            isRetained: isRetained,
            responseTopic: responseTopic,
            correlationData: correlationData
        )
    }

    /// The same for bytes that need not be text.
    @discardableResult
    public func publish(
        _ topic: String,
        bytes: [UInt8],
        qualityOfService: QualityOfService = .atLeastOnce,
        isRetained: Bool = false,
        responseTopic: String? = nil,
        correlationData: [UInt8]? = nil
    ) throws -> Int32 {
        let id = try perform { client throws(MosquittoError) in
            try client.publish(
                topic: topic,
                payload: bytes,
                qualityOfService: qualityOfService,
                isRetained: isRetained,
                responseTopic: responseTopic,
                correlationData: correlationData
            )
        }
        return try waitForEvent { event -> Int32? in
            if case .acknowledged(id, let code) = event { code } else { nil }
        }
    }

    /// Says goodbye and waits until the connection is closed: no will.
    public func disconnect() {
        shared.withLock { $0.commands.append { $0.disconnect() } }
        wakeUp.signal()
        thread.join()
    }

    /// Closes the connection without a goodbye: the broker publishes the will.
    public func drop() {
        shared.withLock { $0.isDropped = true }
        wakeUp.signal()
        thread.join()
    }

    private func perform(
        _ body: @escaping @Sendable (MosquittoClient) throws(MosquittoError) -> Int32
    ) throws -> Int32 {
        let result = Locked<Result<Int32, MosquittoError>?>(nil)
        shared.withLock { state in
            state.commands.append { client in
                let value = Result { () throws(MosquittoError) in try body(client) }
                result.withLock { $0 = value }
            }
        }
        wakeUp.signal()
        _ = Waiting.until { result.withLock { $0 != nil } || error != nil }
        guard let value = result.withLock({ $0 }) else {
            throw Failure(description: "the connection is over: \(error.map(\.description) ?? "no answer")")
        }
        return try value.get()
    }

    private func waitForEvent<Answer>(_ pick: (MosquittoEvent) -> Answer?) throws -> Answer {
        _ = Waiting.until { error != nil || events.contains { pick($0) != nil } }
        for event in events { if let answer = pick(event) { return answer } }
        throw Failure(description: "no answer from the broker: \(error.map(\.description) ?? "timed out")")
    }

    struct State: Sendable {
        var messages: [Message] = []
        var events: [MosquittoEvent] = []
        var commands: [@Sendable (MosquittoClient) -> Void] = []
        var isConnected = false
        var isDropped = false
        var error: MosquittoError?
    }
}
