// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NearbyCore

@Suite struct SectorTests {
    @Test(arguments: [
        (-30.0, 30.0, -30.0, true, false), (-30, 30, 30, true, false), (-30, 30, 0, true, false),
        (-30, 30, 30.5, false, false), (-30, 30, 40, false, false), (-30, 30, 40.5, false, true),
        (-30, 30, -40.5, false, true), (-30, 30, 180, false, true), (-30, 30, 385, true, false),
        (150, -150, 180, true, false), (150, -150, -180, true, false), (150, -150, 151, true, false),
        (150, -150, -151, true, false), (150, -150, -145, false, false), (150, -150, 139, false, true),
        (150, -150, 0, false, true), (170, -170, -179, true, false), (0, 180, 180, true, false),
        (0, 180, -172, false, false), (0, 180, -90, false, true), (-180, 180, 12, true, false),
        (-180, 180, -180, true, false), (-120, 120, 150, false, true),
    ])
    func `limits belong to the sector, and it goes on beyond 180 degrees`(
        _ from: Double,
        _ to: Double,
        _ azimuth: Double,
        _ isInside: Bool,
        _ isLeft: Bool
    ) {
        let sector = Sector(from: from, to: to)
        #expect(sector.mayBeEntered(from: azimuth) == isInside)
        #expect(sector.isLeft(by: azimuth) == isLeft)
    }

    @Test func `the limits for whoever leaves are wider, unless nothing would be outside`() throws {
        let ahead = try #require(Sector(from: -30, to: 30).exitLimits)
        #expect(ahead == (-40, 40))
        let behind = try #require(Sector(from: 175, to: 178, hysteresis: 5).exitLimits)
        #expect(behind == (170, -177))
        #expect(Sector(from: -170, to: 171).exitLimits == nil)
        #expect(Sector(from: -180, to: 180, hysteresis: 0).exitLimits == nil)
        #expect(!Sector(from: -170, to: 171).isLeft(by: 180))
    }

    @Test func `an angle without a figure of merit counts, one with too low a figure does not`() {
        let sector = Sector(from: -30, to: 30)
        #expect(sector.accepts(merit: nil) && sector.accepts(merit: 50) && !sector.accepts(merit: 49))
    }

    @Test(arguments: [
        (0.0, 0.0), (180, -180), (-180, -180), (190, -170), (-190, 170), (720, 0), (539, 179), (540, -180),
        (-540, -180), (1e300, nil), (-541, 179),
    ])
    func `every angle has one name`(_ angle: Double, _ wrapped: Double?) {
        #expect((-180..<180).contains(angle.wrappedDegrees))
        if let wrapped { #expect(angle.wrappedDegrees == wrapped) }
    }
}
