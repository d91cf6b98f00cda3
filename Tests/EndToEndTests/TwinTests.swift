// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import TestSupport
import Testing

@Suite(.onItsOwnThread)
struct TwinTests {
    enum Ending: CaseIterable {
        case stopped
        case killed
    }

    @Test("A second bridge stands by in silence and takes over when the first ends", arguments: Ending.allCases)
    func takeOver(_ ending: Ending) throws {
        let site = try Site()
        try site.enterBoth()
        let second = try site.secondBridge()
        try #require(Waiting.until { second.log.contains("standing by") }, "\(second.log)")
        try site.report(1.0, for: 1)
        let states = site.consumer.messages.filter { $0.topic == "nearby/bridge/state" }
        #expect(states.map(\.text) == ["{\"state\":\"online\"}"])
        #expect(site.bridge.isRunning)
        #expect(!site.bridge.log.contains("trying again"), "the second disturbed the first")
        let before = site.events()
        #expect(before.count == 2)

        site.consumer.forgetMessages()
        let begin = MonotonicClock.now()
        switch ending {
        case .stopped: #expect(site.bridge.stop() == .exited(status: 0))
        case .killed: site.bridge.kill()
        }
        try site.waitForBridge(second)
        print("taken over in \((MonotonicClock.now() - begin) / 1_000_000) ms after the first was \(ending)")
        try site.report(1.0, for: 1)
        try site.report(4.0, for: 2)
        let events = site.waitForEvents(2)
        #expect(events.map(\.summary) == ["exit immediate left", "exit near left"], "\(second.log)")
        #expect(events.first?.seq == before.last.map { $0.seq + 1 })
        let word = ending == .stopped ? "stopped" : "offline"
        let words = site.consumer.messages.filter { $0.topic == "nearby/bridge/state" }.map(\.text)
        #expect(words == ["{\"state\":\"\(word)\"}", "{\"state\":\"online\"}"])
    }

    @Test("Where nothing is retained, a second bridge asks and stands by as well")
    func nothingRetained() throws {
        let site = try Site(set: ["mqtt.retain=false"])
        let second = try site.secondBridge()
        try #require(Waiting.until { second.log.contains("standing by") }, "\(second.log)")
        #expect(!site.bridge.log.contains("trying again"))
        site.consumer.forgetMessages()
        site.bridge.kill()
        try site.waitForBridge(second)
        try site.report(1.0, for: 1)
        #expect(site.waitForEvents(2).map(\.summary) == ["enter near", "enter immediate"])
    }

    @Test("A bridge that stood still until another took over stands by when it goes on")
    func frozenBridge() throws {
        // The broker gives a client up after one and a half times its keep-alive.
        let site = try Site(set: ["mqtt.keep_alive=5s"])
        try site.enterBoth()
        let second = try site.secondBridge()
        try #require(Waiting.until { second.log.contains("standing by") }, "\(second.log)")
        site.consumer.forgetMessages()
        site.bridge.freeze(true)
        try site.waitForBridge(second)
        site.bridge.freeze(false)
        #expect(Waiting.until { site.bridge.log.contains("standing by") }, "\(site.bridge.log)")
        #expect(!second.log.contains("trying again"), "\(second.log)")
        try site.report(1.0, for: 1)
        try site.report(4.0, for: 2)
        #expect(site.waitForEvents(2).map(\.summary) == ["exit immediate left", "exit near left"])
        #expect(try site.retained()["nearby/bridge/state"] == "{\"state\":\"online\"}")
        // And back again.
        site.consumer.forgetMessages()
        second.kill()
        try site.waitForBridge(site.bridge)
        try site.report(1.0, for: 1)
        #expect(site.waitForEvents(2).map(\.summary) == ["enter near", "enter immediate"])
    }

    @Test("A standby stops at once when asked, and says nothing")
    func standbyStops() throws {
        let site = try Site()
        let second = try site.secondBridge()
        try #require(Waiting.until { second.log.contains("standing by") })
        #expect(second.stop() == .exited(status: 0))
        Waiting.sleep(milliseconds: 300)
        let states = site.consumer.messages.filter { $0.topic == "nearby/bridge/state" }
        #expect(states.map(\.text) == ["{\"state\":\"online\"}"])
        #expect(try site.health().mqtt.reconnects == 0)
    }

    @Test("Two bridges that a broker without memory meets at once sort it out", arguments: ["5", "3.1.1"])
    func brokerWithoutMemory(_ version: String) throws {
        let site = try Site(set: ["mqtt.protocol=\(version)"])
        let second = try site.secondBridge()
        try #require(Waiting.until { second.log.contains("standing by") }, "\(second.log)")
        site.broker.kill()
        try site.broker.restart(keepingData: false)
        try site.reconnectClients()
        // One of them is the bridge again and stays it: nobody comes or goes any more for five seconds.
        var changes = -1
        let isSettled = Waiting.until(.seconds(60)) {
            let before = changes
            Waiting.sleep(milliseconds: 5000)
            changes = site.consumer.messages.count { $0.topic == "nearby/bridge/state" }
            return changes == before && changes > 0
        }
        #expect(isSettled, "they fight:\n\(site.bridge.log)\n--\n\(second.log)")
        #expect(try site.retained()["nearby/bridge/state"] == "{\"state\":\"online\"}")
        try site.report(1.0, for: 1)
        #expect(site.waitForEvents(2).map(\.summary) == ["enter near", "enter immediate"])
    }
}
