// nearby-bridge · SPDX-License-Identifier: Apache-2.0

extension BridgeEngine {
    // MARK: Whose session

    /// Every session of an accessory.
    func sessionOwners(of accessory: Int) -> [SessionOwner] {
        [.accessory(accessory)]
            + accessories[accessory].tracks.filter { tracks[$0].session != nil }.map { .track($0) }
    }

    /// The session of a named peer, which is made if there is room, or of the accessory itself.
    mutating func sessionOwner(of accessory: Int, peer: String?) -> SessionOwner? {
        guard let peer else { return .accessory(accessory) }
        let bytes = Array(peer.utf8)
        guard AccessoryIdentifier.isValid(bytes.span), let track = track(named: bytes.span, of: accessory) else {
            return nil
        }
        if tracks[track].session == nil {
            var session = AccessorySession()
            session.adopt(accessories[accessory].session)
            tracks[track].session = session
            accessories[accessory].hasPeerSessions = true
        }
        return .track(track)
    }

    func accessoryIndex(of owner: SessionOwner) -> Int {
        switch owner {
        case .accessory(let index): index
        case .track(let index): tracks[index].accessory
        }
    }

    func session(of owner: SessionOwner) -> AccessorySession? {
        switch owner {
        case .accessory(let index): accessories[index].session
        case .track(let index): tracks[index].isLive ? tracks[index].session : nil
        }
    }

    mutating func store(_ session: AccessorySession, of owner: SessionOwner) {
        switch owner {
        case .accessory(let index): accessories[index].session = session
        case .track(let index): tracks[index].session = session
        }
    }

    // MARK: What payloads are written from

    /// The session that a stream tells of: a named peer's own or its accessory's; of an accessory the liveliest.
    public func session(of stream: StreamID) -> AccessorySession {
        let own = accessories[stream.accessory.rawValue].session
        if let track = stream.peer { return tracks[track].session ?? own }
        var liveliest = own
        for track in accessories[stream.accessory.rawValue].tracks {
            if let session = tracks[track].session, session.state > liveliest.state { liveliest = session }
        }
        return liveliest
    }

    /// Whether an accessory writes bytes and is answered in bytes.
    public func speaksBinary(_ accessory: AccessoryIndex) -> Bool { accessories[accessory.rawValue].speaksBinary }

    /// The stream of a named peer of an accessory, or of the accessory itself; `nil` for a peer that nobody knows.
    public func stream(of accessory: AccessoryIndex, peer: String?) -> StreamID? {
        guard let peer else { return StreamID(accessory: accessory) }
        let bytes = Array(peer.utf8)
        let place = identifiers.index(of: bytes.span, in: accessory.rawValue + 1)
        return place.map { streamID(ofTrack: trackPlaces[$0]) }
    }

    /// Whether another peer may join an accessory.
    public func hasRoomForPeer(of accessory: AccessoryIndex) -> Bool {
        accessories[accessory.rawValue].tracks.count < options.limits.peers
    }

    /// The session state of a stream.
    public func sessionState(of stream: StreamID) -> SessionState { session(of: stream).state }

    func sessionState(ofTrack track: Int) -> SessionState {
        tracks[track].session?.state ?? accessories[tracks[track].accessory].session.state
    }

    // MARK: Restoring

    /// Takes over an earlier life's session: what was ranging is believed to range on, until its silence proves otherwise.
    mutating func restore(_ restored: RestoredSession, of accessory: Int) {
        guard let data = try? AccessoryConfigurationData.decode(restored.configuration.span) else {
            if restored.state == .external { accessories[accessory].session.state = .external }
            return
        }
        accessories[accessory].speaksBinary = restored.isBinary
        accessories[accessory].session.restore(restored.state, run: restored.run, interval: restored.interval, data)
    }
}
