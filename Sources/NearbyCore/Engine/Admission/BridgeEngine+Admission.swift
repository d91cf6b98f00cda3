// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Places and turns: how many sessions run at once, and how many begin in a second.
extension BridgeEngine {
    /// Whether a session has a place, or would get one.
    func hasPlace(_ owner: SessionOwner, _ session: AccessorySession) -> Bool {
        if session.holdsPlace { return true }
        guard admission.places < options.limits.sessions else { return false }
        let accessory = accessoryIndex(of: owner)
        let others = sessionOwners(of: accessory).count { self.session(of: $0)?.holdsPlace == true }
        guard others < options.limits.accessorySessions else { return false }
        guard let name = peer(of: owner) else { return true }
        return admission.placesOfPeers[name, default: 0] < options.limits.peerSessions
    }

    /// Counts places after a session has changed, and notes who waits for one.
    mutating func count(_ owner: SessionOwner, from before: AccessorySession?, to after: AccessorySession?) {
        if after?.hold == .place, before?.hold != .place, !admission.queue.contains(owner) {
            admission.queue.append(owner)
        }
        let change = (after?.holdsPlace == true ? 1 : 0) - (before?.holdsPlace == true ? 1 : 0)
        guard change != 0 else { return }
        admission.places += change
        guard let name = peer(of: owner) else { return }
        let places = admission.placesOfPeers[name, default: 0] + change
        admission.placesOfPeers[name] = places > 0 ? places : nil
    }

    /// Gives free places to those who have waited longest.
    mutating func fillPlaces(into effects: inout EffectBuffer) {
        guard !admission.queue.isEmpty, admission.places < options.limits.sessions else { return }
        var waiting = admission.queue
        admission.queue = []
        while !waiting.isEmpty, admission.places < options.limits.sessions {
            let owner = waiting.removeFirst()
            guard let session = session(of: owner), session.hold == .place else { continue }
            guard hasPlace(owner, session) else {
                admission.queue.append(owner)
                continue
            }
            handle(.place, of: owner, into: &effects)
        }
        admission.queue += waiting
    }
}
