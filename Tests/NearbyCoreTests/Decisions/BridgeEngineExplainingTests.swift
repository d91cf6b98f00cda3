// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyCore

@Suite struct BridgeEngineExplainingTests {
    private func verdicts(_ scenario: inout Scenario) throws -> [ReportSample.Verdict] {
        try scenario.explain().samples.map(\.verdict)
    }

    @Test func `the first question switches samples on, a minute of silence off again`() throws {
        var scenario = Scenario(.plain())
        scenario.stay(at: 2, from: 0, to: 1)
        scenario.run(to: 1)
        let first = try scenario.explain()
        #expect(first.samples.isEmpty && first.isNewlyWatched)
        #expect(first.decisions.map(\.kind) == [.settled, .entered])
        scenario.stay(at: 2, from: 1, to: 2)
        scenario.run(to: 2)
        let second = try scenario.explain()
        #expect(second.samples.count == 10 && !second.isNewlyWatched)
        #expect(second.samples.dropFirst().allSatisfy { $0.step == .milliseconds(100) })
        scenario.stay(at: 2, from: 2, to: 63)
        scenario.run(to: 63)
        #expect(!scenario.engine.watches.isActive)
        let third = try scenario.explain()
        #expect(third.isNewlyWatched)
    }

    @Test func `a stay is explained by its rules, its distance and the silence so far`() throws {
        var scenario = Scenario(.plain { $0.zones[1].options.dwell = .after(.seconds(300)) })
        scenario.stay(at: 2, from: 0, to: 1)
        scenario.run(to: 3.9)
        let near = try scenario.explain()
        #expect(near.state == .inside && near.zone == "near" && near.peer == nil)
        #expect(near.visit == scenario.events.first?.visit)
        #expect(near.since == scenario.events.first?.at)
        let rules = try #require(near.rules)
        #expect(rules.radius == 3 && rules.exitRadius == 3.3 && rules.enterHold == .zero)
        #expect(rules.lostAfter == .seconds(10) && rules.dwell == .seconds(300))
        #expect(near.distance == 2 && near.rawDistance == 2 && near.isConfirmed)
        #expect(near.silence == .seconds(3))
        #expect(near.lostAt == Instant(nanoseconds: 10_900_000_000))
        #expect(near.held == nil && !near.isBlind && !near.isGone && !near.isByException)
        let immediate = try scenario.explain(zone: "immediate")
        #expect(immediate.state == .outside && immediate.rules?.dwell == nil)
    }

    @Test func `a running hold tells how long it has run`() throws {
        var scenario = Scenario(.plain { $0.zones[1].options.exitHold = .seconds(1) })
        scenario.stay(at: 2, from: 0, to: 1)
        scenario.run(to: 1)
        _ = try scenario.explain()
        scenario.stay(at: 5, from: 1, to: 1.5)
        scenario.run(to: 1.4)
        let leaving = try scenario.explain()
        #expect(leaving.state == .inside && leaving.held == .milliseconds(400))
        #expect(leaving.samples.map { $0.isHolding(1) } == Array(repeating: true, count: 5))
        #expect(leaving.samples.allSatisfy { !$0.isHolding(0) })
    }

    /// Delivers reports a tenth of a second apart, each with its distance and the device's seconds.
    private func deliver(_ reports: [(distance: Double, time: Double)], to scenario: inout Scenario) {
        for (distance, time) in reports {
            let next = scenario.now.advanced(by: .milliseconds(100))
            scenario.deliver("{\"distance\":\(distance),\"timestamp\":\(time)}", at: next.nanoseconds)
            scenario.run(until: next)
        }
    }

    @Test func `every verdict of clock, gate and filter is told`() throws {
        var scenario = Scenario(.plain { $0.smoothing.gateSpeed = 2.5 })
        deliver([(5, 100)], to: &scenario)
        _ = try scenario.explain()
        deliver([(5, 100.1), (5, 100.1), (5.1, 99.9), (5.1, 100.5), (-3, 100.5), (9, 100.6)], to: &scenario)
        var told = try verdicts(&scenario)
        #expect(told == [.passedUnconfirmed, .duplicate, .late, .passed, .outOfRange, .gated])
        deliver((7..<14).map { (9, 100 + Double($0) / 10) }, to: &scenario)
        told = try verdicts(&scenario)
        #expect(told.suffix(2) == [.gated, .seeded])
        scenario.run(to: 8)
        deliver([(9, 107)], to: &scenario)
        told = try verdicts(&scenario)
        #expect(told.last == .seededUnconfirmed)
    }

    @Test func `a report that its session does not let count is told as such`() throws {
        var scenario = Scenario(.plain { $0.session.isRequired = true })
        scenario.send(2, at: 0)
        scenario.run(to: 0)
        _ = try scenario.explain()
        scenario.send(2, at: 0.1)
        scenario.run(to: 0.1)
        let explanation = try scenario.explain()
        #expect(explanation.samples.map(\.verdict) == [.refused])
        #expect(explanation.samples[0].smoothed == nil && explanation.samples[0].step == nil)
        #expect(explanation.lastReport == nil && explanation.distance == nil && explanation.state == .unknown)
    }

    @Test func `the gate itself says why it holds back`() throws {
        var scenario = Scenario(.plain { $0.smoothing.gateSpeed = 2.5 })
        scenario.stay(at: 5.9, from: 0, to: 1)
        scenario.run(to: 1)
        _ = try scenario.explain()
        scenario.stay(at: 0.8, from: 1, to: 1.5)
        scenario.run(to: 1.4)
        let explanation = try scenario.explain()
        let gate = try #require(explanation.gate)
        #expect(gate.stage == .locked && gate.passed == 5.9 && gate.rival == 0.8)
        #expect(gate.since == .milliseconds(500) && gate.rivalFor == .milliseconds(400))
        #expect(gate.speed == 2.5 && abs(gate.reach - 1.55) < 1e-9)
        #expect(explanation.samples.last?.gate == gate)
        #expect(explanation.samples.count == 5 && explanation.samples.allSatisfy { $0.verdict == .gated })
        #expect(!explanation.isConfirmed)
    }

    @Test func `a source by exception has no gate and no speed`() throws {
        var scenario = Scenario(.byException())
        scenario.send(2, at: 0)
        scenario.run(to: 0)
        _ = try scenario.explain()
        scenario.send(2.5, at: 1)
        scenario.run(to: 5)
        let explanation = try scenario.explain()
        #expect(explanation.gate == nil && explanation.isByException && explanation.lostAt == nil)
        let sample = try #require(explanation.samples.first)
        #expect(sample.verdict == .passed && sample.speed == nil && sample.motion == nil && sample.smoothed == 2.5)
    }

    @Test func `scale and offset show between measured and corrected`() throws {
        var lamp = AccessoryOptions()
        lamp.distanceScale = 2
        lamp.distanceOffset = -1
        var scenario = Scenario(.plain { $0.accessories["lamp"] = lamp })
        scenario.send(2, at: 0)
        scenario.run(to: 0)
        _ = try scenario.explain()
        scenario.send(2, at: 0.1)
        scenario.run(to: 0.1)
        let explanation = try scenario.explain()
        let sample = try #require(explanation.samples.last)
        #expect(sample.measured == 2 && sample.corrected == 3 && sample.smoothed == 3)
    }

    @Test func `nothing is asked of what is not there`() {
        var scenario = Scenario(.plain())
        scenario.send(2, at: 0)
        scenario.run(to: 0)
        for (accessory, peer) in [("lamp", "nobody"), ("lantern", nil)] {
            var asked = scenario
            #expect(throws: Scenario.Unknown.self) { _ = try asked.explain(accessory, peer: peer) }
        }
        #expect(scenario.engine.watches.count == 0)
    }

    // MARK: Peers

    private func twoPeers() -> Scenario {
        var scenario = Scenario(.plain())
        scenario.stay(at: 2, from: 0, to: 0.5, peer: "alice")
        scenario.stay(at: 5, from: 0, to: 0.5, peer: "bob")
        scenario.run(to: 0.5)
        return scenario
    }

    @Test func `of several peers the accessory tells who is inside and what was decided last`() throws {
        var scenario = twoPeers()
        let everybody = try scenario.explain()
        #expect(everybody.state == .inside && everybody.distance == 2)
        #expect(everybody.peers.map(\.name) == ["alice", "bob"])
        #expect(everybody.peers.map(\.state) == [.inside, .outside])
        #expect(everybody.peers.map(\.decision?.kind) == [.entered, .settled])
        #expect(everybody.samples.isEmpty && !everybody.isNewlyWatched)
        #expect(scenario.engine.watches.count == 0)
    }

    @Test func `a peer that is asked about is watched alone`() throws {
        var scenario = twoPeers()
        let bob = try scenario.explain(peer: "bob")
        #expect(bob.peer == "bob" && bob.state == .outside && bob.isNewlyWatched && bob.peers.isEmpty)
        scenario.stay(at: 2, from: 0.5, to: 1, peer: "alice")
        scenario.stay(at: 5, from: 0.5, to: 1, peer: "bob")
        scenario.run(to: 1)
        #expect(scenario.engine.watches.count == 1)
        let later = try scenario.explain(peer: "bob")
        #expect(later.samples.count == 5 && later.lastReport == bob.lastReport?.advanced(by: .milliseconds(500)))
        let alice = try scenario.explain(peer: "alice")
        #expect(alice.samples.isEmpty)
    }

    @Test func `a peer that is forgotten or removed is not watched any more`() throws {
        var scenario = Scenario(.plain { $0.peerForget = .seconds(20) })
        scenario.stay(at: 2, from: 0, to: 0.5, peer: "alice")
        scenario.stay(at: 2, from: 0, to: 0.5, accessory: "door")
        scenario.run(to: 0.5)
        _ = try scenario.explain(peer: "alice")
        _ = try scenario.explain("door")
        scenario.run(to: 40)
        #expect(scenario.engine.watches.count == 1)
        scenario.input(.remove("door", isBlocked: false))
        #expect(scenario.engine.watches.count == 0 && !scenario.engine.watches.isActive)
    }

    @Test func `a change of the zones forgets what was seen under the old ones`() throws {
        var scenario = Scenario(.plain())
        scenario.stay(at: 2, from: 0, to: 0.5)
        scenario.run(to: 0.3)
        _ = try scenario.explain()
        scenario.run(to: 0.5)
        var options = scenario.engine.options
        options.zones.removeFirst()
        scenario.input(.options(options))
        let explanation = try scenario.explain()
        #expect(explanation.samples.isEmpty && !explanation.isNewlyWatched)
    }

    // MARK: Events

    @Test func `an event is explained by the peer that brought it about`() throws {
        let scenario = twoPeers()
        let enter = try #require(scenario.events.last { $0.peer == nil })
        let cause = try #require(scenario.engine.explanation(of: enter))
        #expect(cause.peer == "alice" && cause.decision.kind == .entered && cause.decision.distance == 2)
        #expect(cause.rules?.radius == 3)
        #expect(cause.samples.isEmpty, "nobody had asked")
        var other = enter
        other.at = other.at.advanced(by: .seconds(1))
        #expect(scenario.engine.explanation(of: other) == nil)
    }
}
