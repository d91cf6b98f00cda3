// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import MosquittoClient
import NearbyCore

/// Listens to what accessories say and are told, over reconnects, and hands on one line for each message.
final class Recorder: MosquittoClientDelegate {
    /// How a recording ended.
    enum Ending: Equatable {
        /// By its duration, or by a signal.
        case asked
        /// The broker never let us listen.
        case neverSubscribed
        /// The lines are not wanted any more, or cannot be kept.
        case sinkClosed
    }

    /// A filter that the broker refuses.
    private(set) var refused: [String] = []
    private(set) var messages = 0
    private(set) var gaps = 0
    private let topics: TopicScheme
    private let filters: [String]
    private let withSecrets: Bool
    private let broker: ConnectionOptions
    private let connection: Connection
    private let inbox: Inbox
    private let signals: Signals
    private let log: Log
    private let sink: ([UInt8]) -> Bool
    private let began = MonotonicClock.now()
    private var line = RecordingLine()
    /// Lines of this turn.
    private var lines: [UInt8] = []
    private var subscription: Int32?
    private var deafSince: Int64?
    private var hasListened = false

    /// Prepares a recording of these accessories, or of all, and of what else `filters` names; `sink` takes lines, or in a
    /// quiet turn none, and says whether it wants more.
    init(
        _ options: BridgeOptions,
        accessories: [String],
        filters: [String] = [],
        withSecrets: Bool,
        signals: Signals,
        log: Log,
        sink: @escaping ([UInt8]) -> Bool
    ) throws(SystemError) {
        topics = options.topics
        let own =
            accessories.isEmpty
            ? topics.trafficFilters(of: nil, withSecrets: withSecrets) + options.sources.filters
            : accessories.flatMap { [topics] in topics.trafficFilters(of: $0, withSecrets: withSecrets) }
        self.filters = own + filters
        self.withSecrets = withSecrets
        self.signals = signals
        self.log = log
        self.sink = sink
        inbox = try Inbox()
        var broker = options.broker
        broker.clientIdentifier = "\(options.clientIdentifier)-record-\(BridgeOptions.randomToken())"
        broker.cleanStart = true
        broker.sessionExpiry = .zero
        self.broker = broker
        connection = Connection(options: broker, inbox: inbox, log: log)
    }

    private var now: Instant { Instant(nanoseconds: MonotonicClock.now()) }
    private var seconds: Double { Double(MonotonicClock.now() &- began) * 1e-9 }

    /// Records until the duration is over or a signal comes.
    func run(for duration: Duration?) -> Ending {
        var poller = Poller()
        let socket = poller.add()
        _ = poller.add(inbox.descriptor)
        _ = poller.add(signals.descriptor)
        connection.open(broker, delegate: self, at: now)
        connection.check(at: now)
        lines = line.header(base: topics.base, unixNanoseconds: WallClock.now())
        let end = duration.map { Instant(nanoseconds: began).advanced(by: $0) }
        while true {
            let client = connection.client
            poller.set(
                socket,
                to: client?.descriptor ?? -1,
                for: client?.wantsWrite == true ? [.readable, .writable] : .readable
            )
            let patience: Duration = .milliseconds(250)
            _ = try? poller.wait(timeout: end.map { min(now.duration(to: $0), patience) } ?? patience)
            for item in inbox.collect() { connection.take(item, at: now) }
            connection.check(at: now)
            if let client = connection.client { serve(client) }
            if let end, end <= now { return finish() }
            if signals.next() != nil { return finish() }
            guard flush() else { return .sinkClosed }
        }
    }

    private func flush() -> Bool {
        defer { lines.removeAll(keepingCapacity: true) }
        return sink(lines)
    }

    private func finish() -> Ending {
        if let client = connection.openClient {
            client.disconnect()
            try? client.write()
        }
        connection.close()
        lines += line.mark(.ended, at: seconds, unixNanoseconds: WallClock.now())
        guard flush() else { return .sinkClosed }
        return hasListened ? .asked : .neverSubscribed
    }

    private func serve(_ client: MosquittoClient) {
        do throws(MosquittoError) {
            while try client.read() {}
            if client.wantsWrite { try client.write() }
            try client.maintain()
        } catch {
            if subscription != nil {
                lines += line.mark(.disconnected, at: seconds, unixNanoseconds: WallClock.now())
                deafSince = MonotonicClock.now()
                gaps += 1
            }
            subscription = nil
            connection.fail(error, at: now)
        }
    }

    // MARK: MosquittoClientDelegate

    func mosquittoClient(_ client: MosquittoClient, didObserve event: MosquittoEvent) {
        switch event {
        case .connected:
            connection.accepted(at: now)
            subscription = try? client.subscribe(filters, qualityOfService: .atLeastOnce)
        case .subscribed(let messageID, let granted) where messageID == subscription:
            noteGrants(granted)
        case .subscribed, .unsubscribed, .acknowledged, .refused, .disconnected:
            break
        }
    }

    private func noteGrants(_ granted: [UInt8]) {
        let denied = zip(filters, granted).filter { $0.1 >= 128 }.map(\.0)
        if denied != refused, !denied.isEmpty {
            log.warning("the broker refuses the subscription to \(denied.joined(separator: ", "))")
        }
        refused = denied
        guard denied.count < filters.count else { return }
        hasListened = true
        lines += line.mark(.subscribed, at: seconds, unixNanoseconds: WallClock.now())
        guard let deafSince else { return }
        self.deafSince = nil
        let gap = Double(MonotonicClock.now() &- deafSince) * 1e-9
        log.warning("a gap of \(Column.decimal(gap, 1)) s: nothing was recorded while the broker was away")
    }

    func mosquittoClient(
        _ client: MosquittoClient,
        didReceiveMessageOn topic: borrowing Span<UInt8>,
        payload: borrowing Span<UInt8>,
        attributes: MessageAttributes
    ) {
        messages += 1
        lines += line.message(
            RecordingLine.Message(
                topic: topic.string,
                payload: payload.array,
                qualityOfService: attributes.qualityOfService,
                isRetained: attributes.isRetained
            ),
            at: seconds,
            unixNanoseconds: WallClock.now(),
            withSecrets: withSecrets
        )
    }
}
