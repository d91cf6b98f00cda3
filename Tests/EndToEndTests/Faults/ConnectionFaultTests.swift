// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import MosquittoClient
import TestSupport
import Testing

/// What networks and strangers do to the bridge's connection.
@Suite(.onItsOwnThread)
struct ConnectionFaultTests {
    enum Trouble: CaseIterable {
        /// The connection is reset.
        case reset
        /// The other end is gone and does not say so.
        case halfOpen
        /// Nothing arrives for a while, and then all of it.
        case blackHole
        /// Nothing arrives for a while, and then the connection is reset.
        case blackHoleThenReset
    }

    @Test("Whatever happens to the connection, nobody is lost and each event is told once", arguments: Trouble.allCases)
    func trouble(_ trouble: Trouble) throws {
        let site = try Site(set: ["mqtt.keep_alive=5s", "lost_after=3s"], throughProxy: true, keepingState: true)
        let proxy = try #require(site.proxy)
        try site.enterBoth()
        let before = site.events()
        switch trouble {
        case .reset: proxy.cut()
        case .halfOpen: proxy.abandon()
        case .blackHole, .blackHoleThenReset: proxy.isBlackHole = true
        }
        // It stays for longer than lost_after and goes away unseen.
        try site.report(1.0, for: 4)
        try site.report(4.0, for: 2)
        if trouble == .blackHoleThenReset { proxy.cut() }
        proxy.isBlackHole = false
        _ = Waiting.until(.seconds(60)) {
            try? site.report(4.0, for: 0.1)
            return site.events().count >= 4
        }
        let events = site.waitForEvents(4)
        let summaries = ["enter near", "enter immediate", "exit immediate left", "exit near left"]
        try #require(events.map(\.summary) == summaries, "\(site.bridge.log)")
        #expect(events.map(\.seq) == (0..<4).map { before[0].seq + $0 })
        #expect(try site.health().dropped["events_expired"] == 0)
    }

    @Test("S1: whoever comes after the bridge's path was cut and its will was sent finds it online")
    func will() throws {
        let site = try Site(set: ["mqtt.keep_alive=5s"], throughProxy: true)
        let proxy = try #require(site.proxy)
        try site.enterBoth()
        site.consumer.forgetMessages()
        // The broker sees a client vanish; the client sees nothing until it asks.
        proxy.abandon()
        let isMissed = site.consumer.waitFor { messages in
            messages.contains { $0.topic == "nearby/bridge/state" && $0.text.contains("offline") }
        }
        #expect(isMissed)
        try site.waitForBridge(site.bridge)
        #expect(try site.retained()["nearby/bridge/state"] == "{\"state\":\"online\"}")
        #expect(try site.zones() == ["near": "inside", "immediate": "inside"])
        #expect(site.events().isEmpty)
    }

    @Test("A stranger who takes the bridge's client identifier gets it for a moment only")
    func takeover() throws {
        let site = try Site(keepingState: true)
        try site.enterBoth()
        let stranger = try MQTTTestClient(port: site.broker.port, clientIdentifier: "nearby-bridge")
        let isPushedOut = Waiting.until(.seconds(60)) { stranger.error != nil }
        #expect(isPushedOut, "\(site.bridge.log)")
        _ = Waiting.until(.seconds(60)) {
            try? site.report(4.0, for: 0.1)
            return site.events().count >= 4
        }
        #expect(site.waitForEvents(4).map(\.summary).suffix(2) == ["exit immediate left", "exit near left"])
        // Who does not come back is not fought with.
        #expect(try site.health().mqtt.reconnects == 1)
        #expect(try site.retained()["nearby/bridge/state"] == "{\"state\":\"online\"}")
    }
}
