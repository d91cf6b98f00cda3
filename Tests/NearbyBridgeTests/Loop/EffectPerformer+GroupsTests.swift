// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import TestSupport
import Testing

@testable import NearbyBridge
@testable import NearbyCore

struct EffectPerformerGroupsTests {
    private func bench() throws -> PerformerBench {
        var options = EngineOptions()
        options.groups["fleet"] = GroupOptions(members: .all, nearest: NearestOptions(hold: .zero))
        var bench = try PerformerBench(engine: options)
        for _ in 0..<5 { bench.report(#"{"distance":1,"peer":"alice"}"#, from: "lamp") }
        return bench
    }

    @Test func `events of a group come after those of the accessory, once and never retained`() throws {
        var bench = try bench()
        bench.perform()
        let events = bench.drain().filter { $0.topic.hasSuffix("/event") && $0.event != nil }
        let topics = events.map { $0.topic.replacing("nearby/", with: "") }
        let firstGroup = try #require(topics.firstIndex(of: "group/fleet/event"))
        #expect(firstGroup > (topics.lastIndex(of: "accessory/lamp/event") ?? topics.count))
        let ofGroup = events.filter { $0.event?.group == "fleet" }
        #expect(ofGroup.count == 3)
        #expect(ofGroup.allSatisfy { !$0.isRetained && $0.qualityOfService == 1 && $0.stampAt != nil })
        #expect(ofGroup.allSatisfy { $0.expiresAt == bench.now.advanced(by: .seconds(60)) })
    }

    @Test func `a group's state is told once a turn, after the turn's events`() throws {
        var bench = try bench()
        bench.perform()
        let topics = bench.drain().map(\.topic).filter { $0.hasPrefix("nearby/group/") }
        #expect(topics.count { $0.hasSuffix("/state") } == 1)
        #expect(topics.last == "nearby/group/fleet/state")
    }

    @Test func `while offline only the events are kept; everything retained comes with the republication`() throws {
        var bench = try bench()
        bench.perform(isOnline: false)
        #expect(bench.drain().filter { $0.topic.contains("/group/") }.map(\.isRetained) == [false, false, false])
        bench.performer.beginRepublication(&bench.outbox)
        var messages: [OutgoingMessage] = []
        while !bench.performer.isRepublicationComplete {
            bench.performer.continueRepublication(of: bench.engine, into: &bench.outbox)
            messages += bench.drain()
        }
        let ofGroup = messages.filter { $0.topic.contains("/group/") }
        #expect(ofGroup.allSatisfy { $0.isRetained && $0.qualityOfService == 1 })
        #expect(
            ofGroup.map { $0.topic.replacing("nearby/group/fleet/", with: "") } == [
                "zone/immediate", "zone/near", "peer/alice/nearest", "state",
            ]
        )
        #expect(ofGroup.first?.text == "inside")
        #expect(ofGroup[2].text.contains(#""accessory":"lamp""#))
    }

    @Test func `what is gone is cleared, at once or with the next connection`() throws {
        var bench = try bench()
        bench.perform()
        _ = bench.drain()
        let effects: [BridgeEffect] = [
            .groupZoneGone(group: "fleet", zone: "near"), .nearestGone(group: "fleet", peer: "alice"),
        ]
        let messages = bench.messages(of: effects)
        #expect(messages.map(\.topic) == ["nearby/group/fleet/zone/near", "nearby/group/fleet/peer/alice/nearest"])
        #expect(messages.allSatisfy { $0.isClearing })
        bench.perform([.groupGone("fleet", peers: ["alice"])], isOnline: false)
        #expect(bench.drain().isEmpty)
        #expect(
            bench.outbox.takeTopicsToClear().sorted() == [
                "nearby/group/fleet/peer/alice/nearest", "nearby/group/fleet/state",
                "nearby/group/fleet/zone/immediate",
                "nearby/group/fleet/zone/near",
            ]
        )
    }

    @Test func `a group that is gone is not told any more`() throws {
        var bench = try bench()
        bench.perform()
        _ = bench.drain()
        let effects: [BridgeEffect] = [
            .groupState("gone"), .groupZone(group: "gone", zone: "near"), .nearest(group: "gone", peer: "alice"),
        ]
        #expect(bench.messages(of: effects).isEmpty)
    }

    @Test func `the store keeps groups and who is nearest, and forgets what is gone`() throws {
        let directory = try TemporaryDirectory()
        var bench = try bench()
        bench.performer.journal.isKept = true
        bench.perform()
        let wall = WallTime(origin: 1_764_511_312_000_000_000)
        let store = try StateStore.open(folder: directory.path, name: "bridge", synchronization: .normal)
        try store.commit(bench.performer.journal, bench.engine, wall)
        let contents = try store.contents(at: bench.now, wall, eventExpiry: .seconds(60))
        let group = try #require(contents.groups.first)
        #expect(contents.groups.count == 1)
        #expect(group.group == "fleet")
        #expect(group.lastSequence == bench.engine.state(ofGroup: "fleet")?.sequence)
        #expect(group.zones.map(\.state) == [.inside, .inside])
        #expect(group.nearest.map(\.peer) == ["alice"])
        #expect(group.nearest.first?.state.accessory == "lamp")
        #expect(contents.streams.allSatisfy { $0.accessory == "lamp" })
        #expect(contents.events.count { $0.key.group == "fleet" } == 3)
        var journal = Journal(isKept: true)
        journal.forget(nearest: "alice", inGroup: "fleet")
        try store.commit(journal, bench.engine, wall)
        #expect(try store.contents(at: bench.now, wall, eventExpiry: .seconds(60)).groups.first?.nearest == [])
        journal = Journal(isKept: true)
        journal.forget(group: "fleet")
        try store.commit(journal, bench.engine, wall)
        #expect(try store.contents(at: bench.now, wall, eventExpiry: .seconds(60)).groups.isEmpty)
    }
}
