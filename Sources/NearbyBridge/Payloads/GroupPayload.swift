// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// The payloads of a group's topics.
enum GroupPayload {
    /// Writes `…/state`.
    static func write(_ state: GroupState, _ wall: WallTime, into json: inout JSONWriter) {
        json.beginObject()
        json.pair("group", state.group)
        json.optional("name", state.name)
        if let sequence = state.sequence { json.pair("seq", sequence) }
        json.pair("v", 1)
        json.key("zones")
        json.beginObject()
        for zone in state.zones.sorted(by: { $0.name < $1.name }) {
            json.key(zone.name)
            json.beginObject()
            write("accessories", zone.accessories, into: &json)
            json.pair("count", Int64(zone.count))
            write("occupants", zone.occupants, into: &json)
            if let since = zone.since {
                json.key("since")
                json.time(unixNanoseconds: wall.unixNanoseconds(of: since))
            }
            json.pair("state", zone.state.word)
            if let visit = zone.visit { json.pair("visit", visit) }
            json.endObject()
        }
        json.endObject()
        json.endObject()
    }

    /// Writes `…/peer/<peer>/nearest`.
    static func write(_ nearest: NearestState, _ wall: WallTime, into json: inout JSONWriter) {
        json.beginObject()
        write("accessory", nearest.accessory, into: &json)
        json.optional("distance", nearest.distance)
        if nearest.since != .distantPast {
            json.key("since")
            json.time(unixNanoseconds: wall.unixNanoseconds(of: nearest.since))
        }
        json.pair("v", 1)
        json.endObject()
    }

    /// Writes an event, and returns where the time of publishing stands, as `EventPayload` does.
    static func write(_ event: GroupEvent, _ wall: WallTime, into json: inout JSONWriter) -> Int {
        json.beginObject()
        switch event.kind {
        case .enter(_, let accessory, _), .exit(_, let accessory, _, _, _): json.optional("accessory", accessory)
        case .nearestChanged: break
        }
        json.key("at")
        json.time(unixNanoseconds: wall.unixNanoseconds(of: event.at))
        switch event.kind {
        case .enter: break
        case .exit(_, _, _, _, let dwell): json.pair("dwell", dwell.inSeconds)
        case .nearestChanged(_, let from, _, let distance):
            json.optional("distance", distance)
            write("from", from, into: &json)
        }
        json.pair("group", event.group)
        json.pair("id", event.identifier)
        if case .nearestChanged(let peer, _, _, _) = event.kind { json.pair("peer", peer) }
        json.key("published_at")
        let stamp = json.bytes.count + 1
        json.time(unixNanoseconds: 0)
        if case .exit(_, _, _, let reason, _) = event.kind { json.pair("reason", reason.word) }
        json.pair("seq", event.sequence)
        if case .nearestChanged(_, _, let to, _) = event.kind { write("to", to, into: &json) }
        json.pair("type", type(of: event.kind))
        json.pair("v", 1)
        switch event.kind {
        case .enter(let zone, _, let visit), .exit(let zone, _, let visit, _, _):
            json.pair("visit", visit)
            json.pair("zone", zone)
        case .nearestChanged: break
        }
        json.endObject()
        return stamp
    }

    /// The word of an event's kind.
    static func type(of kind: GroupEvent.Kind) -> String {
        switch kind {
        case .enter: "zone_enter"
        case .exit: "zone_exit"
        case .nearestChanged: "nearest_changed"
        }
    }

    private static func write(_ key: String, _ names: [String], into json: inout JSONWriter) {
        json.key(key)
        json.beginArray()
        for name in names { json.string(name) }
        json.endArray()
    }

    private static func write(_ key: String, _ name: String?, into json: inout JSONWriter) {
        json.key(key)
        if let name { json.string(name) } else { json.null() }
    }
}
