// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NearbyBridge

struct ComparisonFilterTests {
    /// What a filter makes of ten distances a second.
    private func smooth(_ filter: some ComparisonFilter, _ distances: [Double]) -> [Double] {
        var filter = filter
        return distances.enumerated().map { filter.smooth($1, at: Double($0) / 10) }
    }

    private func expectClose(_ values: [Double], _ expected: [Double]) {
        #expect(values.count == expected.count)
        #expect(zip(values, expected).allSatisfy { abs($0 - $1) < 1e-9 }, "\(values)")
    }

    @Test func `every filter begins at the first distance and follows one that stays`() {
        let filters: [any ComparisonFilter] = [
            NoFilter(), ReportAverage(alpha: 0.3), ReportMedian(count: 3), RecursiveMean(),
            HampelFilter(count: 7, limit: 3), OneSidedWindow(count: 20, maximumSpeed: 3),
            GatedKalmanFilter(acceleration: 1, noise: 0.1, limit: 4, patience: 8),
        ]
        for filter in filters { expectClose(smooth(filter, [2, 2, 2, 2]), [2, 2, 2, 2]) }
    }

    @Test func `an average moves by its weight`() {
        expectClose(smooth(ReportAverage(alpha: 0.3), [0, 1, 1]), [0, 0.3, 0.51])
        // thotro's 15 elements.
        expectClose(smooth(ReportAverage(alpha: 2.0 / 16), [0, 1]), [0, 0.125])
    }

    @Test func `a median passes over one wrong report of three`() {
        expectClose(smooth(ReportMedian(count: 3), [2, 9, 2, 2, 2]), [2, 5.5, 2, 2, 2])
    }

    @Test func `a recursive mean takes its own last two results`() {
        expectClose(smooth(RecursiveMean(), [3, 6, 6]), [3, 4, 13.0 / 3])
    }

    @Test func `a Hampel filter replaces what is far from the median, and nothing else`() {
        let walk = [3.0, 2.9, 2.8, 2.7, 2.6, 2.5]
        expectClose(smooth(HampelFilter(count: 7, limit: 3), walk), walk)
        let spiked = smooth(HampelFilter(count: 7, limit: 3), walk + [9, 2.3])
        #expect(abs(spiked[6] - 2.8) < 1e-9)
        #expect(abs(spiked[7] - 2.3) < 1e-9)
    }

    @Test func `a gated Kalman filter does not believe a spike, and gives in to what stays`() {
        let filter = GatedKalmanFilter(acceleration: 1, noise: 0.1, limit: 4, patience: 8)
        let spiked = smooth(filter, Array(repeating: 3, count: 20) + [0.5, 3, 3])
        #expect(spiked.allSatisfy { abs($0 - 3) < 0.1 })
        let moved = smooth(filter, Array(repeating: 3, count: 20) + Array(repeating: 0.5, count: 12))
        #expect(moved[20..<28].allSatisfy { abs($0 - 3) < 0.1 })
        #expect(abs((moved.last ?? 0) - 0.5) < 0.1)
        // A walk is followed without lag once its speed is known.
        let walk = (0..<60).map { 8 - Double($0) * 0.12 }
        #expect(abs((smooth(filter, walk).last ?? 0) - (walk.last ?? 0)) < 0.05)
    }

    @Test func `a one-sided window sees an approach at once and a retreat late`() {
        let filter = OneSidedWindow(count: 20, maximumSpeed: 3)
        let approach = (0..<20).map { 5 - Double($0) * 0.1 }
        expectClose(smooth(filter, approach), approach)
        let retreat = smooth(filter, (0..<40).map { 1 + Double($0) * 0.1 })
        #expect(retreat[20] < 2.2)
        #expect(zip(retreat, retreat.dropFirst()).allSatisfy { $0 <= $1 })
        // Faster than anybody: it repeats the last one.
        let fled = smooth(filter, Array(repeating: 1, count: 20) + Array(repeating: 9, count: 5))
        #expect(fled.allSatisfy { $0 == 1 })
    }
}
