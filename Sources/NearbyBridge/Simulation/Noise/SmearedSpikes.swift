// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Gross errors as devices report them that average over three measurements: one wrong measurement, and three reports in a
/// row are wrong by a third of it.
///
/// reference/uwb-reports.md 8.3: of 306 reports beyond 1 m in 123 runs 300 were too short, down to −19.6 m; runs of one to
/// three reports; 0.2 to 0.9 % of the reports are beyond 0.5 m up to a distance of 20 m, 2.6 to 3 % at worst.
struct SmearedSpikes: Equatable, Sendable {
    /// Reports over which a device smears one wrong measurement.
    static let length = 3
    /// Metres by which a report is wrong at least.
    static let least = 0.5
    /// And at most.
    static let most = 19.6
    /// The part of the errors that are too long: 6 of 306.
    static let longShare = 0.02

    private var error = 0.0
    private var left = 0

    /// Metres by which the next report is wrong, 0 for most; `share` is the part of the reports that are.
    mutating func next(share: Double, using generator: inout SplitMix64) -> Double {
        if left == 0 {
            // A run begins after a report that is right: so the wrong ones come to the share that was asked for.
            guard generator.happens(min(1, share / (Double(Self.length) * (1 - share) + share))) else { return 0 }
            // As many beyond twice a size as between it and twice of it.
            let size = Self.least / (1 - Double.random(in: 0..<1, using: &generator) * (1 - Self.least / Self.most))
            error = generator.happens(Self.longShare) ? size : -size
            left = Self.length
        }
        left -= 1
        return error
    }
}
