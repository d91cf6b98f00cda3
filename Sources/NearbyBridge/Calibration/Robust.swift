// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Statistics that a few gross errors do not move.
enum Robust {
    /// The middle of the values, 0 of none.
    static func median(_ values: [Double]) -> Double {
        values.percentile(50) ?? 0
    }

    /// What stands for the standard deviation: the median distance from the median × 1.4826.
    ///
    /// Of values that are mostly the same, as a device with few decimals gives them, it is the standard deviation itself.
    static func spread(_ values: [Double]) -> Double {
        let middle = median(values)
        let spread = 1.4826 * median(values.map { ($0 - middle).magnitude })
        guard spread == 0, !values.isEmpty else { return spread }
        let squares = values.reduce(0) { $0 + ($1 - middle) * ($1 - middle) }
        return (squares / Double(values.count)).squareRoot()
    }

    /// How alike values are to those `lag` places later, over stretches that do not belong together: -1…1.
    ///
    /// The values are taken to vary about 0. `nil` if nothing can be said.
    static func autocorrelation(_ stretches: [[Double]], lag: Int) -> Double? {
        var products = 0.0
        var squares = 0.0
        var pairs = 0
        var count = 0
        for stretch in stretches {
            for value in stretch { squares += value * value }
            count += stretch.count
            guard stretch.count > lag else { continue }
            for place in lag..<stretch.count { products += stretch[place] * stretch[place - lag] }
            pairs += stretch.count - lag
        }
        guard pairs > 0, squares > 0 else { return nil }
        return max(-1, min(1, products / Double(pairs) / (squares / Double(count))))
    }
}
