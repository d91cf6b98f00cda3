// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem
import Testing

@Suite("The wall clock")
struct WallClockTests {
    @Test("agrees with the C library")
    func agreement() {
        let before = Int64(time(nil))
        let seconds = WallClock.now() / 1_000_000_000
        let after = Int64(time(nil))
        // `time` may lag by a tick of the kernel.
        #expect(seconds >= before - 1)
        #expect(seconds <= after + 1)
    }
}
