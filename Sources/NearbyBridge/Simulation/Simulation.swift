// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import MosquittoClient
import NearbyCore

/// Publishes what simulated accessories report, in real time, until it is told to stop.
///
/// One thread, one connection. Accessories that do the handshake are told what the bridge commands. With a handler it also
/// listens to the events that come back.
final class Simulation {
    /// How the simulation ended.
    enum Ending: Equatable {
        case duration
        case signal
        /// The duration was over before the broker had ever accepted us.
        case neverConnected
    }

    private let topics: TopicScheme
    private let connection: Connection
    private let inbox: Inbox
    private let signals: Signals
    private let log: Log
    private let duration: Duration?
    private let broker: ConnectionOptions
    private var accessories: [PlayedAccessory]
    /// Where an accessory that does the handshake stands in `accessories`.
    private var indices: [String: Int] = [:]
    /// What accessories were told, until the client may be used again.
    private var commands: [(index: Int, payload: [UInt8])] = []
    /// More accessories than this share one subscription.
    private static let mostSubscriptions = 20
    private var poller = Poller()
    /// Monotonic nanoseconds at zero of the simulation: the moment of the first connection.
    private var zero: Int64?
    private var clockAtZero = 0.0
    /// How reports are written.
    var encoding = ReportEncoding.json
    /// Milliseconds between two reports of an accessory, 0 if they come when they come.
    var interval: UInt32 = 0
    private var nextProgress: Int64 = 0
    /// Reports handed to the broker so far.
    private(set) var published = 0
    /// Runs of handshakes that came to ranging so far.
    var runs: Int { accessories.reduce(0) { $0 + $1.runs } }
    /// Called with each event that comes back.
    var onEvent: ((_ payload: [UInt8]) -> Void)?
    /// Called with progress every ten seconds.
    var onProgress: ((_ published: Int, _ seconds: Double) -> Void)?

    /// Prepares a simulation.
    init(
        accessories: [PlayedAccessory],
        broker: ConnectionOptions,
        topics: TopicScheme,
        duration: Duration?,
        signals: Signals,
        log: Log
    ) throws(SystemError) {
        self.accessories = accessories
        for (index, accessory) in accessories.enumerated() where accessory.doesHandshake {
            indices[accessory.identifier] = index
        }
        self.topics = topics
        self.duration = duration
        self.signals = signals
        self.log = log
        inbox = try Inbox()
        var broker = broker
        broker.clientIdentifier = "nearby-simulate-\(BridgeOptions.randomToken())"
        broker.cleanStart = true
        broker.sessionExpiry = .zero
        self.broker = broker
        connection = Connection(options: broker, inbox: inbox, log: log)
    }

    /// Runs until the duration is over or a signal comes.
    func run() -> Ending {
        let socket = poller.add()
        let letters = poller.add(inbox.descriptor)
        let signal = poller.add(signals.descriptor)
        _ = (letters, signal)
        connection.open(broker, delegate: self, at: now)
        let began = MonotonicClock.now()
        // A tick of 5 ms looks at each accessory once; many accessories are looked at less often.
        let tick: Int64 = accessories.count > 2000 ? 20_000_000 : 5_000_000
        while true {
            let client = connection.client
            var interest: Poller.Readiness = client?.wantsRead == true ? .readable : []
            if client?.wantsWrite == true { interest.insert(.writable) }
            poller.set(socket, to: client?.descriptor ?? -1, for: interest)
            do throws(SystemError) {
                try poller.wait(nanoseconds: connection.openClient == nil ? 100_000_000 : tick)
            } catch {
                log.error("cannot wait: \(error)")
                return .signal
            }
            for item in inbox.collect() { connection.take(item, at: now) }
            connection.check(at: now)
            if signals.next() != nil { return finish(.signal) }
            if let duration, MonotonicClock.now() &- (zero ?? began) >= duration.wholeNanoseconds {
                return finish(zero == nil ? .neverConnected : .duration)
            }
            if let client = connection.client { serve(client) }
        }
    }

    private var now: Instant { Instant(nanoseconds: MonotonicClock.now()) }

    private func serve(_ client: MosquittoClient) {
        do throws(MosquittoError) {
            _ = try client.read()
            if connection.openClient != nil { try publishDue(client) }
            if client.wantsWrite { try client.write() }
            try client.maintain()
            client.renewQuickAcknowledgement()
        } catch {
            connection.fail(error, at: now)
        }
    }

    private func publishDue(_ client: MosquittoClient) throws(MosquittoError) {
        guard let zero else { return }
        let elapsed = Double(MonotonicClock.now() &- zero) * 1e-9
        let told = commands
        commands.removeAll(keepingCapacity: true)
        for (index, payload) in told {
            try publish(accessories[index].receive(payload, at: elapsed), of: index, client)
        }
        for index in accessories.indices {
            while accessories[index].due <= elapsed, !client.wantsWrite || published % 64 != 0 {
                try publish(accessories[index].advance(to: accessories[index].due), of: index, client)
                if published % 64 == 0 { try client.write() }
            }
        }
        if MonotonicClock.now() >= nextProgress {
            nextProgress = MonotonicClock.now() &+ 10_000_000_000
            if elapsed > 5 { onProgress?(published, elapsed) }
        }
    }

    private func publish(
        _ publications: [PlayedAccessory.Publication],
        of index: Int,
        _ client: MosquittoClient
    ) throws(MosquittoError) {
        let identifier = accessories[index].identifier
        for publication in publications {
            switch publication {
            case .report(let report):
                let measurement = EncodedMeasurement(report, clockAtZero: clockAtZero, interval: interval)
                try send(encoding.encode(measurement), to: topics.report(of: identifier), .atMostOnce, client)
                published += 1
            case .availability(let isOnline):
                let payload = Array((isOnline ? "online" : "offline").utf8)
                let topic = topics.availability(of: identifier)
                try client.publish(
                    topic: topic,
                    payload: payload.span,
                    // The farewell has no time to wait for acknowledgements.
                    qualityOfService: isOnline ? .atLeastOnce : .atMostOnce,
                    isRetained: true
                )
            case .configuration(let bytes):
                try send(bytes, to: topics.configuration(of: identifier), .atLeastOnce, client)
            case .message(let bytes):
                try send(bytes, to: topics.message(of: identifier), .atLeastOnce, client)
            }
        }
    }

    private func send(
        _ payload: [UInt8],
        to topic: String,
        _ qualityOfService: QualityOfService,
        _ client: MosquittoClient
    ) throws(MosquittoError) {
        try client.publish(topic: topic, payload: payload.span, qualityOfService: qualityOfService)
    }

    private func finish(_ ending: Ending) -> Ending {
        if let client = connection.openClient {
            for index in indices.values { try? publish([.availability(isOnline: false)], of: index, client) }
            // What was handed over leaves before the goodbye.
            var rounds = 0
            while client.wantsWrite, rounds < 1000 {
                guard (try? client.write()) != nil else { break }
                rounds += 1
            }
            client.disconnect()
            try? client.write()
        }
        connection.close()
        return ending
    }
}

extension Simulation: MosquittoClientDelegate {
    func mosquittoClient(_ client: MosquittoClient, didObserve event: MosquittoEvent) {
        guard case .connected = event else { return }
        connection.accepted(at: now)
        if onEvent != nil {
            _ = try? client.subscribe([topics.eventFilter, topics.peerEventFilter], qualityOfService: .atLeastOnce)
        }
        if !indices.isEmpty {
            let isMany = indices.count > Self.mostSubscriptions
            let filters = isMany ? [topics.commandFilter] : indices.keys.sorted().map(topics.command)
            _ = try? client.subscribe(filters, qualityOfService: .atLeastOnce)
        }
        if zero == nil {
            zero = MonotonicClock.now()
            clockAtZero = Double(WallClock.now()) * 1e-9
        }
    }

    func mosquittoClient(
        _ client: MosquittoClient,
        didReceiveMessageOn topic: borrowing Span<UInt8>,
        payload: borrowing Span<UInt8>,
        attributes: MessageAttributes
    ) {
        guard let identifier = topics.commandIdentifier(in: topic) else {
            onEvent?(payload.array)
            return
        }
        let name = String(decoding: topic.extracting(identifier).array, as: UTF8.self)
        if let index = indices[name] { commands.append((index, payload.array)) }
    }
}
