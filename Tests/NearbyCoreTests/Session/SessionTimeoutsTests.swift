// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NearbyCore

@Suite struct SessionTimeoutsTests {
    @Test func `The defaults are those of the contract`() {
        let timeouts = SessionTimeouts()
        #expect(timeouts.configuration == .seconds(5) && timeouts.shareable == .seconds(5))
        #expect(timeouts.start == .seconds(3) && timeouts.silence == .seconds(5) && timeouts.stop == .seconds(2))
        #expect(timeouts.suspended == .seconds(60) && timeouts.offlineGrace == .seconds(5))
    }

    /// The table of `reference/nearby-interaction.md` section 5.
    @Test(arguments: [(180, 3000, 5000), (770, 6160, 9240), (0, 3000, 5000), (375, 3000, 5000), (376, 3008, 5000)])
    func `They grow with the interval, from a minimum on`(_ interval: Int, _ start: Int, _ silence: Int) {
        let timeouts = SessionTimeouts()
        #expect(timeouts.start(interval: .milliseconds(interval)) == .milliseconds(start))
        #expect(timeouts.silence(interval: .milliseconds(interval)) == .milliseconds(silence))
    }

    @Test func `The minima are the user's`() {
        var timeouts = SessionTimeouts()
        timeouts.start = .seconds(30)
        timeouts.silence = .milliseconds(100)
        #expect(timeouts.start(interval: .milliseconds(180)) == .seconds(30))
        #expect(timeouts.silence(interval: .milliseconds(180)) == .milliseconds(2160))
    }
}
