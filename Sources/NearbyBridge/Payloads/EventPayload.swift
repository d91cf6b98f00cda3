// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// The payload of `…/event` (CONTRACT section 4.2).
enum EventPayload {
    /// Writes an event.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - wall: The wall clock.
    ///   - recording: For `replay`: the file, and the recording's own time in seconds.
    ///   - explanation: For `replay`: why it fell, and the names of the zones by their place in the options.
    ///   - json: Where to write.
    /// - Returns: Where the time of publishing stands in the writer's bytes: it is filled in when the event is first
    ///   handed over, and stays the same however often it is sent.
    static func write(
        _ event: ZoneEvent,
        _ wall: WallTime,
        recording: (file: String, time: Double)? = nil,
        _ explanation: (explanation: EventExplanation, zones: [String])? = nil,
        into json: inout JSONWriter
    ) -> Int {
        json.beginObject()
        json.pair("accessory", event.accessory)
        json.key("at")
        json.time(unixNanoseconds: wall.unixNanoseconds(of: event.at))
        json.optional("azimuth", event.azimuth, decimals: 2)
        json.optional("distance", event.distance)
        switch event.kind {
        case .exit(_, let dwell), .dwell(let dwell): json.pair("dwell", dwell.inSeconds)
        case .enter: break
        }
        if let (explanation, zones) = explanation { write(explanation, zones, event.zone, wall, into: &json) }
        json.optional("file", recording?.file)
        json.pair("id", event.identifier)
        json.optional("peer", event.peer)
        json.key("published_at")
        let stamp = json.bytes.count + 1
        json.time(unixNanoseconds: 0)
        json.pair("radius", event.radius)
        if case .exit(let reason, _) = event.kind { json.pair("reason", reason.word) }
        json.pair("seq", event.sequence)
        json.optional("t", recording?.time)
        json.pair("type", type(of: event.kind))
        json.pair("v", 1)
        json.pair("visit", event.visit)
        json.pair("zone", event.zone)
        json.endObject()
        return stamp
    }

    private static func write(
        _ explanation: EventExplanation,
        _ zones: [String],
        _ zone: String,
        _ wall: WallTime,
        into json: inout JSONWriter
    ) {
        let details = ExplanationDetails(zones: zones, wall: wall)
        json.key("explain")
        json.beginObject()
        details.write(explanation.rules?.sector, into: &json)
        json.key("decision")
        details.write(explanation.decision, into: &json)
        json.optional("enter_hold", explanation.rules?.enterHold.inSeconds)
        json.optional("exit_hold", explanation.rules?.exitHold.inSeconds)
        json.optional("exit_radius", explanation.rules?.exitRadius)
        json.optional("lost_after", explanation.rules?.lostAfter?.inSeconds)
        json.optional("peer", explanation.peer)
        json.optional("radius", explanation.rules?.radius)
        details.write(explanation.samples, about: zones.firstIndex(of: zone), into: &json)
        json.pair("text", EventExplanationText(explanation).sentence)
        json.endObject()
    }

    private static func type(of kind: ZoneEvent.Kind) -> String {
        switch kind {
        case .enter: "zone_enter"
        case .exit: "zone_exit"
        case .dwell: "zone_dwell"
        }
    }
}

extension Duration {
    /// The duration in seconds.
    var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) * 1e-18
    }
}
