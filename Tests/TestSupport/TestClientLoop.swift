// nearby-bridge · SPDX-License-Identifier: Apache-2.0

internal import LinuxSystem
internal import MosquittoClient

/// The thread behind an `MQTTTestClient`: the plainest loop that uses a `MosquittoClient` rightly.
final class TestClientLoop: MosquittoClientDelegate {
    private let client: MosquittoClient
    private let shared: Locked<MQTTTestClient.State>
    private let wakeUp: WakeUp

    init(_ client: MosquittoClient, _ shared: Locked<MQTTTestClient.State>, _ wakeUp: WakeUp) {
        self.client = client
        self.shared = shared
        self.wakeUp = wakeUp
    }

    /// Runs until the connection is over.
    func run() {
        client.delegate = self
        do {
            try client.connect()
            try loop()
        } catch {
            shared.withLock { state in
                state.error = error as? MosquittoError
                state.isConnected = false
            }
        }
    }

    private func loop() throws {
        var poller = Poller()
        let socket = poller.add()
        _ = poller.add(wakeUp.descriptor)
        var mayHoldMore = false
        while client.descriptor >= 0 {
            var interest: Poller.Readiness = client.wantsRead ? .readable : []
            if client.wantsWrite { interest.insert(.writable) }
            poller.set(socket, to: client.descriptor, for: interest)
            try poller.wait(timeout: mayHoldMore ? .zero : .milliseconds(500))
            wakeUp.drain()
            let commands = shared.withLock { state in
                defer { state.commands = [] }
                return state.isDropped ? nil : state.commands
            }
            guard let commands else { return }
            for command in commands { command(client) }
            mayHoldMore = try client.read()
            if client.descriptor < 0 { return }
            try client.write()
            if client.descriptor < 0 { return }
            try client.maintain()
        }
    }

    func mosquittoClient(
        _ client: MosquittoClient,
        didReceiveMessageOn topic: borrowing Span<UInt8>,
        payload: borrowing Span<UInt8>,
        attributes: MessageAttributes
    ) {
        let message = MQTTTestClient.Message(
            topic: String(decoding: Self.bytes(topic), as: UTF8.self),
            payload: Self.bytes(payload),
            qualityOfService: attributes.qualityOfService,
            isRetained: attributes.isRetained,
            responseTopic: client.currentResponseTopic.map { String(decoding: $0, as: UTF8.self) },
            correlationData: client.currentCorrelationData
        )
        shared.withLock { $0.messages.append(message) }
    }

    func mosquittoClient(_ client: MosquittoClient, didObserve event: MosquittoEvent) {
        shared.withLock { state in
            state.events.append(event)
            switch event {
            case .connected: state.isConnected = true
            case .refused(let error):
                state.error = error
                state.isConnected = false
            case .disconnected(let error):
                state.error = error
                state.isConnected = false
            case .subscribed, .unsubscribed, .acknowledged: break
            }
        }
    }

    private static func bytes(_ span: borrowing Span<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        for index in span.indices { result.append(span[index]) }
        return result
    }
}
