// nearby-bridge · SPDX-License-Identifier: Apache-2.0

extension BridgeEngine {
    /// Whether an identifier is refused for the first time, as far as a bounded memory can tell.
    mutating func isFirstRefusal(_ identifier: Span<UInt8>) -> Bool {
        let mark = refusalMark(of: identifier)
        guard !refusedMarks.contains(mark) else { return false }
        if refusedMarks.count < 256 {
            refusedMarks.append(mark)
        } else {
            refusedMarks[refusedNext] = mark
            refusedNext = (refusedNext + 1) % 256
        }
        return true
    }

    func refusalMark(of identifier: Span<UInt8>) -> UInt64 {
        var mark = refusedKey
        for index in identifier.indices { mark = (mark ^ UInt64(identifier[index])) &* 0x0000_0100_0000_01B3 }
        return mark
    }

    /// Adds an accessory that may join.
    mutating func join(_ identifier: Span<UInt8>, origin: Accessory.Origin, at now: Instant) -> Int {
        let name = identifier.text
        let accessoryOptions = accessoryOptions(name, origin)
        let place = identifiers.insert(identifier, in: 0)
        let index = freeAccessories.popLast() ?? accessories.count
        while accessoryPlaces.count <= place { accessoryPlaces.append(-1) }
        accessoryPlaces[place] = index
        let accessory = Accessory(
            identifier: place,
            origin: origin,
            options: accessoryOptions,
            zoneSet: zoneSet(accessoryOptions, nil),
            zones: Array(repeating: ZoneStatus(), count: options.zones.count)
        )
        if index < accessories.count { accessories[index] = accessory } else { accessories.append(accessory) }
        presetKind(of: index)
        joinGroups(index, name)
        membership.approved.insert(name)
        candidates.removeAll { $0.identifier == name }
        return index
    }

    /// The track of a peer of an accessory, which is made if there is room; `nil` if there is none.
    ///
    /// What the configuration calls a peer is its name in topics, whatever its reports call it.
    mutating func track(named bytes: Span<UInt8>, of accessory: Int) -> Int? {
        if !airNames.isEmpty, let found = track(onAir: bytes, of: accessory) { return found }
        if let place = identifiers.index(of: bytes, in: accessory + 1) {
            let known = trackPlaces[place]
            return tracks[known].occupancy.isPerson ? nil : known
        }
        let peers = accessories[accessory].options.peers
        let reported = bytes.text
        var name = Array((peers[reported]?.name ?? reported).utf8)
        if !AccessoryIdentifier.isValid(name.span) { name = Array(reported.utf8) }
        let shown = name.span.text
        if !self.options.people.isEmpty, self.options.people[shown] != nil { return nil }
        let options =
            accessories[accessory].options.peer(called: reported)
            ?? accessories[accessory].options.peer(called: shown)
        guard let index = namedTrack(name, options, of: accessory) else { return nil }
        if shown != reported { place(identifiers.insert(bytes, in: accessory + 1), is: index) }
        tracks[index].address = ShortAddress(reported) ?? ShortAddress(shown)
        return index
    }

    private mutating func namedTrack(_ name: [UInt8], _ options: PeerOptions?, of accessory: Int) -> Int? {
        if let place = identifiers.index(of: name.span, in: accessory + 1) { return trackPlaces[place] }
        guard accessories[accessory].tracks.count < self.options.limits.peers else { return nil }
        let place = identifiers.insert(name.span, in: accessory + 1)
        let index = addTrack(identifier: place, of: accessory, options)
        self.place(place, is: index)
        admit(index)
        // A peer that never gives a valid report is forgotten like any other, and so is the unnamed one beside it.
        for track in accessories[accessory].tracks where track == index || !tracks[track].isNamed {
            armDeadline(ofTrack: track)
        }
        return index
    }

    mutating func place(_ place: Int, is track: Int) {
        while trackPlaces.count <= place { trackPlaces.append(-1) }
        trackPlaces[place] = track
    }

    /// The track of the unnamed peer of an accessory.
    mutating func unnamedTrack(of accessory: Int) -> Int? {
        for track in accessories[accessory].tracks where !tracks[track].isNamed && tracks[track].radio == nil {
            return track
        }
        guard accessories[accessory].tracks.count < options.limits.peers else { return nil }
        return addTrack(identifier: -1, of: accessory, nil)
    }

    /// The track of a peer that reports know by its address: a configured one by its name, else one without a name.
    mutating func track(addressed address: RadioAddress, of accessory: Int) -> Int? {
        for track in accessories[accessory].tracks where tracks[track].radio == address { return track }
        guard accessories[accessory].options.peers.isEmpty else {
            let text = address.description
            if let name = accessories[accessory].options.peers.keys.first(where: {
                $0.uppercased() == text.uppercased()
            }) {
                let found = track(named: Array(name.utf8).span, of: accessory)
                // From now on without a search.
                if let found { tracks[found].radio = address }
                return found
            }
            return addressedTrack(address, of: accessory)
        }
        return addressedTrack(address, of: accessory)
    }

    private mutating func addressedTrack(_ address: RadioAddress, of accessory: Int) -> Int? {
        guard accessories[accessory].tracks.count < options.limits.peers else { return nil }
        let index = addTrack(identifier: -1, of: accessory, nil)
        tracks[index].radio = address
        for track in accessories[accessory].tracks where !tracks[track].isNamed { armDeadline(ofTrack: track) }
        return index
    }

    /// Adds a peer, or a person.
    mutating func addTrack(
        identifier: Int,
        of accessory: Int,
        _ peer: PeerOptions?,
        isPerson: Bool = false
    ) -> Int {
        let accessoryOptions = accessories[accessory].options
        var track = Track(
            accessory: accessory,
            identifier: identifier,
            isConfigured: peer != nil,
            isByException: accessoryOptions.reports == .byException,
            zoneSet: peer == nil ? accessories[accessory].zoneSet : zoneSet(accessoryOptions, peer),
            distanceOffset: peer?.distanceOffset ?? accessoryOptions.distanceOffset ?? 0,
            distanceScale: peer?.distanceScale ?? accessoryOptions.distanceScale ?? 1,
            madeAt: clock,
            tracker: ZoneTracker(count: options.zones.count)
        )
        track.occupancy.isPerson = isPerson
        let index: Int
        if let free = freeTracks.popLast() {
            tracks[free] = track
            index = free
        } else {
            tracks.append(track)
            index = tracks.count - 1
        }
        if isPerson {
            accessories[accessory].people.append(index)
        } else {
            accessories[accessory].tracks.append(index)
        }
        return index
    }

    /// When a peer that is not configured has been silent for long enough.
    ///
    /// An unnamed peer stays as long as it is alone: then it is the accessory itself.
    func forgetAt(_ track: Int) -> Instant? {
        guard let forget = options.peerForget, !tracks[track].isConfigured else { return nil }
        guard tracks[track].isNamed || accessories[tracks[track].accessory].tracks.count > 1 else { return nil }
        guard !tracks[track].isPresent, !tracks[track].tracker.isInside else { return nil }
        guard tracks[track].session?.keepsPeer != true else { return nil }
        return silenceBegan(track).advanced(by: forget)
    }

    /// Forgets a peer that has nothing more to say.
    ///
    /// The reason of a running visit of the aggregate still depends on how this peer left it, so the visit keeps that.
    mutating func forget(_ track: Int, at now: Instant, into effects: inout EffectBuffer) {
        let accessory = tracks[track].accessory
        if let twin = untie(track) { effects.append(.session(streamID(ofTrack: twin))) }
        rememberLoss(of: track)
        leave(track, at: now, into: &effects)
        let wasNamed = tracks[track].isNamed
        if wasNamed {
            let peer = identifiers.name(of: tracks[track].identifier)
            effects.append(.forgotten(accessory: name(ofAccessory: accessory), peer: peer))
            identifiers.remove(tracks[track].identifier)
        }
        retire(tracks[track].stream)
        tracks[track].isLive = false
        accessories[accessory].tracks.removeAll { $0 == track }
        retiredTracks.append(track)
        watches.end(track)
        let hasChanged = aggregate(.max, of: accessory, at: now, into: &effects)
        snapshotAggregate(of: accessory, at: now, hasChanged: hasChanged || wasNamed, into: &effects)
    }

    /// The reason of a running visit still depends on how somebody left it who is forgotten now.
    mutating func rememberLoss(of track: Int) {
        let accessory = tracks[track].accessory
        let person = tracks[track].occupancy.person
        for (zone, status) in tracks[track].tracker.zones.enumerated() where status.exitReason != .left {
            let level = person < 0 ? accessories[accessory].zones[zone] : tracks[person].tracker.zones[zone]
            guard level.state == .inside, level.visit == status.aggregateVisit else { continue }
            if person < 0 {
                accessories[accessory].zones[zone].hasForgottenLoss = true
            } else {
                tracks[person].tracker.zones[zone].hasForgottenLoss = true
            }
        }
    }

    /// The accessory's identifier as text.
    func name(ofAccessory index: Int) -> String {
        identifiers.name(of: accessories[index].identifier)
    }

    /// The place of the zones that an accessory's, or a peer's, overrides make: equal sets are kept once.
    mutating func zoneSet(_ accessory: AccessoryOptions, _ peer: PeerOptions?) -> Int {
        let set = options.zoneSet(accessory, peer)
        if let known = zoneSets.firstIndex(of: set) { return known }
        zoneSets.append(set)
        let enabled = set.zones.map(\.index)
        zoneOrders.append(enabled + options.zones.indices.filter { !enabled.contains($0) })
        return zoneSets.count - 1
    }
}
