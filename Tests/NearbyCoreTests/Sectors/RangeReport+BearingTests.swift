// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import NearbyCore

@Suite struct RangeReportBearingTests {
    @Test func `straight ahead is 0, right is positive, as Nearby Interaction's vectors have it`() throws {
        // x right, y up, z backwards.
        let expected: [(SIMD3<Float>, Double)] = [
            ([0, 0, -1], 0), ([1, 0, 0], 90), ([-1, 0, 0], -90), ([0, 0, 1], 180), ([0.5, 0.7, -0.5], 45),
        ]
        for (direction, degrees) in expected {
            let azimuth = try #require(RangeReport.azimuth(of: direction))
            #expect(abs(azimuth - degrees) < 0.01, "\(direction)")
        }
    }

    @Test func `every direction has the angle that Foundation finds`() throws {
        for tenth in -1800..<1800 {
            let angle = Double(tenth) / 10 * .pi / 180
            let direction = SIMD3<Float>(Float(sin(angle)), 0.3, Float(-cos(angle)))
            let azimuth = try #require(RangeReport.azimuth(of: direction))
            let difference = (azimuth - Double(tenth) / 10).wrappedDegrees
            #expect(abs(difference) < 0.002, "\(tenth): \(azimuth)")
        }
    }

    @Test(arguments: [SIMD3<Float>(0, 0, 0), [0, 1, 0], [0.02, -1, 0.02], [.nan, 0, 1], [.infinity, 0, 1]])
    func `who is right above or below is in no direction`(_ direction: SIMD3<Float>) {
        #expect(RangeReport.azimuth(of: direction) == nil)
    }

    @Test func `the reported azimuth comes first, then the direction, then the horizontal angle`() throws {
        var report = RangeReport()
        #expect(report.bearing == nil)
        report.horizontalAngle = .pi / 6
        #expect(abs(try #require(report.bearing) - 30) < 0.001)
        report.direction = [-1, 0, 0]
        #expect(abs(try #require(report.bearing) + 90) < 0.001)
        report.azimuth = 12.5
        #expect(report.bearing == 12.5)
        report.azimuth = .nan
        #expect(report.bearing == nil)
    }
}
