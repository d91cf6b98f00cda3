// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Noise models at work on the measurements of one accessory, in the order of time.
///
/// Every model has a random generator of its own, so one more does not change what the others do.
struct Noise: Equatable, Sendable {
    /// What becomes of a measurement.
    enum Outcome: Equatable, Sendable {
        /// Metres; never negative where there is any noise.
        case distance(Double)
        /// The round failed, and the device says so.
        case failed
        /// Nothing comes.
        case missing
    }

    /// A measurement on its way through the models.
    private struct Attempt {
        var measured: Double
        var hasFailed = false
        var isMissing = false
    }

    /// One model at work.
    private struct Source: Equatable, Sendable {
        var model: NoiseModel
        var generator: SplitMix64
        var correlated = CorrelatedNoise()
        var spikes = SmearedSpikes()

        mutating func apply(to attempt: inout Attempt, at time: Double) {
            switch model {
            case .gaussian(let deviation):
                attempt.measured += deviation * generator.gaussian()
            case .correlated(let deviation):
                attempt.measured += deviation * correlated.next(at: time, using: &generator)
            case .spikes(let share):
                attempt.measured += spikes.next(share: share, using: &generator)
            case .shadow(var episodes, let metres):
                if episodes.isRunning(at: time, using: &generator) { attempt.measured += metres }
                model = .shadow(episodes, metres: metres)
            case .holes(var episodes):
                if episodes.isRunning(at: time, using: &generator) { attempt.isMissing = true }
                model = .holes(episodes)
            case .loss(let share):
                if generator.happens(share) { attempt.isMissing = true }
            case .offset(let metres):
                attempt.measured += metres
            case .failed(let share):
                if generator.happens(share) { attempt.hasFailed = true }
            }
        }
    }

    private var sources: [Source]

    /// The same seed gives the same noise.
    init(_ models: [NoiseModel], seed: UInt64) {
        var seeds = SplitMix64(seed: seed)
        sources = models.map { Source(model: $0, generator: SplitMix64(seed: seeds.next())) }
    }

    /// Measures a true distance (metres) at a time (seconds).
    mutating func measure(_ distance: Double, at time: Double) -> Outcome {
        // A recording is left as it is.
        guard !sources.isEmpty else { return .distance(distance) }
        var attempt = Attempt(measured: distance)
        for index in sources.indices { sources[index].apply(to: &attempt, at: time) }
        if attempt.isMissing { return .missing }
        return attempt.hasFailed ? .failed : .distance(max(0, attempt.measured))
    }
}
