// nearby-bridge · SPDX-License-Identifier: Apache-2.0

// What the radio itself tells of a run (reference/uwb-reports.md section 1.6), and the pause that the other end makes.

extension AccessorySession {
    /// The other end has paused the run, and it goes on when that end does.
    ///
    /// Nobody has told the accessory to stop: to everybody but the silence this is a run like any other.
    var isPaused: Bool { state == .suspended && reason == .peerSuspended }

    /// A run is under way, about to be tried again, or paused by the other end.
    var isRunning: Bool { state.isLive || isPaused }

    /// Suspended, and a range does not show that the other end has gone on.
    func dropsRanges(at now: Instant) -> Bool { state == .suspended && (!isPaused || isEcho(at: now)) }

    /// The radio told how the run stands.
    mutating func take(
        _ signal: RangeReport.Signal,
        at now: Instant,
        _ context: Context,
        using generator: inout some RandomNumberGenerator,
        into outputs: inout [SessionOutput]
    ) {
        switch signal {
        case .ended:
            end(.peerEnded, tellsAccessory: true, leavesZones: true, at: now, context, into: &outputs)
        case .exhausted:
            // The radio knows before our own deadline does.
            guard state == .starting || state == .ranging else { return }
            let stage: SessionEvent.Stage = state == .starting ? .start : .ranging
            timedOut(stage, at: now, context, using: &generator, into: &outputs)
        case .suspended:
            pause(at: now, context, into: &outputs)
        case .resumed:
            goOn(at: now, context, into: &outputs)
        }
    }

    /// Whether there is a run that the other end can pause: one that was sent, and was not told to stop.
    ///
    /// A quiet start is none: nobody waits for it, and it ends by its own deadline.
    private var canPause: Bool {
        switch state {
        case .starting, .ranging, .silent: !isQuiet
        case .retrying: isUnderWay && !isQuiet
        case .idle, .ended, .invalidated, .awaitingAuthorization, .external, .suspended, .awaitingConfiguration,
            .configuring:
            false
        }
    }

    /// The other end paused the run; the accessory's radio has heard it itself and pauses too.
    private mutating func pause(at now: Instant, _ context: Context, into outputs: inout [SessionOutput]) {
        guard canPause else { return }
        state = .suspended
        reason = .peerSuspended
        isSingleTry = false
        deadline = now.advanced(by: context.timeouts.suspended)
        // The round in which it was said may be reported after it; that is no reason to wait again for an acknowledgement
        // that never came.
        isStopAwaited = awaitsStop(at: now)
        echoesEnd = now.advanced(by: context.timeouts.stop)
        outputs.append(.event(.suspended(reason: .peerSuspended)))
        outputs.append(.leaveZones(.suspended))
        outputs.append(.changed)
    }

    /// The other end goes on with the same run; one that was not proved before its pause still has to be.
    private mutating func goOn(at now: Instant, _ context: Context, into outputs: inout [SessionOutput]) {
        guard isPaused else { return }
        state = isProved ? .ranging : .starting
        reason = nil
        deadline = now.advanced(
            by: isProved ? context.timeouts.silence(interval: interval) : context.timeouts.start(interval: interval)
        )
        if !takesCommands { watchFollowed(at: now, context) }
        outputs.append(.event(.resumed(reason: .peerResumed)))
        outputs.append(.changed)
    }
}
