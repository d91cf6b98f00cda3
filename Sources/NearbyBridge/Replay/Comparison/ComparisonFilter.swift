// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Somebody's smoothing of distances, written again for comparison: one peer's ranges in the order of time.
protocol ComparisonFilter: Sendable {
    /// Takes a distance (metres) at a time (seconds).
    ///
    /// - Returns: The distance to judge zones by.
    mutating func smooth(_ distance: Double, at time: Double) -> Double
}

/// Distances as they are.
struct NoFilter: ComparisonFilter {
    mutating func smooth(_ distance: Double, at time: Double) -> Double { distance }
}
