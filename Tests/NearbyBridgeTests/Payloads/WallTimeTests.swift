// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import NearbyCore
import Testing

@testable import NearbyBridge

struct WallTimeTests {
    @Test func `an instant becomes a Unix time and back`() {
        var generator = SplitMix64(seed: 1)
        for _ in 0..<1000 {
            let wall = WallTime(origin: Int64.random(in: .min ... .max, using: &generator))
            let instant = Instant(nanoseconds: Int64.random(in: .min ... .max, using: &generator))
            #expect(wall.instant(ofUnixNanoseconds: wall.unixNanoseconds(of: instant)) == instant)
        }
        #expect(WallTime(origin: 5).unixNanoseconds(of: Instant(nanoseconds: 7)) == 12)
    }

    @Test func `the clocks agree about now`() {
        let before = WallClock.now()
        let wall = WallTime.current()
        let unix = wall.unixNanoseconds(of: Instant(nanoseconds: MonotonicClock.now()))
        // Generous: the clock of a machine may be set while tests run, but not by minutes.
        #expect(abs(unix - before) < 60_000_000_000)
    }
}
