// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import TestSupport
import Testing

/// A store that cannot be written for a while, or at all.
///
/// The kernel refuses, for root too.
@Suite(.onItsOwnThread)
struct DiskFaultTests {
    private static let file = "nearby-bridge.sqlite"

    @Test("A disk that is full for a while stops no event, and afterwards the store holds everything")
    func full() throws {
        let site = try Site(keepingState: true)
        try site.enterBoth("early")
        try site.bridge.limitFiles(to: 4096)
        try site.enterBoth("lamp")
        try site.report(4.0, for: 2, of: "early")
        #expect(site.waitForEvents(4, of: "early").count == 4, "events go on")
        #expect(site.bridge.log.contains("a restart now would fall back"), "\(site.bridge.log)")
        #expect(try site.health().storeFailures > 0)
        try site.bridge.limitFiles(to: nil)
        #expect(Waiting.until { site.bridge.log.contains("the store works again") }, "\(site.bridge.log)")
        let before = site.events()

        // The broker knows nothing: what comes back was in the store.
        site.bridge.kill()
        try site.broker.restart(keepingData: false)
        try site.reconnectClients()
        try site.restartBridge()
        #expect(!site.bridge.log.contains("damaged"), "\(site.bridge.log)")
        #expect(try site.zones() == ["near": "inside", "immediate": "inside"])
        #expect(try site.zones(of: "early") == ["near": "outside", "immediate": "outside"])
        try site.report(4.0, for: 2)
        let after = site.waitForEvents(2)
        #expect(after.map(\.summary) == ["exit immediate left", "exit near left"])
        #expect(after.map(\.seq) == [before[1].seq + 1, before[1].seq + 2])
        #expect(site.events(of: "early").isEmpty)
    }

    @Test("A bridge that is killed while the disk is full falls back on the broker's copy")
    func killedWhileFull() throws {
        let site = try Site(keepingState: true)
        try site.report(5.0, for: 0.5)
        try site.bridge.limitFiles(to: 4096)
        try site.enterBoth()
        let last = try #require(site.events().last?.seq)
        try #require(site.consumer.waitFor { _ in (try? site.state().seq) == last })
        site.bridge.kill()
        try site.restartBridge()
        #expect(try site.zones() == ["near": "inside", "immediate": "inside"])
        try site.report(4.0, for: 2)
        let events = site.waitForEvents(2)
        #expect(events.map(\.summary) == ["exit immediate left", "exit near left"])
        #expect(events.map(\.seq) == [last + 1, last + 2])
    }

    @Test("A store that cannot be opened at the start is taken into use when it can, with all that happened")
    func opensLater() throws {
        let site = try Site(keepingState: true)
        site.bridge.stop()
        let directory = try #require(site.stateDirectory)
        for suffix in ["", "-wal", "-shm"] {
            _ = try ChildProcess(["rm", "-f", directory.file(Self.file) + suffix]).wait()
        }
        _ = try ChildProcess(["mkdir", directory.file(Self.file)]).wait()
        try site.restartBridge()
        #expect(site.bridge.log.contains("Going on without"), "\(site.bridge.log)")
        try site.enterBoth()
        let last = try #require(site.events().last?.seq)
        _ = try ChildProcess(["rmdir", directory.file(Self.file)]).wait()
        #expect(Waiting.until { site.bridge.log.contains("the store works now") }, "\(site.bridge.log)")
        site.bridge.kill()
        try site.broker.restart(keepingData: false)
        try site.reconnectClients()
        try site.restartBridge()
        #expect(try site.zones() == ["near": "inside", "immediate": "inside"])
        try site.report(4.0, for: 2)
        #expect(site.waitForEvents(2).map(\.seq) == [last + 1, last + 2])
    }
}
