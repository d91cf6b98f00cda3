// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyCore

/// What holds for every walk, whatever the options and the faults are.
@Suite struct PropertyTests {
    private struct Walker {
        var accessory: String
        var peer: String?
        var distance: Double
        var speed = 0.0
        var next = 0.0
        var interval: Double
    }

    // MARK: Random options and walks

    private func duration(_ range: ClosedRange<Double>, _ random: inout SeededGenerator) -> Duration {
        .milliseconds(Int64(Double.random(in: range, using: &random) * 1000))
    }

    private func zoneOptions(_ random: inout SeededGenerator) -> ZoneOptions {
        var options = ZoneOptions(radius: Double.random(in: 0.5...6, using: &random))
        if Bool.random(using: &random) { options.hysteresis = Double.random(in: 0...4, using: &random) }
        if Bool.random(using: &random) { options.enterHold = duration(0...1.5, &random) }
        if Bool.random(using: &random) { options.exitHold = duration(0...1.5, &random) }
        if Int.random(in: 0..<3, using: &random) == 0 { options.dwell = .after(duration(0...15, &random)) }
        if Int.random(in: 0..<4, using: &random) == 0 { options.lostAfter = .after(duration(0.3...20, &random)) }
        return options
    }

    private func options(_ random: inout SeededGenerator) -> EngineOptions {
        var options = EngineOptions()
        options.zones = (0..<Int.random(in: 1...4, using: &random)).map {
            .init(name: "z\($0)", options: zoneOptions(&random))
        }
        let kinds: [FilterOptions.Kind] = [
            .standard, .none, .ema(alpha: 0.3), .median(window: .seconds(1)),
            .kalman(processNoise: 1, measurementNoise: 0.1), .oneEuro(minimumCutoff: 0.5, beta: 0.5),
        ]
        options.smoothing = FilterOptions(kind: kinds.randomElement(using: &random) ?? .standard)
        let isNever = Int.random(in: 0..<6, using: &random) == 0
        options.lostAfter = isNever ? .never : .after(duration(0.5...12, &random))
        options.stateInterval = duration(0...3, &random)
        options.peerForget = Int.random(in: 0..<5, using: &random) == 0 ? nil : duration(1...60, &random)
        options.limits.stateRate = Double.random(in: 0.5...50, using: &random)
        if Bool.random(using: &random) {
            var accessory = AccessoryOptions()
            accessory.reports = .byException
            options.accessories["a0"] = accessory
        }
        if Bool.random(using: &random) {
            options.accessories["a1"] = AccessoryOptions()
            options.accessories["a1"]?.peers["p0"] = PeerOptions()
        }
        return options
    }

    private func walkers(_ random: inout SeededGenerator) -> [Walker] {
        var walkers: [Walker] = []
        for accessory in 0..<Int.random(in: 1...3, using: &random) {
            let hasUnnamed = Int.random(in: 0..<3, using: &random) == 0
            for peer in 0..<Int.random(in: 1...3, using: &random) {
                walkers.append(
                    Walker(
                        accessory: "a\(accessory)",
                        peer: hasUnnamed && peer == 0 ? nil : "p\(peer)",
                        distance: Double.random(in: 0...9, using: &random),
                        interval: Double.random(in: 0.05...0.5, using: &random)
                    )
                )
            }
        }
        return walkers
    }

    private func step(_ walker: inout Walker, _ scenario: inout Scenario, _ random: inout SeededGenerator) {
        if Int.random(in: 0..<15, using: &random) == 0 { walker.speed = Double.random(in: -1.8...1.8, using: &random) }
        walker.distance = min(9, max(0, walker.distance + walker.speed * walker.interval))
        if walker.distance == 0 || walker.distance == 9 { walker.speed.negate() }
        let isSpike = Int.random(in: 0..<40, using: &random) == 0
        let noise = Double.random(in: -0.15...0.15, using: &random)
        let measured = isSpike ? Double.random(in: 0...20, using: &random) : max(0, walker.distance + noise)
        scenario.send(measured, at: walker.next, from: walker.accessory, peer: walker.peer)
        walker.next += walker.interval
        if Int.random(in: 0..<60, using: &random) == 0 { walker.next += Double.random(in: 0...40, using: &random) }
    }

    /// Walks for some minutes with faults of every kind.
    private func walk(_ seed: UInt64, followsDeadlines: Bool = true) -> Scenario {
        var random = SeededGenerator(seed: seed)
        var scenario = Scenario(options(&random), seed: seed)
        scenario.followsDeadlines = followsDeadlines
        let links = [
            LossyLink(), LossyLink(burst: 5), LossyLink(loss: 0.2, duplication: 0.1, milliseconds: 0...20),
            LossyLink(loss: 0.05, duplication: 0.05, milliseconds: 0...900),
        ]
        let stamps: [Scenario.Stamp] = [.none, .sequence, .device(9_000_000_000), scenario.stamp]
        scenario.stamp = stamps.randomElement(using: &random) ?? .none
        var walkers = walkers(&random)
        var time = 0.0
        while time < 240 {
            let end = time + Double.random(in: 1...15, using: &random)
            scenario.link = links.randomElement(using: &random) ?? LossyLink()
            for index in walkers.indices {
                walkers[index].next = max(walkers[index].next, time)
                while walkers[index].next < end { step(&walkers[index], &scenario, &random) }
            }
            scenario.run(to: end)
            time = end
            switch Int.random(in: 0..<12, using: &random) {
            case 0: scenario.disconnect()
            case 1: scenario.stall(for: Double.random(in: 1...30, using: &random))
            case 2: scenario.restart()
            default: if !scenario.isConnected { scenario.subscribe() }
            }
            time = max(time, Double(scenario.now.nanoseconds) / 1e9)
        }
        if !scenario.isConnected { scenario.subscribe() }
        return scenario
    }

    // MARK: Properties

    @Test(arguments: UInt64(1)...40)
    func `a consumer never finds a contradiction`(seed: UInt64) {
        let scenario = walk(seed)
        #expect(scenario.violations == [], "seed \(seed)")
        #expect(!scenario.records.isEmpty)
    }

    @Test(arguments: UInt64(61)...80)
    func `every deadline fires or is cancelled`(seed: UInt64) {
        var scenario = walk(seed)
        scenario.run(to: 1_000_000)
        #expect(scenario.engine.nextDeadline == nil, "seed \(seed)")
        #expect(scenario.violations == [], "seed \(seed)")
    }

    @Test(arguments: UInt64(1)...8)
    func `the same inputs have the same effects`(seed: UInt64) {
        #expect(walk(seed).records == walk(seed).records, "seed \(seed)")
    }

    @Test(arguments: UInt64(81)...100)
    func `an engine that is only called when something happens decides the same`(seed: UInt64) {
        let live = walk(seed)
        let lazy = walk(seed, followsDeadlines: false)
        #expect(live.records.map(\.effect) == lazy.records.map(\.effect), "seed \(seed)")
    }

    // MARK: The same walk, delivered otherwise

    /// The distances of somebody who walks to and fro, stands, and is measured with noise and spikes.
    private func distances(_ random: inout SeededGenerator, count: Int) -> [Double] {
        var distances: [Double] = []
        var distance = 7.0
        var target = 1.0
        var rest = 0
        for _ in 0..<count {
            if rest > 0 {
                rest -= 1
            } else if abs(target - distance) < 0.15 {
                target = Double.random(in: 0.3...7, using: &random)
                rest = Int.random(in: 0..<60, using: &random)
            } else {
                distance += target > distance ? 0.12 : -0.12
            }
            let noise = (0..<3).reduce(0.0) { sum, _ in sum + Double.random(in: -0.1...0.1, using: &random) }
            let isSpike = Int.random(in: 0..<50, using: &random) == 0
            distances.append(isSpike ? Double.random(in: 0...12, using: &random) : max(0, distance + noise))
        }
        return distances
    }

    private func deliver(
        _ distances: [Double],
        _ link: LossyLink,
        holdingBack: ClosedRange<Double>? = nil
    ) -> [String] {
        var scenario = Scenario(link: link)
        for (step, distance) in distances.enumerated() { scenario.send(distance, at: Double(step) / 10, peer: "alice") }
        if let held = holdingBack { scenario.holdBack(from: held.lowerBound, to: held.upperBound) }
        scenario.run(to: Double(distances.count) / 10 + 1)
        #expect(scenario.violations == [])
        return scenario.story(peer: "alice") + scenario.story()
    }

    @Test(arguments: UInt64(1)...20)
    func `a walk in bursts of five or after a stall of two seconds decides the same`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let distances = distances(&random, count: 3000)
        let evenly = deliver(distances, LossyLink())
        #expect(evenly.count > 8)
        #expect(deliver(distances, LossyLink(burst: 5)) == evenly, "seed \(seed)")
        let start = Double.random(in: 5...290, using: &random)
        #expect(deliver(distances, LossyLink(), holdingBack: start...start + 2) == evenly, "seed \(seed)")
    }

    @Test(arguments: UInt64(1)...6)
    func `a bridge that stood still for two seconds decides the same`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let distances = distances(&random, count: 1000)
        let evenly = deliver(distances, LossyLink())
        var scenario = Scenario()
        for (step, distance) in distances.enumerated() { scenario.send(distance, at: Double(step) / 10, peer: "alice") }
        for start in stride(from: 7.0, to: 90, by: 13) {
            scenario.run(to: start)
            scenario.stall(for: 2)
        }
        scenario.run(to: 101)
        #expect(scenario.story(peer: "alice") + scenario.story() == evenly, "seed \(seed)")
    }
}
