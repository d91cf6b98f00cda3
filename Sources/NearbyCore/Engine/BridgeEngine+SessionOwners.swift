// nearby-bridge · SPDX-License-Identifier: Apache-2.0

extension BridgeEngine {
    // MARK: Whose session

    /// Every session that an accessory has as an accessory; what it has as one of two phones is not the radio's.
    func sessionOwners(of accessory: Int) -> [SessionOwner] {
        [.accessory(accessory)]
            + accessories[accessory].tracks
            .filter { tracks[$0].session.map { $0.kind != .peer } ?? false }.map { .track($0) }
    }

    /// The sessions that configuration data of an accessory is for.
    ///
    /// Firmware makes new configuration data for every `initialize`: it belongs to the session that asked first. What
    /// nobody asked for says that the accessory begins anew, which concerns every session that lives, else those that
    /// ever did, and every peer that is expected to have one.
    func configurationOwners(of accessory: Int, _ expected: [Int] = []) -> [SessionOwner] {
        let all = sessionOwners(of: accessory)
        guard all.count > 1 else { return all }
        let asking = all.filter { session(of: $0)?.asksForConfiguration == true }
        if let first = asking.min(by: { deadline(of: $0) < deadline(of: $1) }) { return [first] }
        let live = all.filter { session(of: $0)?.isRunning == true }
        if !expected.isEmpty {
            return live + expected.map { .track($0) }.filter { !live.contains($0) }
        }
        if !live.isEmpty { return live }
        let known = all.filter { session(of: $0)?.state != .idle }
        return known.isEmpty ? [.accessory(accessory)] : known
    }

    private func deadline(of owner: SessionOwner) -> Instant { session(of: owner)?.deadline ?? .distantPast }

    /// The sessions that the accessory's word about an end is for: those that it was told to end, else every one.
    func stopOwners(of accessory: Int) -> [SessionOwner] {
        let all = sessionOwners(of: accessory)
        let awaiting = all.filter { session(of: $0)?.awaitsStop(at: clock) == true }
        return awaiting.isEmpty ? all : awaiting
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

    /// The accessory, or its relay, is there or gone: every session hears it.
    mutating func takeAvailability(_ isOnline: Bool, of accessory: Int, into effects: inout EffectBuffer) {
        let everyone = sessionOwners(of: accessory)
        let isAlone = everyone.count == 1 && pairOwners(of: accessory).isEmpty
        for owner in everyone {
            let isUnwanted = !isAlone && session(of: owner)?.state == .idle
            if isUnwanted || !exchangesConfiguration(AccessoryIndex(accessory)) {
                // Only the peers' sessions are wanted: the unnamed one does not begin beside them.
                noteAvailability(isOnline, of: owner)
            } else {
                handle(.availability(isOnline: isOnline), of: owner, into: &effects)
            }
        }
        takeAvailability(ofPairsOf: accessory, into: &effects)
    }

    /// Remembers availability without beginning anything.
    private mutating func noteAvailability(_ isOnline: Bool, of owner: SessionOwner) {
        guard var session = session(of: owner) else { return }
        session.isOnline = isOnline
        store(session, of: owner)
    }

    /// After blindness every session's deadlines begin anew.
    mutating func watchSessionsAnew() {
        for index in accessories.indices where accessories[index].isLive {
            watchAnew(.accessory(index))
            armDeadline(ofAccessory: index)
        }
        for index in tracks.indices where tracks[index].isLive {
            // Two phones have one session.
            if tracks[index].twin < index { watchAnew(.track(index)) }
            armDeadline(ofTrack: index)
        }
        for index in tracks.indices where tracks[index].isLive && tracks[index].twin > index {
            armDeadline(ofTrack: index)
        }
    }

    private mutating func watchAnew(_ owner: SessionOwner) {
        guard var session = session(of: owner) else { return }
        session.watchAnew(at: clock, context(of: owner), using: &generator)
        settle(&session)
        store(session, of: owner)
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
        count(owner, from: self.session(of: owner), to: session)
        switch owner {
        case .accessory(let index): accessories[index].session = session
        case .track(let index):
            tracks[index].session = session
            // Of two phones it is one session.
            if tracks[index].twin >= 0 { tracks[tracks[index].twin].session = session }
        }
    }

    // MARK: What payloads are written from

    /// The session that a stream tells of: a named peer's own or its accessory's; of an accessory the liveliest.
    public func session(of stream: StreamID) -> AccessorySession {
        let own = accessories[stream.accessory.rawValue].session
        switch owner(of: stream) {
        case .accessory: return own
        case .track(let track): return tracks[track].session.map { told($0, at: track) } ?? own
        }
    }

    /// The named peer whose session a stream tells of; `nil` for the unnamed one's.
    public func sessionPeer(of stream: StreamID) -> String? { peer(of: owner(of: stream)) }

    /// The name of a session's peer.
    func peer(of owner: SessionOwner) -> String? {
        switch owner {
        case .accessory: nil
        case .track(let track): tracks[track].isNamed ? identifiers.name(of: tracks[track].identifier) : nil
        }
    }

    func owner(of stream: StreamID) -> SessionOwner {
        let accessory = stream.accessory.rawValue
        let person = stream.peer.flatMap { tracks[$0].occupancy.isPerson ? tracks[$0].occupancy.devices : nil }
        if let track = stream.peer, person == nil {
            return tracks[track].session == nil ? .accessory(accessory) : .track(track)
        }
        var liveliest = (owner: SessionOwner.accessory(accessory), state: accessories[accessory].session.state)
        for track in person ?? accessories[accessory].tracks {
            guard let state = tracks[track].session?.state, state > liveliest.state else { continue }
            liveliest = (.track(track), state)
        }
        return liveliest.owner
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

    // MARK: Restoring

    /// Takes over an earlier life's session: what was ranging is believed to range on, until its silence proves otherwise.
    ///
    /// An accessory's topics tell of its liveliest session: one of a named peer is restored from that peer's topics.
    mutating func restore(_ restored: RestoredSession, of accessory: Int, at now: Instant) {
        accessories[accessory].speaksBinary = restored.isBinary
        accessories[accessory].announced = restored.announced.checked
        guard restored.peer == nil else { return }
        var session = accessories[accessory].session
        session.restore(revised(restored, of: accessory), at: now)
        store(session, of: .accessory(accessory))
        reclaimAirNames(of: accessory)
    }

    /// The same for a session of a named peer's own; one without is covered by its accessory's.
    mutating func restore(_ restored: RestoredSession, ofTrack track: Int, at now: Instant) {
        guard restored.peer != nil else { return }
        var session = AccessorySession()
        session.restore(revised(restored, of: tracks[track].accessory), at: now)
        store(session, of: .track(track))
        accessories[tracks[track].accessory].hasPeerSessions = true
        noteRestoredRadio(track)
    }
}
