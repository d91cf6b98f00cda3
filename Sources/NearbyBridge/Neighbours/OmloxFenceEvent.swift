// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import NearbyCore

/// A zone event as hubs after the omlox standard tell it: entry to and exit from a fence around the accessory
/// (reference/uwb-reports.md 6.1, 6.2).
///
/// Made from the event's own payload, so that one that is sent again after a restart is the same.
struct OmloxFenceEvent: Equatable, Sendable {
    /// What of an event's payload counts here.
    private struct Event: Decodable {
        var accessory: String
        var at: String
        var distance: Double?
        var dwell: Double?
        var id: String
        var peer: String?
        var radius: Double
        var reason: String?
        var type: String
        var visit: Int64
        var zone: String
    }

    /// The fence's identifier: the last level of the topic.
    let fence: String
    /// The object.
    let payload: [UInt8]

    /// The fence event of an event's payload; `nil` if it is none of a zone that was entered or left.
    init?(_ payload: [UInt8]) {
        guard let event = try? JSONDecoder().decode(Event.self, from: Data(payload)) else { return nil }
        let isEntry = event.type == "zone_enter"
        guard isEntry || event.type == "zone_exit" else { return nil }
        let zone = "\(event.accessory)/\(event.zone)"
        fence = Self.uuid("fence \(zone)")
        var json = JSONWriter()
        json.beginObject()
        if isEntry {
            json.pair("entry_time", event.at)
        } else if let entry = Self.entry(of: event) {
            json.key("entry_time")
            json.time(unixNanoseconds: entry)
        }
        json.pair("event_type", isEntry ? "region_entry" : "region_exit")
        if !isEntry { json.pair("exit_time", event.at) }
        json.pair("fence_id", fence)
        json.pair("foreign_id", zone)
        json.pair("id", Self.uuid("event \(event.id)"))
        json.key("properties")
        json.beginObject()
        json.pair("accessory", event.accessory)
        json.optional("distance", event.distance)
        json.pair("radius", event.radius)
        json.optional("reason", event.reason)
        json.pair("visit", event.visit)
        json.pair("zone", event.zone)
        json.endObject()
        json.pair("provider_id", event.peer ?? event.accessory)
        json.endObject()
        self.payload = json.bytes
    }

    /// When the stay began, in Unix nanoseconds.
    private static func entry(of event: Event) -> Int64? {
        let text = Array(event.at.utf8)
        guard let dwell = event.dwell, dwell.magnitude < 1e9, let at = ISO8601Timestamp.nanoseconds(text.span) else {
            return nil
        }
        return at &- Int64(dwell * 1e9)
    }

    /// The same identifier for the same text, always: a UUID of version 8, whose bits are the maker's own (RFC 9562).
    static func uuid(_ text: String) -> String {
        var high: UInt64 = 0xCBF2_9CE4_8422_2325
        var low: UInt64 = 0x8422_2325_CBF2_9CE4
        for byte in text.utf8 {
            high = (high ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
            low = (low ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
            low ^= low >> 29
        }
        high = high & 0xFFFF_FFFF_FFFF_0FFF | 0x8000
        low = low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        let digits = Array((Hexadecimal.text(high, digits: 16) + Hexadecimal.text(low, digits: 16)).lowercased())
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
    }
}

extension OutgoingMessage {
    /// The fence event of an event, below the topics of a hub; it expires like the event itself.
    init?(fenceEventOf event: Journal.Event, below prefix: String) {
        guard let fence = OmloxFenceEvent(event.payload) else { return nil }
        topic = "\(prefix)/fence_events/\(fence.fence)"
        payload = fence.payload
        qualityOfService = 1
        isRetained = false
        expiresAt = event.expiresAt
    }
}
