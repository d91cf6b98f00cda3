// nearby-bridge · SPDX-License-Identifier: Apache-2.0

// The steps from one state to the next: time-outs, the retry ladder and the ends of a run.

extension AccessorySession {
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
        // A run that was proved is silent until it is begun again: a late range shows that it goes on.
        let wait: SessionState = stage == .ranging ? .silent : .retrying
        next(waitingAs: wait, at: now, context, using: &generator, into: &outputs)
    }

    /// Waits for the next attempt, or gives up after the last.
    private mutating func next(
        waitingAs wait: SessionState = .retrying,
        at now: Instant,
        _ context: Context,
        using generator: inout some RandomNumberGenerator,
        into outputs: inout [SessionOutput]
    ) {
        if isSingleTry || isQuiet { return giveUp(at: now, context, into: &outputs) }
        var following = attempt + 1
        // The cached configuration is good only while the accessory's own session lives.
        if following <= context.retry.attempts, !isAlive || configuration == nil {
            following = context.retry.attempts + 1
        }
        hold = nil
        hasTurn = false
        guard let rung = context.retry.rung(of: following) else { return giveUp(at: now, context, into: &outputs) }
        attempt = following
        let delay = context.retry.delay(before: attempt, using: &generator)
        state = wait
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

    /// Ends the run and, while the accessory is online, looks again from time to time.
    private mutating func giveUp(
        tellsAccessory: Bool = true,
        at now: Instant,
        _ context: Context,
        into outputs: inout [SessionOutput]
    ) {
        let why: SessionReason = isSingleTry || isQuiet ? (reason ?? .retriesExhausted) : .retriesExhausted
        let wasLive = state.isLive
        if wasLive, tellsAccessory { sendStop(at: now, context, into: &outputs) }
        conclude(why, leavesZones: wasLive, into: &outputs)
        if isOnline == true { deadline = context.retry.idle.map { now.advanced(by: $0) } }
    }

    // MARK: Ends

    /// Ends a run, if one is under way.
    mutating func end(
        _ reason: SessionReason,
        tellsAccessory: Bool,
        leavesZones: Bool,
        at now: Instant,
        _ context: Context,
        into outputs: inout [SessionOutput]
    ) {
        guard state.isLive || state == .suspended else { return }
        if tellsAccessory, isRunning {
            sendStop(at: now, context, into: &outputs)
        } else {
            echoesEnd = now.advanced(by: context.timeouts.stop)
        }
        conclude(reason, leavesZones: leavesZones, into: &outputs)
    }

    /// The state after every end.
    ///
    /// A quiet start that fails stays quiet, unless somebody asked for its end.
    mutating func conclude(_ reason: SessionReason, leavesZones: Bool, into outputs: inout [SessionOutput]) {
        let isTold = !isQuiet || reason == .requested
        if reason == .requested { isWanted = false }
        hold = nil
        hasTurn = false
        state = .ended
        self.reason = reason
        deadline = nil
        prelude = nil
        isAlive = false
        isUnderWay = false
        isQuiet = false
        if isTold { outputs.append(.event(.ended(run: run, reason: reason))) }
        if isTold, leavesZones { outputs.append(.leaveZones(.sessionEnded)) }
        outputs.append(.changed)
    }

    /// Tells the accessory to stop; what it says for a while may still be of the stopped run.
    mutating func sendStop(at now: Instant, _ context: Context, into outputs: inout [SessionOutput]) {
        isAlive = false
        isStopAwaited = true
        echoesEnd = now.advanced(by: context.timeouts.stop)
        outputs.append(.send(.stop))
    }

    /// Somebody wants what has ended to stay so.
    mutating func forgetQuietStarts(into outputs: inout [SessionOutput]) {
        guard reason != .requested else { return }
        deadline = nil
        reason = .requested
        outputs.append(.changed)
    }

    /// The accessory says that it stopped.
    mutating func accessoryStopped(at now: Instant, _ context: Context, into outputs: inout [SessionOutput]) {
        let isAcknowledgement = awaitsStop(at: now)
        isStopAwaited = false
        if prelude == .acknowledgement {
            return sendInitialize(at: now, context, into: &outputs)
        }
        if isAcknowledgement { return }
        switch state {
        case .retrying where !isAlive, .silent where !isAlive:
            // The ladder goes on with a fresh configuration anyway.
            break
        case .starting, .ranging, .silent, .retrying, .configuring:
            if isQuiet {
                reason = .accessoryStopped
                giveUp(tellsAccessory: false, at: now, context, into: &outputs)
            } else {
                end(.accessoryStopped, tellsAccessory: false, leavesZones: true, at: now, context, into: &outputs)
            }
        case .suspended, .ended, .invalidated:
            isAlive = false
        case .idle, .external, .awaitingConfiguration, .awaitingAuthorization:
            break
        }
    }

    mutating func suspend(at now: Instant, _ context: Context, into outputs: inout [SessionOutput]) {
        guard isRunning else { return }
        // Otherwise the accessory ranges into nothing and blocks the next start (multi-platform-uwb PR 57).
        sendStop(at: now, context, into: &outputs)
        state = .suspended
        reason = .requested
        prelude = nil
        isUnderWay = false
        isQuiet = false
        isSingleTry = false
        deadline = now.advanced(by: context.timeouts.suspended)
        outputs.append(.event(.suspended(reason: .requested)))
        outputs.append(.leaveZones(.suspended))
        outputs.append(.changed)
    }

    /// Nobody went on with a suspended session in time.
    mutating func suspendedTooLong(at now: Instant, _ context: Context, into outputs: inout [SessionOutput]) {
        // What the other end has paused was never told to stop.
        if isPaused { sendStop(at: now, context, into: &outputs) }
        state = .invalidated
        reason = .suspendedTooLong
        isAlive = false
        isUnderWay = false
        outputs.append(.event(.invalidated(reason: .suspendedTooLong, code: nil, isRecoverable: true)))
        outputs.append(.changed)
    }

    // MARK: Errors

    /// The configuration data is no good: only different data helps.
    mutating func reject(into outputs: inout [SessionOutput]) {
        let why = SessionReason.error(.invalidConfiguration)
        rejected = configuration
        state = .invalidated
        reason = why
        deadline = nil
        prelude = nil
        isAlive = false
        if isUnderWay, !isQuiet {
            let code = NearbyError.invalidConfiguration.rawValue
            outputs.append(.event(.invalidated(reason: why, code: code, isRecoverable: true)))
            outputs.append(.leaveZones(.sessionEnded))
        }
        if !isQuiet { outputs.append(.event(.configurationRequired(reason: why))) }
        isUnderWay = false
        isQuiet = false
        outputs.append(.changed)
    }

    /// Invalidated for good: nothing but `start` begins it again.
    var needsPerson: Bool {
        guard state == .invalidated else { return false }
        switch reason {
        case .error(let error): return error.recovery == .never
        case .requested, .unknownError: return true
        case .accessoryStopped, .accessoryOffline, .peerEnded, .peerSuspended, .peerResumed, .newConfiguration,
            .retriesExhausted, .suspendedTooLong, .timeout, .notAuthorized, .waitsForTurn, nil:
            return false
        }
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
        let wasLive = isRunning
        // Where nothing runs, nothing is to be begun anew.
        if recovery == .retry, !wasLive, state != .suspended { return }
        if recovery == .retry, isQuiet {
            reason = why
            return next(at: now, context, using: &generator, into: &outputs)
        }
        if wasLive { sendStop(at: now, context, into: &outputs) }
        state = .invalidated
        reason = why
        deadline = nil
        prelude = nil
        isAlive = false
        isUnderWay = false
        isQuiet = false
        outputs.append(.event(.invalidated(reason: why, code: code, isRecoverable: recovery != .never)))
        outputs.append(.leaveZones(.sessionEnded))
        switch recovery {
        case .retry where wasLive:
            // Only a new session helps, so the ladder begins at its last rungs.
            attempt = max(attempt, context.retry.attempts)
            next(at: now, context, using: &generator, into: &outputs)
        case .newConfiguration:
            rejected = configuration
            outputs.append(.event(.configurationRequired(reason: why)))
            outputs.append(.changed)
        case .retry, .never:
            outputs.append(.changed)
        }
    }
}
