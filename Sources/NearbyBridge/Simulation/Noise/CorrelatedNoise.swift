// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Noise that remembers: an Ornstein–Uhlenbeck process of unit deviation whose memory fades to 1/e in a second.
struct CorrelatedNoise: Equatable, Sendable {
    /// Seconds in which the memory fades to 1/e.
    static let memory = 1.0

    private var value = 0.0
    private var lastTime: Double?

    /// The noise at a time, in standard deviations.
    mutating func next(at time: Double, using generator: inout SplitMix64) -> Double {
        defer { lastTime = time }
        guard let lastTime else {
            value = generator.gaussian()
            return value
        }
        // e^−x to second order; what is fresh keeps the deviation at 1 whatever the step.
        let half = (time - lastTime) / Self.memory / 2
        let kept = max(0, (1 - half) / (1 + half))
        value = kept * value + (1 - kept * kept).squareRoot() * generator.gaussian()
        return value
    }
}
