// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import TestSupport
import Testing

@Suite struct BridgeEngineZonesTests {
    /// The story of all streams in order: `alice enter near`, `- enter near`.
    private func told(_ scenario: Scenario) -> [String] {
        scenario.events.map { "\($0.peer ?? "-") \($0.summary)" }
    }

    private let nearOnly = EngineOptions.plain { $0.zones.removeFirst() }

    @Test func `with one peer the aggregate equals it, and the peer speaks first`() {
        var scenario = Scenario(.plain())
        scenario.stay(at: 1, from: 0, to: 1, peer: "alice")
        scenario.stay(at: 9, from: 1, to: 2, peer: "alice")
        scenario.run(to: 2)
        #expect(
            told(scenario) == [
                "alice enter near", "alice enter immediate", "- enter near", "- enter immediate",
                "alice exit immediate left", "alice exit near left", "- exit immediate left", "- exit near left",
            ]
        )
        #expect(scenario.violations == [])
    }

    @Test func `an unnamed peer speaks through the aggregate only`() {
        var scenario = Scenario(.plain())
        scenario.stay(at: 1, from: 0, to: 1)
        scenario.run(to: 1)
        #expect(told(scenario) == ["- enter near", "- enter immediate"])
    }

    @Test func `the aggregate is entered by the first and left by the last`() {
        var scenario = Scenario(nearOnly)
        scenario.stay(at: 1, from: 0, to: 2, peer: "alice")
        scenario.stay(at: 9, from: 2, to: 6, peer: "alice")
        scenario.stay(at: 1, from: 1, to: 3, peer: "bob")
        scenario.stay(at: 9, from: 3, to: 6, peer: "bob")
        scenario.run(to: 6)
        #expect(
            told(scenario) == [
                "alice enter near", "- enter near", "bob enter near", "alice exit near left", "bob exit near left",
                "- exit near left",
            ]
        )
        #expect(scenario.violations == [])
    }

    @Test func `one that was lost makes the aggregate's exit lost, though the last one left`() {
        var scenario = Scenario(nearOnly)
        scenario.stay(at: 1, from: 0, to: 1, peer: "alice")
        scenario.stay(at: 1, from: 0, to: 20, peer: "bob")
        scenario.stay(at: 9, from: 20, to: 21, peer: "bob")
        scenario.run(to: 21)
        #expect(
            told(scenario).suffix(3) == ["alice exit near lost", "bob exit near left", "- exit near lost"]
        )
        #expect(scenario.retained()?.zone == "unknown")
        #expect(scenario.violations == [])
    }

    @Test func `one that left makes it lost too if the last one was lost`() {
        var scenario = Scenario(nearOnly)
        scenario.stay(at: 1, from: 0, to: 1, peer: "alice")
        scenario.stay(at: 9, from: 1, to: 30, peer: "alice")
        scenario.stay(at: 1, from: 0, to: 2, peer: "bob")
        scenario.run(to: 30)
        #expect(told(scenario).suffix(2) == ["bob exit near lost", "- exit near lost"])
        #expect(scenario.violations == [])
    }

    @Test func `one that was lost, came back and left has left`() {
        var scenario = Scenario(nearOnly)
        scenario.stay(at: 1, from: 0, to: 1, peer: "alice")
        scenario.stay(at: 1, from: 0, to: 30, peer: "bob")
        scenario.stay(at: 1, from: 20, to: 22, peer: "alice")
        scenario.stay(at: 9, from: 22, to: 30, peer: "alice")
        scenario.stay(at: 9, from: 30, to: 31, peer: "bob")
        scenario.run(to: 31)
        #expect(
            told(scenario).suffix(5) == [
                "alice exit near lost", "alice enter near", "alice exit near left", "bob exit near left",
                "- exit near left",
            ]
        )
        #expect(scenario.violations == [])
    }

    @Test func `one that was lost and came back outside was still lost`() {
        var scenario = Scenario(nearOnly)
        scenario.stay(at: 1, from: 0, to: 1, peer: "alice")
        scenario.stay(at: 1, from: 0, to: 30, peer: "bob")
        scenario.stay(at: 9, from: 20, to: 32, peer: "alice")
        scenario.stay(at: 9, from: 30, to: 32, peer: "bob")
        scenario.run(to: 32)
        #expect(told(scenario).last == "- exit near lost")
        #expect(scenario.retained()?.zone == "outside")
        #expect(scenario.violations == [])
    }

    @Test func `a loss of an earlier visit does not count in a later one`() {
        var scenario = Scenario(nearOnly)
        scenario.stay(at: 1, from: 0, to: 1, peer: "alice")
        scenario.stay(at: 1, from: 20, to: 21, peer: "bob")
        scenario.stay(at: 9, from: 21, to: 22, peer: "bob")
        scenario.run(to: 22)
        #expect(told(scenario).suffix(2) == ["bob exit near left", "- exit near left"])
        // alice was not seen since she was lost inside.
        #expect(scenario.retained()?.zone == "unknown")
        #expect(scenario.violations == [])
    }

    @Test func `a peer that was lost in a visit and then forgotten still makes it lost`() {
        var scenario = Scenario(nearOnly)
        scenario.stay(at: 1, from: 0, to: 1, peer: "alice")
        scenario.stay(at: 1, from: 0, to: 4000, every: 1, peer: "bob")
        scenario.stay(at: 9, from: 4000, to: 4001, peer: "bob")
        scenario.run(to: 4001)
        #expect(scenario.retained()?.peers.map(\.identifier) == ["bob"])
        #expect(told(scenario).last == "- exit near lost")
        scenario.stay(at: 1, from: 4001, to: 4002, peer: "bob")
        scenario.stay(at: 9, from: 4002, to: 4003, peer: "bob")
        scenario.run(to: 4003)
        #expect(told(scenario).last == "- exit near left")
        #expect(scenario.violations == [])
    }

    @Test func `visitors who come and go while somebody stays do not fill the places`() {
        var scenario = Scenario(nearOnly)
        scenario.stay(at: 1, from: 0, to: 90_000, every: 5, peer: "driver")
        for visitor in 0..<100 {
            let start = Double(visitor) * 800
            for step in 0..<3 { scenario.send(1, at: start + Double(step) * 0.1, peer: "visitor-\(visitor)") }
        }
        scenario.run(to: 90_000)
        #expect(scenario.engine.counters.refusedPeers == 0)
        #expect(scenario.retained()?.peers.map(\.identifier) == ["driver"])
        #expect(scenario.violations == [])
    }

    @Test func `distance, state and count of the aggregate are the nearest peer's and everybody's`() throws {
        var scenario = Scenario(.plain())
        scenario.stay(at: 2.5, from: 0, to: 1, peer: "bob")
        scenario.stay(at: 1, from: 0, to: 1, peer: "alice")
        scenario.stay(at: 7, from: 0, to: 1)
        scenario.run(to: 1)
        let stream = StreamID(accessory: AccessoryIndex(0))
        let state = try #require(scenario.engine.state(of: stream))
        #expect(state.distance == 1)
        #expect(state.zone == "immediate")
        #expect(state.zones.map(\.name) == ["immediate", "near"])
        #expect(state.zones.map(\.count) == [1, 2])
        #expect(state.peers.map(\.identifier) == ["alice", "bob"])
        #expect(state.peers.map(\.zone) == ["immediate", "near"])
        #expect(state.peers.map(\.distance) == [1, 2.5])
        #expect(state.peers.map(\.session) == [.external, .external])
        #expect(scenario.violations == [])
    }

    @Test func `radii follow the override chain, and zones nest by the effective radius`() {
        var lamp = AccessoryOptions()
        lamp.zones["immediate"] = ZoneOptions(radius: 5)
        lamp.peers["alice"] = PeerOptions()
        lamp.peers["alice"]?.zones["immediate"] = ZoneOptions(radius: 0.5)
        var scenario = Scenario(.plain { $0.accessories["lamp"] = lamp })
        scenario.stay(at: 1, from: 0, to: 1)
        scenario.run(to: 1)
        #expect(told(scenario) == ["- enter immediate", "- enter near"])
        #expect(scenario.events.first?.radius == 5)
        scenario.stay(at: 1, from: 1, to: 2, peer: "alice")
        scenario.stay(at: 0.4, from: 2, to: 3, peer: "alice")
        scenario.run(to: 3)
        #expect(told(scenario).suffix(2) == ["alice enter near", "alice enter immediate"])
        #expect(scenario.events.last?.radius == 0.5)
    }

    @Test func `a zone that is disabled for an accessory does not exist for it`() {
        var lamp = AccessoryOptions()
        lamp.zones["near"] = ZoneOptions(isEnabled: false)
        var scenario = Scenario(.plain { $0.accessories["lamp"] = lamp })
        scenario.stay(at: 1, from: 0, to: 1, peer: "alice")
        scenario.stay(at: 1, from: 0, to: 1, accessory: "fan")
        scenario.run(to: 1)
        #expect(scenario.story() == ["enter immediate"])
        #expect(scenario.story(of: "fan") == ["enter near", "enter immediate"])
        #expect(scenario.retained()?.zones.map(\.name) == ["immediate"])
        #expect(scenario.violations == [])
    }

    @Test func `a zone that only a peer has enabled is in the aggregate's events with the peer's radius or its own`() {
        var lamp = AccessoryOptions()
        lamp.zones["near"] = ZoneOptions(isEnabled: false)
        lamp.peers["alice"] = PeerOptions()
        lamp.peers["alice"]?.zones["near"] = ZoneOptions(radius: 4, isEnabled: true)
        var scenario = Scenario(.plain { $0.accessories["lamp"] = lamp })
        scenario.stay(at: 3.5, from: 0, to: 1, peer: "alice")
        scenario.stay(at: 9, from: 1, to: 2, peer: "alice")
        scenario.run(to: 2)
        #expect(
            told(scenario) == ["alice enter near", "- enter near", "alice exit near left", "- exit near left"]
        )
        #expect(scenario.events.map(\.radius) == [4, 3, 4, 3])
    }
}
