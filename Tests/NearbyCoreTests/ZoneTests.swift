// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NearbyCore

@Suite struct ZoneTests {
    private func zone(_ options: ZoneOptions, lostAfter: Patience = .never) throws -> Zone {
        try #require(Zone(index: 0, options: options, lostAfter: lostAfter))
    }

    @Test(arguments: [(1.5, 1.8), (3.0, 3.3), (10.0, 11.0)])
    func `the hysteresis is 0.3 m or a tenth of the radius, whichever is more`(radius: Double, exit: Double) throws {
        #expect(abs(try zone(ZoneOptions(radius: radius)).exitRadius - exit) < 1e-12)
    }

    @Test func `a configured hysteresis wins and is never negative`() throws {
        #expect(try zone(ZoneOptions(radius: 2, hysteresis: 0.05)).exitRadius == 2.05)
        #expect(try zone(ZoneOptions(radius: 2, hysteresis: 0)).exitRadius == 2)
        #expect(try zone(ZoneOptions(radius: 2, hysteresis: -1)).exitRadius == 2)
    }

    @Test func `times are in nanoseconds and what is not said has the defaults`() throws {
        let plain = try zone(ZoneOptions(radius: 2), lostAfter: .after(.seconds(10)))
        #expect(plain.enterHold == Zone.defaultEnterHold.wholeNanoseconds)
        #expect(plain.exitHold == Zone.defaultExitHold.wholeNanoseconds)
        #expect(plain.lostAfter == 10_000_000_000)
        #expect(plain.dwell == .max)
        let options = ZoneOptions(
            radius: 2,
            enterHold: .seconds(1),
            exitHold: .seconds(-2),
            lostAfter: .after(.seconds(3)),
            dwell: .after(.seconds(4))
        )
        let full = try zone(options)
        #expect(full.enterHold == 1_000_000_000)
        #expect(full.exitHold == 0)
        #expect(full.lostAfter == 3_000_000_000)
        #expect(full.dwell == 4_000_000_000)
        #expect(try zone(ZoneOptions(radius: 2)).lostAfter == .max)
    }

    @Test(arguments: [nil, 0, -1, Double.infinity, .nan])
    func `without a radius there is no zone`(radius: Double?) {
        #expect(Zone(index: 0, options: ZoneOptions(radius: radius), lostAfter: .never) == nil)
    }

    @Test func `a disabled zone is none`() {
        #expect(Zone(index: 0, options: ZoneOptions(radius: 1, isEnabled: false), lostAfter: .never) == nil)
    }

    @Test func `zones are ordered by radius and ties by their place in the configuration`() {
        let zones = [(0, 3.0), (1, 1.0), (2, 3.0), (3, 2.0)].compactMap { index, radius in
            Zone(index: index, options: ZoneOptions(radius: radius), lostAfter: .never)
        }
        #expect(ZoneSet(zones: zones, lostAfter: .never).zones.map(\.index) == [1, 3, 0, 2])
    }

    @Test func `a set knows when its peer is lost and whether any zone wants a dwell event`() {
        let plain = Zone(index: 0, options: ZoneOptions(radius: 1), lostAfter: .never)
        let dwelling = Zone(index: 1, options: ZoneOptions(radius: 2, dwell: .after(.seconds(1))), lostAfter: .never)
        let set = ZoneSet(zones: [plain].compactMap(\.self), lostAfter: .after(.seconds(2)))
        #expect(set.lostAfter == 2_000_000_000)
        #expect(!set.hasDwell)
        #expect(ZoneSet(zones: [plain, dwelling].compactMap(\.self), lostAfter: .never).hasDwell)
    }
}
