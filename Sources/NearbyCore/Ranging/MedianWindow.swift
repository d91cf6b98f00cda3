// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// The last reports within a time window, and their median.
///
/// Holds at most `maximumCount` reports, so memory is bounded at any rate; takes memory only once it is used.
struct MedianWindow: Equatable, Sendable {
    /// Enough for a second at 16 reports a second; at higher rates the window is shorter than asked for.
    static let maximumCount = 16

    private var times: [Int64] = []
    private var distances: [Double] = []

    /// Adds a distance and returns the median of what lies within `window` nanoseconds.
    mutating func add(_ distance: Double, at time: Int64, window: Int64) -> Double {
        var expired = 0
        while expired < times.count, time &- times[expired] > window { expired += 1 }
        expired = max(expired, times.count - Self.maximumCount + 1)
        if expired > 0 {
            times.removeFirst(expired)
            distances.removeFirst(expired)
        }
        times.append(time)
        distances.append(distance)
        let sorted = distances.sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }

    /// Forgets everything.
    mutating func removeAll() {
        times.removeAll()
        distances.removeAll()
    }
}
