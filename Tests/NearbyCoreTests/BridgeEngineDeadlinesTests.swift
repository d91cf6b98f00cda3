// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import TestSupport
import Testing

@Suite struct BridgeEngineDeadlinesTests {
    private let enters = ["enter near", "enter immediate"]
    private let losses = ["exit immediate lost", "exit near lost"]

    /// A second at 1 m: both zones are entered at 0.1 s, the last report is that of 0.9 s.
    private func settled(_ options: EngineOptions = .plain(), peer: String? = nil) -> Scenario {
        var scenario = Scenario(options)
        scenario.stay(at: 1, from: 0, to: 1, peer: peer)
        scenario.run(to: 1)
        return scenario
    }

    private func seconds(_ instant: Instant?) -> Double? {
        instant.map { Double($0.nanoseconds) / 1e9 }
    }

    private func dwelling(_ seconds: Int, _ change: (inout EngineOptions) -> Void = { _ in }) -> EngineOptions {
        .plain { options in
            options.zones[1].options.dwell = .after(.seconds(seconds))
            change(&options)
        }
    }

    // MARK: Lost

    @Test func `silence is lost by a timer at exactly lost_after`() {
        var scenario = settled()
        scenario.run(until: Instant(nanoseconds: 10_899_999_999))
        #expect(scenario.story() == enters)
        scenario.run(until: Instant(nanoseconds: 10_900_000_000))
        #expect(scenario.story() == enters + losses)
        #expect(scenario.events.suffix(2).allSatisfy { $0.at == Instant(nanoseconds: 10_900_000_000) })
        #expect(scenario.events.suffix(2).allSatisfy { $0.distance == nil })
        #expect(scenario.retained()?.zone == "unknown")
        #expect(scenario.retained()?.distance == nil)
        #expect(scenario.retained()?.measurement == MeasurementKind.none)
        #expect(scenario.violations == [])
    }

    @Test func `one call that comes late carries out what was due at its own time`() {
        var scenario = settled()
        var effects = EffectBuffer()
        var engine = scenario.engine
        engine.advance(to: Instant(nanoseconds: .max), into: &effects)
        scenario.run(to: 11)
        let events = effects.effects.compactMap { if case .event(let event) = $0 { event } else { nil } }
        #expect(events == Array(scenario.events.suffix(2)))
    }

    @Test func `every report puts the moment off`() {
        var scenario = settled()
        for step in 1...10 { scenario.send(1, at: 1 + Double(step) * 9) }
        scenario.run(to: 100)
        #expect(scenario.story() == enters)
        scenario.run(to: 101)
        #expect(scenario.story() == enters + losses)
    }

    @Test func `a zone may have a lost_after of its own, and an outer one takes the inner ones along`() {
        var scenario = settled(.plain { $0.zones[0].options.lostAfter = .after(.seconds(4)) })
        scenario.run(to: 5)
        #expect(scenario.story() == enters + ["exit immediate lost"])
        // The peer is still waited for, but nobody knows where it is.
        #expect(scenario.events.last?.distance == nil)
        scenario.run(to: 11)
        #expect(scenario.story() == enters + losses)
        var outer = settled(.plain { $0.zones[1].options.lostAfter = .after(.seconds(4)) })
        outer.run(to: 5)
        #expect(outer.story() == enters + losses)
        #expect(outer.violations + scenario.violations == [])
    }

    @Test func `a zone that outlives its peer's presence is lost in its time`() {
        var scenario = settled(.plain { $0.zones[1].options.lostAfter = .after(.seconds(30)) })
        scenario.run(to: 12)
        #expect(scenario.retained()?.distance == nil)
        #expect(scenario.retained()?.zone == "near")
        scenario.run(to: 32)
        #expect(scenario.story() == enters + losses)
        #expect(seconds(scenario.events.last?.at) == 30.9)
    }

    @Test func `lost_after never loses nobody and leaves nothing due`() {
        var scenario = settled(.plain { $0.lostAfter = .never })
        scenario.run(to: 1_000_000)
        #expect(scenario.story() == enters)
        #expect(scenario.engine.nextDeadline == nil)
        #expect(scenario.retained()?.distance == 1)
    }

    @Test func `the override chain of lost_after is bridge, accessory, peer, zone`() {
        var lamp = AccessoryOptions()
        lamp.lostAfter = .after(.seconds(5))
        lamp.peers["alice"] = PeerOptions()
        lamp.peers["alice"]?.lostAfter = .after(.seconds(3))
        lamp.peers["bob"] = PeerOptions()
        lamp.peers["bob"]?.zones["near"] = ZoneOptions(lostAfter: .after(.seconds(2)))
        let options = EngineOptions.plain { $0.accessories["lamp"] = lamp }
        for (peer, expected) in [("alice", 3.9), ("bob", 2.9), ("carol", 5.9)] {
            var scenario = settled(options, peer: peer)
            scenario.run(to: 20)
            #expect(seconds(scenario.events.last?.at) == expected)
        }
        var other = Scenario(options)
        other.stay(at: 1, from: 0, to: 1, accessory: "fan")
        other.run(to: 20)
        #expect(seconds(other.events.last?.at) == 10.9)
    }

    @Test func `a source by exception is lost only if its own options say so`() {
        var global = Scenario(.byException { $0.zones[1].options.lostAfter = .after(.seconds(1)) })
        global.send(1, at: 0)
        global.run(to: 1000)
        #expect(global.story() == enters)
        var own = Scenario(.byException { $0.accessories["lamp"]?.lostAfter = .after(.seconds(20)) })
        own.send(1, at: 0)
        own.run(to: 19.9)
        #expect(own.story() == enters)
        own.run(to: 20)
        #expect(own.story() == enters + losses)
    }

    @Test func `the distance of a peer outside every zone is lost as well`() {
        var scenario = Scenario(.plain())
        scenario.stay(at: 9, from: 0, to: 1)
        scenario.run(to: 10.8)
        #expect(scenario.retained()?.distance == 9)
        scenario.run(to: 11)
        #expect(scenario.retained()?.distance == nil)
        #expect(scenario.retained()?.zone == "outside")
        #expect(scenario.events == [])
    }

    @Test func `the distance of a peer that came back is lost again in time`() {
        var scenario = Scenario(.plain())
        scenario.stay(at: 9, from: 0, to: 1, peer: "alice")
        scenario.stay(at: 9, from: 60, to: 61, peer: "alice")
        scenario.run(to: 62)
        #expect(scenario.retained(peer: "alice")?.distance == 9)
        scenario.run(to: 71)
        #expect(scenario.retained(peer: "alice")?.distance == nil)
        #expect(scenario.retained()?.distance == nil)
    }

    // MARK: From unknown

    @Test func `who returns inside begins a new visit`() {
        var scenario = settled()
        scenario.stay(at: 1, from: 20, to: 21)
        scenario.run(to: 21)
        #expect(scenario.story() == enters + losses + enters)
        let visits = scenario.events.filter { $0.zone == "near" }.map(\.visit)
        #expect(visits[0] == visits[1])
        #expect(visits[2] > visits[1])
        #expect(scenario.violations == [])
    }

    @Test(arguments: [3.2, 9.0])
    func `who returns in the band or beyond is outside without an event`(distance: Double) {
        var scenario = settled()
        scenario.stay(at: distance, from: 20, to: 21)
        scenario.run(to: 21)
        #expect(scenario.story() == enters + losses)
        #expect(scenario.retained()?.zones.map(\.state) == [.outside, .outside])
        #expect(scenario.violations == [])
    }

    // MARK: Blindness

    @Test func `a disconnect longer than lost_after loses nobody, and silence counts anew and in full`() {
        var scenario = settled()
        scenario.run(to: 5)
        scenario.disconnect()
        scenario.run(to: 100)
        scenario.subscribe()
        scenario.run(to: 109.9)
        #expect(scenario.story() == enters)
        scenario.run(to: 110)
        #expect(scenario.story() == enters + losses)
        #expect(seconds(scenario.events.last?.at) == 110)
        #expect(scenario.violations == [])
    }

    @Test func `a bridge that stood still loses nobody, and silence counts anew and in full`() {
        var scenario = settled()
        scenario.stall(for: 60)
        scenario.run(to: 70.9)
        #expect(scenario.story() == enters)
        scenario.run(to: 71)
        #expect(scenario.story() == enters + losses)
    }

    @Test func `who is still there after an outage never left`() {
        var scenario = settled()
        scenario.disconnect()
        scenario.run(to: 100)
        scenario.subscribe()
        scenario.stay(at: 1, from: 100, to: 120)
        scenario.run(to: 120)
        #expect(scenario.story() == enters)
    }

    @Test func `a backlog before the subscriptions are acknowledged is heard`() throws {
        var engine = settled().engine
        var effects = EffectBuffer()
        let end = Instant(nanoseconds: 2_000_000_000)
        engine.handle(.disconnected, at: Instant(nanoseconds: 1_100_000_000), into: &effects)
        let payload = Array(#"{"distance":9}"#.utf8)
        for _ in 0..<3 { engine.handleReport(payload.span, from: AccessoryIndex(0), at: end, into: &effects) }
        #expect(effects.effects.count { if case .event = $0 { true } else { false } } == 2)
        #expect(engine.nextDeadline == nil)
    }

    // MARK: Dwell

    @Test func `a dwell event comes once in a visit, at exactly its time`() {
        var scenario = Scenario(dwelling(5))
        scenario.stay(at: 1, from: 0, to: 20, peer: "alice")
        scenario.run(to: 20)
        #expect(scenario.story() == enters + ["dwell near"])
        #expect(scenario.story(peer: "alice") == enters + ["dwell near"])
        #expect(scenario.events.suffix(2).map(\.peer) == ["alice", nil])
        #expect(scenario.events.last?.kind == .dwell(.seconds(5)))
        #expect(seconds(scenario.events.last?.at) == 5.1)
        #expect(scenario.violations == [])
    }

    @Test func `the aggregate's dwell event follows the peer's whatever their numbers are`() {
        var scenario = Scenario(dwelling(5))
        // The unnamed peer takes the first place, so that alice's comes after the accessory's.
        scenario.stay(at: 9, from: 0, to: 9)
        scenario.stay(at: 1, from: 1, to: 9, peer: "alice")
        scenario.run(to: 9)
        #expect(scenario.events.suffix(2).map(\.summary) == ["dwell near", "dwell near"])
        #expect(scenario.events.suffix(2).map(\.peer) == ["alice", nil])
    }

    @Test func `a stay that is lost at the moment of its dwell time has no dwell event`() {
        var scenario = Scenario(dwelling(10))
        scenario.stay(at: 9, from: 0, to: 0.2)
        scenario.send(1, at: 0, peer: "alice")
        scenario.send(1, at: 0.1, peer: "alice")
        scenario.run(to: 30)
        #expect(scenario.story() == enters + losses)
        #expect(scenario.story(peer: "alice") == enters + losses)
        #expect(scenario.violations == [])
    }

    @Test func `a zone that is left in time has no dwell event`() {
        var scenario = Scenario(dwelling(5))
        scenario.stay(at: 1, from: 0, to: 4)
        scenario.stay(at: 9, from: 4, to: 9)
        scenario.stay(at: 1, from: 9, to: 15)
        scenario.run(to: 15)
        let dwells = scenario.events.filter { $0.summary == "dwell near" }
        #expect(dwells.map { seconds($0.at) } == [14.0])
    }

    @Test func `a dwell time that passed while we were blind waits for a report that proves the stay`() {
        for isStall in [false, true] {
            var scenario = Scenario(dwelling(20) { $0.lostAfter = .after(.seconds(60)) })
            scenario.stay(at: 1, from: 0, to: 1, peer: "alice")
            scenario.run(to: 1)
            if isStall {
                scenario.stall(for: 29)
            } else {
                scenario.disconnect()
                scenario.run(to: 30)
                scenario.subscribe()
            }
            scenario.run(to: 40)
            #expect(scenario.story() == enters)
            // The first report after the gap proves nothing yet.
            scenario.send(1, at: 40, peer: "alice")
            scenario.run(to: 40)
            #expect(scenario.story() == enters)
            scenario.send(1, at: 40.1, peer: "alice")
            scenario.run(to: 41)
            #expect(scenario.story() == enters + ["dwell near"])
            #expect(scenario.story(peer: "alice") == enters + ["dwell near"])
            #expect(scenario.violations == [])
        }
    }

    @Test func `the first report after a gap does not prove a stay to the timer either`() {
        var scenario = Scenario(dwelling(30))
        scenario.stay(at: 1, from: 0, to: 1)
        scenario.run(to: 1)
        scenario.disconnect()
        scenario.run(to: 25)
        scenario.subscribe()
        scenario.send(9, at: 26)
        scenario.run(to: 33)
        #expect(scenario.story() == enters)
    }

    @Test func `who turns out to have left meanwhile has no dwell event`() {
        var scenario = Scenario(dwelling(20) { $0.zones[1].options.exitHold = .seconds(1) })
        scenario.stay(at: 1, from: 0, to: 1)
        scenario.run(to: 1)
        scenario.disconnect()
        scenario.run(to: 30)
        scenario.subscribe()
        scenario.stay(at: 9, from: 30, to: 35)
        scenario.run(to: 35)
        #expect(scenario.story() == enters + ["exit immediate left", "exit near left"])
    }

    @Test func `a spike as the first word after blindness does not swallow the dwell event`() {
        var options = dwelling(4)
        options.smoothing = FilterOptions()
        var scenario = Scenario(options)
        scenario.stay(at: 1, from: 0, to: 1)
        scenario.run(to: 1)
        scenario.disconnect()
        scenario.run(to: 5)
        scenario.subscribe()
        scenario.send(30, at: 5.2)
        scenario.stay(at: 1, from: 5.3, to: 7)
        scenario.run(to: 7)
        #expect(scenario.engine.counters.gated == 1)
        #expect(scenario.story() == enters + ["dwell near"])
    }

    // MARK: Holds of sources that speak on change only

    @Test func `a hold of a source by exception is ended by a timer`() {
        var scenario = Scenario(.byException { $0.zones[1].options.exitHold = .seconds(3) })
        scenario.send(2, at: 0)
        scenario.send(9, at: 10)
        scenario.run(until: Instant(nanoseconds: 12_999_999_999))
        #expect(scenario.story() == ["enter near"])
        scenario.run(to: 13)
        #expect(scenario.story() == ["enter near", "exit near left"])
        #expect(seconds(scenario.events.last?.at) == 13)
        #expect(scenario.retained()?.zone == "outside")
        #expect(scenario.engine.nextDeadline == nil)
        #expect(scenario.violations == [])
    }

    @Test func `a contradiction before its end cancels the hold`() {
        var scenario = Scenario(.byException { $0.zones[1].options.exitHold = .seconds(3) })
        scenario.send(2, at: 0)
        scenario.send(9, at: 10)
        scenario.send(2, at: 12)
        scenario.run(to: 100)
        #expect(scenario.story() == ["enter near"])
    }

    @Test func `silence while we are blind ends no hold`() {
        var scenario = Scenario(.byException { $0.zones[1].options.exitHold = .seconds(3) })
        scenario.send(2, at: 0)
        scenario.send(9, at: 10)
        scenario.run(to: 11)
        scenario.disconnect()
        scenario.run(to: 60)
        scenario.subscribe()
        scenario.run(to: 62.9)
        #expect(scenario.story() == ["enter near"])
        scenario.run(to: 63)
        #expect(scenario.story() == ["enter near", "exit near left"])
    }

    @Test func `a hold without end does not stop the engine`() {
        var scenario = Scenario(.byException { $0.zones[1].options.enterHold = .seconds(Int64.max) })
        scenario.send(2, at: 5)
        scenario.run(to: 1_000_000)
        #expect(scenario.story() == [])
        #expect(scenario.violations == [])
    }
}
