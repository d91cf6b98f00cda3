// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import MosquittoClient
import NearbyCore

/// The loop of one shard: one thread, one engine, one connection.
///
/// Each turn, in order (ARCHITECTURE section 5):
/// 1. poll: socket, inbox, signals, until the next deadline
/// 2. read: each message through the engine, and so what devices and ports of our own say
/// 3. inbox and signals
/// 4. advance the engine to now
/// 5. carry out its effects into the outbox
/// 6. hand over from the outbox, if connected: the library takes the messages, and sends none
/// 7. commit to the store what changed, was handed over or was acknowledged
/// 8. write and maintain the connection
///
/// Nothing is sent before step 8, so acknowledgements leave after what they acknowledge was processed and committed, and
/// an event that somebody saw is in the store with that very content.
final class ShardLoop {
    /// What the loop is doing as a whole.
    enum Stage {
        /// Looking for a twin and for what an earlier life left.
        case starting(StartUp)
        /// The real connection is wanted.
        case running
        /// Saying goodbye, for so long at most.
        case stopping(until: Instant)
        case ended
    }

    /// A turn that comes later than this is blindness: silence starts anew (CONTRACT section 5).
    static let lateness: Int64 = 1_000_000_000
    /// How long a goodbye may take.
    static let goodbye: Duration = .seconds(2)
    static let healthInterval: Duration = .seconds(60)

    /// What is in effect; changes with `configuration`.
    var options: BridgeOptions
    var configuration: LiveConfiguration
    let log: Log
    let inbox: Inbox
    let connection: Connection
    let startedAt = WallClock.now()
    let started: Instant
    var engine: BridgeEngine
    var effects = EffectBuffer()
    var performer: EffectPerformer
    var outbox: Outbox
    var stage = Stage.running
    var health = HealthPayload()
    /// The subscription whose acknowledgement opens our eyes.
    var reportSubscription: Int32?
    var requestSubscription: Int32?
    /// Foreign topics, by the message that asked for them.
    var sourceSubscriptions: [Int32: String] = [:]
    /// Requests of this turn, answered after the engine has its say.
    var requests: [Request] = []
    var nextHealth: Instant
    /// `bridge/info` does not tell what is in effect.
    var isInfoStale = false
    var nextInfo = Instant(nanoseconds: .min)
    /// The list of accessories is published at most once a second.
    var nextAccessories = Instant(nanoseconds: .min)
    /// What the broker said it refuses: told once for each class; `nil` is what is in none.
    var toldRefusals: [OutputClass?] = []
    /// Whether what we publish arrives, where the broker would not tell.
    var writeCheck: WriteCheck
    var reportHint = ReportHint()
    /// What requests change is told, but not without bound.
    var requestLines = LineBudget()
    var givenUpLines = LineBudget()
    var reportsAtLastHealth = 0
    var lastHealth: Instant
    /// The broker had a session of ours.
    var hadSession = false
    /// Whether silence may be believed.
    var line = LineCheck()
    /// What must survive a restart; `nil` keeps nothing.
    var store: StateStore?
    /// What the store holds of an earlier life, until the first connection is begun.
    var storedStreams: [RestoredStream] = []
    var storedGroups: [RestoredGroup] = []
    /// The store is not tried again before.
    var nextCommit = Instant(nanoseconds: .min)
    /// When to look next whether somebody has deleted its file.
    var nextStoreLook = Instant(nanoseconds: .min)
    /// When a store that could not be opened is tried again; `nil` if there is one, or none is wanted.
    var nextOpening: Instant?
    /// The last attempt to commit failed.
    var isStoreFailing = false
    private let signals: Signals?
    let serviceManager: NotifySocket?
    private var nextSignOfLife: Int64?
    var poller = Poller()
    /// Devices and ports of our own.
    var inputs: InputReader
    /// Whether what an earlier life left was taken over, so that what inputs say counts.
    var readsInputs = false
    private let socketSlot: Poller.Slot
    private let inboxSlot: Poller.Slot
    private let signalSlot: Poller.Slot
    private var hasMoreToRead = false
    private var readRest = ReadRest()
    private var rest: Int64 = 0

    /// Prepares a loop.
    ///
    /// `signals` is where SIGTERM and SIGINT come from; `nil` if the caller posts `.stop` itself. `serviceManager` hears
    /// that the loop runs, lives and ends.
    init(
        configuration: LiveConfiguration,
        log: Log,
        inbox: Inbox,
        signals: Signals?,
        store: StateStore? = nil,
        serviceManager: NotifySocket? = nil
    ) {
        var options = BridgeOptions(configuration.loaded)
        let now = Instant(nanoseconds: MonotonicClock.now())
        options.engine.unixMillisecondsAtOrigin = WallTime.current().origin / 1_000_000
        var generator = SystemRandomNumberGenerator()
        self.options = options
        self.configuration = configuration
        self.log = log
        self.inbox = inbox
        self.signals = signals
        self.serviceManager = serviceManager
        engine = BridgeEngine(options: options.engine, using: &generator)
        performer = EffectPerformer(options: options, log: log)
        outbox = Outbox(capacity: options.outboxBytes)
        writeCheck = WriteCheck(isNeeded: options.broker.protocolVersion != .v5)
        connection = Connection(options: options.broker, inbox: inbox, log: log)
        started = now
        lastHealth = now
        nextHealth = now.advanced(by: Self.healthInterval)
        socketSlot = poller.add()
        inboxSlot = poller.add(inbox.descriptor)
        signalSlot = poller.add(signals?.descriptor ?? -1)
        inputs = InputReader(options.inputs, first: options.firstInput, poller: &poller, log: log)
        self.store = store
        performer.journal.isKept = store != nil
        if store == nil, options.stateFolder != nil { openStoreLater() }
        readStore()
    }

    /// The time now, on the engine's clock.
    var now: Instant { Instant(nanoseconds: MonotonicClock.now()) }

    /// Runs until it is told to stop.
    func run() {
        start(at: now, restores: true)
        turn()
        // Ready means that the first attempt to connect is under way: a broker that is away must not fail the service.
        serviceManager?.send(.ready)
        while true {
            if case .ended = stage { return commit() }
            showLife()
            turn()
        }
    }

    /// Looks for a twin and, if wanted, for what an earlier life left, on a connection of its own.
    private func start(at begin: Instant, restores: Bool) {
        let startUp = StartUp(options: options, connection: connection, log: log, restores: restores)
        stage = .starting(startUp)
        startUp.begin(at: begin)
    }

    private func turn() {
        let begin = MonotonicClock.now()
        let timeout = waitTime(from: begin)
        let client = connection.client
        // While messages gather, only what is more urgent wakes us; then there is something to read, and poll need not say so.
        let isResting = rest > 0 && timeout > 0 && outbox.waiting == 0 && client?.wantsWrite == false
        poller.set(socketSlot, to: isResting ? -1 : client?.descriptor ?? -1, for: interest(in: client))
        prepareInputs()
        if isResting { hasMoreToRead = true }
        do throws(SystemError) {
            try poller.wait(nanoseconds: isResting ? min(rest, timeout) : timeout)
        } catch {
            log.error("the loop cannot wait: \(error)")
        }
        let awake = MonotonicClock.now()
        noteStall(of: awake &- begin &- timeout)
        let before = health.received
        if let client { read(client) }
        rest = hasMoreToRead ? 0 : readRest.drained(Int(health.received - before), at: awake)
        readInputs()
        collectInbox()
        takeSignals()
        connection.check(at: now)
        checkStage()
        advance()
        performEffects()
        FaultPoint.effectsPerformed.pass(with: news)
        answerRequests()
        publishHealthIfDue()
        checkPermissions()
        handOver()
        FaultPoint.handedOver.pass(with: news)
        commit()
        FaultPoint.committed.pass(with: news)
        if let client = connection.client { write(client) }
        FaultPoint.written.pass(with: news)
        noteStall(of: MonotonicClock.now() &- awake)
    }

    /// Tells the service manager in time that the loop still turns.
    private func showLife() {
        guard let serviceManager, let interval = serviceManager.watchdogInterval else { return }
        let now = MonotonicClock.now()
        if let next = nextSignOfLife, now < next { return }
        nextSignOfLife = now &+ interval
        serviceManager.send(.watchdog)
    }

    /// Nanoseconds to sleep: until the next deadline, and never long.
    ///
    /// Whoever is stopped in his sleep does not see how much of it he overslept: with long sleeps a stall of more than
    /// `lateness` could pass unnoticed.
    private func waitTime(from now: Int64) -> Int64 {
        if hasMoreToRead || hasMoreToHandOver || !requests.isEmpty { return 0 }
        var wait = Self.lateness / 4
        func consider(_ deadline: Instant?) {
            if let deadline { wait = min(wait, max(0, deadline.nanoseconds &- now)) }
        }
        // While an answer of the broker is awaited, deadlines are not carried out: the answer wakes us.
        if line.askedAt == nil { consider(engine.nextDeadline) }
        consider(connection.deadline)
        consider(inputs.deadline)
        consider(nextSignOfLife.map { Instant(nanoseconds: $0) })
        switch stage {
        case .starting(let startUp): consider(startUp.deadline)
        case .stopping(let until): consider(until)
        case .running, .ended: break
        }
        return wait
    }

    private func interest(in client: MosquittoClient?) -> Poller.Readiness {
        guard let client else { return [] }
        var interest: Poller.Readiness = client.wantsRead ? .readable : []
        if client.wantsWrite { interest.insert(.writable) }
        return interest
    }

    /// A turn that took or came too late is blindness.
    private func noteStall(of nanoseconds: Int64) {
        guard nanoseconds > Self.lateness else { return }
        health.stalls += 1
        log.warning("stood still for \(nanoseconds / 1_000_000) ms: silence counts anew from now")
        engine.handle(.stalled, at: now, into: &effects)
    }

    /// Carries out the deadlines that have come, unless the line has been too quiet to believe in silence.
    private func advance() {
        let now = now
        guard let due = engine.nextDeadline, due <= now, !line.isBelievable(at: now) else {
            return engine.advance(to: now, into: &effects)
        }
        guard line.askedAt == nil, let client = connection.openClient else { return }
        line.asked(at: now)
        do throws(MosquittoError) {
            try client.unsubscribe([options.topics.lineCheckFilter])
        } catch {
            connectionEnded(error)
        }
    }

    /// Something came from the broker.
    func noteHeard(at now: Instant) {
        guard line.heard(at: now) else { return }
        health.stalls += 1
        log.warning("the broker stood still: silence counts anew from now", .mqtt)
        engine.handle(.stalled, at: now, into: &effects)
    }

    private func read(_ client: MosquittoClient) {
        guard hasMoreToRead || !poller.readiness(of: socketSlot).isEmpty else { return }
        hasMoreToRead = false
        do throws(MosquittoError) {
            hasMoreToRead = try client.read()
        } catch {
            connectionEnded(error)
        }
    }

    private func write(_ client: MosquittoClient) {
        do throws(MosquittoError) {
            let hadSomething = client.wantsWrite
            if hadSomething { try client.write() }
            try client.maintain()
            // A broker with Nagle's algorithm holds its next packet back until ours is acknowledged.
            if hadSomething { client.renewQuickAcknowledgement() }
        } catch {
            connectionEnded(error)
        }
    }

    /// The connection is over: events are kept, silence means nothing until we listen again.
    func connectionEnded(_ error: MosquittoError) {
        hasMoreToRead = false
        let wasOpen = connection.openClient != nil
        // What was silent on a line that was dying may have spoken.
        if !line.isBelievable(at: now) { engine.handle(.stalled, at: now, into: &effects) }
        engine.handle(.disconnected, at: now, into: &effects)
        performEffects()
        outbox.disconnected()
        writeCheck.disconnected()
        reportHint.disconnected()
        reportSubscription = nil
        requestSubscription = nil
        sourceSubscriptions = [:]
        if case .stopping = stage {
            stage = .ended
            return connection.close()
        }
        if wasOpen { health.reconnects += 1 }
        if case .starting(let startUp) = stage { startUp.connectionLost() }
        connection.fail(error, at: now)
        // A twin may have taken our session over, which not every broker tells: ask before taking it back.
        if wasOpen, case .running = stage { start(at: connection.deadline ?? now, restores: false) }
    }

    private func collectInbox() {
        for item in inbox.collect() {
            switch item {
            case .connected(let attempt, let client): connection.connected(attempt, client, at: now)
            case .failed(let attempt, let error): connection.failed(attempt, error, at: now)
            case .stop: stop()
            }
        }
    }

    private func takeSignals() {
        while let signal = signals?.next() {
            switch signal {
            case .terminate, .interrupt: stop()
            case .hangUp:
                serviceManager?.send(.reloading)
                reload()
                serviceManager?.send(.ready)
            }
        }
    }
}
