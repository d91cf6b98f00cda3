// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// The newest distances, the newest first.
struct ReportWindow: Sendable {
    private let count: Int
    private(set) var distances: [Double] = []

    init(count: Int) {
        self.count = count
    }

    mutating func add(_ distance: Double) {
        distances.insert(distance, at: 0)
        if distances.count > count { distances.removeLast() }
    }

    /// The middle one of some values, or the mean of the two in the middle.
    static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}

/// The median of the newest reports.
struct ReportMedian: ComparisonFilter {
    private var window: ReportWindow

    init(count: Int) {
        window = ReportWindow(count: count)
    }

    mutating func smooth(_ distance: Double, at time: Double) -> Double {
        window.add(distance)
        return ReportWindow.median(window.distances)
    }
}
