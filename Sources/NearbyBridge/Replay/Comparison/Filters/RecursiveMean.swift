// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// The mean of the newest distance and the last two results.
struct RecursiveMean: ComparisonFilter {
    private var results: [Double] = []

    mutating func smooth(_ distance: Double, at time: Double) -> Double {
        if results.isEmpty { results = [distance, distance] }
        let result = (distance + results[0] + results[1]) / 3
        results = [result, results[0]]
        return result
    }
}
