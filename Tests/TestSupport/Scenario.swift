// nearby-bridge · SPDX-License-Identifier: Apache-2.0

public import NearbyCore

/// The engine in virtual time behind a lossy link.
///
/// Reports are measured at an instant of the scenario's clock, which their timestamps tell, and delivered by the link.
/// Time moves from one delivery or deadline to the next, never by itself. Every effect is kept with the instant of its
/// turn and shown to an `EventStreamChecker`.
public struct Scenario {
    /// An effect and the turn that carried it out.
    public struct Record: Equatable, Sendable {
        /// When.
        public var at: Instant
        /// What.
        public var effect: BridgeEffect
    }

    /// How a report tells when it was measured.
    public enum Stamp: Equatable, Sendable {
        /// Not at all.
        case none
        /// By the device's clock, which is ahead of ours by so many nanoseconds.
        case device(Int64)
        /// By its own counter.
        case sequence
    }

    private struct Delivery {
        var at: Int64
        var order: Int
        var accessory: String
        var payload: [UInt8]
    }

    /// Nobody turns the wheel so often at one instant unless it spins.
    static let turnsAtOnce = 10_000

    /// The engine.
    public private(set) var engine: BridgeEngine
    /// The scenario's clock.
    public private(set) var now = Instant(nanoseconds: 0)
    /// Everything that the engine wanted done.
    public private(set) var records: [Record] = []
    /// What a consumer makes of it.
    public private(set) var checker: EventStreamChecker
    /// The way of the reports sent from here on.
    public var link: LossyLink
    /// How the reports sent from here on tell their time.
    public var stamp = Stamp.device(1_764_511_312_000_000_000)
    /// Whether the engine is called at its deadlines; otherwise only when something happens.
    public var followsDeadlines = true
    /// Whether the bridge hears anything.
    public private(set) var isConnected = false

    private let options: EngineOptions
    private var generator: SeededGenerator
    private var buffer = EffectBuffer()
    private var deliveries: [Delivery] = []
    private var waiting: [Delivery] = []
    private var order = 0
    private var counters: [String: Int] = [:]
    private var stalledUntil: Int64 = .min

    /// Creates a scenario at time zero, subscribed unless told otherwise.
    public init(
        _ options: EngineOptions = EngineOptions(),
        link: LossyLink = LossyLink(),
        seed: UInt64 = 1,
        isSubscribed: Bool = true
    ) {
        var options = options
        if options.unixMillisecondsAtOrigin == 0 { options.unixMillisecondsAtOrigin = 1_764_511_312_000 }
        self.options = options
        self.link = link
        generator = SeededGenerator(seed: seed)
        engine = BridgeEngine(options: options, using: &generator)
        checker = EventStreamChecker(options: options)
        if isSubscribed { subscribe() }
    }

    /// What was found wrong so far: empty in a healthy scenario.
    public var violations: [String] { checker.violations }

    /// The zone events so far.
    public var events: [ZoneEvent] {
        records.compactMap { record in
            guard case .event(let event) = record.effect else { return nil }
            return event
        }
    }

    /// The events of one stream in short: `enter near`, `exit near left`, `dwell near`.
    public func story(of accessory: String = "lamp", peer: String? = nil) -> [String] {
        events.filter { $0.accessory == accessory && $0.peer == peer }.map(\.summary)
    }

    /// The group events so far.
    public var groupEvents: [GroupEvent] {
        records.compactMap { record in
            guard case .groupEvent(let event) = record.effect else { return nil }
            return event
        }
    }

    /// The events of a group in short: `enter near lamp`, `exit near lamp left`, `ann lamp to fan`.
    public func story(ofGroup group: String) -> [String] {
        groupEvents.filter { $0.group == group }.map(\.summary)
    }

    /// The last state told of a stream, as a consumer has it retained.
    public func retained(_ accessory: String = "lamp", peer: String? = nil) -> StreamState? {
        checker.retained[EventStreamChecker.Stream(accessory: accessory, peer: peer)]
    }

    // MARK: What happens

    /// Sends a report measured at a time in seconds; the link decides what arrives and when.
    public mutating func send(
        _ distance: Double?,
        at seconds: Double,
        from accessory: String = "lamp",
        peer: String? = nil,
        fields: String = ""
    ) {
        let measured = Int64((seconds * 1000).rounded()) * 1_000_000
        let key = peer.map { "\(accessory)/\($0)" } ?? accessory
        var text = #"{"distance":\#(distance.map { "\($0)" } ?? "null")"#
        if let peer { text += #","peer":"\#(peer)""# }
        switch stamp {
        case .none: break
        case .device(let offset):
            let time = measured + offset
            let fraction = String(time % 1_000_000_000 + 1_000_000_000).dropFirst()
            text += #","timestamp":\#(time / 1_000_000_000).\#(fraction)"#
        case .sequence:
            counters[key, default: 0] += 1
            text += #","seq":\#(counters[key, default: 0])"#
        }
        text += fields + "}"
        for delay in link.delays(using: &generator) { deliver(text, from: accessory, at: measured + delay) }
    }

    /// Sends the same distance again and again, from one time in seconds to another.
    public mutating func stay(
        at distance: Double,
        from start: Double,
        to end: Double,
        every interval: Double = 0.1,
        accessory: String = "lamp",
        peer: String? = nil
    ) {
        for step in 0..<Int(((end - start) / interval).rounded()) {
            send(distance, at: start + Double(step) * interval, from: accessory, peer: peer)
        }
    }

    /// Delivers a payload as it is, at a time in nanoseconds.
    public mutating func deliver(_ payload: String, from accessory: String = "lamp", at nanoseconds: Int64) {
        if !payload.contains(#""peer""#) { checker.noteUnnamed(accessory) }
        order += 1
        let delivery = Delivery(
            at: max(nanoseconds, now.nanoseconds),
            order: order,
            accessory: accessory,
            payload: Array(payload.utf8)
        )
        guard link.burst > 1 else { return enqueue(delivery) }
        waiting.append(delivery)
        guard waiting.count >= link.burst else { return }
        flush(at: delivery.at)
    }

    /// Keeps back everything that would arrive between two times in seconds and delivers it at once.
    public mutating func holdBack(from start: Double, to end: Double) {
        let span = Int64(start * 1e9)..<Int64(end * 1e9)
        for index in deliveries.indices where span.contains(deliveries[index].at) {
            deliveries[index].at = span.upperBound
        }
        sortDeliveries()
    }

    /// Moves time to so many seconds and carries out all that lies before.
    public mutating func run(to seconds: Double) {
        run(until: Instant(nanoseconds: Int64((seconds * 1e9).rounded())))
    }

    /// Moves time to an instant and carries out all that lies before.
    public mutating func run(until end: Instant) {
        flush(at: nil)
        var turns = 0
        while let next = nextTurn(before: end) {
            turns = next == now ? turns + 1 : 0
            guard turns < Self.turnsAtOnce else { return checker.report("the engine spins at \(now)") }
            now = next
            turn()
        }
        now = max(now, end)
        turn()
    }

    /// The broker is out of reach: what is sent now is lost.
    public mutating func disconnect() {
        isConnected = false
        input(.disconnected)
    }

    /// The subscriptions are acknowledged.
    public mutating func subscribe() {
        isConnected = true
        checker.noteSubscribed()
        input(.subscribed)
    }

    /// The bridge stands still for some seconds: deliveries wait, deadlines pass unseen.
    public mutating func stall(for seconds: Double) {
        flush(at: nil)
        now = Instant(nanoseconds: now.nanoseconds + Int64(seconds * 1e9))
        for index in deliveries.indices { deliveries[index].at = max(deliveries[index].at, now.nanoseconds) }
        sortDeliveries()
        input(.stalled)
        turn()
    }

    /// Gives the engine an input.
    public mutating func input(_ input: BridgeInput) {
        engine.handle(input, at: now, into: &buffer)
        if case .options = input { checker.noteOptions(engine.options) }
        perform()
    }

    /// Gives the engine a payload of `…/config`.
    public mutating func configure(_ payload: [UInt8], of accessory: String = "lamp", isRetained: Bool = false) {
        guard let index = index(of: accessory) else { return }
        input(.configuration(payload, of: index, isRetained: isRetained))
    }

    /// Gives the engine a payload of `…/message`.
    public mutating func message(_ payload: [UInt8], of accessory: String = "lamp") {
        guard let index = index(of: accessory) else { return }
        input(.message(payload, of: index))
    }

    /// Gives the engine a payload of `…/shareable`.
    public mutating func share(
        _ payload: [UInt8],
        of accessory: String = "lamp",
        from peer: String? = nil,
        isRetained: Bool = false
    ) {
        guard let index = index(of: accessory) else { return }
        input(.shareable(payload, of: index, peer: peer, isRetained: isRetained))
    }

    /// Gives the engine a payload of `…/peer/<peer>/token`.
    public mutating func token(
        _ payload: [UInt8],
        of accessory: String,
        for peer: String,
        isRetained: Bool = false
    ) {
        guard let index = index(of: accessory) else { return }
        input(.token(payload, of: index, peer: peer, isRetained: isRetained))
    }

    /// Gives the engine a payload of `…/availability`.
    public mutating func availability(_ isOnline: Bool, of accessory: String = "lamp") {
        guard let index = index(of: accessory) else { return }
        input(.availability(isOnline: isOnline, of: index))
    }

    /// Asks something of a session.
    public mutating func ask(_ input: SessionInput, of accessory: String = "lamp", peer: String? = nil) {
        guard let index = index(of: accessory) else { return }
        self.input(.session(input, of: index, peer: peer))
    }

    private mutating func index(of accessory: String) -> AccessoryIndex? {
        defer { perform() }
        return engine.accessory(Array(accessory.utf8).span, at: now, into: &buffer)
    }

    /// Ends the engine and begins a new one from what a consumer has retained; it is not subscribed yet.
    public mutating func restart(_ newOptions: EngineOptions? = nil) {
        var options = newOptions ?? self.options
        options.unixMillisecondsAtOrigin = self.options.unixMillisecondsAtOrigin
        engine = BridgeEngine(options: options, using: &generator)
        checker.noteRestart()
        isConnected = false
        for stream in checker.restoredStreams { input(.restore(stream)) }
        for group in checker.groups.restored { input(.restoreGroup(group)) }
    }

    // MARK: Questions

    /// There is no such accessory, peer or zone.
    public struct Unknown: Error {}

    /// Asks why a zone is what it is now.
    public mutating func explain(
        _ accessory: String = "lamp",
        peer: String? = nil,
        zone: String = "near"
    ) throws -> ZoneExplanation {
        guard let index = engine.accessory(named: accessory) else { throw Unknown() }
        guard let place = engine.options.zones.firstIndex(where: { $0.name == zone }) else { throw Unknown() }
        guard let found = engine.explain(index, peer: peer, zone: place, at: now) else { throw Unknown() }
        return found
    }

    // MARK: Time

    private mutating func enqueue(_ delivery: Delivery) {
        // Almost always the last: a search from the end is short.
        var place = deliveries.count
        while place > 0, (deliveries[place - 1].at, deliveries[place - 1].order) > (delivery.at, delivery.order) {
            place -= 1
        }
        deliveries.insert(delivery, at: place)
    }

    private mutating func sortDeliveries() {
        deliveries.sort { ($0.at, $0.order) < ($1.at, $1.order) }
    }

    private mutating func flush(at time: Int64?) {
        let last = waiting.map(\.at).max() ?? 0
        for var delivery in waiting {
            delivery.at = time ?? last
            enqueue(delivery)
        }
        waiting.removeAll()
    }

    private func nextTurn(before end: Instant) -> Instant? {
        var next = followsDeadlines ? engine.nextDeadline : nil
        if let delivery = deliveries.first {
            let at = Instant(nanoseconds: delivery.at)
            next = min(next ?? at, at)
        }
        guard let next, next <= end else { return nil }
        return max(next, now)
    }

    private mutating func turn() {
        engine.advance(to: now, into: &buffer)
        perform()
        var due = 0
        while due < deliveries.count, deliveries[due].at <= now.nanoseconds { due += 1 }
        let batch = deliveries[..<due]
        deliveries.removeFirst(due)
        for delivery in batch where isConnected {
            if let index = engine.accessory(Array(delivery.accessory.utf8).span, at: now, into: &buffer) {
                engine.handleReport(delivery.payload.span, from: index, at: now, into: &buffer)
            }
            perform()
        }
    }

    private mutating func perform() {
        for effect in buffer.effects { records.append(Record(at: now, effect: effect)) }
        checker.observe(buffer.effects, at: now, engine)
        buffer.removeAll()
        engine.effectsPerformed()
    }
}

extension ZoneEvent {
    /// The event in short: `enter near`, `exit near left`, `dwell near`.
    public var summary: String {
        switch kind {
        case .enter: "enter \(zone)"
        case .exit(let reason, _): "exit \(zone) \(reason)"
        case .dwell: "dwell \(zone)"
        }
    }
}

extension GroupEvent {
    /// The event in short: `enter near lamp`, `exit near lamp left`, `ann lamp to fan`.
    public var summary: String {
        switch kind {
        case .enter(let zone, let accessory, _): "enter \(zone) \(accessory ?? "none")"
        case .exit(let zone, let accessory, _, let reason, _): "exit \(zone) \(accessory ?? "none") \(reason)"
        case .nearestChanged(let peer, let from, let to, _): "\(peer) \(from ?? "none") to \(to ?? "none")"
        }
    }
}
