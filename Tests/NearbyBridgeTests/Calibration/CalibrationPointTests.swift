// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NearbyBridge

struct CalibrationPointTests {
    /// Ten measurements a second around a distance.
    static func measured(
        _ distance: Double,
        count: Int = 300,
        sigma: Double = 0.03,
        memory: Double = 0,
        drift: Double = 0,
        seed: UInt64 = 1
    ) -> [CalibrationPoint.Measurement] {
        var noise = RememberingNoise(seed: seed, memory: memory)
        return (0..<count).map { step in
            let share = Double(step) / Double(max(1, count - 1))
            let value = distance + drift * (share - 0.5) + sigma * noise.next()
            return CalibrationPoint.Measurement(time: Double(step) / 10, distance: value)
        }
    }

    private func point(_ measurements: [CalibrationPoint.Measurement], failed: Int = 0) throws -> CalibrationPoint {
        try #require(CalibrationPoint(truth: 2, measurements: measurements, failed: failed))
    }

    @Test func `quiet measurements give their median, spread and a narrow interval`() throws {
        let point = try point(Self.measured(2.35))
        #expect((point.median - 2.35).magnitude < 0.01)
        #expect((point.spread - 0.03).magnitude < 0.006)
        #expect(point.interval > 0.002 && point.interval < 0.007)
        #expect(point.outliers == 0 && point.gross == 0 && point.count == 300)
        #expect(point.duration == 29.9)
        #expect(try #require(point.drift).magnitude < 0.02)
    }

    @Test func `the interval holds the true median in about 95 of 100 cases, also of noise that remembers`() throws {
        for memory in [0, 0.7] {
            let hits = try (1...200).count { seed in
                let point = try point(Self.measured(2, count: 200, memory: memory, seed: UInt64(seed)))
                return (point.median - 2).magnitude <= point.interval
            }
            // Of noise that remembers the interval is a little too wide: a median is then as good as a mean.
            #expect(hits >= 180, "\(memory): \(hits)")
        }
    }

    @Test func `gross errors are left out and counted, and move nothing`() throws {
        var measurements = Self.measured(2.35)
        for place in stride(from: 5, to: 300, by: 20) { measurements[place].distance = -14 }
        measurements[100].distance = 2.35 + 0.3
        let point = try point(measurements)
        #expect(point.gross == 15 && point.outliers == 16)
        #expect((point.median - 2.35).magnitude < 0.01)
        #expect(point.spread < 0.04)
    }

    @Test func `measurements that remember are worth less`() throws {
        let white = try point(Self.measured(2))
        let red = try point(Self.measured(2, memory: 0.8))
        #expect(white.effectiveCount > 200)
        #expect(red.effectiveCount < 60)
        #expect(red.interval > 1.8 * white.interval)
    }

    @Test func `a drift is told in metres over the whole time`() throws {
        let point = try point(Self.measured(2, drift: 0.3))
        #expect((try #require(point.drift) - 0.3).magnitude < 0.05)
        #expect(point.driftNoise < 0.3)
        #expect(try self.point(Self.measured(2, count: 5)).drift == nil)
    }

    @Test func `failed rounds are a share of all`() throws {
        #expect(try point(Self.measured(2, count: 30), failed: 10).failedShare == 0.25)
    }

    @Test func `one measurement is enough for a median, none is not`() throws {
        let point = try point(Self.measured(2, count: 1, sigma: 0))
        #expect(point.median == 2 && point.interval == 0 && point.effectiveCount == 1)
        #expect(CalibrationPoint(truth: 2, measurements: [], failed: 3) == nil)
    }
}
