// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import MosquittoClient
import TestSupport
import Testing

/// What the bridge publishes in the words of others.
@Suite(.onItsOwnThread)
struct OutputTests {
    private func text(_ message: MQTTTestClient.Message, _ key: String) -> String? {
        JSONText.object(message.payload)?[key] as? String
    }

    @Test("A hub hears of each peer's stays as of entries to a fence and exits from it, before the event itself")
    func fenceEvents() throws {
        let site = try Site(set: ["outputs.omlox=/omlox/json"])
        let hub = try MQTTTestClient(port: site.broker.port, clientIdentifier: "hub")
        try hub.subscribe("#")
        try site.report(2, for: 1, peer: "cart")
        try site.report(5, for: 1.5, peer: "cart")
        #expect(site.waitForEvents(2).count == 2)
        let fences = hub.messages.filter { $0.topic.hasPrefix("/omlox/json/fence_events/") }
        #expect(
            fences.map { text($0, "event_type") } == ["region_entry", "region_exit"],
            "the aggregate is no provider"
        )
        #expect(fences.allSatisfy { text($0, "provider_id") == "cart" && !$0.isRetained })
        #expect(fences.allSatisfy { $0.topic.hasSuffix(text($0, "fence_id") ?? "-") })
        let order = hub.messages.filter { $0.topic.contains("/fence_events/") || $0.topic.hasSuffix("/cart/event") }
        #expect(order.map { $0.topic.contains("/fence_events/") } == [true, false, true, false])
    }

    @Test("Sensors of mqtt_room hear at least every few seconds who is in which room")
    func rooms() throws {
        let site = try Site(set: ["outputs.mqtt_room=room_presence"])
        let sensor = try MQTTTestClient(port: site.broker.port, clientIdentifier: "sensor")
        try sensor.subscribe("room_presence/+")
        try site.report(2, for: 10, peer: "watch")
        let messages = sensor.messages
        // At rest too: a state comes after 4 s at the latest.
        #expect(messages.count >= 3, "\(messages.count)")
        #expect(messages.allSatisfy { $0.topic == "room_presence/lamp" && !$0.isRetained })
        #expect(messages.allSatisfy { text($0, "id") == "watch" })
        let distance = messages.last.flatMap { JSONText.object($0.payload)?["distance"] as? Double }
        #expect(abs((distance ?? 0) - 2) < 0.2)
    }
}
