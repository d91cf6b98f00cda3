// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import TestSupport
import Testing

@Suite(.onItsOwnThread)
struct OutageTests {
    /// A broker that comes back knowing what it knew, or nothing.
    enum Memory: CaseIterable {
        case kept
        case lost
    }

    @Test(
        "S3, S6: the broker dies in the middle of a walk and comes back: nothing is invented or forgotten",
        arguments: Memory.allCases
    )
    func duringWalk(_ memory: Memory) throws {
        let site = try Site(set: ["accessories.walker.lost_after=4s"], persistence: true)
        let walk = try FixtureWalk("los-case3-a12")
        try site.report(2.0, for: 0.5, of: "post", peer: "alice")
        try walk.play(86..<91, as: "walker", on: site)
        let first = site.waitForEvents(2, of: "walker")
        #expect(first.map(\.summary) == ["enter near", "enter immediate"])
        // The broker saves once a second what changed.
        Waiting.sleep(milliseconds: 1500)
        let before = try site.retained()

        site.broker.kill()
        // Longer than lost_after.
        Waiting.sleep(milliseconds: 5000)
        let begin = MonotonicClock.now()
        try site.broker.restart(keepingData: memory == .kept)
        try site.reconnectClients()
        let isOnline = Waiting.until {
            (try? site.retained()["nearby/bridge/state"]) == "{\"state\":\"online\"}"
        }
        try #require(isOnline, "\(site.bridge.log)")
        print("broker back, memory \(memory): bridge online after \((MonotonicClock.now() - begin) / 1_000_000) ms")
        let isComplete = Waiting.until {
            guard let now = try? site.retained() else { return false }
            return now.keys.sorted() == before.keys.sorted()
        }
        print("everything retained after \((MonotonicClock.now() - begin) / 1_000_000) ms")
        let after = try site.retained()
        #expect(isComplete, "before \(before.keys.sorted()), after \(after.keys.sorted())")
        for (topic, text) in before where topic.contains("/zone/") || topic.hasSuffix("/session") {
            #expect(after[topic] == text, "\(topic)")
        }

        try walk.play(91..<97, as: "walker", on: site)
        let events = site.waitForEvents(2, of: "walker")
        #expect(events.map(\.summary) == ["exit immediate left", "exit near left"], "\(site.bridge.log)")
        #expect(events.first?.seq == first.last.map { $0.seq + 1 })
        #expect(events.map(\.visit) == first.reversed().map(\.seq))
        #expect(site.events(of: "post").isEmpty)
        #expect(try site.health().mqtt.reconnects == 1)
    }

    /// Lets the lamp leave while nothing that the bridge says gets through, and then cuts the line.
    private func siteWithWaitingEvents(expiry: String, waitingFor milliseconds: UInt32) throws -> Site {
        let site = try Site(set: ["event_expiry=\(expiry)"], throughProxy: true)
        try site.enterBoth()
        let last = site.events().last?.seq
        #expect(site.consumer.waitFor { _ in (try? site.state().seq) == last })
        site.consumer.forgetMessages()
        site.proxy?.isBlocked = true
        try site.report(4.0, for: 2)
        Waiting.sleep(milliseconds: milliseconds)
        #expect(site.events().isEmpty)
        site.proxy?.cut()
        site.proxy?.isBlocked = false
        let isKnown = Waiting.until { (try? site.zones()) == ["near": "outside", "immediate": "outside"] }
        try #require(isKnown, "\(site.bridge.log)")
        return site
    }

    @Test("An event that waits for the broker no longer than event_expiry is told once")
    func youngEvent() throws {
        let site = try siteWithWaitingEvents(expiry: "60s", waitingFor: 0)
        #expect(site.waitForEvents(2).map(\.summary) == ["exit immediate left", "exit near left"])
        let events = site.events()
        for event in events { #expect(event.publishedAt >= event.at) }
        #expect(try site.health().dropped["events_expired"] == 0)
    }

    @Test("An event older than event_expiry is never told, but counted, and leaves a gap in the numbers")
    func oldEvent() throws {
        let site = try siteWithWaitingEvents(expiry: "1s", waitingFor: 1500)
        #expect(try site.health().dropped["events_expired"] == 2)
        #expect(site.events().isEmpty)
        try site.report(1.0, for: 3)
        let events = site.waitForEvents(2)
        #expect(events.map(\.summary) == ["enter near", "enter immediate"])
        #expect(try site.state().seq == events.last?.seq)
    }

    @Test("A broker that stands still and then dies does not make anybody lost")
    func frozenAndDead() throws {
        let site = try Site(set: ["lost_after=5s"])
        try site.enterBoth()
        site.broker.freeze(true)
        Waiting.sleep(milliseconds: 7000)
        site.broker.kill()
        try site.broker.restart(keepingData: false)
        try site.reconnectClients()
        try site.report(1.0, for: 1)
        // A broker that has lost everything is told again, when the bridge has found it.
        let isKnown = Waiting.until { (try? site.zones()) == ["near": "inside", "immediate": "inside"] }
        #expect(isKnown)
        #expect(site.events().isEmpty, "\(site.bridge.log)")
    }

    @Test("A broker that stands still and goes on does not disturb anything")
    func frozenBroker() throws {
        let site = try Site()
        try site.enterBoth()
        site.broker.freeze(true)
        Waiting.sleep(milliseconds: 4000)
        site.broker.freeze(false)
        try site.report(1.0, for: 1)
        try site.report(4.0, for: 2)
        let events = site.waitForEvents(4)
        #expect(events.map(\.summary).suffix(2) == ["exit immediate left", "exit near left"])
        #expect(events.count == 4)
        #expect(try site.health().mqtt.reconnects == 0)
    }
}
