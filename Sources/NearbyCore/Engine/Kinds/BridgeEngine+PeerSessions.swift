// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Two phones: one session, kept by the track of each at the other.
extension BridgeEngine {
    // MARK: What a phone sends

    /// Takes a payload of `…/peer/<peer>/token`: a phone's discovery token, for the other phone of the pair.
    ///
    /// The other phone gets it as soon as it has given its own: nobody is measured without the will of both.
    mutating func takeToken(
        _ payload: [UInt8],
        of accessory: Int,
        peer: String,
        isRetained: Bool,
        into effects: inout EffectBuffer
    ) {
        guard !payload.isEmpty, isShort(payload, of: accessory, into: &effects) else { return }
        guard !isRetained else { return refuse(.isRetained, of: accessory, into: &effects) }
        let bytes = Array(peer.utf8)
        let own = name(ofAccessory: accessory)
        let other = accessories[accessory].options.original(of: peer)
        guard AccessoryIdentifier.isValid(bytes.span), other != own else {
            return refuse(.isNoPair, of: accessory, into: &effects)
        }
        let token: SecretBytes
        do throws(CodecError) {
            token = try PeerToken.decode(payload.span)
        } catch {
            counters.malformedMessages += 1
            return complain(.message(error), about: accessory, into: &effects)
        }
        guard let track = track(named: bytes.span, of: accessory) else {
            counters.refusedPeers += 1
            return complain(.tooManyPeers, about: accessory, into: &effects)
        }
        guard mayPair(track) else { return refuse(.isOtherSession, of: accessory, into: &effects) }
        notePhone(accessory, into: &effects)
        makePeerSession(of: track)
        let isNew = tracks[track].token != token
        tracks[track].token = token
        link(track, to: other, into: &effects)
        let run = tracks[track].session?.run
        handle(.token(isNew: isNew), of: .track(track), into: &effects)
        // Who gives the same once more may have missed the answer.
        if !isNew, let session = tracks[track].session, session.run == run, session.state.isLive, session.isExchanged {
            deliverToken(to: track, into: &effects)
        }
    }

    private mutating func refuse(
        _ fault: Complaint.TokenFault,
        of accessory: Int,
        into effects: inout EffectBuffer
    ) {
        counters.malformedMessages += 1
        complain(.token(fault), about: accessory, into: &effects)
    }

    /// Whether a peer may be the other phone of a pair: not while the accessory ranges with it as an accessory.
    private func mayPair(_ track: Int) -> Bool {
        guard tracks[track].isNamed, let session = tracks[track].session else { return tracks[track].isNamed }
        return session.kind == .peer || !session.isRunning
    }

    /// An accessory that gives tokens is a phone, and has no configuration data to ask for.
    private mutating func notePhone(_ accessory: Int, into effects: inout EffectBuffer) {
        let session = accessories[accessory].session
        guard session.kind == .uwb, session.configuration == nil, session.run == 0, session.state.isLive else { return }
        var phone = AccessorySession()
        phone.isOnline = session.isOnline
        phone.isBackground = session.isBackground
        store(phone, of: .accessory(accessory))
        armDeadline(ofAccessory: accessory)
        effects.append(.session(StreamID(accessory: AccessoryIndex(accessory))))
    }

    // MARK: Pairs

    private mutating func makePeerSession(of track: Int) {
        guard tracks[track].session?.kind != .peer else { return }
        var session = AccessorySession()
        session.kind = .peer
        // Numbers of runs go on.
        session.run = tracks[track].session?.run ?? 0
        session.isOnline = accessories[tracks[track].accessory].session.isOnline
        tracks[track].session = session
        accessories[tracks[track].accessory].hasPeerSessions = true
    }

    /// Brings the two ends of a pair together, once the other one is an accessory of the bridge.
    private mutating func link(_ track: Int, to other: String, into effects: inout EffectBuffer) {
        guard tracks[track].twin < 0, let index = accessory(named: other)?.rawValue else { return }
        let own = Array(name(ofAccessory: tracks[track].accessory).utf8)
        guard let twin = self.track(named: own.span, of: index), tracks[twin].twin < 0, mayPair(twin) else { return }
        notePhone(index, into: &effects)
        makePeerSession(of: twin)
        tie(track, twin)
        tracks[twin].hasSession = true
        effects.append(.session(streamID(ofTrack: twin)))
        // A run that was taken over without tokens may be known at one end only.
        effects.append(.session(streamID(ofTrack: track)))
        armDeadline(ofTrack: twin)
        armDeadline(ofTrack: track)
    }

    /// Ties two ends; what is further along counts for both.
    private mutating func tie(_ track: Int, _ twin: Int) {
        tracks[track].twin = twin
        tracks[twin].twin = track
        guard var own = tracks[track].session, let other = tracks[twin].session else { return }
        if (other.run, other.state) > (own.run, own.state) { own = other }
        let ends = [track, twin].map { accessories[tracks[$0].accessory].session.isOnline }
        own.isOnline = ends.contains(false) ? false : ends.contains(nil) ? nil : true
        for end in [track, twin] {
            let state = tracks[end].session?.state
            // Whoever was told the end of the other phone is told it still.
            tracks[end].isEndedByTwin = state == .ended && own.state == .invalidated
            tracks[end].session = own
        }
    }

    /// Brings the ends of pairs together that an earlier life of the bridge knew.
    mutating func tieRestored() {
        for track in tracks.indices where tracks[track].isLive && tracks[track].twin < 0 {
            guard tracks[track].session?.kind == .peer else { continue }
            let accessory = tracks[track].accessory
            let peer = accessories[accessory].options.original(of: identifiers.name(of: tracks[track].identifier))
            guard let other = self.accessory(named: peer)?.rawValue else { continue }
            let own = Array(name(ofAccessory: accessory).utf8)
            guard let place = identifiers.index(of: own.span, in: other + 1) else { continue }
            let twin = trackPlaces[place]
            guard tracks[twin].isLive, tracks[twin].twin < 0, tracks[twin].session?.kind == .peer else { continue }
            tie(track, twin)
        }
    }

    /// Takes a pair apart because one end is gone; its token goes with it.
    mutating func untie(_ track: Int) -> Int? {
        let twin = tracks[track].twin
        tracks[track].twin = -1
        tracks[track].token = nil
        guard twin >= 0 else { return nil }
        tracks[twin].twin = -1
        return twin
    }

    /// The pairs of an accessory.
    func pairOwners(of accessory: Int) -> [SessionOwner] {
        accessories[accessory].tracks.filter { tracks[$0].session?.kind == .peer }.map { .track($0) }
    }

    /// A phone that is away takes its pairs with it, and is there again only if the other one is.
    mutating func takeAvailability(ofPairsOf accessory: Int, into effects: inout EffectBuffer) {
        for case .track(let track) in pairOwners(of: accessory) {
            let twin = tracks[track].twin
            let other = twin < 0 ? nil : accessories[tracks[twin].accessory].session.isOnline
            let isOnline = accessories[accessory].session.isOnline == true && other != false
            handle(.availability(isOnline: isOnline), of: .track(track), into: &effects)
        }
    }

    // MARK: Both ends

    /// Whether both phones of a pair have given their tokens.
    func hasBothTokens(_ owner: SessionOwner) -> Bool {
        guard case .track(let track) = owner, tracks[track].twin >= 0 else { return false }
        return tracks[track].token != nil && tracks[tracks[track].twin].token != nil
    }

    /// Gives the accessory of a track the token of the phone at its other end.
    mutating func deliverToken(to track: Int, into effects: inout EffectBuffer) {
        let twin = tracks[track].twin
        guard twin >= 0, let token = tracks[twin].token, let session = tracks[track].session else { return }
        effects.append(
            .peerToken(
                PeerToken(
                    accessory: name(ofAccessory: tracks[track].accessory),
                    peer: identifiers.name(of: tracks[track].identifier),
                    token: token,
                    run: session.run
                )
            )
        )
    }

    /// The session of a pair as one of its ends is told it: what the other phone ended was ended by the peer.
    func told(_ session: AccessorySession, at track: Int) -> AccessorySession {
        guard tracks[track].isEndedByTwin, session.kind == .peer else { return session }
        var told = session
        if session.state == .invalidated {
            told.state = .ended
            told.reason = .peerEnded
        } else if session.reason == .requested {
            if session.state == .ended { told.reason = .peerEnded }
            if session.state == .suspended { told.reason = .peerSuspended }
        }
        return told
    }

    /// Remembers which end of a pair an end or a pause came from.
    mutating func noteEnd(_ outputs: [SessionOutput], at track: Int) {
        let isEnd = outputs.contains { output in
            switch output {
            case .event(.ended), .event(.invalidated), .event(.suspended): true
            case .event, .send, .ask, .exchange, .forgetTokens, .leaveZones, .changed: false
            }
        }
        guard isEnd, tracks[track].twin >= 0 else { return }
        tracks[track].isEndedByTwin = false
        tracks[tracks[track].twin].isEndedByTwin = true
    }

    /// Whose discovery tokens the session of a stream waits for; empty if it waits for none.
    public func missingTokens(of stream: StreamID) -> [String] {
        guard case .track(let track) = owner(of: stream), let session = tracks[track].session, session.kind == .peer
        else { return [] }
        switch session.state {
        case .awaitingConfiguration, .invalidated: break
        case .idle, .ended, .awaitingAuthorization, .external, .suspended, .silent, .retrying, .configuring, .starting,
            .ranging:
            return []
        }
        var missing: [String] = []
        if tracks[track].token == nil { missing.append(name(ofAccessory: tracks[track].accessory)) }
        let twin = tracks[track].twin
        if twin < 0 || tracks[twin].token == nil {
            missing.append(identifiers.name(of: tracks[track].identifier))
        }
        return missing
    }
}

extension SessionOutput {
    /// What the other phone of a pair is told of it; `nil` if nothing.
    func fromOtherEnd(run: Int64) -> SessionOutput? {
        switch self {
        case .event(.ended(let run, .requested)): .event(.ended(run: run, reason: .peerEnded))
        case .event(.invalidated): run > 0 ? .event(.ended(run: run, reason: .peerEnded)) : nil
        case .event(.suspended(.requested)): .event(.suspended(reason: .peerSuspended))
        case .event(.resumed(.requested)): .event(.resumed(reason: .peerResumed))
        case .send, .ask, .exchange, .forgetTokens, .event, .leaveZones, .changed: self
        }
    }
}
