// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyCore

/// What users of other bridges suffered from, where hours pass or a session is at stake; numbered as they were collected.
@Suite struct FieldScenarioTests {
    private let enters = ["enter near", "enter immediate"]
    private let leaves = ["exit immediate left", "exit near left"]
    private static let data = AccessoryFixtures.bytes(AccessoryFixtures.a1)

    /// A normally distributed number, good to a few standard deviations.
    private func noise(_ deviation: Double, _ random: inout SeededGenerator) -> Double {
        deviation * ((0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0..<1, using: &random) })
    }

    /// An hour on the line of a zone, with 60 times a body in the way: longer ranges and gaps.
    private func hourOnTheLine(_ line: ClosedRange<Double>, shadow: Double, seed: UInt64) -> Scenario {
        var random = SeededGenerator(seed: seed)
        var scenario = Scenario(seed: seed)
        var place = Double.random(in: line, using: &random)
        for minute in 0..<60 {
            let begin = Double.random(in: 5..<50, using: &random)
            let end = begin + Double.random(in: 1..<4, using: &random)
            for step in 0..<600 {
                let second = Double(step) / 10
                let isShadowed = (begin..<end).contains(second)
                place = min(
                    max(place + Double.random(in: -0.002...0.002, using: &random), line.lowerBound),
                    line.upperBound
                )
                if isShadowed, Int.random(in: 0..<2, using: &random) == 0 { continue }
                let bias = isShadowed ? shadow : 0
                scenario.send(max(0, place + bias + noise(0.1, &random)), at: Double(minute) * 60 + second)
            }
            scenario.run(to: Double(minute + 1) * 60)
        }
        return scenario
    }

    @Test(arguments: [1.45...1.55, 2.95...3.05], [0.2, 0.5, 1.0])
    func `S15: an hour on the line of a zone makes a handful of events`(_ line: ClosedRange<Double>, shadow: Double) {
        let seed = UInt64(shadow * 10)
        let scenario = hourOnTheLine(line, shadow: shadow, seed: seed)
        // Half a metre is swallowed. A metre for seconds is what a step away looks like: an exit and an enter, no more.
        let limit = shadow <= 0.5 ? 8 : 2 * 60 + 2
        #expect(scenario.story().count <= limit, "\(scenario.story())")
        #expect(scenario.violations == [])
    }

    /// Reports with pauses of 2 to 96 seconds, of somebody who stays at 1 m.
    private func slowSource(_ options: EngineOptions, hours: Double) -> Scenario {
        var random = SeededGenerator(seed: 16)
        var scenario = Scenario(options)
        var second = 0.0
        while second < hours * 3600 {
            scenario.send(1, at: second)
            second += Double.random(in: 2...96, using: &random)
        }
        scenario.run(to: second)
        return scenario
    }

    private func complaints(_ scenario: Scenario) -> [Complaint.Kind] {
        scenario.records.compactMap { record in
            guard case .complaint(let complaint) = record.effect else { return nil }
            return complaint.kind
        }
    }

    @Test func `S16: a source too slow for lost_after is told once and counted, and with its own it does not flap`() {
        let scenario = slowSource(.plain(), hours: 1)
        #expect(complaints(scenario).count == 1)
        guard case .sparseReports(let pause, .seconds(10)) = complaints(scenario).first else {
            Issue.record("\(complaints(scenario))")
            return
        }
        #expect(pause >= .seconds(5))
        #expect(scenario.engine.counters.sparse > 50)
        var patient = EngineOptions.plain()
        patient.accessories["lamp"] = AccessoryOptions()
        patient.accessories["lamp"]?.lostAfter = .after(.seconds(300))
        let calm = slowSource(patient, hours: 3)
        #expect(calm.story() == enters)
        #expect(complaints(calm).isEmpty)
        #expect(calm.engine.counters.sparse == 0)
        #expect(scenario.violations + calm.violations == [])
    }

    @Test func `S16: somebody who goes away and comes back ten times a day is no slow source`() {
        var scenario = Scenario(.plain())
        for visit in 0..<10 { scenario.stay(at: 1, from: Double(visit) * 600, to: Double(visit) * 600 + 60) }
        scenario.run(to: 6000)
        #expect(complaints(scenario).isEmpty)
        #expect(scenario.engine.counters.sparse == 9)
        #expect(scenario.story().count == 40)
    }

    @Test func `S16: what is lost while nobody listens does not make a source slow`() {
        var scenario = Scenario(.plain())
        for outage in 0..<10 {
            scenario.send(1, at: Double(outage) * 60)
            scenario.run(to: Double(outage) * 60 + 1)
            scenario.disconnect()
            scenario.run(to: Double(outage) * 60 + 59)
            scenario.subscribe()
        }
        #expect(scenario.engine.counters.sparse == 0)
        #expect(complaints(scenario).isEmpty)
    }

    @Test func `S18: reports that come a little faster than a hold do not put the decision off`() {
        var options = EngineOptions.plain()
        for index in options.zones.indices {
            options.zones[index].options.enterHold = .seconds(2)
            options.zones[index].options.exitHold = .seconds(2)
        }
        var scenario = Scenario(options)
        // Ten minutes, half a minute at each place, a report every 1.8 s.
        for turn in 0..<20 {
            let begin = Double(turn) * 30.6
            scenario.stay(at: turn % 2 == 0 ? 1 : 5, from: begin, to: begin + 30.6, every: 1.8)
        }
        scenario.run(to: 612)
        #expect(scenario.story() == Array(repeating: enters + leaves, count: 10).flatMap(\.self))
        for (index, event) in scenario.events.enumerated() {
            let began = Double(index / 2) * 30.6
            // A hold, and the next two reports.
            #expect(Double(event.at.nanoseconds) / 1e9 - began <= 2 + 2 * 1.8)
        }
        #expect(scenario.violations == [])
    }

    @Test func `S18: states are told while reports come a little faster than their interval`() {
        var scenario = Scenario(.plain())
        for step in 0..<667 { scenario.send(4 + Double(step % 2), at: Double(step) * 0.9) }
        scenario.run(to: 600)
        let states = scenario.records.count { if case .state = $0.effect { true } else { false } }
        #expect(states >= 300)
    }

    @Test func `S21: absurd ranges are held back or counted, and zero is near`() {
        var scenario = Scenario()
        scenario.stay(at: 1.4, from: 0, to: 3)
        // Single spikes, and a run of them that contradict each other.
        for (step, spike) in [33.7, 1.4, 33.7, 1.4, 45, 254, 206, 1.4].enumerated() {
            scenario.send(spike, at: 3 + Double(step) * 0.1)
        }
        scenario.stay(at: 1.4, from: 4, to: 5)
        scenario.run(to: 5)
        #expect(scenario.story() == enters)
        #expect(scenario.engine.counters.gated == 5)
        let rubbish = ["-3", "NaN", "1e400", "-1e400", "1e9", "null", "\"far\""]
        for (step, distance) in rubbish.enumerated() {
            scenario.deliver(#"{"distance":\#(distance)}"#, at: Int64(5_100 + step * 100) * 1_000_000)
        }
        scenario.run(to: 6)
        let counters = scenario.engine.counters
        #expect(counters.withoutMeasurement + counters.malformed == rubbish.count)
        #expect(scenario.story() == enters)
        #expect(scenario.retained()?.distance.map { abs($0 - 1.4) < 0.1 } == true)
        var zero = Scenario(.plain())
        zero.stay(at: 0, from: 0, to: 1)
        zero.run(to: 1)
        #expect(zero.story() == enters)
        #expect(zero.retained()?.distance == 0)
        #expect(scenario.violations + zero.violations == [])
    }

    @Test func `S22: at the edge of range the known configuration is tried again, and a return needs no restart`() {
        var scenario = Scenario(.plain())
        scenario.availability(true)
        scenario.configure(Self.data)
        var second = 0.0
        // Four seconds of ranges at the edge, eight of nothing, for four minutes.
        for _ in 0..<20 {
            scenario.stay(at: 25, from: second, to: second + 4)
            second += 12
            scenario.run(to: second)
        }
        #expect(!scenario.commandNames().contains("initialize"), "\(scenario.commandNames())")
        #expect(scenario.session()?.state != .ended)
        let runs = scenario.commandNames().count
        // Out of range for so long that every attempt is used up.
        second += 300
        scenario.run(to: second)
        #expect(scenario.session()?.state == .ended)
        #expect(scenario.commandNames().count > runs)
        // It is started quietly once a minute as long as it is there, and answers when it can.
        let quiet = scenario.commandNames().count
        for _ in 0..<70 where scenario.commandNames().count == quiet {
            second += 1
            scenario.run(to: second)
        }
        #expect(scenario.commandNames().count > quiet)
        if scenario.commandNames().last == "initialize" { scenario.configure(Self.data) }
        scenario.stay(at: 20, from: second, to: second + 3)
        scenario.run(to: second + 3)
        #expect(scenario.session()?.state == .ranging, "\(scenario.wholeStory().suffix(8))")
        #expect(scenario.events.isEmpty)
        #expect(scenario.violations == [])
    }

    @Test(arguments: [false, true])
    func `S23: accessories do not end each other, and who was suspended comes back`(_ hasNewConfiguration: Bool) {
        var scenario = Scenario(.plain())
        scenario.configure(Self.data)
        scenario.stay(at: 1, from: 0, to: 2)
        scenario.run(to: 2)
        scenario.ask(.suspend)
        scenario.configure(Self.data, of: "other")
        scenario.stay(at: 1, from: 2, to: 5, accessory: "other")
        scenario.run(to: 5)
        #expect(scenario.session()?.state == .suspended)
        #expect(scenario.session(of: "other")?.state == .ranging)
        #expect(scenario.story(of: "other") == enters)
        #expect(scenario.retained()?.distance == nil)
        // The second one has its way on while the first is exchanged anew, with or without being told how.
        if hasNewConfiguration {
            scenario.configure(AccessoryFixtures.bytes(AccessoryFixtures.a1.replacing("11d7", with: "22d7")))
        }
        scenario.ask(.resume)
        if scenario.commandNames().last == "initialize" { scenario.configure(Self.data) }
        scenario.stay(at: 1, from: 5, to: 8)
        scenario.stay(at: 1, from: 5, to: 8, accessory: "other")
        scenario.run(to: 8)
        #expect(scenario.session()?.state == .ranging, "\(scenario.wholeStory())")
        #expect(scenario.story(of: "other") == enters)
        let keys = scenario.shareables(of: nil).map(\.encoded)
        #expect(Set(keys).count == keys.count && keys.count >= 3)
        // Silence is no ranging; a stop in the middle of the retries ends them, here only.
        scenario.stay(at: 1, from: 8, to: 20, accessory: "other")
        scenario.run(to: 14)
        #expect(scenario.session()?.state != .ranging)
        scenario.message([3])
        let commands = scenario.commands().count
        scenario.run(to: 20)
        #expect(scenario.session()?.state == .ended)
        #expect(scenario.commands().count == commands)
        #expect(scenario.session(of: "other")?.state == .ranging)
        #expect(scenario.violations == [])
    }
}
