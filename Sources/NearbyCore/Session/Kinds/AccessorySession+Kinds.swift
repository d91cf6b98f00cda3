// nearby-bridge · SPDX-License-Identifier: Apache-2.0

// Sessions that are not run by commands to the accessory: Bluetooth Channel Sounding, background, and two phones.

extension AccessorySession {
    /// The accessory is told what to do; of any other session the bridge only follows what happens elsewhere.
    var takesCommands: Bool {
        switch kind {
        case .uwb, .external: !isBackground
        case .channelSounding, .peer: false
        }
    }

    /// The kind as it is told: whatever it was, what is run elsewhere is external.
    public var toldKind: SessionKind { state == .external ? .external : kind }

    /// How many attempts the retry ladder of this kind has.
    public func maximumAttempts(_ retry: RetryPolicy) -> Int {
        guard !takesCommands else { return retry.maximumAttempts }
        return kind == .peer ? retry.attempts : 0
    }

    /// The configuration data that a phone may read from the accessory's Bluetooth characteristic now.
    ///
    /// Until the run is proved or over (`reference/nearby-interaction.md` section 6.5).
    public var offeredConfiguration: AccessoryConfigurationData? {
        guard kind == .uwb, isBackground, isAlive else { return nil }
        return state == .configuring || (state == .starting && !isProved) ? configuration : nil
    }

    /// Somebody wanted an end that a range must not undo: only a new beginning does.
    var refusesRanges: Bool {
        guard !takesCommands else { return false }
        switch state {
        case .ended: return reason == .requested || (kind == .peer && reason == .peerEnded)
        case .invalidated: return kind == .peer || needsPerson || reason == .suspendedTooLong
        case .idle, .awaitingAuthorization, .external, .suspended, .silent, .retrying, .awaitingConfiguration,
            .configuring, .starting, .ranging:
            return false
        }
    }

    /// Its peer is not forgotten though it is silent, because a run is under way.
    ///
    /// Two phones that never met can be forgotten.
    var keepsPeer: Bool { isRunning && !(kind == .peer && state == .awaitingConfiguration) }

    /// Takes an input of a session that takes no commands.
    mutating func follow(
        _ input: SessionInput,
        at now: Instant,
        _ context: Context,
        using generator: inout some RandomNumberGenerator,
        into outputs: inout [SessionOutput]
    ) {
        speaksOnChange = context.speaksOnChange
        switch input {
        case .configuration(let data, let isRetained):
            keep(data, isRetained: isRetained, into: &outputs)
            // A phone that could read it would range.
            if state == .configuring, !context.isAllowed { waitForPermission(.notAuthorized, into: &outputs) }
        case .didStart:
            if kind == .uwb { startedByItself(at: now, context, into: &outputs) }
        case .didStop:
            if kind == .uwb { finish(.accessoryStopped, leavesZones: true, at: now, context, into: &outputs) }
        case .range:
            proveFollowed(at: now, context, into: &outputs)
        case .availability(let isOnline):
            notice(isOnline, at: now, context, into: &outputs)
        case .start:
            startFollowed(at: now, context, into: &outputs)
        case .stop:
            stopFollowed(at: now, context, into: &outputs)
        case .suspend:
            suspend(at: now, context, into: &outputs)
        case .resume:
            resumeFollowed(at: now, context, into: &outputs)
        case .invalidate(let code):
            invalidateFollowed(code, at: now, context, into: &outputs)
        case .signal(.exhausted):
            guard state == .starting || state == .ranging else { return }
            missRanges(at: now, context, using: &generator, into: &outputs)
        case .signal(.ended):
            finish(.peerEnded, leavesZones: true, at: now, context, into: &outputs)
        case .signal(.suspended), .signal(.resumed):
            guard case .signal(let signal) = input else { return }
            take(signal, at: now, context, using: &generator, into: &outputs)
        case .token(let isNew):
            takeToken(isNew: isNew, at: now, context, into: &outputs)
        case .sighted:
            watchFollowedAnew(at: now, context, using: &generator)
        case .channelSounding(let identifiers, let isRetained):
            becomeChannelSounding(identifiers, isRetained: isRetained, at: now, context, into: &outputs)
        case .paired:
            becomeBackground(at: now, context, into: &outputs)
        case .commanded:
            becomeCommanded(into: &outputs)
        case .authorized:
            followAuthorized(at: now, context, into: &outputs)
        case .unauthorized:
            unauthorized(at: now, context, into: &outputs)
        case .shareable, .place:
            break
        }
    }

    /// Carries out a deadline of a session that takes no commands.
    mutating func followTime(
        to now: Instant,
        _ context: Context,
        using generator: inout some RandomNumberGenerator,
        into outputs: inout [SessionOutput]
    ) {
        speaksOnChange = context.speaksOnChange
        if let grace = graceEnds, grace <= now {
            graceEnds = nil
            // The zones follow by lost_after, as for every accessory that loses its link.
            if isRunning { finish(.accessoryOffline, leavesZones: false, at: now, context, into: &outputs) }
        }
        guard let due = deadline, due <= now else { return }
        deadline = nil
        switch state {
        case .starting, .ranging:
            missRanges(at: now, context, using: &generator, into: &outputs)
        case .retrying, .silent:
            if kind == .peer { exchangeAgain(at: now, context, into: &outputs) }
        case .suspended:
            suspendedTooLong(at: now, context, into: &outputs)
            if kind == .peer { askForTokens(because: .suspendedTooLong, into: &outputs) }
        case .ended where isOnline == true && context.hasBothTokens:
            isQuiet = true
            attempt = 0
            exchange(at: now, context, into: &outputs)
        case .ended, .idle, .invalidated, .awaitingAuthorization, .awaitingConfiguration, .configuring, .external:
            break
        }
    }

    // MARK: Becoming

    /// The accessory needs no exchange: its session is one of Bluetooth Channel Sounding from now on.
    mutating func becomeChannelSounding(
        _ told: BluetoothIdentifiers?,
        isRetained: Bool,
        at now: Instant,
        _ context: Context,
        into outputs: inout [SessionOutput]
    ) {
        guard kind != .peer else { return }
        speaksOnChange = context.speaksOnChange
        let known = identifiers
        let isSameKind = kind == .channelSounding
        if !isSameKind { change(to: .channelSounding, into: &outputs) }
        identifiers = told?.following(known) ?? known
        let isKnown = isSameKind && identifiers == known
        // What the broker kept says nothing new.
        if isKnown, isRetained { return }
        switch state {
        case .idle, .ended, .external, .invalidated:
            if !needsPerson { return beginFollowed(at: now, context, into: &outputs) }
        case .awaitingAuthorization, .suspended, .silent, .retrying, .awaitingConfiguration, .configuring, .starting,
            .ranging:
            break
        }
        if !isKnown { outputs.append(.changed) }
    }

    /// The accessory is paired with a phone that runs its session by itself: it takes no commands any more.
    mutating func becomeBackground(at now: Instant, _ context: Context, into outputs: inout [SessionOutput]) {
        guard kind == .uwb, !isBackground else { return }
        speaksOnChange = context.speaksOnChange
        isBackground = true
        forgetLadder()
        switch state {
        case .starting, .ranging:
            watchFollowed(at: now, context)
        case .silent:
            deadline = nil
        case .retrying, .awaitingConfiguration, .configuring, .external:
            // With its configuration data the phone can begin.
            state = isAlive && configuration != nil ? .configuring : .idle
            reason = nil
            deadline = nil
        case .ended:
            deadline = nil
        case .idle, .invalidated, .awaitingAuthorization, .suspended:
            break
        }
        outputs.append(.changed)
    }

    /// The accessory is run by commands, as others are: somebody says so who knows better.
    mutating func becomeCommanded(into outputs: inout [SessionOutput]) {
        guard !takesCommands, kind != .peer else { return }
        speaksOnChange = false
        guard kind == .uwb else { return change(to: .uwb, into: &outputs) }
        isBackground = false
        forgetLadder()
        switch state {
        case .silent, .retrying:
            conclude(.newConfiguration, leavesZones: true, into: &outputs)
        case .configuring, .awaitingConfiguration:
            state = .idle
            deadline = nil
            outputs.append(.changed)
        case .starting, .ranging, .ended, .idle, .invalidated, .awaitingAuthorization, .suspended, .external:
            outputs.append(.changed)
        }
    }

    /// Becomes another kind: a run of the former one ends, without a word to the accessory.
    private mutating func change(to other: SessionKind, into outputs: inout [SessionOutput]) {
        kind = other
        isBackground = false
        identifiers = nil
        forgetLadder()
        if isRunning, isUnderWay {
            conclude(.newConfiguration, leavesZones: true, into: &outputs)
        } else if isRunning || state == .external {
            state = .idle
            reason = nil
            outputs.append(.changed)
        }
        if state != .suspended { deadline = nil }
        configuration = nil
        rejected = nil
        isAlive = false
        interval = .zero
        destination = nil
        sessionID = nil
    }

    /// Forgets what only a session with commands waits for.
    private mutating func forgetLadder() {
        prelude = nil
        isStopAwaited = false
        isSingleTry = false
        isQuiet = false
        attempt = 0
    }
}
