// nearby-bridge · SPDX-License-Identifier: Apache-2.0

// Two phones: each needs the other's discovery token (reference/nearby-interaction.md section 6.1).

extension AccessorySession {
    /// One of the phones gave its token; `isNew` unless it gave the same before.
    mutating func takeToken(
        isNew: Bool,
        at now: Instant,
        _ context: Context,
        into outputs: inout [SessionOutput]
    ) {
        guard kind == .peer else { return }
        if isNew { isExchanged = false }
        switch state {
        case .starting, .ranging, .silent, .retrying:
            // A token that changes is that of a new session: the old one is no more.
            guard isNew, context.hasBothTokens else { return isNew ? outputs.append(.changed) : () }
            conclude(.newConfiguration, leavesZones: true, into: &outputs)
        case .ended, .invalidated:
            // The same again proves nothing: it may be a message that came twice.
            guard isNew || !refusesRanges else { return }
        case .idle, .external, .configuring, .awaitingConfiguration:
            break
        case .suspended, .awaitingAuthorization:
            return isNew ? outputs.append(.changed) : ()
        }
        attempt = 0
        isQuiet = false
        exchangeOrWait(at: now, context, into: &outputs)
    }

    /// Gives each phone the other's token, or waits for what is missing: quietly, since nobody knows how long.
    mutating func exchangeOrWait(at now: Instant, _ context: Context, into outputs: inout [SessionOutput]) {
        guard !context.hasBothTokens else { return exchange(at: now, context, into: &outputs) }
        state = .awaitingConfiguration
        if reason != .tokensNeeded { reason = nil }
        deadline = nil
        outputs.append(.changed)
    }

    /// Begins a run with the tokens that are there.
    mutating func exchange(at now: Instant, _ context: Context, into outputs: inout [SessionOutput]) {
        guard context.isAllowed else { return waitForPermission(.notAuthorized, into: &outputs) }
        run += 1
        state = .starting
        reason = nil
        isUnderWay = true
        isProved = false
        isExchanged = true
        watchFollowed(at: now, context)
        outputs.append(.exchange)
        outputs.append(.changed)
    }

    /// The phones do not range each other: they are asked to run once more with the same tokens, a few times.
    mutating func waitForRerun(
        after stage: SessionEvent.Stage,
        at now: Instant,
        _ context: Context,
        using generator: inout some RandomNumberGenerator,
        into outputs: inout [SessionOutput]
    ) {
        guard context.hasBothTokens else {
            // Those of an earlier life of the bridge were never written down.
            return askForTokens(because: .tokensNeeded, into: &outputs)
        }
        guard !isQuiet, attempt < context.retry.attempts else { return giveUp(at: now, context, into: &outputs) }
        attempt += 1
        let delay = context.retry.delay(before: attempt, using: &generator)
        state = stage == .ranging ? .silent : .retrying
        deadline = now.advanced(by: delay)
        outputs.append(
            .event(.retry(attempt: attempt, maximum: context.retry.attempts, delay: delay, rung: .rerun))
        )
        outputs.append(.changed)
    }

    /// Carries out the attempt that was waited for.
    mutating func exchangeAgain(at now: Instant, _ context: Context, into outputs: inout [SessionOutput]) {
        guard context.hasBothTokens else { return askForTokens(because: .tokensNeeded, into: &outputs) }
        exchange(at: now, context, into: &outputs)
    }

    /// Both phones have to give a token once more: what was known of them is of no use.
    ///
    /// An invalidated session stays so until they do; a run that only lost its tokens goes on with the next range.
    mutating func askForTokens(because why: SessionReason, into outputs: inout [SessionOutput]) {
        if state != .invalidated {
            state = .awaitingConfiguration
            reason = why
        }
        deadline = nil
        attempt = 0
        isExchanged = false
        let isTold = !isQuiet
        isQuiet = false
        outputs.append(.forgetTokens)
        if isTold { outputs.append(.event(.configurationRequired(reason: why))) }
        outputs.append(.changed)
    }
}
