// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NearbyBridge

struct ReportRateTests {
    private func rate(_ samples: [(time: Double, distance: Double)]) throws -> ReportRate {
        try #require(ReportRate(try ReportTrace.observed(samples)))
    }

    @Test func `regular distances have one interval`() throws {
        let rate = try rate((0..<600).map { (Double($0) / 5, 2) })
        #expect((rate.interval - 0.2).magnitude < 1e-6)
        #expect((rate.gap99 - 0.2).magnitude < 1e-6)
        #expect(rate.pausesOfStays.isEmpty)
        #expect(rate.grossPerHour == 0 && rate.failedShare == 0)
        #expect((rate.duration - 119.8).magnitude < 1e-6)
    }

    @Test func `a pause counts as one of a stay only if somebody is still there`() throws {
        var samples = (0..<100).map { (time: Double($0) / 10, distance: 2.0) }
        samples += (0..<100).map { (time: 22 + Double($0) / 10, distance: 2.2) }
        samples += (0..<100).map { (time: 60 + Double($0) / 10, distance: 9) }
        let rate = try rate(samples)
        #expect(rate.pausesOfStays.count == 1)
        #expect(((rate.pausesOfStays.first ?? 0) - 12.1).magnitude < 1e-6)
        #expect((rate.longest - 28.1).magnitude < 1e-6)
    }

    @Test func `gross errors are counted by the hour`() throws {
        let rate = try rate((0..<3600).map { (Double($0) / 10, $0 % 600 == 300 ? 40 : 2) })
        #expect((rate.grossPerHour - 60).magnitude < 1)
    }

    @Test func `one distance is no rate`() throws {
        #expect(ReportRate(try ReportTrace.observed([(0, 2)])) == nil)
    }
}
