// nearby-bridge · SPDX-License-Identifier: Apache-2.0

extension BridgeEngine {
    /// Whose session it is.
    enum SessionOwner: Equatable {
        /// The unnamed peer's, at the accessory itself.
        case accessory(Int)
        /// A named peer's own.
        case track(Int)
    }

    // MARK: What comes in

    /// Takes a payload of `…/config`: in any spelling, for every session of the accessory.
    mutating func takeConfiguration(
        _ payload: [UInt8],
        of accessory: Int,
        isRetained: Bool,
        into effects: inout EffectBuffer
    ) {
        // An empty payload is how a retained topic is cleared.
        guard !payload.isEmpty, isShort(payload, of: accessory, into: &effects) else { return }
        do throws(CodecError) {
            let decoded = try ConfigurationPayload.decode(payload.span, as: .accessory)
            accessories[accessory].speaksBinary = decoded.isBinary
            announce(decoded, of: accessory, into: &effects)
            guard !isChannelSounding(decoded, of: accessory) else {
                return takeChannelSounding(decoded.identifiers, of: accessory, isRetained: isRetained, into: &effects)
            }
            guard let data = decoded.data, exchangesConfiguration(AccessoryIndex(accessory)) else { return }
            try take(data.bytes, of: accessory, isRetained: isRetained, into: &effects)
        } catch {
            reject(error, of: accessory, isRetained: isRetained, into: &effects)
        }
    }

    mutating func isShort(_ payload: [UInt8], of accessory: Int, into effects: inout EffectBuffer) -> Bool {
        if payload.count <= options.limits.payload { return true }
        counters.tooLarge += 1
        complain(.payloadTooLarge(bytes: payload.count), about: accessory, into: &effects)
        return false
    }

    private mutating func take(
        _ bytes: [UInt8],
        of accessory: Int,
        isRetained: Bool,
        into effects: inout EffectBuffer
    ) throws(CodecError) {
        let configuration = try AccessoryConfigurationData.decode(bytes.span)
        // By a message it cannot become what the configuration says that it is not.
        guard accessories[accessory].options.technology != .channelSounding else { return }
        noteConfigurable(accessory, into: &effects)
        let expected = accessories[accessory].session.takesCommands ? expectedTracks(of: accessory) : []
        for owner in configurationOwners(of: accessory, expected) {
            handle(.configuration(configuration, isRetained: isRetained), of: owner, into: &effects)
        }
    }

    /// Takes a payload of `…/message`: a data-channel frame as on Bluetooth.
    mutating func takeMessage(_ payload: [UInt8], of accessory: Int, into effects: inout EffectBuffer) {
        guard isShort(payload, of: accessory, into: &effects) else { return }
        do throws(CodecError) {
            let message = try AccessoryMessage.decode(payload.span)
            switch message.kind {
            case .accessoryConfigurationData:
                accessories[accessory].speaksBinary = true
                announceData(of: accessory, into: &effects)
                try take(message.payload.bytes, of: accessory, isRetained: false, into: &effects)
            case .accessoryDidStart:
                for owner in sessionOwners(of: accessory) {
                    handle(didStartInput(of: owner), of: owner, into: &effects)
                }
            case .accessoryDidStop:
                for owner in stopOwners(of: accessory) { handle(.didStop, of: owner, into: &effects) }
            case .accessoryPaired:
                takePaired(accessory, into: &effects)
            case .initialize, .configureAndStart, .stop, .vendor:
                break
            }
        } catch {
            guard error.subject != .accessoryConfigurationData else {
                return reject(error, of: accessory, isRetained: false, into: &effects)
            }
            counters.malformedMessages += 1
            complain(.message(error), about: accessory, into: &effects)
        }
    }

    /// Tells that configuration data cannot be used: in the log, and as an event unless the broker had kept it.
    private mutating func reject(
        _ error: CodecError,
        of accessory: Int,
        isRetained: Bool,
        into effects: inout EffectBuffer
    ) {
        counters.malformedMessages += 1
        complain(.configuration(error), about: accessory, into: &effects)
        // It was told when it came; at every start again it would be an invented event.
        guard !isRetained else { return }
        let kind = SessionEvent.Kind.configurationRejected(
            reason: "\(error)",
            hint: error.hint?.text ?? "send accessory configuration data as bytes, hexadecimal, base64 or JSON"
        )
        emit(kind, of: .accessory(accessory), into: &effects)
        tellNumber(of: StreamID(accessory: AccessoryIndex(accessory)), into: &effects)
    }

    /// Has the state told after an event that no other change brings to it: a restart goes on numbering from there.
    func tellNumber(of stream: StreamID, into effects: inout EffectBuffer) {
        effects.append(.state(stream, isChange: true))
    }

    // MARK: Reports

    /// Whether a report may decide anything as far as sessions are concerned.
    mutating func isWelcome(_ report: borrowing RangeReport, on track: Int) -> Bool {
        let owner = prover(track)
        let (state, run) = stateAndRun(of: owner)
        if state == .suspended, session(of: owner)?.dropsRanges(at: clock) == true {
            counters.suspended += 1
            return false
        }
        if state == .ended || state == .invalidated, session(of: owner)?.refusesRanges == true {
            counters.outsideSession += 1
            return false
        }
        // A range of a suspended session that is not dropped shows that its other end goes on.
        let isRunning = state.isLive || state == .suspended
        // What was under way when a run ended is of that run, though it may not say so.
        let isEcho = report.run == nil && !isRunning && clock < tracks[track].echoesUntil
        let reported = report.run ?? run
        if isEcho || reported < run {
            counters.oldRun += 1
            return false
        }
        if options.session.isRequired, !isRunning {
            counters.outsideSession += 1
            return false
        }
        return true
    }

    /// A valid range proves the session that it belongs to.
    mutating func prove(by track: Int, into effects: inout EffectBuffer) {
        prove(prover(track), into: &effects)
        guard !tracks[track].hasSession else { return }
        tracks[track].hasSession = true
        if tracks[track].isNamed { effects.append(.session(streamID(ofTrack: track))) }
    }

    /// The session that a peer's reports belong to (CONTRACT section 6): its own, else the one whose address the peer is
    /// called by, else the only live one, else the accessory's.
    func prover(_ track: Int) -> SessionOwner {
        if tracks[track].session != nil { return .track(track) }
        let accessory = tracks[track].accessory
        guard accessories[accessory].hasPeerSessions else { return .accessory(accessory) }
        var live: SessionOwner?
        let isRunning = accessories[accessory].session.isRunning
        var count = isRunning ? 1 : 0
        for other in accessories[accessory].tracks {
            guard let session = tracks[other].session, session.isRunning, session.kind != .peer else { continue }
            if let address = session.destination, tracks[track].address == address { return .track(other) }
            count += 1
            live = .track(other)
        }
        guard count == 1, let live, !isRunning else { return .accessory(accessory) }
        return live
    }

    private func stateAndRun(of owner: SessionOwner) -> (SessionState, Int64) {
        switch owner {
        case .accessory(let index): (accessories[index].session.state, accessories[index].session.run)
        case .track(let index): (tracks[index].session?.state ?? .idle, tracks[index].session?.run ?? 0)
        }
    }

    /// The hot path: while ranging, a report only moves the silence on.
    private mutating func prove(_ owner: SessionOwner, into effects: inout EffectBuffer) {
        switch owner {
        case .accessory(let index):
            switch accessories[index].session.state {
            case .external: return
            case .ranging where accessories[index].session.attempt == 0:
                accessories[index].session.heard(at: clock, timeouts(of: index))
            default: handle(.range, of: owner, into: &effects)
            }
        case .track(let index):
            guard tracks[index].session?.state == .ranging, tracks[index].session?.attempt == 0 else {
                return handle(.range, of: owner, into: &effects)
            }
            // In place: a copy of the session for each report would cost more than the report.
            let timeouts = timeouts(of: tracks[index].accessory)
            tracks[index].session?.heard(at: clock, timeouts)
            let twin = tracks[index].twin
            if twin >= 0 { tracks[twin].session?.heard(at: clock, timeouts) }
        }
    }

    // MARK: Running sessions

    /// What a radio tells of its session: it has no name for it that we know, so every one of its accessory hears it.
    mutating func take(_ signal: RangeReport.Signal, of accessory: Int, into effects: inout EffectBuffer) {
        for owner in sessionOwners(of: accessory) { handle(.signal(signal), of: owner, into: &effects) }
    }

    /// Lets a session take an input and carries out what it wants.
    mutating func handle(_ input: SessionInput, of owner: SessionOwner, into effects: inout EffectBuffer) {
        guard var session = session(of: owner) else { return }
        var outputs: [SessionOutput] = []
        let offered = session.offeredConfiguration
        session.handle(input, at: clock, context(of: owner), using: &generator, into: &outputs)
        settle(&session)
        store(session, of: owner)
        perform(outputs, of: owner, isReport: input == .range, into: &effects)
        if offered != session.offeredConfiguration { announceOffer(of: owner, into: &effects) }
    }

    /// Carries out a session's deadline, if it has come.
    mutating func advanceSession(of owner: SessionOwner, at now: Instant, into effects: inout EffectBuffer) {
        guard var session = session(of: owner), let due = session.nextDeadline, due <= now else { return }
        var outputs: [SessionOutput] = []
        let offered = session.offeredConfiguration
        session.advance(to: now, context(of: owner), using: &generator, into: &outputs)
        settle(&session)
        store(session, of: owner)
        perform(outputs, of: owner, into: &effects)
        if offered != session.offeredConfiguration { announceOffer(of: owner, into: &effects) }
    }

    /// What a session is run with, and an id that no other session of this bridge has.
    func context(of owner: SessionOwner) -> AccessorySession.Context {
        var context = options.session.context
        context.source.destination = radioAddress(of: owner)
        context.source.nextSessionID = nextSessionID
        context.isRelayed = isRelayed(owner)
        context.timeouts = timeouts(of: accessoryIndex(of: owner))
        context.isAllowed = isAllowed(owner)
        context.hasPlace = session(of: owner).map { hasPlace(owner, $0) } ?? true
        context.startsAt = admission.startsAt(options.limits.sessionStarts)
        context.speaksOnChange = accessories[accessoryIndex(of: owner)].options.reports == .byException
        context.hasBothTokens = hasBothTokens(owner)
        return context
    }

    /// Moves on to the next turn, and to the next id, if a session has taken these; 0 is no id.
    mutating func settle(_ session: inout AccessorySession) {
        if session.takesTurn {
            session.takesTurn = false
            admission.takeTurn(at: clock, options.limits.sessionStarts)
        }
        guard session.sessionID == nextSessionID else { return }
        nextSessionID = nextSessionID == .max ? 1 : nextSessionID + 1
    }

    private mutating func perform(
        _ outputs: [SessionOutput],
        of owner: SessionOwner,
        isReport: Bool = false,
        isTwin: Bool = false,
        into effects: inout EffectBuffer
    ) {
        guard let session = session(of: owner) else { return }
        let accessory = accessoryIndex(of: owner)
        if !isTwin, case .track(let track) = owner { noteEnd(outputs, at: track) }
        for output in outputs {
            switch output {
            case .send(let command):
                effects.append(.command(self.command(command, of: owner, run: session.run)))
                tellRadio(command, of: owner, session, into: &effects)
            case .exchange:
                if case .track(let track) = owner { deliverToken(to: track, into: &effects) }
            case .forgetTokens:
                if case .track(let track) = owner { tracks[track].token = nil }
            case .ask(let configuration):
                // The unnamed phone reads it on the session topic.
                guard let peer = peer(of: owner) else { continue }
                effects.append(
                    .phoneConfiguration(
                        PhoneConfiguration(
                            accessory: name(ofAccessory: accessory),
                            peer: peer,
                            configuration: configuration,
                            run: session.run
                        )
                    )
                )
            case .event(let kind):
                emit(kind, of: owner, into: &effects)
            case .leaveZones(let reason):
                leaveZones(reason, of: owner, into: &effects)
            case .changed:
                announceSession(of: owner, isReport: isReport, into: &effects)
            }
        }
        settleRadio(of: owner, into: &effects)
        switch owner {
        case .accessory(let index): armDeadline(ofAccessory: index)
        case .track(let index):
            armDeadline(ofTrack: index)
            guard !isTwin, tracks[index].twin >= 0 else { return }
            let told = outputs.compactMap { $0.fromOtherEnd(run: session.run) }
            perform(told, of: .track(tracks[index].twin), isTwin: true, into: &effects)
        }
    }

    /// A data-channel message of a session's run.
    func command(_ command: SessionOutput.Command, of owner: SessionOwner, run: Int64) -> AccessoryCommand {
        AccessoryCommand(
            accessory: name(ofAccessory: accessoryIndex(of: owner)),
            peer: peer(of: owner),
            command: command,
            run: run,
            isBinary: accessories[accessoryIndex(of: owner)].speaksBinary
        )
    }

    /// Has the session topics and the snapshots published; a report's own snapshot follows and tells it too.
    private mutating func announceSession(
        of owner: SessionOwner,
        isReport: Bool,
        into effects: inout EffectBuffer
    ) {
        let accessory = accessoryIndex(of: owner)
        accessories[accessory].hasSession = true
        let everybody = StreamID(accessory: AccessoryIndex(accessory))
        if case .track(let track) = owner {
            tracks[track].hasSession = true
            effects.append(.session(streamID(ofTrack: track)))
            tracks[track].stream.lastSnapshot = nil
            if !isReport { effects.append(.state(streamID(ofTrack: track), isChange: true)) }
        }
        for track in accessories[accessory].tracks where tracks[track].isNamed && tracks[track].session == nil {
            guard owner == .accessory(accessory) else { continue }
            tracks[track].hasSession = true
            tracks[track].stream.lastSnapshot = nil
            effects.append(.session(streamID(ofTrack: track)))
            if !isReport { effects.append(.state(streamID(ofTrack: track), isChange: true)) }
        }
        for person in accessories[accessory].people {
            tracks[person].stream.lastSnapshot = nil
            effects.append(.session(streamID(ofTrack: person)))
            if !isReport { effects.append(.state(streamID(ofTrack: person), isChange: true)) }
        }
        effects.append(.session(everybody))
        accessories[accessory].stream.lastSnapshot = nil
        if !isReport { effects.append(.state(everybody, isChange: true)) }
    }

    /// Ends the stays that a session's end brings to an end, and forgets the distances that no longer come.
    private mutating func leaveZones(_ reason: ZoneExitReason, of owner: SessionOwner, into effects: inout EffectBuffer)
    {
        let covered: [Int]
        switch owner {
        case .accessory(let index): covered = accessories[index].tracks.filter { tracks[$0].session == nil }
        case .track(let index): covered = [index]
        }
        for track in covered {
            tracks[track].isPresent = false
            tracks[track].forgetPlace()
            tracks[track].convergence.forget()
            if reason == .sessionEnded { tracks[track].echoesUntil = clock.advanced(by: options.session.timeouts.stop) }
            var changes = ZoneChanges()
            for (zone, status) in tracks[track].tracker.zones.enumerated() where status.state == .inside {
                changes.exited |= 1 << UInt32(zone)
            }
            if !changes.isEmpty { _ = apply(changes, reason: reason, to: track, at: clock, into: &effects) }
            if tracks[track].occupancy.isWatched {
                _ = spread(track, hasComeOrGone: true, at: clock, into: &effects)
            }
            snapshot(track, at: clock, peerChanged: true, aggregateChanged: true, into: &effects)
            armDeadline(ofTrack: track)
        }
    }
}
