// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// The data of the answer to `zone/explain`.
enum ZoneExplanationPayload {
    /// What the first answer says of reports, which are kept only for somebody who asks.
    static let hint = "ask again: samples are kept for a minute from now"

    /// Writes an explanation; `zones` are the names of the zones by their place in the options.
    static func write(
        _ explanation: ZoneExplanation,
        zones: [String],
        _ wall: WallTime,
        into json: inout JSONWriter
    ) {
        let details = ExplanationDetails(zones: zones, wall: wall)
        json.beginObject()
        json.pair("accessory", explanation.accessory)
        json.optional("angle_silence", explanation.angleSilence?.inSeconds)
        json.optional("azimuth", explanation.azimuth, decimals: 2)
        details.write(explanation.rules?.sector, into: &json)
        json.pair("blind", explanation.isBlind)
        json.pair("by_exception", explanation.isByException)
        json.pair("confirmed", explanation.isConfirmed)
        details.write(explanation.decisions, into: &json)
        details.optional("distance", explanation.distance, into: &json)
        json.optional("dwell", explanation.rules?.dwell?.inSeconds)
        json.optional("enter_hold", explanation.rules?.enterHold.inSeconds)
        json.optional("exit_hold", explanation.rules?.exitHold.inSeconds)
        json.optional("exit_radius", explanation.rules?.exitRadius)
        if let gate = explanation.gate { details.write(gate, into: &json) }
        json.optional("held", explanation.held?.inSeconds)
        if explanation.isNewlyWatched { json.pair("hint", hint) }
        json.optional("interval", explanation.interval?.inSeconds)
        details.optional("last_report", explanation.lastReport, into: &json)
        json.optional("lost_after", explanation.rules?.lostAfter?.inSeconds)
        details.optional("lost_at", explanation.lostAt, into: &json)
        json.optional("peer", explanation.peer)
        if explanation.peers.count > 1 { details.write(explanation.peers, into: &json) }
        json.optional("radius", explanation.rules?.radius)
        details.optional("raw_distance", explanation.rawDistance, into: &json)
        json.pair("restored", explanation.isRestored)
        let place = zones.firstIndex(of: explanation.zone)
        details.write(explanation.samples, about: place, into: &json)
        json.pair("session", explanation.session.word)
        json.optional("silence", explanation.silence?.inSeconds)
        details.optional("since", explanation.since, into: &json)
        json.pair("state", explanation.state.word)
        json.pair("text", ZoneExplanationText(explanation, wall).sentence)
        if let visit = explanation.visit { json.pair("visit", visit) }
        json.pair("zone", explanation.zone)
        json.endObject()
    }
}
