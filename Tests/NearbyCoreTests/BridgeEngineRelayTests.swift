// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyCore

/// Phones at the other end, and who gets a session when an accessory speaks.
@Suite struct BridgeEngineRelayTests {
    private static let data = BridgeEngineSessionsTests.data
    private static let s1 = AccessoryFixtures.bytes(AccessoryFixtures.s1)
    private static let s2 = AccessoryFixtures.bytes(AccessoryFixtures.s2)

    private static func options(_ mode: ShareableMode, phones: [String] = [], radios: [String] = []) -> EngineOptions {
        var options = EngineOptions.plain()
        var lamp = AccessoryOptions()
        lamp.shareable = mode
        for phone in phones { lamp.peers[phone] = PeerOptions() }
        for radio in radios {
            lamp.peers[radio] = PeerOptions()
            lamp.peers[radio]?.isRadio = true
        }
        options.accessories["lamp"] = lamp
        return options
    }

    private func asked(_ scenario: Scenario) -> [String] {
        scenario.records.compactMap { record in
            guard case .phoneConfiguration(let asked) = record.effect else { return nil }
            return "\(asked.peer) \(asked.run)" + (asked.configuration.encoded == Self.data ? "" : " other")
        }
    }

    @Test func `the unnamed phone's data goes to the accessory as it came`() {
        var scenario = Scenario(Self.options(.relay))
        scenario.configure(Self.data)
        #expect(scenario.commandNames() == [] && scenario.session()?.state == .configuring)
        scenario.share([0x0B] + Self.s1)
        #expect(scenario.commandNames() == ["start 1"])
        #expect(scenario.shareables().map(\.encoded) == [Self.s1])
        scenario.send(2, at: 0.1)
        scenario.run(to: 0.1)
        #expect(scenario.wholeStory() == ["- started 1"])
        #expect(scenario.violations == [])
    }

    @Test func `each configured phone is asked and has a run of its own`() {
        var scenario = Scenario(Self.options(.relay, phones: ["bob", "alice", "0x0001"]))
        scenario.configure(Self.data)
        #expect(asked(scenario) == ["alice 1", "bob 1"])
        #expect(scenario.session()?.state != .idle && scenario.engine.accessories[0].session.state == .idle)
        scenario.share(Self.s1, from: "bob")
        #expect(scenario.commands().map(\.peer) == ["bob"])
        scenario.share(Self.s2, from: "alice")
        #expect(scenario.commands().map(\.peer) == ["bob", "alice"])
        #expect(scenario.shareables().map(\.encoded) == [Self.s1, Self.s2])
        scenario.run(to: 10)
        #expect(asked(scenario).contains("alice 2") && asked(scenario).contains("bob 2"))
    }

    @Test func `a phone that nobody configured asks for its run itself`() {
        var scenario = Scenario(Self.options(.relay))
        scenario.configure(Self.data)
        scenario.ask(.start, peer: "carol")
        #expect(asked(scenario) == ["carol 1"])
        scenario.share(Self.s1, from: "carol")
        #expect(scenario.commands().map(\.peer) == ["carol"])
    }

    @Test func `auto asks phones, and makes the rest`() {
        var scenario = Scenario(Self.options(.auto, phones: ["alice"], radios: ["anchor"]))
        scenario.configure(Self.data)
        #expect(asked(scenario) == ["alice 1"])
        #expect(scenario.commands().map(\.peer) == ["anchor"])
        var alone = Scenario(Self.options(.auto))
        alone.configure(Self.data)
        #expect(alone.commandNames() == ["start 1"] && asked(alone) == [])
    }

    @Test func `a radio has a session of its own wherever the data is made, a phone only where it is asked`() {
        for mode in ShareableMode.allCases {
            var scenario = Scenario(Self.options(mode, phones: ["alice"], radios: ["anchor"]))
            scenario.configure(Self.data)
            #expect(scenario.commands().map(\.peer) == ["anchor"], "\(mode)")
            #expect(asked(scenario) == (mode == .mint ? [] : ["alice 1"]), "\(mode)")
        }
    }

    @Test func `an accessory that begins anew begins every phone's run anew, once`() {
        var scenario = Scenario(Self.options(.relay, phones: ["alice", "bob"]))
        scenario.configure(Self.data)
        scenario.share(Self.s1, from: "alice")
        let other = AccessoryFixtures.bytes(AccessoryFixtures.a1, 33, 0x12)
        scenario.configure(other)
        #expect(asked(scenario) == ["alice 1", "bob 1", "alice 2 other", "bob 2 other"])
        scenario.configure(other)
        #expect(asked(scenario).count == 4)
    }

    @Test func `what is retained, unasked for or of an earlier run is counted and told once`() {
        var scenario = Scenario(Self.options(.relay, phones: ["alice"]))
        scenario.share(Self.s1, from: "alice")
        scenario.configure(Self.data)
        scenario.share(Self.s1, from: "alice", isRetained: true)
        scenario.share(Self.s1, from: "stranger")
        scenario.share(Self.s1)
        #expect(scenario.commands() == [])
        #expect(scenario.engine.counters.unawaitedShareable == 4)
        let complaints = scenario.records.filter { if case .complaint = $0.effect { true } else { false } }
        #expect(complaints.count == 1)
        // A stranger's message makes no peer.
        #expect(scenario.engine.stream(of: AccessoryIndex(0), peer: "stranger") == nil)
        scenario.share(Self.s1, from: "alice")
        scenario.run(to: 3)
        scenario.run(to: 4.5)
        #expect(scenario.session(peer: "alice")?.state == .configuring)
        scenario.share(Self.s1, from: "alice")
        #expect(scenario.engine.counters.unawaitedShareable == 5)
        #expect(scenario.shareables().count == 1)
    }

    @Test(arguments: [Array(s1.prefix(20)), [1, 2, 3], Array("hello".utf8), Array(#"{"name":"x"}"#.utf8)])
    func `data that cannot be read is an event on the phone's topics, and the wait goes on`(_ payload: [UInt8]) {
        var scenario = Scenario(Self.options(.relay, phones: ["alice"]))
        scenario.configure(Self.data)
        scenario.share(payload, from: "alice")
        #expect(scenario.wholeStory() == ["alice rejected"])
        #expect(scenario.engine.counters.malformedMessages == 1)
        scenario.share(Self.s1, from: "alice")
        #expect(scenario.commands().count == 1)
        scenario.share([], from: "alice")
        #expect(scenario.engine.counters.unawaitedShareable == 0)
    }
}
