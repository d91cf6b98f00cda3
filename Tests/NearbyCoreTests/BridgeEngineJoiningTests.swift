// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyCore

@Suite struct BridgeEngineJoiningTests {
    private struct Door {
        var engine: BridgeEngine
        var effects = EffectBuffer()

        init(_ options: EngineOptions = EngineOptions()) {
            var generator = SeededGenerator(seed: 1)
            engine = BridgeEngine(options: options, using: &generator)
        }

        mutating func knock(_ name: String) -> Int? {
            engine.accessory(Array(name.utf8).span, at: Instant(nanoseconds: 7), into: &effects)?.rawValue
        }

        var notices: [BridgeNotice] {
            effects.effects.compactMap { if case .notice(let notice) = $0 { notice } else { nil } }
        }
    }

    @Test func `any valid identifier joins once`() {
        var door = Door()
        #expect(door.knock("lamp") == 0)
        #expect(door.knock("fan") == 1)
        #expect(door.knock("lamp") == 0)
        #expect(door.engine.accessoryCount == 2)
        #expect(door.notices.map(\.kind) == [.accessoryJoined, .accessoryJoined])
        #expect(door.notices.map(\.accessory) == ["lamp", "fan"])
        #expect(door.notices.map(\.at) == [Instant(nanoseconds: 7), Instant(nanoseconds: 7)])
    }

    @Test(arguments: ["", "a/b", "a+", "#", "ü", "a b", String(repeating: "x", count: 65)])
    func `an invalid identifier is refused and noted once`(name: String) {
        var door = Door()
        #expect(door.knock(name) == nil)
        #expect(door.knock(name) == nil)
        #expect(door.notices.map(\.kind) == [.accessoryRefused(.invalidIdentifier)])
        #expect(door.notices.first?.accessory == String(name.prefix(64)))
        #expect(door.engine.counters.refusedAccessories == 2)
        #expect(door.engine.accessoryCount == 0)
    }

    @Test func `over the limit newcomers are refused and the known ones stay`() {
        var door = Door(EngineOptions.plain { $0.limits.accessories = 2 })
        for name in ["a", "b", "c", "d", "c"] { _ = door.knock(name) }
        #expect(
            door.notices.map(\.kind).suffix(2) == [
                .accessoryRefused(.tooManyAccessories), .accessoryRefused(.tooManyAccessories),
            ]
        )
        #expect(door.notices.count == 4)
        #expect(door.knock("b") == 1)
    }

    @Test func `an allowlist lets only configured accessories in`() {
        var door = Door(
            EngineOptions.plain {
                $0.join = .allowlist
                $0.accessories["lamp"] = AccessoryOptions()
            }
        )
        #expect(door.knock("lamp") == 0)
        #expect(door.knock("fan") == nil)
        #expect(door.notices.map(\.kind) == [.accessoryJoined, .accessoryRefused(.notAllowed)])
    }

    @Test func `the memory of refusals is bounded and forgets the oldest first`() {
        var door = Door(EngineOptions.plain { $0.join = .allowlist })
        for number in 0..<256 { _ = door.knock("x\(number)") }
        for number in 0..<256 { _ = door.knock("x\(number)") }
        #expect(door.notices.count == 256)
        _ = door.knock("another")
        _ = door.knock("x1")
        #expect(door.notices.count == 257)
        _ = door.knock("x0")
        #expect(door.notices.count == 258)
    }

    @Test func `equal options share one set of zones`() {
        var lamp = AccessoryOptions()
        lamp.zones["near"] = ZoneOptions(radius: 4)
        lamp.peers["alice"] = PeerOptions()
        let accessories = ["lamp-0": lamp, "lamp-1": lamp, "lamp-2": lamp]
        var scenario = Scenario(.plain { $0.accessories = accessories })
        for accessory in 0..<6 {
            for peer in ["alice", "bob", "carol"] { scenario.send(2, at: 0, from: "lamp-\(accessory)", peer: peer) }
        }
        scenario.run(to: 1)
        #expect(scenario.engine.zoneSets.count == 2)
    }

    @Test func `topics call a peer what the configuration calls it, whichever name its reports use`() {
        var gate = PeerOptions()
        gate.name = "gate-1"
        var odd = PeerOptions()
        odd.name = "no name"
        var lamp = AccessoryOptions()
        lamp.peers = ["0x0001": gate, "0x0002": odd]
        var door = Door(EngineOptions.plain { $0.accessories = ["lamp": lamp] })
        guard let index = door.knock("lamp") else { return #expect(Bool(false)) }
        for peer in ["0x0001", "gate-1", "0x0002"] {
            let payload = Array(#"{"distance":2,"peer":"\#(peer)"}"#.utf8)
            let now = Instant(nanoseconds: 8)
            door.engine.handleReport(payload.span, from: AccessoryIndex(index), at: now, into: &door.effects)
        }
        let names = door.engine.streams(of: AccessoryIndex(index)).map { door.engine.names(of: $0)?.peer }
        #expect(names == [nil, "gate-1", "0x0002"])
    }

    @Test func `bytes that are no text are shown with replacement characters`() {
        let bytes: [UInt8] = [0x61, 0xFF, 0x62]
        #expect(bytes.span.text == "a\u{FFFD}b")
    }

    // MARK: Forgetting

    private let enters = ["enter near", "enter immediate"]
    private let losses = ["exit immediate lost", "exit near lost"]

    /// A second at 1 m: both zones are entered at 0.1 s, the last report is that of 0.9 s.
    private func settled(_ options: EngineOptions = .plain(), peer: String? = nil) -> Scenario {
        var scenario = Scenario(options)
        scenario.stay(at: 1, from: 0, to: 1, peer: peer)
        scenario.run(to: 1)
        return scenario
    }

    private func forgotten(_ scenario: Scenario) -> [Double] {
        scenario.records.compactMap { record in
            if case .forgotten(accessory: "lamp", peer: "alice") = record.effect {
                Double(record.at.nanoseconds) / 1e9
            } else {
                nil
            }
        }
    }

    @Test func `a named peer is forgotten after peer_forget, and its place and topics are free again`() {
        var scenario = Scenario(.plain { $0.limits.peers = 1 })
        scenario.stay(at: 9, from: 0, to: 1, peer: "alice")
        scenario.run(to: 3600.8)
        #expect(forgotten(scenario) == [])
        scenario.run(to: 3601)
        #expect(forgotten(scenario) == [3600.9])
        #expect(scenario.engine.streams(of: AccessoryIndex(0)).count == 1)
        #expect(scenario.retained()?.peers == [])
        #expect(scenario.engine.nextDeadline == nil)
        scenario.stay(at: 1, from: 3700, to: 3701, peer: "bob")
        scenario.run(to: 3701)
        #expect(scenario.story(peer: "bob") == enters)
        #expect(scenario.engine.streams(of: AccessoryIndex(0)).last?.peer == 0)
        #expect(scenario.violations == [])
    }

    @Test func `a place is not given out again before the effects were performed`() {
        var scenario = settled(peer: "alice")
        scenario.run(to: 3000)
        var engine = scenario.engine
        var effects = EffectBuffer()
        let late = Instant(nanoseconds: 7_200_000_000_000)
        let payload = Array(#"{"distance":1,"peer":"bob"}"#.utf8)
        engine.handleReport(payload.span, from: AccessoryIndex(0), at: late, into: &effects)
        #expect(engine.streams(of: AccessoryIndex(0)).last?.peer == 1)
        #expect(engine.names(of: StreamID(accessory: AccessoryIndex(0), peer: 0)) == nil)
        #expect(engine.state(of: StreamID(accessory: AccessoryIndex(0), peer: 0)) == nil)
    }

    @Test func `a forgotten peer that returns goes on with greater numbers`() {
        var scenario = settled(peer: "alice")
        scenario.stay(at: 1, from: 5000, to: 5001, peer: "alice")
        scenario.run(to: 5001)
        #expect(forgotten(scenario).count == 1)
        #expect(scenario.story(peer: "alice") == enters + losses + enters)
        #expect(scenario.violations == [])
    }

    @Test func `configured peers, present peers and all with peer_forget off are kept`() {
        var lamp = AccessoryOptions()
        lamp.peers["alice"] = PeerOptions()
        for options in [EngineOptions.plain { $0.accessories["lamp"] = lamp }, .plain { $0.peerForget = nil }] {
            var scenario = settled(options, peer: "alice")
            scenario.run(to: 100_000)
            #expect(forgotten(scenario) == [])
            #expect(scenario.engine.nextDeadline == nil)
        }
        var present = settled(.plain { $0.lostAfter = .never }, peer: "alice")
        present.run(to: 100_000)
        #expect(forgotten(present) == [])
    }

    @Test func `a peer that never gave a plausible distance is forgotten too`() {
        var scenario = Scenario(.plain())
        scenario.run(to: 50_000)
        scenario.send(5000, at: 50_000, peer: "alice")
        scenario.run(to: 53_599)
        #expect(scenario.engine.streams(of: AccessoryIndex(0)).count == 2)
        scenario.run(to: 53_601)
        #expect(scenario.engine.streams(of: AccessoryIndex(0)).count == 1)
    }

    @Test func `forgetting counts from the end of an outage`() {
        var scenario = settled(peer: "alice")
        scenario.run(to: 20)
        scenario.disconnect()
        scenario.run(to: 10_000)
        scenario.subscribe()
        scenario.run(to: 20_000)
        #expect(forgotten(scenario) == [13_600])
    }

    @Test func `a peer lost inside leaves the aggregate unknown until it is forgotten`() {
        var scenario = Scenario(.plain())
        scenario.stay(at: 1, from: 0, to: 1, peer: "alice")
        scenario.stay(at: 9, from: 0, to: 4000, every: 2, peer: "bob")
        scenario.run(to: 3600)
        #expect(scenario.retained()?.zones.map(\.state) == [.unknown, .unknown])
        scenario.run(to: 3700)
        #expect(forgotten(scenario) == [3600.9])
        #expect(scenario.retained()?.zones.map(\.state) == [.outside, .outside])
        #expect(scenario.violations == [])
    }

    @Test func `the unnamed peer is forgotten beside named ones only`() {
        var scenario = settled()
        scenario.run(to: 10_000)
        #expect(scenario.retained()?.zone == "unknown")
        #expect(scenario.engine.nextDeadline == nil)
        scenario.stay(at: 9, from: 10_000, to: 20_000, every: 2, peer: "bob")
        scenario.run(to: 20_000)
        #expect(scenario.retained()?.zone == "outside")
    }
}
