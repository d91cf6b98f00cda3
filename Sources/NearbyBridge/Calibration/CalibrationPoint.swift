// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// What was measured while somebody stood at one known distance, by figures that a few gross errors do not move.
struct CalibrationPoint: Equatable, Sendable {
    /// One distance as it was measured, before scale and offset.
    struct Measurement: Equatable, Sendable {
        /// Seconds.
        var time: Double
        /// Metres.
        var distance: Double
    }

    /// Farther than so many times the spread from the median, a measurement is left out.
    static let outlierSpreads = 4.0
    /// Nothing closer to the median than this is left out (metres): devices round.
    static let leastOutlier = 0.05
    /// From here on, what is left out is a gross error (metres).
    static let grossError = 0.5
    /// Fewer than this say nothing of drift.
    static let leastForDrift = 12
    /// The standard error of a median is so much greater than that of a mean.
    private static let medianLoss = 1.2533
    /// Standard errors to either side of an interval that holds in 95 of 100 cases.
    private static let normal95 = 1.96

    /// The true distance (metres).
    var truth: Double
    /// Every measurement.
    var count: Int
    /// How many of them were left out.
    var outliers: Int
    /// How many of those were gross.
    var gross: Int
    /// Rounds without a measurement.
    var failed: Int
    /// Seconds from the first measurement to the last.
    var duration: Double
    /// Metres.
    var median: Double
    /// Metres, comparable to a standard deviation.
    var spread: Double
    /// Metres that the distance seems to have moved from beginning to end; `nil` of too few measurements.
    var drift: Double?
    /// Metres to either side within which `drift` is no more than noise.
    var driftNoise: Double
    /// How alike one measurement is to the next, 0…1: what is alike says less.
    var autocorrelation: Double
    /// So many independent measurements would be worth as much.
    var effectiveCount: Double
    /// Metres to either side of the median that hold the true median in 95 of 100 cases.
    var interval: Double

    /// Of all rounds, the share that failed: 0…1.
    var failedShare: Double { Double(failed) / Double(max(1, failed + count)) }
    /// The standard error of the median (metres).
    var standardError: Double { interval / Self.normal95 }

    /// Sums up measurements in the order of time; `nil` without any.
    init?(truth: Double, measurements: [Measurement], failed: Int) {
        guard let first = measurements.first, let last = measurements.last else { return nil }
        let all = measurements.map(\.distance)
        let middle = Robust.median(all)
        let limit = max(Self.leastOutlier, Self.outlierSpreads * Robust.spread(all))
        let kept = measurements.filter { ($0.distance - middle).magnitude <= limit }
        let distances = kept.map(\.distance)
        self.truth = truth
        self.failed = failed
        count = measurements.count
        outliers = count - kept.count
        gross = all.count { ($0 - middle).magnitude > max(limit, Self.grossError) }
        duration = last.time - first.time
        median = Robust.median(distances)
        spread = Robust.spread(distances)
        let centre = median
        autocorrelation = max(0, Robust.autocorrelation([distances.map { $0 - centre }], lag: 1) ?? 0)
        let alike = min(0.99, autocorrelation)
        effectiveCount = max(1, Double(kept.count) * (1 - alike) / (1 + alike))
        let error = Self.medianLoss * spread
        interval = Self.normal95 * error / effectiveCount.squareRoot()
        drift = Self.drift(kept)
        // The difference of two thirds, stretched to the whole time.
        driftNoise = 1.5 * Self.normal95 * error * (2 * 3 / effectiveCount).squareRoot()
    }

    /// The medians of the first and the last third lie two thirds of the time apart.
    private static func drift(_ kept: [Measurement]) -> Double? {
        guard kept.count >= leastForDrift else { return nil }
        let third = kept.count / 3
        let before = Robust.median(kept.prefix(third).map(\.distance))
        let after = Robust.median(kept.suffix(third).map(\.distance))
        return 1.5 * (after - before)
    }
}
