// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Replaces a distance that lies too many deviations from the median of the newest ones by that median.
struct HampelFilter: ComparisonFilter {
    /// From the median deviation to the standard deviation of normal noise.
    private static let scale = 1.4826
    /// Deviations that are believed.
    let limit: Double
    private var window: ReportWindow

    init(count: Int, limit: Double) {
        self.limit = limit
        window = ReportWindow(count: count)
    }

    mutating func smooth(_ distance: Double, at time: Double) -> Double {
        window.add(distance)
        let median = ReportWindow.median(window.distances)
        let deviation = Self.scale * ReportWindow.median(window.distances.map { abs($0 - median) })
        return abs(distance - median) > limit * deviation ? median : distance
    }
}
