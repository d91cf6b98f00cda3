// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Why something is as it is, for people who ask.
extension BridgeEngine {
    /// Why a zone is what it is; from the first question on, reports are kept for a while.
    ///
    /// Decides nothing and brings nothing forward. An accessory with several peers is explained by what is known of each;
    /// ask about one of them for more.
    ///
    /// - Parameters:
    ///   - accessory: The accessory.
    ///   - peer: One of its peers, by the name that topics have for it or the address in its reports; `nil` for the
    ///     accessory itself.
    ///   - zone: The place of the zone in the options.
    ///   - now: When.
    /// - Returns: `nil` if there is no such accessory, peer or zone.
    public mutating func explain(
        _ accessory: AccessoryIndex,
        peer: String?,
        zone: Int,
        at now: Instant
    ) -> ZoneExplanation? {
        guard let names = names(of: StreamID(accessory: accessory)), options.zones.indices.contains(zone) else {
            return nil
        }
        let index = accessory.rawValue
        var everybody = accessories[index].tracks
        var own: Int?
        if let peer {
            guard let named = knownTrack(peer, of: index) else { return nil }
            own = named
            // A person is where the devices are.
            everybody = tracks[named].occupancy.isPerson ? tracks[named].occupancy.devices : [named]
        }
        let track = everybody.count == 1 ? everybody[0] : nil
        let isNew = track.map { watches.begin($0, knowing: tracks[$0].decisions.all, at: now) } ?? false
        let status = own.map { tracks[$0].tracker.zones[zone] } ?? accessories[index].zones[zone]
        let shown = track ?? own.flatMap { shownTrack(of: $0) } ?? nearestTrack(of: index)
        var explanation = ZoneExplanation(
            accessory: names.accessory,
            peer: peer,
            zone: options.zones[zone].name,
            at: now,
            state: status.state,
            since: status.since == .distantPast ? nil : status.since,
            visit: status.visit == 0 ? nil : status.visit,
            rules: rules(of: zone, track.map { tracks[$0].zoneSet } ?? accessories[index].zoneSet),
            session: sessionState(of: track.map { streamID(ofTrack: $0) } ?? StreamID(accessory: accessory))
        )
        explanation.isBlind = isBlind
        if let shown, tracks[shown].isPresent {
            explanation.distance = tracks[shown].distance
            explanation.rawDistance = tracks[shown].rawDistance
        }
        if let track {
            add(track, zone, at: now, to: &explanation)
            explanation.isNewlyWatched = isNew
        } else {
            explanation.lastReport = everybody.compactMap { tracks[$0].lastReport }.max()
            explanation.peers = everybody.map { self.peer($0, zone) }.sorted { $0.name < $1.name }
        }
        return explanation
    }

    /// Why an event fell, if that is still known: right after it was made it is.
    ///
    /// An event of an accessory is explained by the peer that brought it about. Of a stay that has lasted long enough
    /// there is nothing to explain.
    public func explanation(of event: ZoneEvent) -> EventExplanation? {
        guard let accessory = accessory(named: event.accessory)?.rawValue else { return nil }
        guard let zone = options.zones.firstIndex(where: { $0.name == event.zone }) else { return nil }
        let involved = event.peer.map { [knownTrack($0, of: accessory)] } ?? accessories[accessory].tracks
        for case let track? in involved {
            let decisions = watches.decisions(of: track) ?? tracks[track].decisions.all
            let cause = decisions.last { $0.zone == zone && $0.at == event.at && $0.kind.is(event.kind) }
            guard let cause else { continue }
            return EventExplanation(
                peer: self.name(ofTrack: track),
                decision: cause,
                rules: rules(of: zone, tracks[track].zoneSet),
                samples: samples(of: track, upTo: cause)
            )
        }
        return nil
    }

    /// The reports up to the one that decided; those that came with it in one message but after it do not count.
    private func samples(of track: Int, upTo decision: ZoneDecision) -> [ReportSample] {
        var samples = watches.samples(of: track).filter { $0.at <= decision.at }
        let decisive = samples.firstIndex {
            $0.at == decision.at && $0.smoothed.map { Float($0) } == decision.distance.map { Float($0) }
        }
        if let decisive { samples.removeSubrange((decisive + 1)...) }
        return samples
    }

    private func add(_ track: Int, _ zone: Int, at now: Instant, to explanation: inout ZoneExplanation) {
        let lastReport = tracks[track].lastReport
        explanation.isConfirmed = lastReport.map { tracks[track].lastConfirmed >= $0 } ?? false
        explanation.gate = gateState(of: track)
        explanation.held = held(zone, of: track, at: now).map { .nanoseconds($0) }
        explanation.lastReport = lastReport
        explanation.silence = .nanoseconds(max(0, silenceBegan(track).nanoseconds(to: now)))
        explanation.interval = tracks[track].interval > 0 ? .seconds(tracks[track].interval) : nil
        explanation.lostAt = lostAt(track, zone: zone)
        if let bearing = tracks[track].tracker.bearing(of: zone, in: zoneSets[tracks[track].zoneSet]) {
            explanation.azimuth = bearing.azimuth
            explanation.hasAngle = bearing.isCurrent
            explanation.angleSilence = .nanoseconds(max(0, unseenSince(track, zone).nanoseconds(to: now)))
        }
        explanation.isByException = tracks[track].isByException
        explanation.isGone = tracks[track].goneSince != nil
        explanation.isRestored = tracks[track].isRestored
        explanation.decisions = watches.decisions(of: track) ?? tracks[track].decisions.all
        explanation.samples = watches.samples(of: track)
    }

    /// When the silence of a track will be a loss to a zone: of a stay in it, or else of the distance.
    private func lostAt(_ track: Int, zone: Int) -> Instant? {
        let set = zoneSets[tracks[track].zoneSet]
        if tracks[track].tracker.zones[zone].state == .inside {
            guard let zone = set.zones.first(where: { $0.index == zone }), zone.lostAfter != .max else { return nil }
            return lostAt(track, to: zone)
        }
        let lostAfter = tracks[track].isPresent ? set.lostAfter : .max
        return lostAfter == .max ? nil : lostAt(track, lostAfter)
    }

    private func peer(_ track: Int, _ zone: Int) -> ZoneExplanation.Peer {
        let status = tracks[track].tracker.zones[zone]
        return ZoneExplanation.Peer(
            name: name(ofTrack: track) ?? tracks[track].radio?.description ?? "",
            state: status.state,
            since: status.since == .distantPast ? nil : status.since,
            distance: tracks[track].isPresent ? tracks[track].distance : nil,
            decision: tracks[track].decisions.last(about: zone)
        )
    }

    private func rules(of zone: Int, _ set: Int) -> ZoneExplanation.Rules? {
        zoneSets[set].zones.first { $0.index == zone }.map { ZoneExplanation.Rules($0) }
    }

    private func name(ofTrack track: Int) -> String? {
        tracks[track].isNamed ? identifiers.name(of: tracks[track].identifier) : nil
    }

    /// The track of a peer by its name, or by the address that its reports have; makes none.
    private func knownTrack(_ peer: String, of accessory: Int) -> Int? {
        if let stream = stream(of: AccessoryIndex(accessory), peer: peer) { return stream.peer }
        return accessories[accessory].tracks.first { tracks[$0].radio?.description.uppercased() == peer.uppercased() }
    }
}

extension ZoneDecision.Kind {
    /// Whether an event of that kind may come from it; the reasons of an accessory's own exits are those of all peers.
    fileprivate func `is`(_ kind: ZoneEvent.Kind) -> Bool {
        switch (self, kind) {
        case (.entered, .enter), (.exited, .exit): true
        case (.entered, _), (.exited, _), (.settled, _): false
        }
    }
}
