// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// The payload of `…/state` (CONTRACT section 4.1).
enum StatePayload {
    /// Writes the snapshot of one stream.
    static func write(_ state: StreamState, _ wall: WallTime, into json: inout JSONWriter) {
        json.beginObject()
        json.pair("accessory", state.accessory)
        if let approach = state.approach {
            json.key("approaching")
            json.beginObject()
            json.pair("seconds", (approach.seconds * 10).rounded() / 10)
            json.pair("zone", approach.zone)
            json.endObject()
        }
        json.optional("azimuth", state.azimuth.map(Double.init), decimals: 2)
        if let capabilities = state.capabilities { json.pair("capabilities", capabilities.words) }
        if let convergence = state.convergence { write(convergence, into: &json) }
        if state.isPerson { json.pair("devices", state.devices) }
        if let direction = state.direction {
            json.pair("direction", SIMD3<Double>(direction), decimals: 4)
        } else {
            json.key("direction")
            json.null()
        }
        json.key("distance")
        writeOptional(state.distance, into: &json)
        json.optional("elevation", state.elevation.map(Double.init), decimals: 2)
        if let guidance = state.guidance { write(guidance, into: &json) }
        json.optional("horizontal_angle", state.horizontalAngle.map(Double.init), decimals: 4)
        if let last = state.lastReport {
            json.key("last_report")
            json.time(unixNanoseconds: wall.unixNanoseconds(of: last))
        }
        json.pair("measurement", state.measurement.word)
        json.key("motion")
        if let motion = state.motion { json.string(motion.word) } else { json.null() }
        json.optional("name", state.name)
        json.optional("peer", state.peer)
        if !state.peers.isEmpty { writePeers(state.peers, into: &json) }
        json.optional("quality", state.quality.map(Double.init))
        json.optional("raw_distance", state.rawDistance)
        json.optional("report_rate", state.reportRate, decimals: 1)
        json.pair("restored", state.isRestored)
        if let run = state.run { json.pair("run", run) }
        if let sequence = state.sequence { json.pair("seq", sequence) }
        json.pair("session", state.session.word)
        json.optional("speed", state.speed, decimals: 2)
        json.pair("v", 1)
        json.optional("vertical", state.vertical?.word)
        if let place = state.worldPosition { json.pair("world_position", SIMD3<Double>(place)) }
        json.pair("zone", state.zone)
        writeZones(state.zones, wall, into: &json)
        json.endObject()
    }

    private static func writeOptional(_ value: Double?, into json: inout JSONWriter) {
        if let value { json.number(value) } else { json.null() }
    }

    private static func write(_ convergence: Convergence, into json: inout JSONWriter) {
        json.key("convergence")
        json.beginObject()
        json.optional("hint", convergence.hint)
        json.pair("reasons", convergence.words)
        json.pair("status", convergence.status.word)
        json.endObject()
    }

    private static func write(_ guidance: Guidance, into json: inout JSONWriter) {
        json.key("guidance")
        json.beginObject()
        for (key, answer) in [("direction", guidance.direction), ("distance", guidance.distance)] {
            json.key(key)
            json.beginObject()
            json.pair("available", answer.isAvailable)
            json.optional("hint", answer.hint)
            json.optional("reason", answer.obstacle?.rawValue)
            json.endObject()
        }
        json.endObject()
    }

    private static func writePeers(_ peers: [StreamState.Peer], into json: inout JSONWriter) {
        json.key("peers")
        json.beginObject()
        for peer in peers {
            json.key(peer.identifier)
            json.beginObject()
            json.key("distance")
            writeOptional(peer.distance, into: &json)
            json.optional("person", peer.person)
            json.pair("session", peer.session.word)
            json.pair("zone", peer.zone)
            json.endObject()
        }
        json.endObject()
    }

    private static func writeZones(_ zones: [StreamState.Zone], _ wall: WallTime, into json: inout JSONWriter) {
        json.key("zones")
        json.beginObject()
        for zone in zones.sorted(by: { $0.name < $1.name }) {
            json.key(zone.name)
            json.beginObject()
            json.pair("count", Int64(zone.count))
            if let since = zone.since {
                json.key("since")
                json.time(unixNanoseconds: wall.unixNanoseconds(of: since))
            }
            json.pair("state", zone.state.word)
            if let visit = zone.visit { json.pair("visit", visit) }
            json.endObject()
        }
        json.endObject()
    }
}
