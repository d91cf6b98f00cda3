// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyCore

@Suite struct BridgeEngineDecisionsTests {
    private func decisions(_ scenario: Scenario) -> [ZoneDecision] { scenario.engine.tracks[0].decisions.all }

    @Test func `each decision has the distance, the threshold and the hold that led to it`() throws {
        var scenario = Scenario(.plain { $0.zones[1].options.exitHold = .milliseconds(250) })
        scenario.stay(at: 2, from: 0, to: 0.3)
        scenario.stay(at: 5, from: 1, to: 3)
        scenario.run(to: 3)
        let all = decisions(scenario)
        #expect(all.map(\.zone) == [0, 1, 1])
        #expect(all.map(\.kind) == [.settled, .entered, .exited(.left)])
        #expect(all[0].threshold == 1.5 && all[0].held == nil)
        #expect(all[1].threshold == 3 && all[1].distance == 2 && all[1].held == .zero)
        let exit = all[2]
        #expect(exit.threshold.map { abs($0 - 3.3) < 0.001 } == true)
        #expect(exit.rawDistance == 5 && exit.distance == 5)
        #expect(try #require(exit.held) >= .milliseconds(250))
        #expect(exit.at == scenario.events.last?.at)
    }

    @Test func `a loss has the silence and the last distance, and no threshold`() throws {
        var scenario = Scenario(.plain())
        scenario.stay(at: 2, from: 0, to: 0.5)
        scenario.run(to: 20)
        let lost = try #require(decisions(scenario).last)
        #expect(lost.kind == .exited(.lost))
        #expect(lost.held == .seconds(10))
        #expect(lost.distance == 2 && lost.threshold == nil)
    }

    @Test func `the hold of a source by exception runs on while it is silent`() throws {
        var scenario = Scenario(.byException { $0.zones[1].options.exitHold = .seconds(3) })
        scenario.send(2, at: 0)
        scenario.send(5, at: 1)
        scenario.run(to: 10)
        let exit = try #require(decisions(scenario).last)
        #expect(exit.kind == .exited(.left))
        #expect(exit.held == .seconds(3))
    }

    @Test func `without anybody asking nothing but four decisions is kept`() {
        var scenario = Scenario(.plain())
        for step in 0..<40 {
            scenario.stay(at: step % 2 == 0 ? 1 : 5, from: Double(step) * 3, to: Double(step) * 3 + 2)
        }
        scenario.run(to: 121)
        #expect(scenario.events.count == 80)
        #expect(decisions(scenario).count == DecisionRing.capacity)
        #expect(!scenario.engine.watches.isActive && scenario.engine.watches.count == 0)
    }

    @Test func `decisions stay with their zones when the options change`() {
        var scenario = Scenario(.plain())
        scenario.stay(at: 2, from: 0, to: 0.5)
        scenario.run(to: 1)
        let near = decisions(scenario).last
        var options = scenario.engine.options
        options.zones.swapAt(0, 1)
        scenario.input(.options(options))
        #expect(decisions(scenario).map(\.zone) == [1, 0])
        #expect(decisions(scenario).last?.at == near?.at)
        options.zones.remove(at: 0)
        scenario.input(.options(options))
        #expect(decisions(scenario).allSatisfy { $0.zone == 0 && $0.kind == .settled })
    }

    @Test func `every reason of an exit is remembered`() {
        var scenario = BridgeEngineSessionsTests.ranging()
        scenario.ask(.suspend)
        #expect(decisions(scenario).suffix(2).map(\.kind) == [.exited(.suspended), .exited(.suspended)])
        #expect(decisions(scenario).last?.held == nil)
    }
}
