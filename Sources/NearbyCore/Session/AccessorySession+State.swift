// nearby-bridge · SPDX-License-Identifier: Apache-2.0

// The steps from one state to the next.

extension AccessorySession {
    // MARK: Starting

    /// Configuration data came.
    mutating func take(
        _ data: AccessoryConfigurationData,
        isRetained: Bool,
        at now: Instant,
        _ context: Context,
        using generator: inout some RandomNumberGenerator,
        into outputs: inout [SessionOutput]
    ) {
        let isKnown = data == configuration
        // What the broker kept says nothing new, and what failed once would fail again.
        if isKnown, isRetained || data == rejected { return }
        if isKnown, state.isLive, state != .awaitingConfiguration { return }
        configuration = data
        isAlive = true
        rejected = nil
        if state == .suspended { return outputs.append(.changed) }
        let wasAwaited = state == .awaitingConfiguration
        if state.isLive, !wasAwaited {
            outputs.append(.event(.ended(run: run, reason: .newConfiguration)))
            attempt = 0
        }
        if !wasAwaited {
            isQuiet = false
            isSingleTry = isRetained && isOnline != true
            if !state.isLive { attempt = 0 }
        }
        isStopping = false
        begin(at: now, context, using: &generator, into: &outputs)
    }

    /// Starts from what is known: with the cached configuration if it still lives, else by asking for one.
    mutating func startOver(
        at now: Instant,
        _ context: Context,
        using generator: inout some RandomNumberGenerator,
        into outputs: inout [SessionOutput]
    ) {
        isSingleTry = false
        guard isAlive, configuration != nil, configuration != rejected else {
            return initialize(at: now, context, into: &outputs)
        }
        begin(at: now, context, using: &generator, into: &outputs)
    }

    /// Begins a run: new shareable configuration data, sent at once.
    private mutating func begin(
        at now: Instant,
        _ context: Context,
        using generator: inout some RandomNumberGenerator,
        into outputs: inout [SessionOutput]
    ) {
        guard let configuration, let data = context.source.mint(for: configuration, using: &generator) else {
            rejected = configuration
            isAlive = false
            state = .invalidated
            deadline = nil
            reason = .error(.invalidConfiguration)
            outputs.append(.event(.configurationRequired(reason: .error(.invalidConfiguration))))
            outputs.append(.changed)
            return
        }
        run += 1
        let parameters = data.parameters
        interval = .milliseconds(Int64(parameters?.timing.interval ?? 0))
        destination = parameters?.destinationAddress
        sessionID = parameters?.sessionID
        state = .starting
        reason = nil
        deadline = now.advanced(by: context.timeouts.start(interval: interval))
        outputs.append(.send(.configureAndStart(data)))
        outputs.append(.changed)
    }

    /// Asks the accessory for its configuration data, after a stop that it may still need to hear.
    mutating func initialize(at now: Instant, _ context: Context, into outputs: inout [SessionOutput]) {
        let mayRun = state.isLive
        state = .awaitingConfiguration
        guard mayRun else { return sendInitialize(at: now, context, into: &outputs) }
        isStopping = true
        deadline = now.advanced(by: context.timeouts.stop)
        outputs.append(.send(.stop))
        outputs.append(.changed)
    }

    mutating func sendInitialize(at now: Instant, _ context: Context, into outputs: inout [SessionOutput]) {
        state = .awaitingConfiguration
        deadline = now.advanced(by: context.timeouts.configuration)
        outputs.append(.send(.initialize))
        outputs.append(.changed)
    }

    // MARK: Ranging

    /// A valid range proves the run.
    mutating func proved(at now: Instant, _ context: Context, into outputs: inout [SessionOutput]) {
        switch state {
        case .ranging:
            deadline = now.advanced(by: context.timeouts.silence(interval: interval))
        case .starting:
            if !isQuiet || attempt > 0 { outputs.append(.event(.started(run: run))) }
            becomeRanging(at: now, context, into: &outputs)
        case .silent, .retrying:
            // The run that was believed lost goes on.
            becomeRanging(at: now, context, into: &outputs)
        case .idle, .ended, .invalidated:
            // Somebody else runs the ranging.
            state = .external
            reason = nil
            deadline = nil
            outputs.append(.changed)
        case .awaitingConfiguration, .configuring, .awaitingAuthorization, .external, .suspended:
            break
        }
    }

    private mutating func becomeRanging(at now: Instant, _ context: Context, into outputs: inout [SessionOutput]) {
        state = .ranging
        attempt = 0
        reason = nil
        isQuiet = false
        isSingleTry = false
        deadline = now.advanced(by: context.timeouts.silence(interval: interval))
        outputs.append(.changed)
    }

    // MARK: Time-outs and the ladder

    mutating func timedOut(
        _ stage: SessionEvent.Stage,
        at now: Instant,
        _ context: Context,
        using generator: inout some RandomNumberGenerator,
        into outputs: inout [SessionOutput]
    ) {
        reason = .timeout(stage)
        if !isQuiet { outputs.append(.event(.timeout(run: run, stage: stage))) }
        if isSingleTry || isQuiet { return giveUp(at: now, context, into: &outputs) }
        next(at: now, context, using: &generator, into: &outputs)
    }

    /// Waits for the next attempt, or gives up after the last.
    private mutating func next(
        at now: Instant,
        _ context: Context,
        using generator: inout some RandomNumberGenerator,
        into outputs: inout [SessionOutput]
    ) {
        attempt += 1
        // The cached configuration is good only while the accessory's own session lives.
        if attempt <= context.retry.attempts, !isAlive || configuration == nil { attempt = context.retry.attempts + 1 }
        guard let rung = context.retry.rung(of: attempt) else { return giveUp(at: now, context, into: &outputs) }
        let delay = context.retry.delay(before: attempt, using: &generator)
        state = .retrying
        deadline = now.advanced(by: delay)
        outputs.append(
            .event(.retry(attempt: attempt, maximum: context.retry.maximumAttempts, delay: delay, rung: rung))
        )
        outputs.append(.changed)
    }

    /// Carries out the attempt that was waited for.
    mutating func climb(
        at now: Instant,
        _ context: Context,
        using generator: inout some RandomNumberGenerator,
        into outputs: inout [SessionOutput]
    ) {
        switch context.retry.rung(of: attempt) {
        case .rerun where isAlive && configuration != nil:
            begin(at: now, context, using: &generator, into: &outputs)
        case .rerun, .reinitialize:
            initialize(at: now, context, into: &outputs)
        case .newSession:
            destination = nil
            sessionID = nil
            initialize(at: now, context, into: &outputs)
        case nil:
            giveUp(at: now, context, into: &outputs)
        }
    }

    private mutating func giveUp(at now: Instant, _ context: Context, into outputs: inout [SessionOutput]) {
        let wasQuiet = isQuiet
        let why: SessionReason = isSingleTry || isQuiet ? (reason ?? .retriesExhausted) : .retriesExhausted
        if wasQuiet {
            state = .ended
            reason = why
            outputs.append(.send(.stop))
            outputs.append(.changed)
        } else {
            end(why, tellsAccessory: true, leavesZones: true, into: &outputs)
        }
        isQuiet = false
        if isOnline == true { deadline = context.retry.idle.map { now.advanced(by: $0) } }
    }

    // MARK: Ends

    /// Ends a run, if one is under way.
    mutating func end(
        _ reason: SessionReason,
        tellsAccessory: Bool,
        leavesZones: Bool,
        into outputs: inout [SessionOutput]
    ) {
        guard state.isLive || state == .suspended else { return }
        if tellsAccessory, state != .suspended { outputs.append(.send(.stop)) }
        state = .ended
        self.reason = reason
        deadline = nil
        isStopping = false
        isAlive = isAlive && reason == .requested
        outputs.append(.event(.ended(run: run, reason: reason)))
        if leavesZones { outputs.append(.leaveZones(.sessionEnded)) }
        outputs.append(.changed)
    }

    /// The accessory says that it stopped.
    mutating func accessoryStopped(at now: Instant, _ context: Context, into outputs: inout [SessionOutput]) {
        if isStopping {
            isStopping = false
            return sendInitialize(at: now, context, into: &outputs)
        }
        switch state {
        case .starting, .ranging, .silent, .retrying, .configuring:
            isAlive = false
            end(.accessoryStopped, tellsAccessory: false, leavesZones: true, into: &outputs)
        case .suspended, .ended, .invalidated:
            isAlive = false
        case .idle, .external, .awaitingConfiguration, .awaitingAuthorization:
            break
        }
    }

    /// Availability changed.
    mutating func become(
        _ isOnline: Bool,
        at now: Instant,
        _ context: Context,
        into outputs: inout [SessionOutput]
    ) {
        let wasOnline = self.isOnline
        self.isOnline = isOnline
        guard isOnline else {
            guard wasOnline != false, graceEnds == nil else { return }
            graceEnds = now.advanced(by: context.timeouts.offlineGrace)
            return
        }
        graceEnds = nil
        // The broker may tell the retained configuration before the retained availability.
        isSingleTry = false
        guard state == .idle || (state == .ended && reason == .accessoryOffline) else { return }
        initialize(at: now, context, into: &outputs)
    }

    mutating func suspend(at now: Instant, _ context: Context, into outputs: inout [SessionOutput]) {
        guard state.isLive else { return }
        // Otherwise the accessory ranges into nothing and blocks the next start (multi-platform-uwb PR 57).
        outputs.append(.send(.stop))
        state = .suspended
        reason = .requested
        isStopping = false
        deadline = now.advanced(by: context.timeouts.suspended)
        outputs.append(.event(.suspended(reason: .requested)))
        outputs.append(.leaveZones(.suspended))
        outputs.append(.changed)
    }

    mutating func invalidate(
        _ code: Int?,
        at now: Instant,
        _ context: Context,
        using generator: inout some RandomNumberGenerator,
        into outputs: inout [SessionOutput]
    ) {
        guard state != .invalidated else { return }
        let error = code.flatMap(NearbyError.init(rawValue:))
        let why: SessionReason = error.map { .error($0) } ?? (code == nil ? .requested : .unknownError)
        let recovery = error?.recovery ?? .never
        if state.isLive { outputs.append(.send(.stop)) }
        state = .invalidated
        reason = why
        deadline = nil
        isStopping = false
        isAlive = false
        outputs.append(.event(.invalidated(reason: why, code: code, isRecoverable: recovery != .never)))
        outputs.append(.leaveZones(.sessionEnded))
        switch recovery {
        case .retry:
            // Only a new session helps, so the ladder begins at its last rungs.
            attempt = max(attempt, context.retry.attempts)
            next(at: now, context, using: &generator, into: &outputs)
        case .newConfiguration:
            rejected = configuration
            outputs.append(.event(.configurationRequired(reason: why)))
            outputs.append(.changed)
        case .never:
            outputs.append(.changed)
        }
    }

    /// Every deadline of waiting begins anew, in full: while we were blind, silence meant nothing.
    ///
    /// So do waits that ended meanwhile, by chance anew: a thousand accessories must not all begin when we see again.
    mutating func watchAnew(at now: Instant, _ context: Context, using generator: inout some RandomNumberGenerator) {
        if graceEnds != nil { graceEnds = now.advanced(by: context.timeouts.offlineGrace) }
        switch state {
        case .awaitingConfiguration:
            deadline = now.advanced(by: isStopping ? context.timeouts.stop : context.timeouts.configuration)
        case .configuring:
            deadline = now.advanced(by: context.timeouts.shareable)
        case .starting:
            deadline = now.advanced(by: context.timeouts.start(interval: interval))
        case .ranging:
            deadline = now.advanced(by: context.timeouts.silence(interval: interval))
        case .suspended:
            deadline = now.advanced(by: context.timeouts.suspended)
        case .retrying where deadline.map { $0 <= now } ?? true:
            deadline = now.advanced(by: context.retry.delay(before: attempt, using: &generator))
        case .ended where deadline.map { $0 <= now } ?? false:
            deadline = context.retry.idle.map { now.advanced(by: $0 * Double.random(in: 0.8...1.2, using: &generator)) }
        case .retrying, .ended, .idle, .invalidated, .awaitingAuthorization, .external, .silent:
            break
        }
    }
}

extension AccessorySession {
    /// Another valid range while ranging.
    mutating func heard(at now: Instant, _ timeouts: SessionTimeouts) {
        deadline = now.advanced(by: timeouts.silence(interval: interval))
    }

    /// Begins with what another session of the same accessory knows.
    mutating func adopt(_ other: AccessorySession) {
        configuration = other.configuration
        isAlive = other.isAlive
        isOnline = other.isOnline
    }

    /// Goes on where an earlier life of the bridge ended; the deadlines begin with the first look.
    mutating func restore(
        _ state: SessionState,
        run: Int64,
        interval: Duration = .zero,
        _ data: AccessoryConfigurationData
    ) {
        configuration = data
        self.run = max(0, run)
        self.interval = max(.zero, interval)
        switch state {
        case .starting, .configuring, .awaitingConfiguration:
            // Not proved yet: the first valid range still does so, and without one the ladder begins.
            self.state = .starting
            isAlive = true
        case .ranging, .silent, .retrying:
            // The accessory may well range on: its reports prove it, their absence begins the ladder.
            self.state = .ranging
            isAlive = true
        case .suspended:
            self.state = .suspended
        case .external:
            self.state = .external
        case .invalidated:
            self.state = .invalidated
        case .idle, .ended, .awaitingAuthorization:
            self.state = .ended
        }
    }
}
