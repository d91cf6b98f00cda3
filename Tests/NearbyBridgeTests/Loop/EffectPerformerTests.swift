// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import TestSupport
import Testing

@testable import NearbyBridge
@testable import NearbyCore

struct EffectPerformerTests {
    private let lamp = StreamID(accessory: AccessoryIndex(0))

    /// A lamp whose named peer is inside both zones.
    private func bench(base: String = "nearby") throws -> PerformerBench {
        var bench = try PerformerBench(base: base)
        for _ in 0..<5 { bench.report(#"{"distance":1,"peer":"alice"}"#, from: "lamp") }
        return bench
    }

    private func alice(_ bench: PerformerBench) throws -> StreamID {
        try #require(bench.engine.streams(of: lamp.accessory).last)
    }

    private func complaint(_ suppressed: Int = 0) -> BridgeEffect {
        .complaint(Complaint(accessory: "lamp", kind: .tooManyPeers, suppressed: suppressed))
    }

    // MARK: Each effect

    @Test func `an event is sent once, never retained, and ends with its expiry`() throws {
        var bench = try PerformerBench(base: "home/uwb")
        for (peer, topic) in [
            (nil, "home/uwb/accessory/lamp/event"), ("alice", "home/uwb/accessory/lamp/peer/alice/event"),
        ] {
            let messages = bench.messages(of: [.event(.sample(peer: peer))])
            let message = try #require(messages.first)
            #expect(message.topic == topic)
            #expect(message.qualityOfService == 1)
            #expect(!message.isRetained)
            #expect(message.expiresAt == bench.now.advanced(by: .seconds(60)))
            #expect(JSONText.fault(message.payload) == nil)
            let stamp = try #require(message.stampAt)
            let before = message.payload[..<stamp]
            #expect(String(decoding: before, as: UTF8.self).hasSuffix("\"published_at\":\""))
        }
    }

    @Test func `a zone is one retained word`() throws {
        var bench = try bench()
        bench.perform()
        _ = bench.drain()
        let effects = [BridgeEffect.zone(lamp, zone: 1), .zone(try alice(bench), zone: 0)]
        let messages = bench.messages(of: effects)
        #expect(
            messages.map(\.topic) == [
                "nearby/accessory/lamp/zone/near", "nearby/accessory/lamp/peer/alice/zone/immediate",
            ]
        )
        #expect(messages.map(\.text) == ["inside", "inside"])
        #expect(messages.allSatisfy { $0.isRetained && $0.qualityOfService == 1 && $0.expiresAt == nil })
    }

    @Test func `a state is retained, and of level 1 if it tells of a change`() throws {
        var bench = try bench()
        bench.perform()
        _ = bench.drain()
        let effects = [BridgeEffect.state(lamp, isChange: true), .state(try alice(bench), isChange: false)]
        let messages = bench.messages(of: effects)
        #expect(messages.map(\.topic) == ["nearby/accessory/lamp/state", "nearby/accessory/lamp/peer/alice/state"])
        #expect(messages.map(\.qualityOfService) == [1, 0])
        #expect(messages.allSatisfy { $0.isRetained && JSONText.fault($0.payload) == nil })
        #expect(messages.last.flatMap { JSONText.object($0.payload) }?["peer"] as? String == "alice")
    }

    @Test func `a session is retained`() throws {
        var bench = try bench()
        bench.perform()
        _ = bench.drain()
        let messages = bench.messages(of: [.session(lamp), .session(try alice(bench))])
        #expect(messages.map(\.topic) == ["nearby/accessory/lamp/session", "nearby/accessory/lamp/peer/alice/session"])
        #expect(messages.map(\.text) == Array(repeating: #"{"kind":"external","state":"external","v":1}"#, count: 2))
        #expect(messages.allSatisfy { $0.isRetained && $0.qualityOfService == 1 })
    }

    @Test func `a notice is an event of the bridge`() throws {
        var bench = try PerformerBench()
        let joined = BridgeNotice(kind: .accessoryJoined, accessory: "lamp", at: bench.now)
        let refused = BridgeNotice(kind: .accessoryRefused(.notAllowed), accessory: "a\"b", at: bench.now)
        #expect(!bench.performer.accessoriesChanged)
        let messages = bench.messages(of: [.notice(joined), .notice(refused)])
        #expect(bench.performer.accessoriesChanged)
        #expect(messages.allSatisfy { $0.topic == "nearby/bridge/event" && !$0.isRetained && $0.qualityOfService == 1 })
        #expect(messages.allSatisfy { $0.isEvent && JSONText.fault($0.payload) == nil })
        let objects = messages.compactMap { JSONText.object($0.payload) }
        #expect(objects.map { $0["type"] as? String } == ["accessory_joined", "accessory_refused"])
        #expect(objects.map { $0["accessory"] as? String } == ["lamp", "a\"b"])
        #expect(objects.map { $0["reason"] as? String } == [nil, "not_allowed"])
        #expect(objects.allSatisfy { ($0["at"] as? String)?.count == Timestamp.length && $0["v"] as? Int == 1 })
        #expect(bench.lines.all.count == 2)
    }

    @Test func `a forgotten peer's topics are cleared`() throws {
        var bench = try PerformerBench()
        let messages = bench.messages(of: [.forgotten(accessory: "lamp", peer: "alice")])
        #expect(messages.map(\.topic).sorted() == Self.topicsOfAlice)
        #expect(messages.allSatisfy { $0.isRetained && $0.payload.isEmpty && $0.qualityOfService == 1 })
    }

    @Test func `the word of a zone that is gone is cleared, also later if nobody can be told now`() throws {
        var bench = try PerformerBench()
        let effects: [BridgeEffect] = [
            .zoneGone(accessory: "lamp", peer: nil, zone: "gate"),
            .zoneGone(accessory: "lamp", peer: "p", zone: "gate"),
        ]
        let topics = ["nearby/accessory/lamp/zone/gate", "nearby/accessory/lamp/peer/p/zone/gate"]
        let messages = bench.messages(of: effects)
        #expect(messages.map(\.topic) == topics)
        #expect(messages.allSatisfy { $0.isClearing })
        #expect(bench.messages(of: effects, isOnline: false).isEmpty)
        #expect(bench.outbox.takeTopicsToClear() == topics)
    }

    @Test func `a peer's old topics are cleared when it has another name`() throws {
        var bench = try PerformerBench()
        let messages = bench.messages(of: [.peerRenamed(accessory: "lamp", from: "alice", to: "bob")])
        #expect(messages.map(\.topic).sorted() == Self.topicsOfAlice)
        #expect(messages.allSatisfy { $0.isClearing })
    }

    @Test func `changed zones have everything retained published again, if anybody can be told`() throws {
        var bench = try PerformerBench()
        bench.perform([.zonesChanged], isOnline: false)
        #expect(!bench.outbox.needsRepublication)
        bench.perform([.zonesChanged])
        #expect(bench.outbox.needsRepublication && bench.performer.accessoriesChanged)
    }

    @Test func `a renamed accessory is told on bridge event`() throws {
        var bench = try PerformerBench()
        bench.performer.tellRenamed("lamp", at: bench.now, into: &bench.outbox)
        let message = try #require(bench.drain().first)
        #expect(message.topic == "nearby/bridge/event" && !message.isRetained)
        #expect(JSONText.fault(message.payload) == nil)
        #expect(JSONText.object(message.payload)?["type"] as? String == "accessory_renamed")
    }

    @Test func `a complaint is a line in the log and no message`() throws {
        var bench = try PerformerBench()
        #expect(bench.messages(of: [complaint(), complaint(3)]).isEmpty)
        #expect(
            bench.lines.all.map { $0.dropFirst(Timestamp.length + 1) } == [
                "warning accessories: accessory lamp: another peer ignored: limits.peers is 64\n",
                "warning accessories: accessory lamp: another peer ignored: limits.peers is 64 "
                    + "(and 3 more since the last such line)\n",
            ]
        )
    }

    @Test func `every complaint says what to do`() {
        let limits = EngineOptions.Limits()
        let reasons: [ReportError.Reason] = [
            .empty, .unknownFormat, .truncated, .syntax, .invalidUTF8, .tooDeep, .invalidValue, .duplicateField,
            .invalidPeer, .noKnownField,
        ]
        let kinds: [Complaint.Kind] =
            reasons.map { .report(ReportError($0, at: 17)) } + [
                .sparseReports(pause: .milliseconds(47_200), lostAfter: .seconds(10)),
                .payloadTooLarge(bytes: 70_000), .tooManyReports, .tooManyPeers,
            ]
        let texts = kinds.map { $0.text(limits) }
        #expect(Set(texts).count == kinds.count)
        #expect(texts.prefix(reasons.count).allSatisfy { $0.contains("byte 17: ") })
        #expect(texts.suffix(3).map { $0.contains("limits.") } == [true, true, true])
        #expect(texts[reasons.count].contains("47.2 s apart") && texts[reasons.count].contains("lost_after"))
        #expect(texts.contains { $0.contains("70000") && $0.contains("65536") })
    }

    // MARK: Out of reach

    @Test func `while offline only events are kept`() throws {
        var bench = try bench()
        let streams = bench.engine.streams(of: lamp.accessory)
        let notice = BridgeNotice(kind: .accessoryJoined, accessory: "lamp", at: bench.now)
        let effects =
            streams.flatMap { [BridgeEffect.zone($0, zone: 0), .state($0, isChange: true), .session($0)] } + [
                .event(.sample()), .notice(notice), .forgotten(accessory: "lamp", peer: "bob"),
            ]
        #expect(
            bench.messages(of: effects, isOnline: false).map(\.topic) == [
                "nearby/accessory/lamp/event", "nearby/bridge/event",
            ]
        )
    }

    @Test func `peers forgotten while offline are cleared on connecting, before anything else`() throws {
        var bench = try PerformerBench()
        bench.perform([.forgotten(accessory: "lamp", peer: "alice")], isOnline: false)
        #expect(bench.outbox.count == 0)
        bench.performer.beginRepublication(&bench.outbox)
        let messages = bench.drain()
        #expect(messages.map(\.topic).sorted() == Self.topicsOfAlice)
        #expect(messages.allSatisfy { $0.isRetained && $0.payload.isEmpty })
        bench.performer.beginRepublication(&bench.outbox)
        #expect(bench.outbox.count == 0)
    }

    @Test func `peers whose clearing a disconnect swallowed are cleared again`() throws {
        var bench = try PerformerBench()
        bench.perform([.forgotten(accessory: "lamp", peer: "alice")])
        let next = bench.outbox.next(at: bench.now)
        let first = try #require(next)
        bench.outbox.handedOver(first, as: 1)
        bench.outbox.disconnected()
        #expect(bench.outbox.count == 0)
        bench.performer.beginRepublication(&bench.outbox)
        #expect(bench.drain().map(\.topic).sorted() == Self.topicsOfAlice)
    }

    @Test func `the whole retained set is published again in portions`() throws {
        var bench = try PerformerBench()
        for number in 0..<200 {
            bench.report(#"[{"distance":1},{"distance":2,"peer":"p"}]"#, from: "a\(number)")
        }
        bench.perform()
        _ = bench.drain()
        bench.performer.beginRepublication(&bench.outbox)
        #expect(!bench.performer.isRepublicationComplete)
        var messages: [OutgoingMessage] = []
        var portions = 0
        while !bench.performer.isRepublicationComplete, portions < 1000 {
            bench.performer.continueRepublication(of: bench.engine, into: &bench.outbox)
            #expect(bench.outbox.waiting <= 64 + 8)
            messages += bench.drain()
            portions += 1
        }
        #expect(portions > 10)
        let expected = (0..<200).flatMap { number in
            ["", "/peer/p"].flatMap { peer in
                ["zone/immediate", "zone/near", "session", "state"].map { "nearby/accessory/a\(number)\(peer)/\($0)" }
            }
        }
        #expect(messages.map(\.topic) == expected)
        #expect(messages.allSatisfy { $0.isRetained && $0.qualityOfService == 1 && !$0.payload.isEmpty })
        #expect(bench.performer.accessoriesChanged)
    }

    @Test func `nothing is retained for a broker that forbids it`() throws {
        var options = try BridgeOptions.plain()
        options.isRetaining = false
        var bench = try bench()
        bench.performer = EffectPerformer(options: options, log: bench.lines.log)
        bench.perform()
        let messages = bench.drain()
        #expect(messages.count > 5)
        #expect(messages.allSatisfy { !$0.isRetained })
    }

    // MARK: Strangers

    @Test func `strangers write twenty lines at once and few after them`() throws {
        var bench = try PerformerBench()
        let refused = BridgeNotice(kind: .accessoryRefused(.invalidIdentifier), accessory: "a b", at: bench.now)
        let effects = Array(repeating: [complaint(), .notice(refused)], count: 150).flatMap { $0 }
        bench.perform(effects)
        #expect(bench.lines.all.count == 20)
        bench.now = bench.now.advanced(by: .seconds(1))
        bench.perform(effects)
        #expect(bench.lines.all.count == 20)
        bench.now = bench.now.advanced(by: .seconds(4))
        bench.perform([complaint()])
        #expect(bench.lines.all.count == 21)
        #expect(bench.lines.all.last?.contains("(and 580 more such lines were left out)") == true)
        // bridge/event takes more of the refusals than the log, but not all.
        #expect(bench.drain().count == 200)
    }

    private static let topicsOfAlice = ["session", "state", "zone/immediate", "zone/near"].map {
        "nearby/accessory/lamp/peer/alice/\($0)"
    }
}
