// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import TestSupport
import Testing

@Suite(.onItsOwnThread)
struct StoreTests {
    private static let file = "nearby-bridge.sqlite"

    @Test("Who is inside is so after a restart though the broker has lost everything")
    func brokerForgets() throws {
        let site = try Site(keepingState: true)
        try site.enterBoth()
        let before = site.events()
        site.bridge.kill()
        try site.broker.restart(keepingData: false)
        try site.reconnectClients()
        try site.restartBridge()
        #expect(try site.zones() == ["near": "inside", "immediate": "inside"])
        try site.report(1.0, for: 1)
        #expect(site.events().isEmpty)
        try site.report(4.0, for: 2)
        let events = site.waitForEvents(2)
        #expect(events.map(\.summary) == ["exit immediate left", "exit near left"])
        #expect(events.map(\.seq) == [before[1].seq + 1, before[1].seq + 2])
        #expect(events.map(\.visit) == [before[1].seq, before[0].seq])
    }

    @Test("S25: a session goes on after a restart though the broker has lost everything")
    func session() throws {
        let site = try Site(keepingState: true)
        try site.range()
        site.bridge.kill()
        try site.broker.restart(keepingData: false)
        try site.reconnectClients()
        try site.restartBridge()
        try site.report(5, for: 2)
        #expect(site.commands().isEmpty)
        #expect(try site.news().isEmpty)
        #expect(try site.session()?.state == "ranging")
    }

    @Test("A store that is deleted under a running bridge is begun anew with all that is known")
    func deleted() throws {
        let site = try Site(keepingState: true)
        try site.enterBoth()
        let last = try #require(site.events().last?.seq)
        let directory = try #require(site.stateDirectory)
        let files = ["", "-wal", "-shm"].map { directory.file(Self.file + $0) }
        #expect(try ChildProcess(["rm", "-f"] + files).wait() == .exited(status: 0))
        let isRenewed = Waiting.until {
            site.bridge.log.contains("deleted or replaced") && FileIdentity(of: directory.file(Self.file)) != nil
        }
        #expect(isRenewed, "\(site.bridge.log)")
        try site.report(1.0, for: 1)
        site.bridge.kill()
        try site.broker.restart(keepingData: false)
        try site.reconnectClients()
        try site.restartBridge()
        #expect(try site.zones() == ["near": "inside", "immediate": "inside"])
        try site.report(4.0, for: 2)
        #expect(site.waitForEvents(2).map(\.seq) == [last + 1, last + 2])
    }

    @Test("A damaged store is put aside, and the broker's copy tells what was")
    func damaged() throws {
        let site = try Site(keepingState: true)
        try site.enterBoth()
        let last = try #require(site.events().last?.seq)
        try #require(site.consumer.waitFor { _ in (try? site.state().seq) == last })
        site.bridge.stop()
        let directory = try #require(site.stateDirectory)
        try directory.write(Array(repeating: 0x55, count: 20_000), to: Self.file)
        try site.restartBridge()
        #expect(site.bridge.log.contains("is damaged: kept as"), "\(site.bridge.log)")
        #expect(try site.zones() == ["near": "inside", "immediate": "inside"])
        try site.report(4.0, for: 2)
        #expect(site.waitForEvents(2).map(\.seq) == [last + 1, last + 2])
        // The new one is sound, and holds what happened.
        site.bridge.stop()
        try site.restartBridge()
        #expect(!site.bridge.log.contains("damaged"), "\(site.bridge.log)")
        let isRemembered = Waiting.until {
            (try? site.retained()["nearby/accessory/lamp/state"])?.contains("\"seq\":\(last + 2)") == true
        }
        #expect(isRemembered, "\(site.bridge.log)")
    }

    @Test("A store that cannot be made is said, and the bridge goes on without")
    func unusable() throws {
        let site = try Site(set: ["state.path=/dev/null/nearby"])
        #expect(site.bridge.log.contains("/dev/null/nearby"), "\(site.bridge.log)")
        #expect(site.bridge.log.contains("Going on without"), "\(site.bridge.log)")
        try site.enterBoth()
    }

    @Test("Two bridges never share a store")
    func inUse() throws {
        let site = try Site(keepingState: true)
        let second = try site.secondBridge()
        #expect(second.wait() == .exited(status: 69), "\(second.log)")
        #expect(second.log.contains("in use by another bridge"), "\(second.log)")
        try site.enterBoth()
    }

    @Test("A peer that was forgotten is not in the store any more")
    func forgotten() throws {
        let site = try Site(set: ["peer_forget=2s", "lost_after=1s"], keepingState: true)
        try site.report(5.0, for: 1, peer: "alice")
        try site.report(5.0, for: 6)
        let isForgotten = Waiting.until { (try? site.retained()["nearby/accessory/lamp/peer/alice/state"]) == nil }
        #expect(isForgotten, "\(site.bridge.log)")
        site.bridge.kill()
        try site.restartBridge()
        #expect(try site.retained()["nearby/accessory/lamp/peer/alice/state"] == nil)
    }
}
