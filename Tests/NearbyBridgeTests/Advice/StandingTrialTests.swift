// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import Testing

@testable import NearbyBridge

struct StandingTrialTests {
    /// A stay of half an hour.
    private func trial(
        sigma: Double,
        _ options: EngineOptions = EngineOptions(),
        lostAfter: Patience = .after(.seconds(10)),
        pause: Double = 0.1
    ) throws -> StandingTrial {
        var noise = RememberingNoise(seed: 1)
        let steps = (0..<2000).map { step in
            StillNoise.Step(pause: step == 1000 ? pause : 0.1, deviation: sigma * noise.next())
        }
        return StandingTrial(
            noise: try #require(StillNoise(stretches: [steps], interval: 0.1)),
            options: options,
            accessory: AccessoryOptions(),
            lostAfter: lostAfter,
            seconds: 1800,
            seed: 1
        )
    }

    /// No smoothing, no gate.
    private var bare: EngineOptions {
        var options = EngineOptions()
        options.smoothing = FilterOptions(kind: .none)
        return options
    }

    private func bounds(_ hysteresis: Double, enter: Duration = .zero, exit: Duration = .zero) -> StandingTrial.Bounds {
        StandingTrial.Bounds(hysteresis: hysteresis, enterHold: enter, exitHold: exit)
    }

    @Test func `wider bands have fewer false transitions, and each is as if it were alone`() throws {
        let trial = try trial(sigma: 0.1, bare)
        let widths = [0.0, 0.1, 0.2, 0.3, 0.4, 0.6]
        let together = trial.onRadius(widths.map { bounds($0) })
        let counts = together.map(\.transitions)
        #expect(counts == counts.sorted(by: >))
        #expect(counts[0] > 1000 && counts[5] == 0)
        for (width, outcome) in zip(widths, together) { #expect(trial.onRadius([bounds(width)]) == [outcome]) }
    }

    @Test func `the middle of the band is worse than the radius`() throws {
        let trial = try trial(sigma: 0.1, bare)
        let band = trial.inBand(bounds(0.3)).transitions
        #expect(band > trial.onRadius([bounds(0.3)])[0].transitions)
        #expect(trial.inBand(bounds(1)).transitions == 0)
    }

    @Test func `the standard smoothing calms somebody who stands on the radius`() throws {
        let trial = try trial(sigma: 0.12)
        #expect(trial.onRadius([bounds(0.3)])[0].transitions == 0)
        #expect(trial.inBand(bounds(0.3)).transitions == 0)
    }

    @Test func `losses are counted apart`() throws {
        let trial = try trial(sigma: 0.01, pause: 12)
        let outcome = trial.inBand(bounds(0.3))
        #expect(outcome.transitions == 0)
        let inside = trial.deepInside([bounds(0.3)])[0]
        #expect(inside.losses > 0)
        #expect(inside.transitions == 0)
        #expect(try self.trial(sigma: 0.01, lostAfter: .never, pause: 12).deepInside([bounds(0.3)])[0].losses == 0)
    }

    @Test func `holds keep out what does not last`() throws {
        var noise = RememberingNoise(seed: 1)
        let steps = (0..<2000).map { step in
            StillNoise.Step(pause: 0.1, deviation: step % 200 < 4 ? (step % 400 < 200 ? 3 : -3) : 0.01 * noise.next())
        }
        let trial = StandingTrial(
            noise: try #require(StillNoise(stretches: [steps], interval: 0.1)),
            options: bare,
            accessory: AccessoryOptions(),
            lostAfter: .never,
            seconds: 1800,
            seed: 1
        )
        let exits = trial.deepInside([bounds(0.3), bounds(0.3, exit: .seconds(1))]).map(\.transitions)
        #expect(exits[0] > 100 && exits[1] == 0)
        let enters = trial.farOutside([bounds(0.3, enter: .seconds(1)), bounds(0.3)]).map(\.transitions)
        #expect(enters[0] == 0 && enters[1] > 100)
    }
}
