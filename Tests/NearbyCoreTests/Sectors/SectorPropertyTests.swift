// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyCore

/// What holds of sectors for every walk, whatever the options and the faults are.
@Suite struct SectorPropertyTests {
    private func duration(_ range: ClosedRange<Double>, _ random: inout SeededGenerator) -> Duration {
        .milliseconds(Int64(Double.random(in: range, using: &random) * 1000))
    }

    private func options(_ random: inout SeededGenerator, hasSectors: Bool) -> EngineOptions {
        var options = EngineOptions()
        options.lostAfter = .after(duration(1...12, &random))
        options.zones = (0..<5).map { place in
            var zone = ZoneOptions(radius: Double(Int.random(in: 1...12, using: &random)) / 2)
            zone.enterHold = duration(0...1.5, &random)
            zone.exitHold = duration(0...1.5, &random)
            if Bool.random(using: &random) { zone.dwell = .after(duration(0...10, &random)) }
            let from = Double.random(in: -180...180, using: &random)
            let to = Double.random(in: -180...180, using: &random)
            if place >= 2 {
                (zone.azimuthFrom, zone.azimuthTo) = (from, to)
                zone.azimuthHysteresis = Double.random(in: 0...40, using: &random)
                zone.isEnabled = hasSectors
            }
            return EngineOptions.NamedZone(name: "z\(place)", options: zone)
        }
        var quiet = AccessoryOptions()
        quiet.reports = .byException
        options.accessories["a1"] = quiet
        return options
    }

    private struct Walker {
        var accessory: String
        var peer: String
        var distance = 4.0
        var azimuth = 0.0
        var speed = 0.0
        var turn = 0.0
    }

    /// Two minutes of three peers at two accessories, with outages; `angles` is how many reports in ten have one.
    private func walk(_ seed: UInt64, hasSectors: Bool = true, angles: Int, followsDeadlines: Bool = true) -> Scenario {
        var random = SeededGenerator(seed: seed)
        var scenario = Scenario(options(&random, hasSectors: hasSectors), seed: seed)
        scenario.followsDeadlines = followsDeadlines
        var walkers = [("a0", "p0"), ("a0", "p1"), ("a1", "p0")].map { Walker(accessory: $0.0, peer: $0.1) }
        var time = 0.0
        while time < 120 {
            let isSilent = Int.random(in: 0..<12, using: &random) == 0
            for _ in 0..<30 {
                time += 0.1
                for index in walkers.indices {
                    if Int.random(in: 0..<20, using: &random) == 0 {
                        walkers[index].speed = Double.random(in: -1.5...1.5, using: &random)
                        walkers[index].turn = Double.random(in: -90...90, using: &random)
                    }
                    walkers[index].distance = min(8, max(0, walkers[index].distance + walkers[index].speed / 10))
                    walkers[index].azimuth += walkers[index].turn / 10
                    let hasAngle = Int.random(in: 0..<10, using: &random) < angles
                    guard !isSilent else { continue }
                    scenario.send(
                        walkers[index].distance,
                        at: time,
                        from: walkers[index].accessory,
                        peer: walkers[index].peer,
                        fields: hasAngle ? #","azimuth":\#(walkers[index].azimuth)"# : ""
                    )
                }
            }
            if isSilent { time += Double.random(in: 0...15, using: &random) }
            scenario.run(to: time)
            switch Int.random(in: 0..<16, using: &random) {
            case 0: scenario.disconnect()
            case 1: scenario.stall(for: 3)
            case 2: scenario.restart()
            default: if !scenario.isConnected { scenario.subscribe() }
            }
            time = max(time, Double(scenario.now.nanoseconds) / 1e9)
        }
        if !scenario.isConnected { scenario.subscribe() }
        scenario.run(to: time + 60)
        return scenario
    }

    /// The events of distance zones, without what only numbers them.
    private func distanceEvents(_ scenario: Scenario) -> [String] {
        scenario.events.filter { ["z0", "z1"].contains($0.zone) }.map {
            "\($0.accessory) \($0.peer ?? "-") \($0.summary) \($0.at) \($0.distance ?? -1) \($0.radius)"
        }
    }

    @Test(arguments: UInt64(1)...12)
    func `a consumer never finds a contradiction`(seed: UInt64) {
        let scenario = walk(seed, angles: 7)
        #expect(scenario.violations == [])
        let stays = scenario.events.count { ["z2", "z3", "z4"].contains($0.zone) && $0.kind == .enter }
        #expect(stays > 0 || ![1, 2, 3].contains(seed))
    }

    @Test(arguments: UInt64(1)...6)
    func `distance zones have the same events with angles, without them, and without sectors`(seed: UInt64) {
        let some = distanceEvents(walk(seed, angles: 7))
        #expect(!some.isEmpty)
        #expect(distanceEvents(walk(seed, angles: 0)) == some)
        #expect(distanceEvents(walk(seed, angles: 10)) == some)
        #expect(distanceEvents(walk(seed, hasSectors: false, angles: 7)) == some)
    }

    @Test(arguments: UInt64(1)...3)
    func `without angles nobody is ever in a sector`(seed: UInt64) {
        #expect(walk(seed, angles: 0).events.allSatisfy { ["z0", "z1"].contains($0.zone) })
    }
}
