// nearby-bridge · SPDX-License-Identifier: Apache-2.0

extension BridgeEngine {
    /// Takes other options while it runs.
    ///
    /// The only events are the ends of stays in zones that are gone. Everything else is judged anew by the next report:
    /// a changed radius is no movement.
    mutating func take(_ wanted: EngineOptions, into effects: inout EffectBuffer) {
        var new = wanted
        new.limitZones()
        new.unixMillisecondsAtOrigin = options.unixMillisecondsAtOrigin
        new.sources = options.sources
        guard new != options else { return }
        let old = options
        let isEverybody = new.concernsEverybody(otherwiseThan: old) || zoneSets.count > Self.mostZoneSets
        let concerned =
            isEverybody ? accessories.indices.filter { accessories[$0].isLive } : accessoriesThatDiffer(old, new)
        for accessory in concerned { leaveZones(goneWith: new, accessory, into: &effects) }
        let isRevised = new.arrangesOtherwise(than: old) || concerned.contains { hasRenamedPeers($0, new) }
        if isRevised { leavePeopleAndGroups(goneWith: new, into: &effects) }

        let places = old.zones.map { zone in new.zones.firstIndex { $0.name == zone.name } }
        let known = zoneSets
        options = new
        if isEverybody {
            zoneSets = []
            zoneOrders = []
        }
        // Whoever carries out the effects asks by the places that hold now.
        effects.renumberZones(places)
        for accessory in concerned {
            renumberDecisions(places, of: accessory)
            adopt(accessory, after: old, known, places, into: &effects)
            for track in accessories[accessory].tracks { armDeadline(ofTrack: track) }
            armDeadline(ofAccessory: accessory)
        }
        if isRevised { revise(old, places, into: &effects) }
        guard new.zones != old.zones else { return }
        watches.forgetSeen()
        effects.append(.zonesChanged)
    }

    /// Sets of zones pile up while overrides change one by one; from here on they are all made anew.
    private static let mostZoneSets = 4096

    /// The accessories of which the options say something else.
    private func accessoriesThatDiffer(_ old: EngineOptions, _ new: EngineOptions) -> [Int] {
        let names = Set(old.accessories.keys).union(new.accessories.keys)
        return names.filter { old.accessories[$0] != new.accessories[$0] }
            .compactMap { accessory(named: $0)?.rawValue }.sorted()
    }

    /// Whether peers of an accessory may have other names, which people and groups know them by.
    private func hasRenamedPeers(_ accessory: Int, _ new: EngineOptions) -> Bool {
        guard !new.people.isEmpty || !new.groups.isEmpty else { return false }
        let name = name(ofAccessory: accessory)
        return options.accessories[name]?.peers.mapValues(\.name) != new.accessories[name]?.peers.mapValues(\.name)
    }

    // MARK: Before: what ends

    /// Ends the stays in zones that the new options do not know, or have disabled, and has their topics cleared.
    private mutating func leaveZones(
        goneWith new: EngineOptions,
        _ accessory: Int,
        into effects: inout EffectBuffer
    ) {
        let name = name(ofAccessory: accessory)
        let accessoryOptions = new.accessories[name] ?? AccessoryOptions()
        var gone: [(peer: String?, zones: [Int])] = []
        for track in accessories[accessory].tracks {
            let peerName = tracks[track].isNamed ? identifiers.name(of: tracks[track].identifier) : nil
            let peer = peerName.flatMap {
                accessoryOptions.peer(called: accessories[accessory].options.original(of: $0))
            }
            let missing = self.missing(from: new.zoneSet(accessoryOptions, peer), in: new, tracks[track].zoneSet)
            if let peerName { gone.append((peerName, missing)) }
            var changes = ZoneChanges()
            for zone in missing where tracks[track].tracker.zones[zone].state == .inside {
                changes.exited |= 1 << UInt32(zone)
            }
            guard !changes.isEmpty else { continue }
            _ = apply(changes, reason: .zoneDisabled, to: track, at: clock, into: &effects)
        }
        let missing = self.missing(
            from: new.zoneSet(accessoryOptions, nil),
            in: new,
            accessories[accessory].zoneSet
        )
        for person in accessories[accessory].people {
            gone.append((identifiers.name(of: tracks[person].identifier), missing))
        }
        for (peer, zones) in gone + [(nil, missing)] {
            for zone in zones {
                effects.append(.zoneGone(accessory: name, peer: peer, zone: options.zones[zone].name))
            }
        }
    }

    /// The places, innermost first, of the zones of a set that there is now, and that another set has not.
    private func missing(from set: ZoneSet, in new: EngineOptions, _ current: Int) -> [Int] {
        let names = set.zones.map { new.zones[$0.index].name }
        return zoneSets[current].zones.map(\.index).filter { !names.contains(options.zones[$0].name) }
    }

    // MARK: After: what stays

    private mutating func adopt(
        _ accessory: Int,
        after old: EngineOptions,
        _ known: [ZoneSet],
        _ places: [Int?],
        into effects: inout EffectBuffer
    ) {
        let before = accessories[accessory].options
        let now = accessoryOptions(name(ofAccessory: accessory), accessories[accessory].origin)
        let oldSet = known[accessories[accessory].zoneSet]
        accessories[accessory].options = now
        accessories[accessory].zoneSet = zoneSet(now, nil)
        accessories[accessory].zones = moved(accessories[accessory].zones, places, accessories[accessory].zoneSet)
        renamePeers(of: accessory, from: before.peers, to: now.peers, into: &effects)
        // Other zones are told of all at once.
        let isTold = old.zones == options.zones && before != now
        if isTold { tell(StreamID(accessory: AccessoryIndex(accessory)), after: oldSet, into: &effects) }
        for track in accessories[accessory].tracks + accessories[accessory].people {
            let oldSet = known[tracks[track].zoneSet]
            let isComparable = adopt(track, now)
            settleRadio(of: .track(track), into: &effects)
            tracks[track].tracker.zones = moved(tracks[track].tracker.zones, places, tracks[track].zoneSet)
            reviseHolds(of: track, after: oldSet, places)
            if !isComparable || old.smoothing != options.smoothing {
                // Distances before and after do not compare: the first new one is the first of all.
                tracks[track].forgetPlace()
            }
            if isTold, tracks[track].isNamed { tell(streamID(ofTrack: track), after: oldSet, into: &effects) }
        }
    }

    /// Gives a peer what is said of it.
    ///
    /// - Returns: Whether its distances before and after can be compared.
    mutating func adopt(_ track: Int, _ accessory: AccessoryOptions) -> Bool {
        let before = tracks[track]
        let peer = before.isNamed ? accessory.peer(called: identifiers.name(of: before.identifier)) : nil
        // Who is meant by an address is asked of the configuration again.
        if before.isNamed { tracks[track].radio = nil }
        tracks[track].isConfigured = peer != nil
        tracks[track].isByException = accessory.reports == .byException
        tracks[track].distanceOffset = peer?.distanceOffset ?? accessory.distanceOffset ?? 0
        tracks[track].distanceScale = peer?.distanceScale ?? accessory.distanceScale ?? 1
        tracks[track].zoneSet = zoneSet(accessory, peer)
        tracks[track].tracker.adoptSectors(of: zoneSets[tracks[track].zoneSet], at: clock)
        return before.distanceOffset == tracks[track].distanceOffset
            && before.distanceScale == tracks[track].distanceScale
            && before.isByException == tracks[track].isByException
    }

    /// Has told of a stream what its changed options show: the words of zones that were not there, and its state.
    private func tell(_ stream: StreamID, after old: ZoneSet, into effects: inout EffectBuffer) {
        let before = old.zones.map(\.index)
        for zone in zones(of: stream) where !before.contains(zone) { effects.append(.zone(stream, zone: zone)) }
        effects.append(.state(stream, isChange: true))
    }

    /// Statuses at the places of their zones; a zone that was not there knows nothing yet.
    private func moved(_ statuses: [ZoneStatus], _ places: [Int?], _ set: Int) -> [ZoneStatus] {
        var moved = Array(repeating: ZoneStatus(), count: options.zones.count)
        for (old, place) in places.enumerated() {
            guard let place else { continue }
            // Of an accessory, a peer that has the zone enabled may still be inside.
            let isEnabled = zoneSets[set].zones.contains { $0.index == place }
            guard isEnabled || statuses[old].state == .inside else { continue }
            moved[place] = statuses[old]
        }
        return moved
    }

    /// A hold that began under another radius proves nothing under this one.
    ///
    /// Of a source that speaks on change only, the last distance still holds: its wish goes on or ends.
    private mutating func reviseHolds(of track: Int, after old: ZoneSet, _ places: [Int?]) {
        for zone in zoneSets[tracks[track].zoneSet].zones {
            guard tracks[track].tracker.zones[zone.index].holdSince != ZoneStatus.noHold else { continue }
            let before = old.zones.first { places[$0.index] == zone.index }
            let isSame = before?.radius == zone.radius && before?.exitRadius == zone.exitRadius
            if isSame, before?.sector == zone.sector { continue }
            let isInside = tracks[track].tracker.zones[zone.index].state == .inside
            let distance = tracks[track].distance
            let isWish = isInside ? distance > zone.exitRadius : distance < zone.radius
            if tracks[track].isByException, isWish, zone.sector == nil { continue }
            tracks[track].tracker.zones[zone.index].holdSince = ZoneStatus.noHold
        }
    }

    // MARK: Names of peers

    /// Gives peers the names that the configuration has for them now; their stays and numbers go on.
    private mutating func renamePeers(
        of accessory: Int,
        from old: [String: PeerOptions],
        to new: [String: PeerOptions],
        into effects: inout EffectBuffer
    ) {
        guard old != new else { return }
        let reported = forgetAliases(of: accessory, old)
        var moves: [(track: Int, from: String, to: String)] = []
        for track in accessories[accessory].tracks where tracks[track].isNamed {
            let current = identifiers.name(of: tracks[track].identifier)
            let original = reported[track] ?? current
            let wanted = new[original]?.name ?? original
            guard wanted != current, AccessoryIdentifier.isValid(Array(wanted.utf8).span) else { continue }
            moves.append((track, current, wanted))
        }
        // All at once, so that two may exchange their names.
        // A name may have been another's: its numbers go on beyond those of both.
        for move in moves { retire(tracks[move.track].stream) }
        for move in moves {
            let next = tracks[move.track].stream.nextSequence
            if next > 0 { tracks[move.track].stream.nextSequence = max(next, greatestRetired) }
        }
        for move in moves { identifiers.remove(tracks[move.track].identifier) }
        for move in moves {
            let isTaken = identifiers.index(of: Array(move.to.utf8).span, in: accessory + 1) != nil
            // Two peers cannot become one: this one keeps its name, and falls silent under it.
            let bytes = Array((isTaken ? move.from : move.to).utf8)
            let index = identifiers.insert(bytes.span, in: accessory + 1)
            place(index, is: move.track)
            tracks[move.track].identifier = index
            guard !isTaken else { continue }
            effects.append(.peerRenamed(accessory: name(ofAccessory: accessory), from: move.from, to: move.to))
            let stream = streamID(ofTrack: move.track)
            for zone in zones(of: stream) { effects.append(.zone(stream, zone: zone)) }
            effects.append(.session(stream))
        }
    }

    /// Forgets under which other names reports speak of peers; the next report finds its way again.
    ///
    /// - Returns: That name for each track which had one.
    private mutating func forgetAliases(of accessory: Int, _ peers: [String: PeerOptions]) -> [Int: String] {
        var reported: [Int: String] = [:]
        for name in peers.keys.sorted() {
            guard let index = identifiers.index(of: Array(name.utf8).span, in: accessory + 1) else { continue }
            let track = trackPlaces[index]
            guard tracks[track].identifier != index else { continue }
            reported[track] = name
            identifiers.remove(index)
        }
        return reported
    }
}

extension EngineOptions {
    /// Whether people or groups are made up otherwise.
    fileprivate func arrangesOtherwise(than old: EngineOptions) -> Bool {
        guard people.isEmpty, groups.isEmpty else {
            return people != old.people || groups != old.groups || zones != old.zones
        }
        return !old.people.isEmpty || !old.groups.isEmpty
    }

    /// Whether more has changed than what single accessories are told.
    fileprivate func concernsEverybody(otherwiseThan old: EngineOptions) -> Bool {
        zones != old.zones || lostAfter != old.lostAfter || smoothing != old.smoothing || peerForget != old.peerForget
    }

    /// Leaves out the zones beyond `Zone.maximumCount`.
    mutating func limitZones() {
        if zones.count > Zone.maximumCount { zones.removeLast(zones.count - Zone.maximumCount) }
    }

    /// The zones that an accessory's, or a peer's, overrides make.
    ///
    /// For every value the most specific level that says something wins: defaults < zone < accessory < peer.
    func zoneSet(_ accessory: AccessoryOptions, _ peer: PeerOptions?) -> ZoneSet {
        // A source that speaks on change only is never lost unless its own options say so.
        let isByException = accessory.reports == .byException
        let general = peer?.lostAfter ?? accessory.lostAfter ?? (isByException ? .never : lostAfter)
        var zones: [Zone] = []
        for (index, named) in self.zones.enumerated() {
            var base = named.options
            if isByException { base.lostAfter = nil }
            let merged = base.overridden(by: accessory.zones[named.name], lostAfter: accessory.lostAfter)
                .overridden(by: peer?.zones[named.name], lostAfter: peer?.lostAfter)
            if let zone = Zone(index: index, options: merged, lostAfter: general) { zones.append(zone) }
        }
        return ZoneSet(zones: zones, lostAfter: general)
    }
}

extension AccessoryOptions {
    /// What is said of a peer by the name that reports or topics have for it.
    func peer(called name: String) -> PeerOptions? {
        peers[name] ?? peers.first { $0.value.name == name }?.value
    }

    /// What reports call the peer that topics call so.
    func original(of name: String) -> String {
        peers.first { $0.value.name == name }?.key ?? name
    }
}
