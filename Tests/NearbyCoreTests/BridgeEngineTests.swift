// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyCore

@Suite struct BridgeEngineTests {
    private func engine(_ options: EngineOptions = EngineOptions()) -> BridgeEngine {
        var generator = SeededGenerator(seed: 1)
        return BridgeEngine(options: options, using: &generator)
    }

    @Test func `the walk of the README makes its four events`() {
        var scenario = Scenario()
        scenario.stay(at: 1.2, from: 0, to: 2)
        scenario.stay(at: 4, from: 2, to: 4)
        scenario.run(to: 5)
        #expect(scenario.story() == ["enter near", "enter immediate", "exit immediate left", "exit near left"])
        #expect(scenario.violations == [])
    }

    @Test func `the first number of a stream is Unix time in milliseconds and then it grows by one`() {
        var scenario = Scenario(.plain { $0.unixMillisecondsAtOrigin = 1_700_000_000_000 })
        scenario.stay(at: 1, from: 5, to: 6)
        scenario.stay(at: 9, from: 6, to: 7)
        scenario.run(to: 7)
        #expect(scenario.events.map(\.sequence) == (0..<4).map { 1_700_000_005_100 + $0 })
        #expect(scenario.events.first?.identifier == "lamp:1700000005100")
    }

    @Test func `a number is positive even where the clock is not set`() {
        var engine = engine(.byException())
        var effects = EffectBuffer()
        engine.handle(.subscribed, at: Instant(nanoseconds: -5_000_000_000), into: &effects)
        guard let lamp = engine.accessory(Array("lamp".utf8).span, at: Instant(nanoseconds: 0), into: &effects) else {
            Issue.record("refused")
            return
        }
        let payload = Array(#"{"distance":1}"#.utf8)
        engine.handleReport(payload.span, from: lamp, at: Instant(nanoseconds: -4_000_000_000), into: &effects)
        let numbers = effects.effects.compactMap { effect in
            if case .event(let event) = effect { event.sequence } else { nil }
        }
        #expect(numbers == [1, 2])
    }

    @Test func `events carry zone, radius, distance and visit`() throws {
        var scenario = Scenario(.plain())
        scenario.stay(at: 1, from: 0, to: 0.2, peer: "alice")
        scenario.stay(at: 9, from: 0.2, to: 0.3, peer: "alice")
        scenario.run(to: 1)
        let enter = try #require(scenario.events.first)
        #expect(enter.accessory == "lamp")
        #expect(enter.peer == "alice")
        #expect(enter.zone == "near")
        #expect(enter.radius == 3)
        #expect(enter.distance == 1)
        #expect(enter.visit == enter.sequence)
        #expect(enter.at == Instant(nanoseconds: 100_000_000))
        #expect(enter.identifier == "lamp/alice:\(enter.sequence)")
        let exit = try #require(scenario.events.last)
        #expect(exit.kind == .exit(reason: .left, dwell: .milliseconds(100)))
        #expect(exit.distance == 9)
        #expect(exit.peer == nil)
    }

    @Test func `time does not run backwards`() {
        var engine = engine()
        var effects = EffectBuffer()
        engine.handle(.subscribed, at: Instant(nanoseconds: 100), into: &effects)
        engine.advance(to: Instant(nanoseconds: 50), into: &effects)
        _ = engine.accessory(Array("lamp".utf8).span, at: Instant(nanoseconds: 20), into: &effects)
        let notice = BridgeNotice(kind: .accessoryJoined, accessory: "lamp", at: Instant(nanoseconds: 100))
        #expect(effects.effects == [.notice(notice)])
    }

    @Test func `every input first carries out the deadlines that came before it`() {
        for input in [BridgeInput.subscribed, .disconnected] {
            var scenario = Scenario(.plain())
            scenario.stay(at: 1, from: 0, to: 0.2)
            scenario.run(to: 1)
            var engine = scenario.engine
            var effects = EffectBuffer()
            engine.handle(input, at: Instant(nanoseconds: 60_000_000_000), into: &effects)
            let instants = effects.effects.compactMap { effect in
                if case .event(let event) = effect { event.at } else { nil }
            }
            #expect(instants == [Instant(nanoseconds: 10_100_000_000), Instant(nanoseconds: 10_100_000_000)])
        }
    }

    @Test func `a newcomer is announced after the deadlines that came before it`() {
        var scenario = Scenario(.plain())
        scenario.stay(at: 1, from: 0, to: 0.2)
        scenario.run(to: 1)
        var engine = scenario.engine
        var effects = EffectBuffer()
        _ = engine.accessory(Array("fan".utf8).span, at: Instant(nanoseconds: 60_000_000_000), into: &effects)
        guard case .event = effects.effects.first, case .notice = effects.effects.last else {
            Issue.record("\(effects.effects)")
            return
        }
    }

    @Test func `nothing is due while our subscriptions are not acknowledged`() {
        var scenario = Scenario(.plain())
        scenario.stay(at: 1, from: 0, to: 1)
        scenario.run(to: 1)
        #expect(scenario.engine.nextDeadline != nil)
        scenario.disconnect()
        #expect(scenario.engine.nextDeadline == nil)
        scenario.run(to: 100)
        #expect(scenario.story() == ["enter near", "enter immediate"])
    }

    @Test func `a report that changes nothing makes no effect`() {
        var scenario = Scenario(.plain())
        scenario.stay(at: 1, from: 0, to: 2)
        scenario.run(to: 1)
        let count = scenario.records.count
        scenario.run(to: 2)
        #expect(scenario.records.count == count)
    }

    @Test func `more zones than fit are cut off`() {
        let many = (0..<40).map { index in
            EngineOptions.NamedZone(name: "z\(index)", options: ZoneOptions(radius: Double(index + 1)))
        }
        var scenario = Scenario(.plain { $0.zones = many })
        #expect(scenario.engine.options.zones.count == Zone.maximumCount)
        scenario.stay(at: 0.5, from: 0, to: 0.2)
        scenario.stay(at: 90, from: 0.2, to: 1)
        scenario.run(to: 1)
        #expect(scenario.story().count == 2 * Zone.maximumCount)
        #expect(scenario.story().first == "enter z31")
        #expect(scenario.violations == [])
    }

    @Test func `an engine without zones lives`() {
        var scenario = Scenario(.plain { $0.zones = [] })
        scenario.stay(at: 1, from: 0, to: 2)
        scenario.run(to: 30)
        #expect(scenario.events == [])
        #expect(scenario.retained()?.zone == "outside")
    }

    @Test func `a retained report is counted and does nothing`() {
        var engine = engine()
        engine.countRetainedReport()
        #expect(engine.counters.retained == 1)
    }

    @Test func `an effect buffer keeps order and empties`() {
        var effects = EffectBuffer()
        #expect(effects.isEmpty)
        let stream = StreamID(accessory: AccessoryIndex(3))
        effects.append(.session(stream))
        effects.append(.zone(stream, zone: 1))
        #expect(effects.effects == [.session(stream), .zone(stream, zone: 1)])
        effects.removeAll()
        #expect(effects.isEmpty)
    }
}
