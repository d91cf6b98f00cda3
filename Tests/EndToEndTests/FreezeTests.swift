// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import TestSupport
import Testing

@Suite(.onItsOwnThread)
struct FreezeTests {
    private static let settings = ["lost_after=2s"]

    @Test("A bridge that stood still loses nobody who went on reporting", arguments: [2.0, 2.7, 5.0])
    func standingStill(_ seconds: Double) throws {
        let site = try Site(set: Self.settings)
        try site.enterBoth()
        site.bridge.freeze(true)
        try site.report(1.0, for: seconds)
        site.bridge.freeze(false)
        try site.report(1.0, for: 2.5)
        #expect(site.events().map(\.summary) == ["enter near", "enter immediate"], "\(site.bridge.log)")
        #expect(try site.health().stalls > 0)
        // It is still watched: silence counts from then on.
        #expect(site.waitForEvents(4).map(\.summary).suffix(2) == ["exit immediate lost", "exit near lost"])
    }

    @Test("Standing still for little longer than lost_after, again and again, loses nobody either")
    func standingStillOften() throws {
        let site = try Site(set: ["lost_after=1500ms"])
        try site.enterBoth()
        for _ in 0..<4 {
            site.bridge.freeze(true)
            try site.report(1.0, for: 1.7)
            site.bridge.freeze(false)
            try site.report(1.0, for: 0.4)
        }
        #expect(site.events().map(\.summary) == ["enter near", "enter immediate"], "\(site.bridge.log)")
        #expect(try site.health().stalls >= 4)
    }

    @Test("S14: silence ends a visit by a timer, not by the next message")
    func silence() throws {
        let site = try Site(set: Self.settings)
        try site.enterBoth()
        let begin = MonotonicClock.now()
        let events = site.waitForEvents(4)
        print("lost after \((MonotonicClock.now() - begin) / 1_000_000) ms, of which 600 ms are the test's")
        #expect(events.map(\.summary).suffix(2) == ["exit immediate lost", "exit near lost"])
        #expect(events.last?.distance == nil)
        let isUnknown = Waiting.until { (try? site.state().zone) == "unknown" }
        #expect(isUnknown)
        #expect(try site.state().distance == nil)
        #expect(try site.zones() == ["near": "unknown", "immediate": "unknown"])
    }
}
