// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// An average over the newest reports in which only nearer ones count, behind a gate for what flees too fast.
///
/// Looking back, each report counts with the least distance so far: an approach is seen at once, a retreat only as fast as
/// the window forgets. A retreat faster than `maximumSpeed`, measured against any of the newest reports, repeats the
/// previous one.
struct OneSidedWindow: ComparisonFilter {
    /// m/s.
    let maximumSpeed: Double
    private var window: ReportWindow
    private var heard: [(distance: Double, time: Double)] = []
    /// Reports that a retreat is measured against.
    private static let memory = 10

    init(count: Int, maximumSpeed: Double) {
        self.maximumSpeed = maximumSpeed
        window = ReportWindow(count: count)
    }

    mutating func smooth(_ distance: Double, at time: Double) -> Double {
        let isTooFast = retreat(distance, time) > maximumSpeed
        heard.insert((distance, time), at: 0)
        if heard.count > Self.memory { heard.removeLast() }
        window.add(isTooFast ? window.distances.first ?? distance : distance)
        var least = distance
        var sum = 0.0
        for earlier in window.distances {
            least = min(least, earlier)
            sum += least
        }
        return min(distance, sum / Double(window.distances.count))
    }

    /// m/s of the fastest retreat from one of the newest reports; what comes nearer than the last is none.
    private func retreat(_ distance: Double, _ time: Double) -> Double {
        guard let last = heard.first, distance >= last.distance else { return 0 }
        return heard.reduce(0) { fastest, earlier in
            time > earlier.time ? max(fastest, (distance - earlier.distance) / (time - earlier.time)) : fastest
        }
    }
}
