// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NearbyBridge

struct CalibrationTests {
    /// What a radio measures that is wrong by so much.
    private func points(_ truths: [Double], offset: Double = 0, scale: Double = 1) throws -> [CalibrationPoint] {
        try truths.enumerated().map { place, truth in
            let measured = CalibrationPointTests.measured((truth - offset) / scale, seed: UInt64(place + 1))
            return try #require(CalibrationPoint(truth: truth, measurements: measured, failed: 0))
        }
    }

    @Test(arguments: [1, 1.02, 0.95])
    func `one distance gives the offset and leaves the scale`(_ configured: Double) throws {
        let points = try points([1], offset: -0.12)
        let calibration = try #require(Calibration(points, configuredScale: configured))
        #expect(calibration.scale == configured)
        #expect(calibration.keptScale == .onlyOneDistance)
        #expect((calibration.offset - (1 - 1.12 * configured)).magnitude < 0.01)
        #expect(calibration.offsetInterval == configured * points[0].interval)
        #expect(calibration.residual(of: points[0]).magnitude < 1e-9)
    }

    @Test func `two distances far apart give the scale too`() throws {
        let calibration = try #require(Calibration(try points([5, 1], offset: 0.3, scale: 1.03), configuredScale: 1))
        #expect(calibration.keptScale == nil)
        #expect((calibration.scale - 1.03).magnitude < 0.003)
        #expect((calibration.offset - 0.3).magnitude < 0.01)
        #expect(calibration.points.map(\.truth) == [1, 5])
        #expect(try #require(calibration.scaleInterval) < 0.01)
    }

    @Test func `of many distances a worse one counts less`() throws {
        var points = try points([1, 3, 5, 9], offset: 0.3, scale: 1.03)
        let bad = CalibrationPointTests.measured(4.4, count: 12, sigma: 0.4)
        points.append(try #require(CalibrationPoint(truth: 5.5, measurements: bad, failed: 0)))
        let calibration = try #require(Calibration(points, configuredScale: 1))
        #expect((calibration.scale - 1.03).magnitude < 0.005)
        #expect(calibration.residual(of: points[4]).magnitude > 0.3)
    }

    @Test func `distances too close together leave the scale and average the offset`() throws {
        let calibration = try #require(Calibration(try points([1, 2.5], offset: 0.3), configuredScale: 1))
        #expect(calibration.keptScale == .tooClose(1.5))
        #expect(calibration.scale == 1)
        #expect((calibration.offset - 0.3).magnitude < 0.01)
        #expect(calibration.keptScale?.text.contains("1.50 m apart") == true)
    }

    @Test(arguments: [0.8, 1.2])
    func `a scale that no radio has is not believed`(_ scale: Double) throws {
        let calibration = try #require(Calibration(try points([1, 5], scale: scale), configuredScale: 1))
        guard case .implausible(let found) = calibration.keptScale else {
            Issue.record("believed: \(calibration)")
            return
        }
        #expect((found - scale).magnitude < 0.01)
        #expect(calibration.scale == 1)
    }

    @Test func `the same distance twice is one distance`() throws {
        let calibration = try #require(Calibration(try points([2, 2], offset: 0.3), configuredScale: 1))
        #expect(calibration.keptScale == .onlyOneDistance)
        #expect((calibration.offset - 0.3).magnitude < 0.01)
    }

    @Test func `nothing gives nothing`() {
        #expect(Calibration([], configuredScale: 1) == nil)
    }
}
