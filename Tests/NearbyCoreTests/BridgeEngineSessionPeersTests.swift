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

    @Test func `any report proves the only session that lives`() {
        var scenario = Scenario(.plain())
        scenario.configure(Self.data)
        scenario.ask(.start, peer: "phone")
        scenario.ask(.stop)
        scenario.send(2, at: 0.1)
        scenario.run(to: 0.1)
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
}
