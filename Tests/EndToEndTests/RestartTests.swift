// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@Suite(.onItsOwnThread)
struct RestartTests {
    enum Ending: CaseIterable {
        case stopped
        case killed
    }

    private func siteWithLampInside(
        _ ending: Ending,
        lostAfter: String = "2s"
    ) throws -> (site: Site, events: [Event]) {
        let site = try Site(set: ["lost_after=\(lostAfter)"])
        try site.enterBoth()
        let events = site.events()
        let last = events.last?.seq ?? 0
        // The state that follows the last event is what the next life starts from.
        let isTold = site.consumer.waitFor { _ in (try? site.state().seq) == last }
        try #require(isTold)
        switch ending {
        case .stopped: site.bridge.stop()
        case .killed: site.bridge.kill()
        }
        try site.restartBridge()
        return (site, events)
    }

    @Test("S13: who is inside at a restart stays inside without an event, and is lost once if it does not come back")
    func doesNotComeBack() throws {
        let (site, before) = try siteWithLampInside(.killed)
        let isRestored = Waiting.until {
            (try? site.retained()["nearby/accessory/lamp/state"])?.contains("\"restored\":true") == true
        }
        #expect(isRestored)
        let events = site.waitForEvents(2)
        #expect(events.map(\.summary) == ["exit immediate lost", "exit near lost"], "\(site.bridge.log)")
        try #require(events.count == 2)
        #expect(events.map(\.seq) == [before[1].seq + 1, before[1].seq + 2])
        #expect(events.map(\.visit) == [before[1].seq, before[0].seq])
        Waiting.sleep(milliseconds: 2500)
        #expect(site.events().count == 2)
        #expect(try site.zones() == ["near": "unknown", "immediate": "unknown"])
    }

    @Test("Who comes back after a restart does not enter twice, and leaves its old visit", arguments: Ending.allCases)
    func comesBack(_ ending: Ending) throws {
        let (site, before) = try siteWithLampInside(ending, lostAfter: "30s")
        try site.report(1.0, for: 3)
        #expect(site.events().isEmpty, "\(site.bridge.log)")
        #expect(try site.state().restored == false)
        #expect(try site.state().seq == before[1].seq)
        try site.report(4.0, for: 2)
        let events = site.waitForEvents(2)
        #expect(events.map(\.summary) == ["exit immediate left", "exit near left"])
        #expect(events.map(\.visit) == [before[1].seq, before[0].seq])
        #expect(events.map(\.seq) == [before[1].seq + 1, before[1].seq + 2])
    }

    @Test("A peer with a name is taken over with its accessory")
    func namedPeer() throws {
        let site = try Site()
        try site.enterBoth(peer: "alice")
        let last = site.waitForEvents(2).last?.seq
        site.bridge.kill()
        try site.restartBridge()
        #expect(try site.health().accessories == 1)
        #expect(try site.zones(peer: "alice") == ["near": "inside", "immediate": "inside"])
        try site.report(4.0, for: 2, peer: "alice")
        #expect(site.waitForEvents(2, peer: "alice").map(\.summary) == ["exit immediate left", "exit near left"])
        let events = site.events()
        #expect(events.map(\.summary) == ["exit immediate left", "exit near left"])
        #expect(events.first?.seq == last.map { $0 + 1 })
    }

    @Test("A zone that the configuration no longer has leaves no topic behind, and its stay ends as disabled")
    func removedZones() throws {
        let site = try Site(set: ["zones.door.radius=2"])
        try site.report(1.0, for: 1)
        #expect(site.consumer.waitFor { _ in (try? site.zones()["door"]) == "inside" })
        site.bridge.stop()
        try site.restartBridge(alsoSet: ["zones.door.enabled=false"])
        let isCleared = Waiting.until { (try? site.zones()) == ["near": "inside", "immediate": "inside"] }
        #expect(isCleared, "\(site.bridge.log)")
        #expect(site.events().map(\.summary) == ["exit door zone_disabled"])
    }

    @Test("No number is used twice over a restart, whatever event was the last")
    func numbersGoOn() throws {
        let site = try Site(set: ["zones.near.dwell=1s"])
        try site.report(5.0, for: 0.5)
        try site.report(1.0, for: 3)
        try site.source.publish("nearby/accessory/lamp/config", "zz")
        let isTold = site.consumer.waitFor { messages in
            messages.contains { $0.text.contains("configuration_rejected") }
        }
        try #require(isTold)
        let before = Self.numbers(site)
        site.bridge.stop()
        try site.restartBridge()
        try site.report(6.0, for: 3)
        let after = site.waitForEvents(2).map(\.seq)
        #expect(before.count >= 3 && after.count == 2)
        #expect(after.allSatisfy { $0 > before.max() ?? .max }, "before \(before), after \(after)")
    }

    /// The numbers of all events of the lamp, of zones and of sessions.
    private static func numbers(_ site: Site) -> [Int64] {
        site.consumer.messages.filter { $0.topic == "nearby/accessory/lamp/event" }.compactMap { message in
            message.text.split(separator: "\"seq\":").last.flatMap { Int64($0.prefix { $0.isNumber }) }
        }
    }

    @Test("Forged retained states cannot keep the bridge from starting")
    func forgedStates() throws {
        let site = try Site()
        site.bridge.stop()
        let configuration = "01000000140000000000000000000015010001003ff50300b80b0000000001010111d71900"
        let session = "{\"state\":\"ranging\",\"run\":9223372036854775807,\"configuration\":\"\(configuration)\"}"
        let state = "{\"seq\":9223372036854775804,\"zones\":{\"near\":{\"state\":\"inside\",\"visit\":-5}}}"
        for (topic, text) in [("session", session), ("state", state), ("peer/alice/state", state)] {
            try site.source.publish("nearby/accessory/lamp/\(topic)", text, isRetained: true)
        }
        let other = configuration.replacing("11d7", with: "22d7")
        try site.source.publish("nearby/accessory/lamp/config", other, isRetained: true)
        try site.restartBridge()
        try site.report(1.0, for: 1, peer: "alice")
        try site.report(4.0, for: 2, peer: "alice")
        #expect(try site.health().accessories == 1)
        #expect(site.waitForEvents(2, peer: "alice").allSatisfy { $0.seq < 1 << 53 }, "\(site.bridge.log)")
    }
}
