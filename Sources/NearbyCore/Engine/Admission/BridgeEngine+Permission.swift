// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Who may range: `session.authorization` and the grants that people give.
extension BridgeEngine {
    /// Grants are remembered up to this many.
    static let mostGrants = 100_000

    /// Unix time in milliseconds now: grants expire by the calendar, in whatever life of the bridge.
    private var unixMilliseconds: Int64 {
        options.unixMillisecondsAtOrigin &+ Instant(nanoseconds: 0).nanoseconds(to: clock) / 1_000_000
    }

    /// Whether a session may range.
    func isAllowed(_ owner: SessionOwner) -> Bool {
        guard admission.asksPermission else { return true }
        guard isAllowed(accessoryIndex(of: owner), peer: peer(of: owner)) else { return false }
        // Of two phones both must be allowed.
        guard case .track(let track) = owner, tracks[track].twin >= 0 else { return true }
        let twin = SessionOwner.track(tracks[track].twin)
        return isAllowed(accessoryIndex(of: twin), peer: peer(of: twin))
    }

    /// Whether an accessory and a peer may range; `nil` is the unnamed one.
    private func isAllowed(_ accessory: Int, peer name: String?) -> Bool {
        let accessoryOptions = accessories[accessory].options
        let peerOptions = name.flatMap { accessoryOptions.peer(called: $0) }
        let wanted = peerOptions?.authorization ?? accessoryOptions.authorization ?? options.session.authorization
        guard wanted == .ask, let grants = membership.grants[self.name(ofAccessory: accessory)] else {
            return wanted == .open
        }
        let now = unixMilliseconds
        if let name, let expiry = grants[name], now < expiry { return true }
        // A peer of whom the configuration says that it needs its own permission is not covered by the accessory's.
        guard peerOptions?.authorization == nil || name == nil, let expiry = grants[""] else { return false }
        return now < expiry
    }

    /// The peers of an accessory whose sessions wait for permission; `nil` among them is the unnamed one.
    public func waitingForPermission(_ accessory: AccessoryIndex) -> [String?] {
        everyOwner(of: accessory.rawValue).filter { session(of: $0)?.state == .awaitingAuthorization }
            .map { peer(of: $0) }
    }

    /// Gives permission to an accessory, or to one of its peers, until a Unix time in milliseconds.
    mutating func grant(
        _ identifier: String,
        peer: String?,
        until expiry: Int64,
        into effects: inout EffectBuffer
    ) {
        let isKnown = membership.grants[identifier] != nil
        guard isKnown || membership.grants.count < Self.mostGrants else { return }
        membership.grants[identifier, default: [:]][peer ?? ""] = expiry
        effects.append(.grantChanged(accessory: identifier, peer: peer))
        findNextExpiry()
        review(identifier, into: &effects)
    }

    /// Takes a permission back; a run that needs it ends.
    mutating func revoke(_ identifier: String, peer: String?, into effects: inout EffectBuffer) {
        dropGrant(identifier, peer: peer, into: &effects)
        findNextExpiry()
        review(identifier, into: &effects)
    }

    /// Takes back what an accessory that is removed was allowed.
    mutating func revokeAll(_ identifier: String, into effects: inout EffectBuffer) {
        for peer in membership.grants[identifier, default: [:]].keys.sorted() {
            dropGrant(identifier, peer: peer.isEmpty ? nil : peer, into: &effects)
        }
        findNextExpiry()
    }

    private mutating func dropGrant(_ identifier: String, peer: String?, into effects: inout EffectBuffer) {
        guard membership.grants[identifier]?.removeValue(forKey: peer ?? "") != nil else { return }
        if membership.grants[identifier]?.isEmpty == true { membership.grants[identifier] = nil }
        effects.append(.grantChanged(accessory: identifier, peer: peer))
    }

    /// Ends the grants that have expired.
    mutating func expireGrants(into effects: inout EffectBuffer) {
        let now = unixMilliseconds
        for (identifier, grants) in membership.grants.sorted(by: { $0.key < $1.key }) {
            let expired = grants.filter { $0.value <= now }.keys.sorted()
            guard !expired.isEmpty else { continue }
            for peer in expired { dropGrant(identifier, peer: peer.isEmpty ? nil : peer, into: &effects) }
            review(identifier, into: &effects)
        }
        findNextExpiry()
    }

    /// Finds when the next grant expires.
    mutating func findNextExpiry() {
        let next = membership.grants.values.flatMap(\.values).min() ?? .max
        let (milliseconds, isFar) = next.subtractingReportingOverflow(options.unixMillisecondsAtOrigin)
        let (nanoseconds, isFarther) = milliseconds.multipliedReportingOverflow(by: 1_000_000)
        admission.nextExpiry = isFar || isFarther ? nil : Instant(nanoseconds: nanoseconds)
    }

    /// Finds out whether anybody has to ask, after options have changed.
    mutating func findWhoAsks() {
        admission.asksPermission =
            options.session.authorization == .ask
            || options.accessories.values.contains { accessory in
                accessory.authorization == .ask || accessory.peers.values.contains { $0.authorization == .ask }
            }
    }

    /// Lets the sessions of everybody go on, or ends them, as permissions are now.
    mutating func reviewPermissions(into effects: inout EffectBuffer) {
        for accessory in accessories.indices where accessories[accessory].isLive { review(accessory, into: &effects) }
    }

    private mutating func review(_ identifier: String, into effects: inout EffectBuffer) {
        if let accessory = accessory(named: identifier) { review(accessory.rawValue, into: &effects) }
    }

    /// Every session that an accessory has a part in, those with other phones among them.
    private func everyOwner(of accessory: Int) -> [SessionOwner] {
        sessionOwners(of: accessory) + pairOwners(of: accessory)
    }

    private mutating func review(_ accessory: Int, into effects: inout EffectBuffer) {
        for owner in everyOwner(of: accessory) {
            guard let state = session(of: owner)?.state else { continue }
            if state == .awaitingAuthorization {
                if isAllowed(owner) { handle(.authorized, of: owner, into: &effects) }
            } else if state != .idle, !isAllowed(owner) {
                handle(.unauthorized, of: owner, into: &effects)
            }
        }
    }

    /// Whether a report of somebody decides anything; one of somebody who may not range does not, and is told of once.
    mutating func isPermitted(_ track: Int, into effects: inout EffectBuffer) -> Bool {
        guard admission.asksPermission else { return true }
        let name = tracks[track].isNamed ? identifiers.name(of: tracks[track].identifier) : nil
        guard !isAllowed(tracks[track].accessory, peer: name) else { return true }
        counters.outsideSession += 1
        let owner = prover(track)
        if session(of: owner)?.state == .idle || session(of: owner)?.state == .external {
            handle(.unauthorized, of: owner, into: &effects)
        }
        return false
    }
}
