// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// One relationship between an accessory and a peer, from its configuration data to proven ranging and back.
///
/// Pure: inputs and instants in, outputs out. A run is one start of ranging; every run gets shareable configuration data
/// of its own (reference/nearby-interaction.md 0, fact 5). A run is proved by the first valid range, never by the
/// accessory's word (fact 10). A lost run climbs the ladder of `RetryPolicy`; only a valid range resets the count.
public struct AccessorySession: Equatable, Sendable {
    /// Where it stands.
    public internal(set) var state = SessionState.idle
    /// The number of the run; 0 before the first.
    public internal(set) var run: Int64 = 0
    /// Attempts since the last valid range.
    public internal(set) var attempt = 0
    /// Why it stands there.
    public internal(set) var reason: SessionReason?
    /// The accessory's last configuration data.
    public internal(set) var configuration: AccessoryConfigurationData?
    /// The ranging interval of the run; zero before the first.
    public internal(set) var interval: Duration = .zero
    /// What the run's shareable configuration data named, to tell its reports by.
    public internal(set) var destination: ShortAddress?
    /// The FiRa session of the run.
    public internal(set) var sessionID: UInt32?
    /// What became of the accessory's requests in this run; `nil` if it could make none, or before the first run.
    public internal(set) var grants: RangingGrants?
    /// When the state is given up if nothing comes.
    public internal(set) var deadline: Instant?

    /// The accessory's own session lives: the cached configuration can be used again (reference 0, fact 6).
    var isAlive = false
    /// What availability says; `nil` where nobody says anything.
    var isOnline: Bool?
    /// When an offline accessory's run is over.
    var graceEnds: Instant?
    /// A start that makes no events: nobody waits for it.
    var isQuiet = false
    /// A run that climbs no ladder: started by retained configuration data alone.
    var isSingleTry = false
    /// What an `initialize` that is still to be sent waits for, until the deadline.
    var prelude: Prelude?
    /// The acknowledgement of a `stop` has not come yet.
    var isStopAwaited = false
    /// Until then ranges, and one `didStop`, may be echoes of a run that has been ended.
    var echoesEnd: Instant?
    /// The run began and nothing has ended it: a late range may still revive it.
    var isUnderWay = false
    /// When a range of nobody's run came last while `initialize`, or the phone's answer, was awaited.
    var foreignRange: Instant?
    /// A valid range has proved the run.
    var isProved = false
    /// What a start that was wanted waits for, in the state `retrying`.
    var hold: Hold?
    /// An `initialize` was sent in its turn: what answers it needs none.
    var hasTurn = false
    /// Somebody asked for a start.
    var isWanted = false
    /// A start has just taken its turn, or will at its deadline: whoever counts turns sets it back.
    var takesTurn = false
    /// The configuration data that an error has shown to be no good.
    var rejected: AccessoryConfigurationData?

    /// Creates a session that knows nothing.
    public init() {}

    /// What comes before an `initialize`.
    enum Prelude: UInt8, Sendable {
        /// The acknowledgement of a `stop`.
        case acknowledgement
        /// The configuration data of an accessory that came online, by itself.
        case announcement
    }

    /// What a session needs to know besides its own state.
    public struct Context: Sendable {
        /// How to make shareable configuration data.
        public var source: ShareableDataSource
        /// How long to wait.
        public var timeouts: SessionTimeouts
        /// How to try again.
        public var retry: RetryPolicy
        /// A phone makes the shareable configuration data, not the bridge.
        public var isRelayed = false
        /// A person has allowed it, or need not.
        public var isAllowed = true
        /// Fewer sessions run than may, or this is one of them.
        public var hasPlace = true
        /// When the next start is its turn.
        public var startsAt = Instant.distantPast

        /// Creates what a session is run with; the defaults are those of CONTRACT section 7.
        public init(
            source: ShareableDataSource = ShareableDataSource(),
            timeouts: SessionTimeouts = SessionTimeouts(),
            retry: RetryPolicy = RetryPolicy(),
            isRelayed: Bool = false
        ) {
            self.source = source
            self.timeouts = timeouts
            self.retry = retry
            self.isRelayed = isRelayed
        }
    }

    /// Waits for configuration data that it has asked for, or would take instead of asking.
    var asksForConfiguration: Bool {
        switch state {
        case .awaitingConfiguration: prelude == nil
        // One that waits for its turn has not asked yet: the answer belongs to somebody else.
        case .retrying, .silent: !isAlive && hold == nil
        case .idle, .ended, .invalidated, .awaitingAuthorization, .external, .suspended, .configuring, .starting,
            .ranging:
            false
        }
    }

    /// Waits for the accessory to say that it stopped, because it was told to.
    func awaitsStop(at now: Instant) -> Bool { isStopAwaited && echoesEnd.map { now <= $0 } == true }

    /// When `advance` wants to be called next.
    public var nextDeadline: Instant? {
        guard let grace = graceEnds else { return deadline }
        return deadline.map { min($0, grace) } ?? grace
    }

    /// Takes an input.
    public mutating func handle(
        _ input: SessionInput,
        at now: Instant,
        _ context: Context,
        using generator: inout some RandomNumberGenerator,
        into outputs: inout [SessionOutput]
    ) {
        switch input {
        case .configuration(let data, let isRetained):
            take(data, isRetained: isRetained, at: now, context, using: &generator, into: &outputs)
        case .shareable(let data):
            takeShareable(data, at: now, context, into: &outputs)
        case .didStart:
            // A hint at best; some firmware says so before the radio starts, some never.
            break
        case .didStop:
            accessoryStopped(at: now, context, into: &outputs)
        case .range:
            proved(at: now, context, into: &outputs)
        case .availability(let isOnline):
            become(isOnline, at: now, context, into: &outputs)
        case .start:
            start(at: now, context, using: &generator, into: &outputs)
        case .stop:
            guard state == .ended else {
                return end(.requested, tellsAccessory: true, leavesZones: true, at: now, context, into: &outputs)
            }
            forgetQuietStarts(into: &outputs)
        case .suspend:
            suspend(at: now, context, into: &outputs)
        case .resume:
            guard state == .suspended else { return }
            resume(at: now, context, into: &outputs)
        case .invalidate(let code):
            invalidate(code, at: now, context, using: &generator, into: &outputs)
        case .signal(let signal):
            take(signal, at: now, context, using: &generator, into: &outputs)
        case .sighted:
            watchAnew(at: now, context, using: &generator)
        case .authorized:
            authorized(at: now, context, using: &generator, into: &outputs)
        case .unauthorized:
            unauthorized(at: now, context, into: &outputs)
        case .place:
            guard hold == .place else { return }
            goOnWaiting(at: now, context, using: &generator, into: &outputs)
        }
        if state != .retrying { hold = nil }
    }

    /// Carries out the deadline that has come.
    public mutating func advance(
        to now: Instant,
        _ context: Context,
        using generator: inout some RandomNumberGenerator,
        into outputs: inout [SessionOutput]
    ) {
        if let grace = graceEnds, grace <= now {
            graceEnds = nil
            isAlive = false
            // The zones follow by lost_after: an accessory without a link may still be where it was.
            if isRunning {
                end(.accessoryOffline, tellsAccessory: false, leavesZones: false, at: now, context, into: &outputs)
            }
        }
        guard let due = deadline, due <= now else { return }
        deadline = nil
        switch state {
        case .awaitingConfiguration where prelude != nil:
            sendInitialize(at: now, context, into: &outputs)
        case .awaitingConfiguration where foreignRange.map { now <= $0.advanced(by: context.timeouts.stop) } == true:
            // It ranges without us: its session is external and needs no handshake.
            becomeExternal(into: &outputs)
        case .awaitingConfiguration:
            timedOut(.configuration, at: now, context, using: &generator, into: &outputs)
        case .configuring where foreignRange.map { now <= $0.advanced(by: context.timeouts.stop) } == true:
            // The run that was believed lost goes on, or somebody else's does: no need to bother the phone again.
            isUnderWay ? becomeRanging(at: now, context, into: &outputs) : becomeExternal(into: &outputs)
        case .configuring:
            timedOut(.shareable, at: now, context, using: &generator, into: &outputs)
        case .starting:
            timedOut(.start, at: now, context, using: &generator, into: &outputs)
        case .ranging:
            timedOut(.ranging, at: now, context, using: &generator, into: &outputs)
        case .retrying where hold != nil:
            goOnWaiting(at: now, context, using: &generator, into: &outputs)
        case .retrying, .silent:
            climb(at: now, context, using: &generator, into: &outputs)
        case .suspended:
            suspendedTooLong(at: now, context, into: &outputs)
        case .ended where isOnline == true:
            startOver(isQuiet: true, at: now, context, using: &generator, into: &outputs)
        case .ended, .idle, .invalidated, .awaitingAuthorization, .external:
            break
        }
    }
}
