// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// How often, and how regularly, distances come.
struct ReportRate: Equatable, Sendable {
    /// Metres that a distance may change over a pause of somebody who has not gone away meanwhile.
    static let stay = 1.0

    /// Seconds between two distances, as a rule.
    var interval: Double
    /// So long, or shorter, are 99 of 100 pauses (seconds).
    var gap99: Double
    /// The longest pause (seconds).
    var longest: Double
    /// Pauses longer than a second of somebody who was still there after it (seconds), longest first.
    var pausesOfStays: [Double]
    /// Of all rounds, the share that failed: 0…1.
    var failedShare: Double
    /// Distances an hour that the speed gate held back.
    var grossPerHour: Double
    /// Seconds that were listened to.
    var duration: Double

    /// `nil` of fewer than two distances in a row.
    init?(_ trace: ReportTrace) {
        var pauses: [Double] = []
        var stays: [Double] = []
        for part in trace.parts {
            for (one, other) in zip(part, part.dropFirst()) {
                let pause = other.time - one.time
                pauses.append(pause)
                if pause > 1, (other.distance - one.distance).magnitude < Self.stay { stays.append(pause) }
            }
        }
        guard let gap = pauses.percentile(99), let longest = pauses.max() else { return nil }
        interval = Robust.median(pauses)
        gap99 = gap
        self.longest = longest
        pausesOfStays = stays.sorted(by: >)
        failedShare = Double(trace.failed) / Double(max(1, trace.failed + trace.count))
        duration = trace.duration
        let gross = trace.parts.reduce(0) { $0 + $1.count(where: \.isGated) }
        grossPerHour = duration > 0 ? Double(gross) * 3600 / duration : 0
    }
}
