// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@Suite(.onItsOwnThread)
struct RestartTests {
    enum Ending: CaseIterable {
        case stopped
        case killed
    }

    private func siteWithLampInside(_ ending: Ending) throws -> (site: Site, events: [Event]) {
        let site = try Site(set: ["lost_after=2s"])
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

    @Test("Who is inside at a restart stays inside without an event, and is lost once if it does not come back")
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
        let (site, before) = try siteWithLampInside(ending)
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
}
