// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import MosquittoClient
import NearbyCore

/// Keeps one connection to the broker coming up again, without ever blocking the loop.
///
/// A helper thread makes each libmosquitto instance, looks up the name and connects; then it hands the instance over.
/// An instance lives for one connection. Belongs to the loop's thread.
final class Connection {
    /// Where the connection stands.
    enum Phase {
        /// Not wanted.
        case closed
        /// Waits for the next attempt.
        case waiting(until: Instant)
        /// A helper thread is connecting.
        case connecting(since: Instant)
        /// TCP stands; the broker has not answered yet.
        case greeting(MosquittoClient, since: Instant)
        /// The broker has accepted us.
        case open(MosquittoClient, since: Instant)
    }

    /// An attempt that gives no sign for so long is left behind.
    static let patience: Duration = .seconds(10)
    /// More hanging attempts than this are not left behind but waited for.
    static let abandonedLimit = 4
    /// A connection that ends sooner has cured no trouble: something ends it again and again.
    static let stability: Duration = .seconds(5)

    private(set) var phase = Phase.closed
    private let inbox: Inbox
    private let log: Log
    private var options: ConnectionOptions
    private weak var delegate: (any MosquittoClientDelegate)?
    private var backOff = BackOff()
    /// Not the system's generator: it has no size, and ThreadSanitizer stumbles over where it would lie.
    private var generator = SplitMix64(seed: UInt64.random(in: 0...UInt64.max))
    private var attempt = 0
    private var abandoned: Set<Int> = []
    private var lastComplaint: (text: String, at: Instant)?
    /// A trouble was told and its end was not.
    private var isInTrouble = false

    /// Creates a connection that is not wanted yet.
    init(options: ConnectionOptions, inbox: Inbox, log: Log) {
        self.options = options
        self.inbox = inbox
        self.log = log
    }

    /// The instance to poll, from the moment TCP stands.
    var client: MosquittoClient? {
        switch phase {
        case .greeting(let client, _), .open(let client, _): client
        case .closed, .waiting, .connecting: nil
        }
    }

    /// The instance that messages can be handed to.
    var openClient: MosquittoClient? {
        guard case .open(let client, _) = phase else { return nil }
        return client
    }

    /// When `check` wants to be called next.
    var deadline: Instant? {
        switch phase {
        case .closed, .open: nil
        case .waiting(let until): until
        case .connecting(let since), .greeting(_, let since): since.advanced(by: Self.patience)
        }
    }

    /// Connects with these options from now on; whatever stands is dropped.
    func open(_ options: ConnectionOptions, delegate: any MosquittoClientDelegate, at now: Instant) {
        self.options = options
        self.delegate = delegate
        abandon()
        phase = .waiting(until: now)
    }

    /// Drops the connection and makes no other.
    func close() {
        abandon()
        phase = .closed
    }

    /// Does what the time has come for: an attempt, or giving one up.
    func check(at now: Instant) {
        guard let deadline, deadline <= now else { return }
        switch phase {
        case .waiting:
            start(at: now)
        case .connecting where abandoned.count < Self.abandonedLimit:
            abandon()
            fail(silence("no connection within \(Self.patience)"), at: now)
        case .connecting:
            phase = .connecting(since: now)
        case .greeting:
            fail(silence("the broker did not answer within \(Self.patience)"), at: now)
        case .closed, .open:
            break
        }
    }

    /// Takes what a helper thread posted; anything else is not for us.
    func take(_ item: InboxItem, at now: Instant) {
        switch item {
        case .connected(let attempt, let client): connected(attempt, client, at: now)
        case .failed(let attempt, let error): failed(attempt, error, at: now)
        case .stop: break
        }
    }

    /// A helper thread has connected.
    func connected(_ attempt: Int, _ client: MosquittoClient, at now: Instant) {
        guard abandoned.remove(attempt) == nil, attempt == self.attempt, case .connecting = phase else { return }
        client.delegate = delegate
        phase = .greeting(client, since: now)
    }

    /// A helper thread could not connect.
    func failed(_ attempt: Int, _ error: MosquittoError, at now: Instant) {
        guard abandoned.remove(attempt) == nil, attempt == self.attempt, case .connecting = phase else { return }
        fail(error, at: now)
    }

    /// The broker has accepted us.
    func accepted(at now: Instant) {
        guard case .greeting(let client, _) = phase else { return }
        phase = .open(client, since: now)
        if isInTrouble { log.info("connected to \(options.host):\(options.port) again", .mqtt) }
        isInTrouble = false
    }

    /// The connection is over, or never came to be: drops the instance and waits.
    func fail(_ error: MosquittoError, at now: Instant) {
        if case .open(_, let since) = phase, since.duration(to: now) >= Self.stability {
            backOff.reset()
            lastComplaint = nil
        }
        let delay = backOff.next(isRefusal: error.isRefusal, using: &generator)
        phase = .waiting(until: now.advanced(by: delay))
        complain(error.description, at: now)
    }

    /// One line for each new trouble, and a reminder a minute.
    private func complain(_ text: String, at now: Instant) {
        if let last = lastComplaint, last.text == text, last.at.duration(to: now) < .seconds(60) { return }
        lastComplaint = (text, now)
        isInTrouble = true
        log.warning("\(text) (trying again)", .mqtt)
    }

    private func start(at now: Instant) {
        attempt += 1
        phase = .connecting(since: now)
        do throws(SystemError) {
            try inbox.connect(options, attempt: attempt)
        } catch {
            fail(silence("no thread to connect with: \(error.text)"), at: now)
        }
    }

    private func abandon() {
        if case .connecting = phase { abandoned.insert(attempt) }
    }

    private func silence(_ detail: String) -> MosquittoError {
        MosquittoError(
            operation: "connect to \(options.host):\(options.port)",
            kind: .timedOut,
            code: 0,
            detail: detail
        )
    }
}

extension MosquittoError {
    /// The other side answered and does not want us as we are: trying again soon would only annoy it.
    var isRefusal: Bool {
        switch kind {
        case .tls, .authentication, .protocolVersion, .identifierRejected, .configuration, .sessionTakenOver,
            .unavailable:
            true
        case .lookup, .refused, .timedOut, .network, .keepAlive, .payloadTooLarge, .invalidTopic, .notConnected,
            .closedByBroker, .protocolError, .outOfMemory, .other:
            false
        }
    }
}
