// nearby-bridge · SPDX-License-Identifier: Apache-2.0

// The steps of sessions that take no commands; what two phones need besides is in `AccessorySession+Peers`.

extension AccessorySession {
    // MARK: Beginning

    /// Configuration data of an accessory in the background: a phone reads it from the accessory, and needs no help.
    mutating func keep(
        _ data: AccessoryConfigurationData,
        isRetained: Bool,
        into outputs: inout [SessionOutput]
    ) {
        guard kind == .uwb, data != rejected else { return }
        let isKnown = data == configuration
        if isKnown, isRetained || isAlive || isRunning { return }
        configuration = data
        isAlive = true
        rejected = nil
        if !isRetained { graceEnds = nil }
        switch state {
        case .suspended, .awaitingAuthorization:
            return outputs.append(.changed)
        case .invalidated where needsPerson:
            return outputs.append(.changed)
        case .starting, .ranging, .silent, .retrying:
            // Firmware makes new data when it begins anew.
            conclude(.newConfiguration, leavesZones: true, into: &outputs)
            isAlive = true
        case .idle, .ended, .invalidated, .external, .awaitingConfiguration, .configuring:
            break
        }
        state = .configuring
        reason = nil
        deadline = nil
        outputs.append(.changed)
    }

    /// The accessory says that it started: a hint, so a range still has to prove it.
    mutating func startedByItself(at now: Instant, _ context: Context, into outputs: inout [SessionOutput]) {
        switch state {
        case .idle, .configuring, .awaitingConfiguration, .silent, .retrying, .external:
            beginFollowed(at: now, context, into: &outputs)
        case .ended, .invalidated:
            guard !refusesRanges else { return }
            beginFollowed(at: now, context, into: &outputs)
        case .starting, .ranging, .suspended, .awaitingAuthorization:
            break
        }
    }

    /// Begins a run that nobody has to be told of.
    mutating func beginFollowed(at now: Instant, _ context: Context, into outputs: inout [SessionOutput]) {
        guard context.isAllowed else { return waitForPermission(.notAuthorized, into: &outputs) }
        run += 1
        state = .starting
        reason = nil
        isUnderWay = true
        isProved = false
        attempt = 0
        watchFollowed(at: now, context)
        outputs.append(.changed)
    }

    /// A person has allowed it.
    mutating func followAuthorized(at now: Instant, _ context: Context, into outputs: inout [SessionOutput]) {
        guard state == .awaitingAuthorization else { return }
        state = .idle
        reason = nil
        switch kind {
        case .peer:
            exchangeOrWait(at: now, context, into: &outputs)
        case .channelSounding:
            beginFollowed(at: now, context, into: &outputs)
        case .uwb, .external:
            if configuration != nil, isAlive { state = .configuring }
            outputs.append(.changed)
        }
    }

    /// Sets the deadline of a run, if its silence means anything.
    mutating func watchFollowed(at now: Instant, _ context: Context) {
        switch state {
        case .starting where kind == .channelSounding || speaksOnChange:
            // Nobody said that it began just now.
            deadline = nil
        case .starting:
            deadline = now.advanced(by: context.timeouts.start(interval: interval))
        case .ranging:
            heard(at: now, context.timeouts)
        case .idle, .ended, .invalidated, .awaitingAuthorization, .external, .suspended, .silent, .retrying,
            .awaitingConfiguration, .configuring:
            break
        }
    }

    /// Somebody wants it to run: of what takes no commands, that somebody may expect it to.
    mutating func startFollowed(at now: Instant, _ context: Context, into outputs: inout [SessionOutput]) {
        switch state {
        case .idle, .ended, .invalidated, .external:
            attempt = 0
            isQuiet = false
            if kind == .peer { return exchangeOrWait(at: now, context, into: &outputs) }
            beginFollowed(at: now, context, into: &outputs)
        case .suspended:
            resumeFollowed(at: now, context, into: &outputs)
        case .awaitingConfiguration, .configuring, .starting, .ranging, .silent, .retrying:
            isQuiet = false
        case .awaitingAuthorization:
            break
        }
    }

    // MARK: Ranging

    /// A valid range proves the run, whoever began it.
    mutating func proveFollowed(at now: Instant, _ context: Context, into outputs: inout [SessionOutput]) {
        switch state {
        case .ranging where attempt == 0:
            return heard(at: now, context.timeouts)
        case .starting, .silent, .ranging:
            break
        case .suspended:
            guard !dropsRanges(at: now) else { return }
            // What would have told that the other end goes on has been lost.
            outputs.append(.event(.resumed(reason: .peerResumed)))
        case .retrying, .awaitingConfiguration:
            // The run that was believed lost goes on, or one that nobody told us of.
            if !isUnderWay { noteRun() }
        case .idle, .external, .configuring:
            noteRun()
        case .ended, .invalidated:
            guard !refusesRanges, !isEcho(at: now) else { return }
            noteRun()
        case .awaitingAuthorization:
            return
        }
        becomeRanging(at: now, context, into: &outputs)
    }

    /// A run that began without a word.
    private mutating func noteRun() {
        run += 1
        isUnderWay = true
        isProved = false
    }

    /// No valid range came in time: told once, and what it means is up to the kind.
    mutating func missRanges(
        at now: Instant,
        _ context: Context,
        using generator: inout some RandomNumberGenerator,
        into outputs: inout [SessionOutput]
    ) {
        let stage: SessionEvent.Stage = state == .starting ? .start : .ranging
        reason = .timeout(stage)
        if !isQuiet { outputs.append(.event(.timeout(run: run, stage: stage))) }
        if kind == .peer { return waitForRerun(after: stage, at: now, context, using: &generator, into: &outputs) }
        state = .silent
        deadline = nil
        outputs.append(.changed)
    }

    // MARK: Pauses and ends

    /// Goes on after a pause: the same run, which a range shows to be there.
    mutating func resumeFollowed(at now: Instant, _ context: Context, into outputs: inout [SessionOutput]) {
        guard state == .suspended else { return }
        outputs.append(.event(.resumed(reason: .requested)))
        if kind == .peer, !isExchanged, context.hasBothTokens || !isProved {
            return exchangeOrWait(at: now, context, into: &outputs)
        }
        if run == 0 { return beginFollowed(at: now, context, into: &outputs) }
        state = .starting
        reason = .requested
        isUnderWay = true
        watchFollowed(at: now, context)
        outputs.append(.changed)
    }

    /// Somebody wants it to end, and it stays so until somebody wants otherwise.
    mutating func stopFollowed(at now: Instant, _ context: Context, into outputs: inout [SessionOutput]) {
        switch state {
        case .ended:
            forgetQuietStarts(into: &outputs)
        case .idle, .external:
            state = .ended
            reason = .requested
            outputs.append(.changed)
        case .suspended, .silent, .retrying, .awaitingConfiguration, .configuring, .starting, .ranging:
            finish(.requested, leavesZones: true, at: now, context, into: &outputs)
        case .invalidated, .awaitingAuthorization:
            break
        }
    }

    /// Ends a run; what never began ends without an event.
    mutating func finish(
        _ why: SessionReason,
        leavesZones: Bool,
        at now: Instant,
        _ context: Context,
        into outputs: inout [SessionOutput]
    ) {
        guard state.isLive || state == .suspended else { return isAlive = false }
        echoesEnd = now.advanced(by: context.timeouts.stop)
        guard isUnderWay || state == .suspended else {
            state = .ended
            reason = why
            deadline = nil
            isAlive = false
            return outputs.append(.changed)
        }
        conclude(why, leavesZones: leavesZones, into: &outputs)
    }

    /// It is over by an error; a phone makes a new session by itself where that helps.
    mutating func invalidateFollowed(
        _ code: Int?,
        at now: Instant,
        _ context: Context,
        into outputs: inout [SessionOutput]
    ) {
        guard state != .invalidated else { return }
        let error = code.flatMap(NearbyError.init(rawValue:))
        let why: SessionReason = error.map { .error($0) } ?? (code == nil ? .requested : .unknownError)
        let recovery = error?.recovery ?? .never
        let wasThere = isRunning || state == .suspended
        // Where nothing runs, nothing is to be begun anew.
        if recovery == .retry, !wasThere, kind != .peer { return }
        if recovery == .newConfiguration { rejected = configuration }
        state = .invalidated
        reason = why
        deadline = nil
        isAlive = false
        isUnderWay = false
        isQuiet = false
        attempt = 0
        echoesEnd = now.advanced(by: context.timeouts.stop)
        // Tokens of a session that is no more are dead, but the phones can make new ones.
        let isRecoverable = recovery != .never || (kind == .peer && code == nil)
        outputs.append(.event(.invalidated(reason: why, code: code, isRecoverable: isRecoverable)))
        if wasThere { outputs.append(.leaveZones(.sessionEnded)) }
        if kind == .peer { return askForTokens(because: why, into: &outputs) }
        if recovery == .newConfiguration { outputs.append(.event(.configurationRequired(reason: why))) }
        outputs.append(.changed)
    }

    // MARK: Availability, sight and restarts

    /// Availability changed.
    mutating func notice(
        _ isOnline: Bool,
        at now: Instant,
        _ context: Context,
        into outputs: inout [SessionOutput]
    ) {
        let wasOnline = self.isOnline
        self.isOnline = isOnline
        guard isOnline else {
            guard wasOnline != false else { return }
            return graceEnds = now.advanced(by: context.timeouts.offlineGrace)
        }
        graceEnds = nil
        guard wasOnline != true else { return }
        if kind == .channelSounding, state == .idle || (state == .ended && reason == .accessoryOffline) {
            beginFollowed(at: now, context, into: &outputs)
        } else if kind == .peer, state == .ended, startsWhenOnline {
            attempt = 0
            isQuiet = false
            exchangeOrWait(at: now, context, into: &outputs)
        }
    }

    /// Every deadline begins anew, in full: while we were blind, silence meant nothing.
    mutating func watchFollowedAnew(
        at now: Instant,
        _ context: Context,
        using generator: inout some RandomNumberGenerator
    ) {
        speaksOnChange = context.speaksOnChange
        if graceEnds != nil { graceEnds = now.advanced(by: context.timeouts.offlineGrace) }
        switch state {
        case .starting, .ranging:
            watchFollowed(at: now, context)
        case .suspended:
            deadline = now.advanced(by: context.timeouts.suspended)
        case .retrying, .silent:
            guard kind == .peer else { return deadline = nil }
            deadline = now.advanced(by: context.retry.delay(before: attempt, using: &generator))
        case .ended where deadline != nil:
            deadline = context.retry.idle.map { now.advanced(by: $0 * Double.random(in: 0.8...1.2, using: &generator)) }
        case .ended, .idle, .invalidated, .awaitingAuthorization, .awaitingConfiguration, .configuring, .external:
            deadline = nil
        }
    }

    /// Takes over the state of an earlier life; its deadlines begin with the first look.
    mutating func restoreFollowed(_ restored: RestoredSession, at now: Instant) {
        state = restored.state == .external ? .idle : restored.state
        isAlive = configuration != nil
        switch state {
        case .ranging, .silent, .suspended:
            isUnderWay = true
            isProved = true
        case .starting, .retrying:
            isUnderWay = true
        case .ended:
            if kind == .peer, startsWhenOnline { deadline = now }
        case .idle, .invalidated, .awaitingAuthorization, .awaitingConfiguration, .configuring, .external:
            break
        }
    }
}
