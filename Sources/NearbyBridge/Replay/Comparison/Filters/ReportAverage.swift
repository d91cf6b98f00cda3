// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// An exponential average by report, whatever their rate.
struct ReportAverage: ComparisonFilter {
    /// The weight of the newest distance.
    let alpha: Double
    private var average: Double?

    init(alpha: Double) {
        self.alpha = alpha
    }

    mutating func smooth(_ distance: Double, at time: Double) -> Double {
        let next = average.map { alpha * distance + (1 - alpha) * $0 } ?? distance
        average = next
        return next
    }
}
