// nearby-bridge · SPDX-License-Identifier: Apache-2.0

extension BridgeEngine {
    /// Candidates are listed up to this many; more are refused without being listed (CONTRACT section 6).
    static let mostCandidates = 100
    /// Whom people blocked is remembered up to this many.
    static let mostBlocked = 10_000

    /// Why an identifier may not join, `nil` if it may.
    ///
    /// What an earlier life knew needs no approval anew.
    func refusal(of identifier: Span<UInt8>, isKnown: Bool = false) -> BridgeNotice.Refusal? {
        guard AccessoryIdentifier.isValid(identifier) else { return .invalidIdentifier }
        if !membership.blocked.isEmpty, membership.blocked.contains(identifier.text) { return .blocked }
        switch options.join {
        case .open:
            break
        case .allowlist:
            if options.accessories[identifier.text] == nil { return .notAllowed }
        case .approve:
            let name = identifier.text
            let isApproved = isKnown || isJoiningPermitted || membership.approved.contains(name)
            if !isApproved, options.accessories[name] == nil { return .notApproved }
        }
        return joinedAccessories >= options.limits.accessories ? .tooManyAccessories : nil
    }

    /// Whether anybody may join for now.
    private var isJoiningPermitted: Bool { permitJoinUntil.map { clock < $0 } ?? false }

    /// Lists an accessory that waits for approval.
    mutating func noteCandidate(_ identifier: String) {
        guard candidates.count < Self.mostCandidates else { return }
        guard !candidates.contains(where: { $0.identifier == identifier }) else { return }
        candidates.append(Candidate(identifier: identifier, since: clock))
    }

    /// Lets an accessory join, blocked or not.
    mutating func approve(_ identifier: String, into effects: inout EffectBuffer) {
        membership.blocked.remove(identifier)
        membership.approved.insert(identifier)
        candidates.removeAll { $0.identifier == identifier }
        forgetRefusal(of: identifier)
        effects.append(.notice(BridgeNotice(kind: .accessoryApproved, accessory: identifier, at: clock)))
    }

    /// Removes an accessory as if it had never been: its stays end, its run is stopped, and its topics are cleared.
    ///
    /// Unless it is blocked it may come again, and then numbers its events from the time of day, which is later than
    /// every number before.
    mutating func remove(_ identifier: String, isBlocked: Bool, into effects: inout EffectBuffer) {
        membership.approved.remove(identifier)
        candidates.removeAll { $0.identifier == identifier }
        forgetRefusal(of: identifier)
        revokeAll(identifier, into: &effects)
        if isBlocked, membership.blocked.count < Self.mostBlocked { membership.blocked.insert(identifier) }
        if let index = accessory(named: identifier)?.rawValue { dissolve(index, into: &effects) }
        effects.append(.notice(BridgeNotice(kind: .accessoryRemoved, accessory: identifier, at: clock)))
    }

    private mutating func dissolve(_ accessory: Int, into effects: inout EffectBuffer) {
        let name = name(ofAccessory: accessory)
        var peers: [String] = []
        for owner in sessionOwners(of: accessory) { stopRun(owner, into: &effects) }
        // The accessory's own exits have that reason too, whatever became of single peers before.
        for zone in accessories[accessory].zones.indices { accessories[accessory].zones[zone].hasForgottenLoss = false }
        for track in accessories[accessory].tracks {
            for zone in tracks[track].tracker.zones.indices {
                tracks[track].tracker.zones[zone].exitReason = .accessoryRemoved
            }
        }
        for track in accessories[accessory].tracks {
            var changes = ZoneChanges()
            for (zone, status) in tracks[track].tracker.zones.enumerated() where status.state == .inside {
                changes.exited |= 1 << UInt32(zone)
            }
            if !changes.isEmpty { _ = apply(changes, reason: .accessoryRemoved, to: track, at: clock, into: &effects) }
            if tracks[track].isNamed { peers.append(identifiers.name(of: tracks[track].identifier)) }
        }
        for person in accessories[accessory].people { peers.append(identifiers.name(of: tracks[person].identifier)) }
        effects.append(.removed(accessory: name, peers: peers))
        leaveGroups(accessory, into: &effects)
        for track in accessories[accessory].tracks + accessories[accessory].people {
            if tracks[track].isNamed { identifiers.remove(tracks[track].identifier) }
            count(.track(track), from: tracks[track].session, to: nil)
            retire(tracks[track].stream)
            tracks[track].isLive = false
            deadlines.set(nil, for: 2 * track)
            retiredTracks.append(track)
            watches.end(track)
        }
        // What reports call peers that topics call by another name.
        for alias in accessories[accessory].options.peers.keys {
            guard let place = identifiers.index(of: Array(alias.utf8).span, in: accessory + 1) else { continue }
            identifiers.remove(place)
        }
        identifiers.remove(accessories[accessory].identifier)
        retire(accessories[accessory].stream)
        accessories[accessory].isLive = false
        accessories[accessory].tracks = []
        accessories[accessory].people = []
        accessories[accessory].groups = []
        accessories[accessory].hasSession = false
        store(AccessorySession(), of: .accessory(accessory))
        deadlines.set(nil, for: 2 * accessory + 1)
        retiredAccessories.append(accessory)
    }

    /// Stops a run and tells its end, which comes before the exits.
    private mutating func stopRun(_ owner: SessionOwner, into effects: inout EffectBuffer) {
        guard let session = session(of: owner), session.isRunning else { return }
        let accessory = accessoryIndex(of: owner)
        effects.append(
            .command(
                AccessoryCommand(
                    accessory: name(ofAccessory: accessory),
                    peer: peer(of: owner),
                    command: .stop,
                    run: session.run,
                    isBinary: accessories[accessory].speaksBinary
                )
            )
        )
        if case .track(let track) = owner { stopRadio(track, into: &effects) }
        emit(.ended(run: session.run, reason: .requested), of: owner, into: &effects)
    }

    /// Lets the next refusal of an identifier be told again.
    private mutating func forgetRefusal(of identifier: String) {
        let mark = refusalMark(of: Array(identifier.utf8).span)
        guard let index = refusedMarks.firstIndex(of: mark) else { return }
        refusedMarks[index] = 0
    }
}
