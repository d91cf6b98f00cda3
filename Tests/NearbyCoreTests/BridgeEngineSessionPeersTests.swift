// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyCore

@Suite struct BridgeEngineSessionPeersTests {
    private static let data = BridgeEngineSessionsTests.data

    @Test func `peers have sessions of their own, each proved by its own reports`() {
        var scenario = BridgeEngineSessionsTests.ranging()
        scenario.ask(.start, peer: "alice")
        scenario.ask(.start, peer: "bob")
        #expect(scenario.shareables().count == 3)
        #expect(Set(scenario.shareables().map(\.encoded)).count == 3)
        scenario.stay(at: 2, from: 2.1, to: 2.4, peer: "alice")
        scenario.run(to: 2.4)
        #expect(scenario.session(peer: "alice")?.state == .ranging)
        #expect(scenario.session(peer: "bob")?.state == .starting)
        scenario.ask(.stop, peer: "alice")
        #expect(scenario.session(peer: "alice")?.state == .ended)
        #expect(scenario.session()?.state == .ranging)
        #expect(scenario.wholeStory().suffix(2) == ["alice ended 1 requested", "alice exit near sessionEnded"])
        #expect(scenario.violations == [])
    }

    @Test func `no two sessions have one id, not even where ids begin again`() {
        var generator = SeededGenerator(seed: 1)
        var engine = BridgeEngine(options: .plain(), using: &generator)
        var effects = EffectBuffer()
        let now = Instant(nanoseconds: 0)
        engine.handle(.subscribed, at: now, into: &effects)
        engine.nextSessionID = .max - 1
        for name in ["a", "b", "c", "d"] {
            guard let index = engine.accessory(Array(name.utf8).span, at: now, into: &effects) else { continue }
            engine.handle(.configuration(Self.data, of: index, isRetained: false), at: now, into: &effects)
        }
        let identifiers = effects.effects.compactMap { effect -> UInt32? in
            guard case .command(let command) = effect, case .configureAndStart(let data) = command.command else {
                return nil
            }
            return data.parameters?.sessionID
        }
        #expect(identifiers == [.max - 1, .max, 1, 2])
    }

    /// A lamp whose only session is a phone's, proved at 0.1 s by a report that does not name the phone.
    static func phoneAlone() -> Scenario {
        var scenario = Scenario(.plain())
        scenario.configure(data)
        scenario.ask(.start, peer: "phone")
        scenario.ask(.stop)
        scenario.send(2, at: 0.1)
        scenario.run(to: 0.1)
        return scenario
    }

    @Test func `any report proves the only session that lives`() {
        let scenario = Self.phoneAlone()
        #expect(scenario.session(peer: "phone")?.state == .ranging)
    }

    @Test func `a report whose peer is the destination address proves that session`() throws {
        var scenario = Scenario(.plain())
        scenario.configure(Self.data)
        scenario.ask(.start, peer: "phone")
        let address = try #require(scenario.session(peer: "phone")?.destination)
        scenario.send(2, at: 0.1, peer: "\(address)")
        scenario.run(to: 0.1)
        #expect(scenario.session(peer: "phone")?.state == .ranging)
        #expect(scenario.engine.session(of: StreamID(accessory: AccessoryIndex(0))).state == .ranging)
        scenario.send(2, at: 0.2)
        scenario.run(to: 0.2)
        #expect(scenario.wholeStory().filter { $0.contains("started") } == ["phone started 1", "- started 1"])
    }

    // MARK: Whose configuration, whose command

    private static let other = AccessoryFixtures.bytes(AccessoryFixtures.a1, 33, 0x12)

    /// Alice's session alone: the unnamed one was never wanted.
    private static func alone() -> Scenario {
        var scenario = Scenario(.plain())
        scenario.ask(.start, peer: "alice")
        scenario.configure(data)
        return scenario
    }

    @Test func `a command says whose session it is about`() {
        var scenario = Self.alone()
        scenario.configure(Self.data, of: "fan")
        #expect(scenario.commands().map(\.peer) == ["alice", "alice"])
        #expect(scenario.commandNames() == ["initialize", "start 1"])
        #expect(scenario.commands(of: "fan").map(\.peer) == [nil])
    }

    @Test func `configuration data that a peer's session asked for begins no other`() {
        var scenario = Self.alone()
        #expect(scenario.session(peer: "alice")?.state == .starting)
        scenario.availability(true)
        scenario.run(to: 1)
        #expect(scenario.commandNames() == ["initialize", "start 1"])
        scenario.ask(.start, peer: "bob")
        scenario.ask(.start, peer: "carol")
        #expect(scenario.commands().suffix(2).map(\.peer) == ["bob", "carol"])
        #expect(scenario.commandNames().suffix(2) == ["initialize", "initialize"])
        // Firmware answers each with new data, in turn.
        scenario.configure(Self.data)
        scenario.configure(Self.other)
        #expect(scenario.commands().suffix(2).map(\.peer) == ["bob", "carol"])
        #expect(scenario.commandNames().suffix(2) == ["start 1", "start 1"])
        #expect(scenario.session(peer: "bob")?.configuration != scenario.session(peer: "carol")?.configuration)
        #expect(scenario.session(peer: "alice")?.run == 1)
    }

    @Test func `configuration data that nobody asked for begins every session anew that lives`() {
        var scenario = Self.alone()
        scenario.ask(.start, peer: "bob")
        scenario.configure(Self.data)
        scenario.ask(.stop, peer: "bob")
        scenario.run(to: 3)
        scenario.configure(Self.other)
        #expect(scenario.session(peer: "alice")?.run == 2)
        #expect(scenario.session(peer: "bob")?.state == .ended)
        #expect(scenario.wholeStory().contains("alice ended 1 new_configuration"))
        #expect(scenario.violations == [])
    }

    @Test func `the accessory's word that it stopped is for the session that was told to`() {
        var scenario = Self.alone()
        scenario.ask(.start, peer: "bob")
        scenario.configure(Self.data)
        scenario.ask(.stop, peer: "bob")
        scenario.message([3])
        #expect(scenario.session(peer: "alice")?.state == .starting)
        scenario.run(to: 2.5)
        // Nobody told it to now: it concerns all.
        scenario.message([3])
        #expect(scenario.session(peer: "alice")?.state == .ended)
        #expect(scenario.wholeStory() == ["bob ended 1 requested", "alice ended 1 accessory_stopped"])
    }

    // MARK: After a restart

    @Test func `sessions of named peers go on after a restart, and the unnamed one does not begin beside them`() {
        var scenario = Self.alone()
        scenario.stay(at: 2, from: 0.1, to: 1, peer: "alice")
        scenario.run(to: 1)
        scenario.restart()
        scenario.subscribe()
        scenario.configure(Self.data, isRetained: true)
        scenario.availability(true)
        scenario.stay(at: 2, from: 1.1, to: 10, peer: "alice")
        scenario.run(to: 9.9)
        #expect(scenario.commandNames() == ["initialize", "start 1"])
        #expect(scenario.session(peer: "alice")?.state == .ranging)
        #expect(scenario.wholeStory() == ["alice started 1", "alice enter near", "- enter near"])
        // And its silence is watched.
        scenario.run(to: 17)
        #expect(scenario.wholeStory().contains("alice timeout 1 ranging"))
        #expect(scenario.commands().suffix(1).map(\.peer) == ["alice"])
        #expect(scenario.violations == [])
    }

    @Test func `a peer that its accessory's session covers is still covered by it after a restart`() {
        var scenario = BridgeEngineSessionsTests.ranging()
        scenario.stay(at: 2, from: 2.1, to: 3, peer: "alice")
        scenario.run(to: 3)
        scenario.restart()
        scenario.subscribe()
        scenario.stay(at: 2, from: 3.1, to: 4, peer: "alice")
        scenario.run(to: 4)
        #expect(scenario.session()?.state == .ranging)
        scenario.ask(.stop)
        #expect(scenario.session(peer: "alice")?.state == .ended)
        #expect(scenario.commandNames() == ["start 1", "stop"])
    }

    @Test(arguments: ["0xd711", "0xD711", "0XD711"])
    func `a peer's radio address is read in either case`(_ text: String) {
        #expect(ShortAddress(text)?.value == 0xD711)
    }

    @Test(arguments: ["", "0x", "d711", "0x1d711", "0x+1", "0x-1", "0xg", "alice"])
    func `what is no radio address is none`(_ text: String) {
        #expect(ShortAddress(text) == nil)
    }
}
