// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import Testing

@Suite("The monotonic clock")
struct MonotonicClockTests {
    @Test("never goes back")
    func monotonic() {
        var last = MonotonicClock.now()
        #expect(last > 0)
        for _ in 0..<10_000 {
            let now = MonotonicClock.now()
            #expect(now >= last)
            last = now
        }
    }
}
