// nearby-bridge · SPDX-License-Identifier: Apache-2.0

extension BridgeEngine {
    /// Takes over what an earlier life left of one stream.
    ///
    /// No event is made for it.
    mutating func restore(_ stream: RestoredStream, at now: Instant) {
        guard let accessory = restoredAccessory(stream.accessory, at: now) else { return }
        accessories[accessory].hasSession = true
        guard let peer = stream.peer else {
            continueNumbering(&accessories[accessory].stream, stream.lastSequence)
            overlay(stream.zones, on: &accessories[accessory].zones)
            hasRestored = true
            return
        }
        let bytes = Array(peer.utf8)
        guard AccessoryIdentifier.isValid(bytes.span), let track = track(named: bytes.span, of: accessory) else {
            return
        }
        continueNumbering(&tracks[track].stream, stream.lastSequence)
        overlay(stream.zones, on: &tracks[track].tracker.zones)
        tracks[track].isRestored = true
        hasRestored = true
    }

    /// Brings restored aggregates and peers together once listening begins.
    ///
    /// What no named peer explains belongs to the unnamed one. Where aggregate and peers disagree, the earlier life
    /// ended between the two: the aggregate's event is made now, with the number it would have had.
    mutating func settleRestored(at now: Instant, into effects: inout EffectBuffer) {
        guard hasRestored else { return }
        hasRestored = false
        for accessory in accessories.indices where accessories[accessory].hasSession {
            adoptUnexplained(accessory)
            for zone in accessories[accessory].zones.indices {
                let visit = accessories[accessory].zones[zone].visit
                for track in accessories[accessory].tracks where tracks[track].tracker.zones[zone].state == .inside {
                    tracks[track].tracker.zones[zone].aggregateVisit = visit
                }
            }
            _ = aggregate(.max, of: accessory, at: now, into: &effects)
            for track in accessories[accessory].tracks { armDeadline(ofTrack: track) }
            armDeadline(ofAccessory: accessory)
        }
    }

    private mutating func restoredAccessory(_ identifier: String, at now: Instant) -> Int? {
        let bytes = Array(identifier.utf8)
        if let known = identifiers.index(of: bytes.span, in: 0) { return accessoryPlaces[known] }
        guard refusal(of: bytes.span) == nil else { return nil }
        return join(bytes.span, at: now)
    }

    private func continueNumbering(_ stream: inout StreamBookkeeping, _ lastSequence: Int64?) {
        guard let lastSequence, lastSequence > 0, lastSequence < .max - 1 else { return }
        stream.nextSequence = max(stream.nextSequence, lastSequence + 1)
    }

    private func overlay(_ zones: [RestoredStream.Zone], on statuses: inout [ZoneStatus]) {
        for zone in zones {
            guard let index = options.zones.firstIndex(where: { $0.name == zone.name }) else { continue }
            statuses[index].state = zone.state
            statuses[index].since = zone.since
            statuses[index].visit = zone.visit
            // The dwell event may have been sent already: a second one would be invented.
            statuses[index].hasDwelt = true
            statuses[index].isLostInside = zone.state == .unknown && zone.visit > 0
        }
    }

    private mutating func adoptUnexplained(_ accessory: Int) {
        let aggregate = accessories[accessory].zones
        let isAlone = accessories[accessory].tracks.isEmpty
        let unexplained = aggregate.indices.filter { zone in
            guard aggregate[zone].state != .outside else {
                return isAlone
            }
            return !accessories[accessory].tracks.contains { track in
                tracks[track].tracker.zones[zone].state == aggregate[zone].state
            }
        }
        guard !unexplained.isEmpty, let track = unnamedTrack(of: accessory) else { return }
        for zone in unexplained { tracks[track].tracker.zones[zone] = aggregate[zone] }
        tracks[track].isRestored = true
    }
}
