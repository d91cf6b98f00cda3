// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What phones say of their camera assistance: told once for every change, and not too often.
extension BridgeEngine {
    /// Takes what a report that counts says of convergence.
    ///
    /// A report that says the same as the one before allocates nothing.
    mutating func noteConvergence(
        _ report: borrowing RangeReport,
        _ payload: Span<UInt8>,
        on track: Int,
        into effects: inout EffectBuffer
    ) {
        let accessory = tracks[track].accessory
        if !tracks[track].isNamed, let told = accessories[accessory].restoredConvergence {
            accessories[accessory].restoredConvergence = nil
            tracks[track].convergence.restore(told)
        }
        guard !tracks[track].convergence.isSame(report, in: payload) else { return }
        tracks[track].convergence.current = Convergence(report, in: payload)
        tellConvergence(of: track, at: clock, into: &effects)
        if tracks[track].convergence.due != nil { armDeadline(ofTrack: track) }
    }

    /// Makes the event of a change, on the peer's stream or, if it has none, on the accessory's.
    mutating func tellConvergence(of track: Int, at now: Instant, into effects: inout EffectBuffer) {
        guard let convergence = tracks[track].convergence.tell(at: now) else { return }
        let owner: SessionOwner = tracks[track].isNamed ? .track(track) : .accessory(tracks[track].accessory)
        emit(.convergence(convergence), of: owner, into: &effects)
        tellState(ofTrack: track, into: &effects)
    }

    /// Has a peer's state told, and those that show him.
    func tellState(ofTrack track: Int, into effects: inout EffectBuffer) {
        if tracks[track].isNamed { tellNumber(of: streamID(ofTrack: track), into: &effects) }
        let person = tracks[track].occupancy.person
        if person >= 0 { tellNumber(of: streamID(ofTrack: person), into: &effects) }
        tellNumber(of: StreamID(accessory: AccessoryIndex(tracks[track].accessory)), into: &effects)
    }

    // MARK: Reports without a distance

    /// Takes a report of an accessory's own topic that measured no distance.
    ///
    /// It makes nobody known, unless it tells of convergence: then somebody is about to be measured.
    mutating func takeWithoutDistance(
        _ report: borrowing RangeReport,
        _ payload: Span<UInt8>,
        of accessory: Int,
        into effects: inout EffectBuffer
    ) {
        if report.position != nil, !report.isAnchorPosition {
            complain(.positionWithoutPlace, about: accessory, into: &effects)
        }
        observeFailure(report.peer, in: payload, of: accessory)
        guard report.convergence != nil else {
            counters.withoutMeasurement += 1
            guard let track = knownTrack(of: report.peer, payload, accessory) else {
                accessories[accessory].failedAt = clock
                return
            }
            return noteFailure(on: track, into: &effects)
        }
        if accessories[accessory].origin != .own { note(origin: .own, of: accessory) }
        guard let track = track(of: report, payload, accessory) else {
            counters.refusedPeers += 1
            return complain(refusal(of: report.peer, payload, accessory), about: accessory, into: &effects)
        }
        takeWithoutDistance(report, payload, on: track, into: &effects)
    }

    /// Takes a report of a known peer that measured no distance, and tells of convergence.
    mutating func takeWithoutDistance(
        _ report: borrowing RangeReport,
        _ payload: Span<UInt8>,
        on track: Int,
        into effects: inout EffectBuffer
    ) {
        guard isWelcome(report, on: track) else { return }
        counters.withoutMeasurement += 1
        noteFailure(on: track, into: &effects)
        noteConvergence(report, payload, on: track, into: &effects)
        armDeadline(ofTrack: track)
    }

    /// Notes that a report came which measured nothing.
    private mutating func noteFailure(on track: Int, into effects: inout EffectBuffer) {
        // Where nothing comes at all the reason was another: that is news.
        let isNews = !tracks[track].isPresent && tracks[track].lastReport != nil && tracks[track].failedAt == nil
        tracks[track].failedAt = clock
        if isNews { tellState(ofTrack: track, into: &effects) }
    }

    /// The track of a report's peer, which is made if there is room.
    mutating func track(of report: borrowing RangeReport, _ payload: Span<UInt8>, _ accessory: Int) -> Int? {
        // Whoever tells his own position is the other end.
        let hasPosition = report.position != nil
        var peer = report.peer
        if hasPosition, peer == .unnamed { peer = report.reporter }
        switch peer {
        case .unnamed: return unnamedTrack(of: accessory)
        case .name(let range): return track(named: payload.extracting(range), of: accessory)
        case .address(let address): return track(addressed: address, of: accessory)
        }
    }

    /// The track of a peer that is known already.
    private func knownTrack(of peer: RangeReport.Peer, _ payload: Span<UInt8>, _ accessory: Int) -> Int? {
        switch peer {
        case .unnamed:
            return accessories[accessory].tracks.first { !tracks[$0].isNamed && tracks[$0].radio == nil }
        case .name(let range):
            let place = identifiers.index(of: payload.extracting(range), in: accessory + 1)
            return place.flatMap { tracks[trackPlaces[$0]].occupancy.isPerson ? nil : trackPlaces[$0] }
        case .address(let address):
            return accessories[accessory].tracks.first { tracks[$0].radio == address }
        }
    }

    /// The distance that a report tells in metres, or that of the position it tells to where its accessory stands.
    func measured(_ report: borrowing RangeReport, of accessory: Int) -> Double? {
        guard report.status == .ok else { return nil }
        if let distance = report.distance { return distance }
        guard let position = report.position, !report.isAnchorPosition else { return nil }
        guard let place = accessories[accessory].options.position else { return nil }
        let hasNoHeight = report.isHorizontal
        return position.metres(to: place, isHorizontal: hasNoHeight || accessories[accessory].options.isHorizontal)
    }
}
