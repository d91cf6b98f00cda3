// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// What users of other bridges suffered from, over a real broker; numbered as they were collected.
///
/// Others carry their number where they belong: look for `"S`.
@Suite(.onItsOwnThread)
struct FieldScenarioTests {
    @Test("S9: whoever comes long after a tag fell silent is told that it is unknown, or was outside, and since when")
    func silentTag() throws {
        let site = try Site(set: ["lost_after=1s"])
        try site.enterBoth()
        try site.report(4.0, for: 1, of: "far")
        #expect(site.waitForEvents(4).map(\.summary).suffix(2) == ["exit immediate lost", "exit near lost"])
        let isLost = Waiting.until { (try? site.state(of: "far").distance) == nil }
        #expect(isLost)
        let retained = try site.retained()
        let inside = try #require(retained["nearby/accessory/lamp/state"])
        let outside = try #require(retained["nearby/accessory/far/state"])
        for state in [inside, outside] {
            #expect(state.contains("\"distance\":null"))
            #expect(state.contains("\"last_report\":\"20"))
        }
        #expect(inside.contains("\"zone\":\"unknown\""))
        #expect(outside.contains("\"zone\":\"outside\""))
        #expect(inside.contains("\"since\":\"20"))
        #expect(try site.zones() == ["near": "unknown", "immediate": "unknown"])
        #expect(!retained.keys.contains { $0.hasSuffix("/event") })
    }

    @Test("S13: a tag that left while the bridge was down is lost once, though the broker has forgotten it")
    func leftMeanwhile() throws {
        let site = try Site(set: ["lost_after=2s"], keepingState: true)
        try site.enterBoth()
        let before = site.events()
        site.bridge.stop()
        // However long the bridge is away: silence counts from its coming.
        Waiting.sleep(milliseconds: 3000)
        try site.broker.restart(keepingData: false)
        try site.reconnectClients()
        try site.restartBridge()
        let events = site.waitForEvents(2)
        #expect(events.map(\.summary) == ["exit immediate lost", "exit near lost"], "\(site.bridge.log)")
        #expect(events.map(\.seq) == [before[1].seq + 1, before[1].seq + 2])
        Waiting.sleep(milliseconds: 2500)
        #expect(site.events().count == 2)
        #expect(try site.zones() == ["near": "unknown", "immediate": "unknown"])
    }
}
