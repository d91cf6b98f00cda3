// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// What users of other bridges suffered from when accessories were renamed or removed, and when consumers restarted.
@Suite(.onItsOwnThread)
struct AccessoryLifeTests {
    private func ask(_ command: String, _ body: String, on site: Site) throws {
        let wanted = site.topic("bridge/response/\(command)")
        let count = site.consumer.messages.count { $0.topic == wanted }
        try site.source.publish(site.topic("bridge/request/\(command)"), body)
        let isAnswered = Waiting.until { site.consumer.messages.count { $0.topic == wanted } > count }
        try #require(isAnswered, "\(site.bridge.log)")
        #expect(site.consumer.messages.last { $0.topic == wanted }?.text.contains("\"ok\"") == true)
    }

    @Test("S5: a consumer that says it restarted makes no event")
    func consumerRestarts() throws {
        let site = try Site()
        try site.enterBoth()
        let before = try site.retained().filter { $0.key.contains("/accessory/") }
        for word in ["offline", "online"] { try site.source.publish("homeassistant/status", word) }
        Waiting.sleep(milliseconds: 1500)
        #expect(site.events().count == 2)
        let after = try site.retained().filter { $0.key.contains("/accessory/") }
        #expect(after.keys.sorted() == before.keys.sorted())
        #expect(try site.zones() == ["near": "inside", "immediate": "inside"])
    }

    @Test("S11: what was removed, renamed or disabled does not come back with a restart of broker and bridge")
    func removedForGood() throws {
        let site = try Site(set: ["zones.door.radius=2"], keepingState: true)
        try site.report(1.0, for: 1, of: "gone")
        try site.report(1.0, for: 1, peer: "alice")
        let isThere = Waiting.until {
            (try? site.retained().keys.contains { $0.contains("/lamp/peer/alice/zone/door") }) == true
        }
        try #require(isThere)
        try ask("accessory/remove", #"{"accessory":"gone"}"#, on: site)
        try ask("accessory/rename", #"{"accessory":"lamp","peer":"alice","name":"bob"}"#, on: site)
        try ask("zone/options", #"{"zone":"door","options":{"enabled":false}}"#, on: site)
        func isClean() -> Bool {
            guard let topics = try? site.retained().keys else { return false }
            return !topics.contains { $0.contains("/gone/") || $0.contains("/alice/") || $0.contains("/zone/door") }
                && topics.contains { $0.contains("/lamp/peer/bob/zone/near") }
        }
        #expect(Waiting.until { isClean() }, "\(site.bridge.log)")
        site.bridge.kill()
        try site.broker.restart(keepingData: true)
        try site.reconnectClients()
        try site.restartBridge()
        Waiting.sleep(milliseconds: 1000)
        #expect(isClean(), "\(site.bridge.log)")
        site.bridge.kill()
        try site.broker.restart(keepingData: false)
        try site.reconnectClients()
        try site.restartBridge()
        #expect(Waiting.until { isClean() }, "\(site.bridge.log)")
        #expect(site.events().isEmpty)
    }

    @Test("S12: an accessory that is renamed twice at once stays one accessory with one stream of events")
    func renamedTwice() throws {
        let site = try Site(keepingState: true)
        try site.enterBoth()
        for name in ["Lamp A", "Lamp B"] {
            try site.source.publish(
                "nearby/bridge/request/accessory/rename",
                "{\"accessory\":\"lamp\",\"name\":\"\(name)\"}"
            )
        }
        let isTold = Waiting.until {
            (try? site.retained()["nearby/bridge/accessories"])?.contains("\"name\":\"Lamp B\"") == true
        }
        #expect(isTold, "\(site.bridge.log)")
        try site.report(4.0, for: 2)
        let events = site.waitForEvents(4)
        #expect(events.map(\.seq) == (0..<4).map { events[0].seq + $0 })
        #expect(try site.health().accessories == 1)
        let accessories = try site.retained().keys.filter { $0.hasPrefix("nearby/accessory/") }
        #expect(accessories.allSatisfy { $0.hasPrefix("nearby/accessory/lamp/") }, "\(accessories)")
    }
}
