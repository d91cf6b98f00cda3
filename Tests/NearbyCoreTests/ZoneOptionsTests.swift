// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import Testing

@Suite struct ZoneOptionsTests {
    private let full = ZoneOptions(
        radius: 1,
        hysteresis: 2,
        enterHold: .seconds(3),
        exitHold: .seconds(4),
        lostAfter: .never,
        dwell: .after(.seconds(6)),
        isEnabled: false
    )

    @Test func `the more specific level wins where it says something`() {
        let other = ZoneOptions(
            radius: 11,
            hysteresis: 12,
            enterHold: .seconds(13),
            exitHold: .seconds(14),
            lostAfter: .after(.seconds(15)),
            dwell: .after(.seconds(16)),
            isEnabled: true
        )
        #expect(full.overridden(by: other) == other)
        #expect(full.overridden(by: ZoneOptions(radius: 11)).radius == 11)
        #expect(full.overridden(by: ZoneOptions(radius: 11)).hysteresis == 2)
    }

    @Test func `a level that says nothing changes nothing`() {
        #expect(full.overridden(by: ZoneOptions()) == full)
        #expect(full.overridden(by: nil) == full)
        #expect(ZoneOptions().overridden(by: full) == full)
    }
}
