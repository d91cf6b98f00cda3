// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// Requests about who belongs to this bridge.
extension ShardLoop {
    /// Carries out `accessory/approve`, `accessory/remove` or `permit_join`.
    func answer(_ input: BridgeInput) -> Response {
        engine.handle(input, at: now, into: &effects)
        performEffects()
        performer.accessoriesChanged = true
        var json = JSONWriter()
        json.beginObject()
        if case .permitJoin = input {
            json.key("until")
            if let until = engine.permitJoinUntil {
                json.time(unixNanoseconds: WallTime.current().unixNanoseconds(of: until))
            } else {
                json.null()
            }
        }
        json.endObject()
        return .ok(json.bytes)
    }

    /// Who is here now.
    private var joined: [String] {
        (0..<engine.accessoryCount).compactMap { index in
            engine.names(of: StreamID(accessory: AccessoryIndex(index)))?.accessory
        }
    }

    /// Answers `snapshot`: gives what people set while the bridge ran, or, with `restore`, takes it back.
    func answerSnapshot(_ request: Request) -> Response {
        if let fault = request.fault { return .error(fault) }
        guard let value = request.restore else {
            return .ok(Snapshot(engine.membership, configuration.runtime.texts).json)
        }
        guard let snapshot = Snapshot(value) else {
            return .error("restore: expected the data of an earlier snapshot: approved, blocked, options and v")
        }
        for name in snapshot.blocked where engine.accessory(named: name) != nil {
            engine.handle(.remove(name, isBlocked: true), at: now, into: &effects)
            performEffects()
        }
        let before = engine.membership
        var membership = Membership()
        membership.blocked = Set(snapshot.blocked)
        membership.approved = Set(snapshot.approved).union(joined).subtracting(membership.blocked)
        for name in before.approved.union(before.blocked) {
            performer.journal.decide(name, isApproved: false, isBlocked: false)
        }
        for grant in snapshot.grants {
            membership.grants[grant.accessory, default: [:]][grant.peer ?? ""] = grant.expiry
        }
        for (accessory, peers) in before.grants {
            for peer in peers.keys { performer.journal.grant(accessory, peer, nil) }
        }
        for grant in snapshot.grants { performer.journal.grant(grant.accessory, grant.peer, grant.expiry) }
        engine.handle(.members(membership), at: now, into: &effects)
        performEffects()
        for name in membership.approved { performer.journal.decide(name, isApproved: true, isBlocked: false) }
        for name in membership.blocked { performer.journal.decide(name, isApproved: false, isBlocked: true) }
        let dropped = configuration.restore(snapshot.options)
        performer.journal.set(configuration.runtime.texts)
        apply()
        performer.accessoriesChanged = true
        var json = JSONWriter()
        json.beginObject()
        json.key("dropped")
        json.beginArray()
        for text in dropped { json.string(text) }
        json.endArray()
        json.endObject()
        return .ok(json.bytes)
    }
}
