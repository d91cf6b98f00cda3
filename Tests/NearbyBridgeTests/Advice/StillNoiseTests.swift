// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import TestSupport
import Testing

@testable import NearbyBridge

struct StillNoiseTests {
    private func noise(_ trace: ReportTrace) throws -> StillNoise {
        let rate = try #require(ReportRate(trace))
        return try #require(StillNoise(trace, interval: rate.interval))
    }

    @Test(arguments: [0.05, 0.12, 0.3], [1.0, 10])
    func `the noise of somebody who stands still is measured`(_ sigma: Double, _ rate: Double) throws {
        let noise = try noise(try .standing(sigma: sigma, rate: rate, seconds: 300))
        // A median of few distances follows them a little.
        #expect((noise.sigma - sigma).magnitude < 0.2 * sigma)
        #expect(noise.correlationTime < 1.2 / rate)
        #expect(noise.duration > 200)
    }

    @Test func `noise that remembers is found to`() throws {
        let noise = try noise(try .standing(sigma: 0.1, correlation: 0.8, seconds: 600))
        #expect(noise.correlationTime > 0.5 && noise.correlationTime < 1.1)
        #expect((noise.sigma - 0.1).magnitude < 0.025)
    }

    @Test func `great noise that remembers is not taken for motion`() throws {
        let noise = try noise(try .standing(sigma: 0.3, correlation: 1, seconds: 600))
        #expect(noise.duration > 400)
        #expect(noise.sigma > 0.2 && noise.sigma < 0.35)
    }

    @Test func `walking is no noise`() throws {
        var noise = RememberingNoise(seed: 4)
        let samples = (0..<900).map { step in
            let time = Double(step) / 10
            // Thirty seconds still, thirty of walking, thirty still.
            let truth = 2 + 0.8 * max(0, min(30, time - 30))
            return (time, truth + 0.03 * noise.next())
        }
        let found = try self.noise(try .observed(samples))
        #expect((found.sigma - 0.03).magnitude < 0.006)
        #expect(found.greatest < 0.3)
        #expect(found.duration > 45 && found.duration < 61)
    }

    @Test func `somebody who never stands still has no noise`() throws {
        let trace = try ReportTrace.observed((0..<300).map { (Double($0) / 10, 1 + 0.1 * Double($0)) })
        #expect(StillNoise(trace, interval: 0.1) == nil)
    }

    @Test func `a stay made of noise has that noise, at that rate, and is the same every time`() throws {
        let noise = try noise(try .standing(sigma: 0.1, correlation: 0.8, seconds: 300))
        let walk = noise.stand(at: 50, for: 3600, seed: 7)
        let deviations = walk.samples.map { $0.measured - 50 }
        #expect((Robust.spread(deviations) - noise.sigma).magnitude < 0.1 * noise.sigma)
        let original = try #require(Robust.autocorrelation(noise.stretches.map { $0.map(\.deviation) }, lag: 5))
        let played = try #require(Robust.autocorrelation([deviations], lag: 5))
        #expect((played - original).magnitude < 0.1)
        #expect((36_000 - walk.samples.count).magnitude < 400)
        #expect(zip(walk.samples, walk.samples.dropFirst()).allSatisfy { $0.time < $1.time })
        #expect(noise.stand(at: 50, for: 3600, seed: 7) == walk)
        #expect(noise.stand(at: 50, for: 3600, seed: 8) != walk)
    }

    @Test func `gross errors and pauses are played again`() throws {
        let samples = (0..<1200).map { (step: Int) -> (time: Double, distance: Double) in
            let pause = step >= 600 ? 1.5 : 0
            return (Double(step) / 10 + pause, step % 100 == 50 ? 30 : 3)
        }
        let noise = try noise(try .observed(samples))
        let walk = noise.stand(at: 50, for: 3600, seed: 7)
        #expect((walk.samples.count { $0.measured > 60 } - 360).magnitude < 120)
        #expect(zip(walk.samples, walk.samples.dropFirst()).contains { $1.time - $0.time > 1.4 })
    }

    @Test func `the recorded walks are quiet where nobody walks`() throws {
        for walk in try Walk.recorded() {
            let trace = try ReportTrace.observed(walk.samples.map { ($0.time, $0.measured) })
            let noise = try noise(trace)
            #expect(noise.sigma > 0.005 && noise.sigma < 0.08, "\(walk.name): \(noise.sigma)")
            #expect(noise.duration > 10, "\(walk.name)")
        }
    }
}
