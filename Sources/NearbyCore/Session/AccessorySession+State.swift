// nearby-bridge · SPDX-License-Identifier: Apache-2.0

// The steps from one state to the next: towards ranging. The way back is in `AccessorySession+Ends`.

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
        // What the broker kept says nothing new.
        if isKnown, isRetained { return }
        if data == rejected {
            // What failed once would fail again.
            if state == .awaitingConfiguration, prelude != .acknowledgement { reject(into: &outputs) }
            return
        }
        // Whoever sends it is there, and availability speaks of what was before.
        if !isRetained { graceEnds = nil }
        // While the ladder waits for its turn, an answer that came too late spares it the question.
        let isAwaited = asksForConfiguration || state == .awaitingConfiguration
        if isKnown, prelude == .acknowledgement { return }
        configuration = data
        isAlive = true
        rejected = nil
        if isKnown, isRunning, !isAwaited { return }
        if hold != nil {
            // It waits with the newest.
            if !isKnown { outputs.append(.changed) }
            return
        }
        if (state == .suspended && !isPaused) || state == .awaitingAuthorization || needsPerson {
            if !isKnown { outputs.append(.changed) }
            return
        }
        if !isAwaited {
            if isRunning {
                conclude(.newConfiguration, leavesZones: true, into: &outputs)
                isAlive = true
            } else {
                attempt = 0
            }
            isQuiet = false
            isSingleTry = isRetained && isOnline != true
        }
        prelude = nil
        begin(at: now, context, using: &generator, into: &outputs)
    }

    /// Somebody wants it to run.
    mutating func start(
        at now: Instant,
        _ context: Context,
        using generator: inout some RandomNumberGenerator,
        into outputs: inout [SessionOutput]
    ) {
        isWanted = true
        switch state {
        case .idle, .ended, .invalidated, .external:
            startOver(isQuiet: false, at: now, context, using: &generator, into: &outputs)
        case .suspended:
            resume(at: now, context, into: &outputs)
        case .awaitingConfiguration, .configuring, .starting, .ranging, .silent, .retrying:
            // Somebody waits for it now.
            isQuiet = false
            isSingleTry = false
        case .awaitingAuthorization:
            break
        }
    }

    /// Goes on after a pause: only a full start brings distances back (reference section 8, multi-platform-uwb issue 66).
    mutating func resume(at now: Instant, _ context: Context, into outputs: inout [SessionOutput]) {
        outputs.append(.event(.resumed(reason: .requested)))
        initialize(at: now, context, into: &outputs)
        reason = .requested
    }

    /// Starts from what is known: with the cached configuration if it still lives, else by asking for one.
    mutating func startOver(
        isQuiet: Bool,
        at now: Instant,
        _ context: Context,
        using generator: inout some RandomNumberGenerator,
        into outputs: inout [SessionOutput]
    ) {
        self.isQuiet = isQuiet
        isSingleTry = false
        attempt = 0
        guard isAlive, configuration != nil, configuration != rejected else {
            return initialize(at: now, context, into: &outputs)
        }
        begin(at: now, context, using: &generator, into: &outputs)
    }

    /// Begins a run: new shareable configuration data, sent at once, or asked of the phone.
    mutating func begin(
        at now: Instant,
        _ context: Context,
        using generator: inout some RandomNumberGenerator,
        into outputs: inout [SessionOutput]
    ) {
        guard admit(at: now, context, into: &outputs) else { return }
        hasTurn = false
        guard !context.isRelayed else { return ask(at: now, context, into: &outputs) }
        guard let configuration, let minted = context.source.minted(for: configuration, using: &generator) else {
            return reject(into: &outputs)
        }
        run += 1
        grants = minted.grants
        launch(minted.data, at: now, context, into: &outputs)
    }

    /// Sends a run's shareable configuration data to the accessory.
    mutating func launch(
        _ data: ShareableConfigurationData,
        at now: Instant,
        _ context: Context,
        into outputs: inout [SessionOutput]
    ) {
        let parameters = data.parameters
        interval = .milliseconds(Int64(parameters?.timing.interval ?? 0))
        destination = parameters?.destinationAddress
        sessionID = parameters?.sessionID
        isUnderWay = true
        isProved = false
        foreignRange = nil
        state = .starting
        reason = nil
        deadline = now.advanced(by: context.timeouts.start(interval: interval))
        outputs.append(.send(.configureAndStart(data)))
        outputs.append(.changed)
    }

    /// Asks the accessory for its configuration data, after a stop that it may still need to hear.
    mutating func initialize(at now: Instant, _ context: Context, into outputs: inout [SessionOutput]) {
        let mayRun = (isRunning && hold == nil) || state == .external
        if !mayRun || !context.isAllowed { return sendInitialize(at: now, context, into: &outputs) }
        state = .awaitingConfiguration
        guard mayRun else { return sendInitialize(at: now, context, into: &outputs) }
        prelude = .acknowledgement
        deadline = now.advanced(by: context.timeouts.stop)
        sendStop(at: now, context, into: &outputs)
        outputs.append(.changed)
    }

    mutating func sendInitialize(at now: Instant, _ context: Context, into outputs: inout [SessionOutput]) {
        guard admit(at: now, context, into: &outputs) else { return }
        hasTurn = true
        state = .awaitingConfiguration
        // Firmware makes a new configuration for every initialize, whether its answer arrives or not.
        isAlive = false
        prelude = nil
        foreignRange = nil
        deadline = now.advanced(by: context.timeouts.configuration)
        outputs.append(.send(.initialize))
        outputs.append(.changed)
    }

    // MARK: Ranging

    /// A valid range proves the run.
    mutating func proved(at now: Instant, _ context: Context, into outputs: inout [SessionOutput]) {
        switch state {
        case .ranging where attempt == 0:
            heard(at: now, context.timeouts)
        case .starting, .silent, .ranging:
            becomeRanging(at: now, context, into: &outputs)
        case .suspended where !dropsRanges(at: now):
            // What would have told that the other end goes on has been lost.
            outputs.append(.event(.resumed(reason: .peerResumed)))
            becomeRanging(at: now, context, into: &outputs)
        case .retrying where isUnderWay:
            // The run that was believed lost goes on.
            becomeRanging(at: now, context, into: &outputs)
        case .awaitingConfiguration:
            // Either the run that was told to stop, or somebody else's: then the accessory need not answer.
            if !isUnderWay, !isEcho(at: now) { foreignRange = now }
        case .idle, .ended, .invalidated, .retrying:
            if !isEcho(at: now) { becomeExternal(into: &outputs) }
        case .configuring:
            if !isEcho(at: now) { foreignRange = now }
        case .awaitingAuthorization, .external, .suspended:
            break
        }
    }

    /// What comes now may have been on its way when the run was ended.
    func isEcho(at now: Instant) -> Bool { echoesEnd.map { now < $0 } ?? false }

    /// Somebody else runs the ranging.
    mutating func becomeExternal(into outputs: inout [SessionOutput]) {
        state = .external
        reason = nil
        deadline = nil
        isQuiet = false
        attempt = 0
        outputs.append(.changed)
    }

    mutating func becomeRanging(at now: Instant, _ context: Context, into outputs: inout [SessionOutput]) {
        if !isProved { outputs.append(.event(.started(run: run))) }
        isProved = true
        state = .ranging
        attempt = 0
        reason = nil
        isQuiet = false
        isSingleTry = false
        deadline = now.advanced(by: context.timeouts.silence(interval: interval))
        outputs.append(.changed)
    }

    // MARK: Availability and sight

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
            guard wasOnline != false else { return }
            // Firmware forgets its session with the link; ours has a grace.
            isAlive = false
            graceEnds = now.advanced(by: context.timeouts.offlineGrace)
            return
        }
        graceEnds = nil
        // Retained configuration and availability come in any order.
        isSingleTry = false
        // After a restart an accessory that an earlier life gave up is online as before, not anew.
        let isGivenUp = wasOnline == nil && deadline != nil
        guard wasOnline != true, state == .idle || (state == .ended && startsWhenOnline && !isGivenUp) else { return }
        isQuiet = false
        attempt = 0
        // Most accessories send their configuration with it: initialize at once would make them send another, and a run
        // that has hardly begun would have to begin again.
        state = .awaitingConfiguration
        prelude = .announcement
        deadline = now.advanced(by: context.timeouts.announcement)
        outputs.append(.changed)
    }

    /// The run ended because the accessory was not there, or did not answer.
    private var startsWhenOnline: Bool {
        switch reason {
        case .accessoryOffline, .retriesExhausted, .timeout: true
        case .accessoryStopped, .peerEnded, .peerSuspended, .peerResumed, .requested, .newConfiguration,
            .suspendedTooLong, .notAuthorized, .waitsForTurn, .error, .unknownError, nil:
            false
        }
    }

    /// Every deadline of waiting begins anew, in full: while we were blind, silence meant nothing.
    ///
    /// So do waits that ended meanwhile, by chance anew: a thousand accessories must not all begin when we see again.
    mutating func watchAnew(at now: Instant, _ context: Context, using generator: inout some RandomNumberGenerator) {
        if graceEnds != nil { graceEnds = now.advanced(by: context.timeouts.offlineGrace) }
        switch state {
        case .awaitingConfiguration:
            let wait =
                switch prelude {
                case .acknowledgement: context.timeouts.stop
                case .announcement: context.timeouts.announcement
                case nil: context.timeouts.configuration
                }
            deadline = now.advanced(by: wait)
        case .configuring:
            deadline = now.advanced(by: context.timeouts.shareable)
        case .starting:
            deadline = now.advanced(by: context.timeouts.start(interval: interval))
        case .ranging:
            deadline = now.advanced(by: context.timeouts.silence(interval: interval))
        case .suspended:
            deadline = now.advanced(by: context.timeouts.suspended)
        case .retrying where hold == .place:
            break
        case .retrying where hold == .turn:
            takesTurn = true
            deadline = max(now, context.startsAt)
        case .retrying, .silent:
            // Drawn again: those that became due together while nobody looked must not start together.
            deadline = now.advanced(by: context.retry.delay(before: attempt, using: &generator))
        case .ended where deadline != nil:
            deadline = context.retry.idle.map { now.advanced(by: $0 * Double.random(in: 0.8...1.2, using: &generator)) }
        case .ended, .idle, .invalidated, .awaitingAuthorization, .external:
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

    /// Goes on where an earlier life of the bridge ended, at `now`; the deadlines begin with the first look.
    mutating func restore(_ restored: RestoredSession, at now: Instant) {
        configuration = try? AccessoryConfigurationData.decode(restored.configuration.span)
        // No number of ours is greater, and the next one must not run over.
        run = (0..<(1 << 40)).contains(restored.run) ? restored.run : 0
        attempt = (0..<1_000_000).contains(restored.attempt) ? restored.attempt : 0
        interval = max(.zero, restored.interval)
        reason = restored.reason
        if reason == .error(.invalidConfiguration) { rejected = configuration }
        switch restored.state {
        case .retrying where reason == .waitsForTurn || reason == .error(.activeSessionsLimitExceeded):
            // It had not begun.
            state = .retrying
            isAlive = configuration != nil
            hold = reason == .waitsForTurn ? .turn : .place
        case .starting, .configuring, .awaitingConfiguration, .ranging, .silent, .retrying:
            // Without its configuration nothing tells whose run it was: the accessory begins by itself.
            if configuration != nil { restoreRun(restored.state) }
        case .suspended:
            state = .suspended
            if isPaused, configuration != nil { believeInRun() }
        case .external:
            state = .external
        case .invalidated:
            state = .invalidated
        case .ended:
            state = .ended
            // Quiet starts go on.
            if startsWhenOnline { deadline = now }
        case .awaitingAuthorization:
            state = .awaitingAuthorization
            isAlive = configuration != nil
        case .idle:
            break
        }
    }

    /// An earlier life's run is believed to be there still, and to have been proved.
    private mutating func believeInRun() {
        isAlive = true
        isUnderWay = true
        isProved = true
    }

    private mutating func restoreRun(_ restored: SessionState) {
        believeInRun()
        switch restored {
        case .configuring:
            // The broker may have kept the phone's answer for us; the accessory was told nothing yet.
            state = .configuring
            isUnderWay = false
            isProved = false
        case .starting, .awaitingConfiguration:
            // Not proved yet: the first valid range still does so, and without one the ladder begins.
            state = .starting
            isProved = false
        case .ranging, .silent, .retrying:
            // The accessory may well range on: its reports prove it, their absence begins the ladder.
            state = .ranging
        case .idle, .ended, .invalidated, .awaitingAuthorization, .external, .suspended:
            break
        }
    }
}
