// nearby-bridge · SPDX-License-Identifier: Apache-2.0

// What a session needs before it may begin: a permission, a place, and its turn.

extension AccessorySession {
    /// What a session that would begin waits for.
    enum Hold: UInt8, Sendable {
        /// A place: as many sessions run as may.
        case place
        /// Its turn: many begin at once.
        case turn
    }

    /// A run is under way, about to be tried again, or begins: what limits count.
    var holdsPlace: Bool { takesCommands && state.isLive && hold == nil }

    /// Whether a start may go on; one that may not waits, and says for what.
    mutating func admit(at now: Instant, _ context: Context, into outputs: inout [SessionOutput]) -> Bool {
        guard context.isAllowed else {
            waitForPermission(.notAuthorized, into: &outputs)
            return false
        }
        guard context.hasPlace else {
            waitForPlace(into: &outputs)
            return false
        }
        // Whoever has waited for his turn has it now, and the answer to an initialize belongs to a start that had its own.
        if hold == .turn || hasTurn {
            hold = nil
            return true
        }
        takesTurn = true
        hold = context.startsAt > now ? .turn : nil
        guard hold == .turn else { return true }
        state = .retrying
        reason = .waitsForTurn
        prelude = nil
        deadline = context.startsAt
        outputs.append(.changed)
        return false
    }

    /// Waits for a person.
    mutating func waitForPermission(_ why: SessionReason, into outputs: inout [SessionOutput]) {
        let isTold = state != .awaitingAuthorization && !isQuiet
        state = .awaitingAuthorization
        reason = why
        deadline = nil
        prelude = nil
        hold = nil
        isUnderWay = false
        isQuiet = false
        isSingleTry = false
        if isTold { outputs.append(.event(.authorizationRequired(reason: why))) }
        outputs.append(.changed)
    }

    /// Waits for a place.
    private mutating func waitForPlace(into outputs: inout [SessionOutput]) {
        let why = SessionReason.error(.activeSessionsLimitExceeded)
        let code = NearbyError.activeSessionsLimitExceeded.rawValue
        if !isQuiet, hold != .place {
            outputs.append(.event(.invalidated(reason: why, code: code, isRecoverable: true)))
        }
        state = .retrying
        reason = why
        deadline = nil
        prelude = nil
        hold = .place
        outputs.append(.changed)
    }

    /// Goes on after a wait: with the configuration that still lives, else by asking for one.
    mutating func goOnWaiting(
        at now: Instant,
        _ context: Context,
        using generator: inout some RandomNumberGenerator,
        into outputs: inout [SessionOutput]
    ) {
        reason = nil
        guard isAlive, configuration != nil, configuration != rejected else {
            return sendInitialize(at: now, context, into: &outputs)
        }
        begin(at: now, context, using: &generator, into: &outputs)
    }

    /// A person has allowed it.
    mutating func authorized(
        at now: Instant,
        _ context: Context,
        using generator: inout some RandomNumberGenerator,
        into outputs: inout [SessionOutput]
    ) {
        guard state == .awaitingAuthorization else { return }
        guard configuration != nil || isOnline == true || isWanted else {
            // It only reports: what comes next counts.
            state = .idle
            reason = nil
            outputs.append(.changed)
            return
        }
        attempt = 0
        goOnWaiting(at: now, context, using: &generator, into: &outputs)
    }

    /// Nobody allows it, or nobody any more.
    mutating func unauthorized(at now: Instant, _ context: Context, into outputs: inout [SessionOutput]) {
        guard state != .awaitingAuthorization else { return }
        guard state != .idle else { return waitForPermission(.notAuthorized, into: &outputs) }
        let why = SessionReason.error(.userDidNotAllow)
        let wasWanted = state != .ended && state != .invalidated
        isExchanged = false
        if isRunning, hold == nil { sendStop(at: now, context, into: &outputs) }
        if wasWanted, !isQuiet {
            let code = NearbyError.userDidNotAllow.rawValue
            outputs.append(.event(.invalidated(reason: why, code: code, isRecoverable: false)))
            outputs.append(.leaveZones(.sessionEnded))
        }
        isQuiet = true
        waitForPermission(why, into: &outputs)
    }
}
