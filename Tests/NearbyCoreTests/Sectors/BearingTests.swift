// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NearbyCore

@Suite struct BearingTests {
    private func bearing(_ angles: [(seconds: Double, degrees: Double)], isSmoothed: Bool = true) -> Bearing {
        var bearing = Bearing(since: .distantPast)
        for (seconds, degrees) in angles {
            let time = Int64(seconds * 1e9)
            bearing.observe(degrees, at: time, Instant(nanoseconds: time), isSmoothed: isSmoothed)
        }
        return bearing
    }

    @Test func `a turn is followed with a lag of time, whatever the rate`() throws {
        let slow = try #require(bearing([(0, 0), (0.3, 60)]).azimuth)
        let fast = try #require(bearing([(0, 0)] + (1...30).map { (Double($0) * 0.01, 60) }).azimuth)
        #expect(abs(slow - 60 * 0.632) < 0.1)
        #expect(abs(fast - slow) < 0.1)
    }

    @Test func `the way from 170 to -170 is 20 degrees, not 340`() throws {
        let bearing = bearing([(0, 170), (0.3, -170), (0.6, -170), (3, -170)])
        let azimuth = try #require(bearing.azimuth)
        #expect(abs(azimuth + 170) < 0.1)
        let middle = try #require(self.bearing([(0, 170), (0.1, -170)]).azimuth)
        #expect(middle > 170 && middle < 180)
    }

    @Test func `a source that speaks on change only means what it says`() {
        #expect(bearing([(0, 10), (0.1, 50)], isSmoothed: false).azimuth == 50)
    }

    @Test func `the direction stays when an angle is missing, but is not current`() {
        var bearing = bearing([(1, 10)])
        #expect(bearing.isCurrent && bearing.azimuth == 10)
        bearing.miss()
        #expect(!bearing.isCurrent && bearing.azimuth == 10)
        bearing.forget()
        #expect(bearing.azimuth == nil)
        #expect(bearing.lastAt == Instant(nanoseconds: 1_000_000_000))
    }
}
