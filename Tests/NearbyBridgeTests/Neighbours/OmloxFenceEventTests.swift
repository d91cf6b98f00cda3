// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import TestSupport
import Testing

@testable import NearbyBridge

struct OmloxFenceEventTests {
    private let enter =
        #"{"accessory":"dock","at":"2026-11-30T14:39:08.212Z","distance":1.4,"id":"dock/cart:12","peer":"cart","published_at":"","radius":1.5,"seq":12,"type":"zone_enter","v":1,"visit":12,"zone":"immediate"}"#
    private let exit =
        #"{"accessory":"dock","at":"2026-11-30T14:39:12.212Z","distance":1.9,"dwell":4,"id":"dock/cart:13","peer":"cart","published_at":"","radius":1.5,"reason":"left","seq":13,"type":"zone_exit","v":1,"visit":12,"zone":"immediate"}"#

    private func object(_ payload: String) throws -> [String: Any] {
        let event = try #require(OmloxFenceEvent(Array(payload.utf8)))
        #expect(JSONText.fault(event.payload) == nil)
        return try #require(JSONText.object(event.payload))
    }

    @Test func `an enter is an entry to the fence of that zone`() throws {
        let entry = try object(enter)
        #expect(entry["event_type"] as? String == "region_entry")
        #expect(entry["provider_id"] as? String == "cart")
        #expect(entry["foreign_id"] as? String == "dock/immediate")
        #expect(entry["entry_time"] as? String == "2026-11-30T14:39:08.212Z")
        #expect(entry["exit_time"] == nil)
        #expect((entry["properties"] as? [String: Any])?["radius"] as? Double == 1.5)
    }

    @Test func `an exit tells both times and why`() throws {
        let exit = try object(exit)
        #expect(exit["event_type"] as? String == "region_exit")
        #expect(exit["entry_time"] as? String == "2026-11-30T14:39:08.212Z")
        #expect(exit["exit_time"] as? String == "2026-11-30T14:39:12.212Z")
        #expect((exit["properties"] as? [String: Any])?["reason"] as? String == "left")
        #expect(exit["fence_id"] as? String == (try object(enter))["fence_id"] as? String)
        #expect(exit["id"] as? String != (try object(enter))["id"] as? String)
    }

    @Test func `the same event is the same object, whenever it is made`() throws {
        #expect(OmloxFenceEvent(Array(enter.utf8)) == OmloxFenceEvent(Array(enter.utf8)))
    }

    @Test func `without a peer the accessory itself is the provider`() throws {
        #expect(try object(enter.replacing(#""peer":"cart","#, with: ""))["provider_id"] as? String == "dock")
    }

    @Test(arguments: ["zone_dwell", "session_started"])
    func `other events are none`(_ type: String) {
        #expect(OmloxFenceEvent(Array(enter.replacing("zone_enter", with: type).utf8)) == nil)
        #expect(OmloxFenceEvent([]) == nil)
        #expect(OmloxFenceEvent(Array("{}".utf8)) == nil)
    }

    @Test func `identifiers are UUIDs of version 8, and differ`() {
        var known: Set<String> = []
        for number in 0..<10_000 {
            let uuid = Array(OmloxFenceEvent.uuid("event \(number)"))
            #expect(uuid.count == 36 && uuid[14] == "8" && "89ab".contains(uuid[19]))
            known.insert(String(uuid))
        }
        #expect(known.count == 10_000)
    }
}
