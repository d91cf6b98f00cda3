// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// Writes the parts that explanations of zones and of events share.
struct ExplanationDetails {
    /// The names of the zones by their place in the options.
    let zones: [String]
    let wall: WallTime

    /// Writes what a sector asks for, if the zone is one.
    func write(_ sector: Sector?, into json: inout JSONWriter) {
        guard let sector else { return }
        json.pair("azimuth_from", sector.from)
        json.pair("azimuth_hysteresis", sector.hysteresis)
        json.pair("azimuth_quality", sector.quality)
        json.pair("azimuth_to", sector.to)
    }

    /// Writes the last decisions, oldest first.
    func write(_ decisions: [ZoneDecision], into json: inout JSONWriter) {
        json.key("decisions")
        json.beginArray()
        for decision in decisions { write(decision, into: &json) }
        json.endArray()
    }

    /// Writes one decision.
    func write(_ decision: ZoneDecision, into json: inout JSONWriter) {
        json.beginObject()
        time("at", decision.at, into: &json)
        json.optional("azimuth", decision.azimuth, decimals: 2)
        json.optional("distance", decision.distance)
        json.optional("held", decision.held?.inSeconds)
        json.optional("raw_distance", decision.rawDistance)
        if case .exited(let reason) = decision.kind { json.pair("reason", reason.word) }
        json.optional("threshold", decision.threshold)
        json.pair("type", decision.kind.word)
        json.optional("zone", zones.indices.contains(decision.zone) ? zones[decision.zone] : nil)
        json.endObject()
    }

    /// Writes the last reports, oldest first, with the hold of one zone.
    func write(_ samples: [ReportSample], about zone: Int?, into json: inout JSONWriter) {
        json.key("samples")
        json.beginArray()
        for sample in samples {
            json.beginObject()
            time("at", sample.at, into: &json)
            json.optional("azimuth", sample.azimuth, decimals: 2)
            json.pair("corrected", sample.corrected)
            if let gate = sample.gate { write(gate, into: &json) }
            if let zone { json.pair("holding", sample.isHolding(zone)) }
            json.pair("measured", sample.measured)
            json.optional("motion", sample.motion?.word)
            json.optional("smoothed", sample.smoothed)
            json.optional("speed", sample.speed, decimals: 2)
            json.optional("step", sample.step?.inSeconds)
            json.pair("verdict", sample.verdict.word)
            json.endObject()
        }
        json.endArray()
    }

    /// Writes what the gate knows.
    func write(_ gate: GateState, into json: inout JSONWriter) {
        json.key("gate")
        json.beginObject()
        if let held = ExplanationWords.heldBack(gate) { json.pair("held_back", held) }
        json.optional("passed", gate.passed)
        json.optional("reach", gate.reach.isFinite ? gate.reach : nil)
        json.optional("rival", gate.rival)
        json.optional("rival_for", gate.rivalFor?.inSeconds)
        json.optional("since", gate.since?.inSeconds)
        json.optional("speed", gate.speed.isFinite ? gate.speed : nil)
        json.pair("state", gate.stage.word)
        json.pair("takeover", gate.takeover.inSeconds)
        json.endObject()
    }

    /// Writes every peer of an accessory that has several.
    func write(_ peers: [ZoneExplanation.Peer], into json: inout JSONWriter) {
        json.key("peers")
        json.beginArray()
        for peer in peers {
            json.beginObject()
            if let decision = peer.decision {
                json.key("decision")
                write(decision, into: &json)
            }
            optional("distance", peer.distance, into: &json)
            json.pair("peer", peer.name)
            optional("since", peer.since, into: &json)
            json.pair("state", peer.state.word)
            json.endObject()
        }
        json.endArray()
    }

    /// Writes a distance, `null` where there is none.
    func optional(_ key: String, _ distance: Double?, into json: inout JSONWriter) {
        json.key(key)
        if let distance { json.number(distance) } else { json.null() }
    }

    /// Writes a time if there is one.
    func optional(_ key: String, _ instant: Instant?, into json: inout JSONWriter) {
        if let instant { time(key, instant, into: &json) }
    }

    private func time(_ key: String, _ instant: Instant, into json: inout JSONWriter) {
        json.key(key)
        json.time(unixNanoseconds: wall.unixNanoseconds(of: instant))
    }
}
