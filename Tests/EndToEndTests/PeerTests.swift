// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@Suite(.onItsOwnThread)
struct PeerTests {
    @Test("Two named peers have topics of their own, and the accessory is what both make of it")
    func twoPeers() throws {
        let site = try Site()
        try site.report(1.0, for: 1, peer: "alice")
        #expect(site.waitForEvents(2, peer: "alice").map(\.summary) == ["enter near", "enter immediate"])
        try both(site, alice: 1.0, bob: 2.2, seconds: 1.5)
        #expect(site.waitForEvents(1, peer: "bob").map(\.summary) == ["enter near"])
        #expect(site.events().map(\.summary) == ["enter near", "enter immediate"], "bob found alice inside")

        let inside = try site.state()
        #expect(inside.zone == "immediate")
        #expect(inside.zones["near"]?.count == 2)
        #expect(inside.zones["immediate"]?.count == 1)
        #expect(inside.peers?.keys.sorted() == ["alice", "bob"])
        #expect(inside.peers?["alice"]?.zone == "immediate")
        #expect(inside.peers?["bob"]?.zone == "near")
        #expect(try #require(inside.distance) < 1.2, "the nearest peer's distance")
        let bob = try site.state(peer: "bob")
        #expect(bob.peer == "bob")
        #expect(bob.zone == "near")
        #expect(bob.peers == nil)
        #expect(abs(try #require(bob.distance) - 2.2) < 0.1)

        try both(site, alice: 5, bob: 2.2, seconds: 1.5)
        let alice = site.waitForEvents(4, peer: "alice").map(\.summary)
        #expect(alice.suffix(2) == ["exit immediate left", "exit near left"])
        #expect(site.events().map(\.summary).suffix(1) == ["exit immediate left"], "bob is still near")
        #expect(try site.zones() == ["near": "inside", "immediate": "outside"])
        #expect(try site.zones(peer: "alice") == ["near": "outside", "immediate": "outside"])
        #expect(try site.zones(peer: "bob") == ["near": "inside", "immediate": "outside"])

        try both(site, alice: 5, bob: 5, seconds: 1.5)
        let all = site.waitForEvents(4)
        #expect(all.map(\.summary) == ["enter near", "enter immediate", "exit immediate left", "exit near left"])
        checkOrder(of: site)
    }

    private func both(_ site: Site, alice: Double, bob: Double, seconds: Double) throws {
        for _ in 0..<Int(seconds * 10) {
            try site.report(alice, peer: "alice")
            try site.report(bob, peer: "bob")
            Waiting.sleep(milliseconds: 100)
        }
    }

    /// Each level counts for itself, and whatever the accessory tells, a peer has told before.
    private func checkOrder(of site: Site) {
        for peer in [nil, "alice", "bob"] {
            let events = site.events(peer: peer)
            for (event, next) in zip(events, events.dropFirst()) { #expect(next.seq == event.seq + 1) }
            for event in events {
                #expect(event.peer == peer)
                #expect(event.id == "lamp\(peer.map { "/\($0)" } ?? ""):\(event.seq)")
            }
        }
        let events = site.consumer.messages.filter { $0.topic.hasSuffix("/event") && $0.topic.contains("/accessory/") }
        var told: [String: Int] = [:]
        for message in events {
            guard let event = try? message.decoded(Event.self) else { continue }
            told[event.summary, default: 0] += event.peer == nil ? -1 : 1
            #expect(told[event.summary, default: 0] >= 0, "the accessory told \(event.summary) before the peer did")
        }
    }
}
