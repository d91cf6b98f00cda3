// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// One way to run the first example of the manual.
struct LampVariant: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var settings: [String] = []
    var base = "nearby"
    /// Reports a second.
    var rate = 10.0
    var isRetaining = true

    static let all = [
        LampVariant(testDescription: "ten reports a second"),
        LampVariant(testDescription: "two reports a second", rate: 2),
        LampVariant(testDescription: "MQTT 3.1.1", settings: ["mqtt.protocol=3.1.1"]),
        LampVariant(testDescription: "another base topic", base: "plant/hall 1/uwb"),
        LampVariant(testDescription: "reports at level 1", settings: ["mqtt.report_qos=1"]),
        LampVariant(testDescription: "nothing retained", settings: ["mqtt.retain=false"], isRetaining: false),
    ]
}

@Suite(.onItsOwnThread)
struct LampTests {
    @Test(
        "Two seconds near and two seconds far make each of the four events once, in order",
        arguments: LampVariant.all
    )
    func nearAndFar(_ variant: LampVariant) throws {
        let site = try Site(base: variant.base, set: variant.settings)
        try site.report(1.2, for: 2, rate: variant.rate)
        try site.report(4, for: 2, rate: variant.rate)
        let events = site.waitForEvents(4)

        try #require(
            events.map(\.summary) == ["enter near", "enter immediate", "exit immediate left", "exit near left"],
            "\(site.bridge.log)"
        )
        for (event, next) in zip(events, events.dropFirst()) { #expect(next.seq == event.seq + 1) }
        #expect(events[0].seq > 1_600_000_000_000)
        #expect(events.map(\.visit) == [events[0].seq, events[1].seq, events[1].seq, events[0].seq])
        #expect(events.map(\.radius) == [3, 1.5, 1.5, 3])
        for event in events {
            #expect(event.v == 1)
            #expect(event.id == "lamp:\(event.seq)")
            #expect(event.accessory == "lamp")
            #expect(event.peer == nil)
            for time in [event.at, event.publishedAt] { #expect(time.count == 24 && time.hasSuffix("Z")) }
            #expect(event.publishedAt >= event.at)
            #expect((event.dwell != nil) == (event.type == "zone_exit"))
        }
        try checkTopics(of: site, variant)
    }

    /// What is kept, and how all payloads look.
    private func checkTopics(of site: Site, _ variant: LampVariant) throws {
        let retained = try site.retained()
        #expect(!retained.keys.contains { $0.hasSuffix("/event") })
        if variant.isRetaining {
            #expect(retained[site.topic("accessory/lamp/zone/near")] == "outside")
            #expect(retained[site.topic("accessory/lamp/zone/immediate")] == "outside")
            #expect(retained[site.topic("bridge/state")] == "{\"state\":\"online\"}")
            let rest = ["lamp/state", "lamp/session"].map { "accessory/\($0)" }
            for topic in rest + ["info", "health", "accessories"].map({ "bridge/\($0)" }) {
                #expect(retained[site.topic(topic)] != nil, "\(topic)")
            }
        } else {
            #expect(retained.isEmpty)
        }
        let words = site.consumer.messages.filter { $0.topic == site.topic("accessory/lamp/zone/near") }.map(\.text)
        #expect(words == ["inside", "outside"])
        let plain = ["/zone/", "/report", "/bridge/start/"]
        for message in site.consumer.messages where !plain.contains(where: message.topic.contains) {
            #expect(KeyOrder.isSorted(message.payload), "\(message.topic) \(message.text)")
        }
        let state = try site.state()
        #expect(state.zone == "outside")
        #expect(state.session == "external")
        #expect(state.seq == site.events().last?.seq)
        #expect(state.restored == false)
    }

    @Test("S2, S8: a late subscriber gets the states and no event of the past")
    func lateSubscriber() throws {
        let site = try Site()
        try site.enterBoth()
        let isKept = Waiting.until {
            (try? site.zones()) == ["near": "inside", "immediate": "inside"]
        }
        #expect(isKept)
        let state = try #require(try site.retained()["nearby/accessory/lamp/state"])
        #expect(state.contains("\"zone\":\"immediate\""))
        #expect(try site.retained().keys.contains { $0.hasSuffix("/event") } == false)
    }

    @Test("A retained report makes no event and is counted")
    func retainedReport() throws {
        let site = try Site()
        try site.source.publish("nearby/accessory/lamp/report", "{\"distance\":1}", isRetained: true)
        site.bridge.stop()
        try site.restartBridge()
        try site.report(1.0, for: 1, of: "other")
        #expect(site.waitForEvents(2, of: "other").count == 2)
        #expect(site.events(of: "lamp").isEmpty)
        #expect(try site.health().dropped["retained_report"] == 1)
    }
}
