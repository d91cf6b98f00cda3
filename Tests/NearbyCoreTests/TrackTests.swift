// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NearbyCore

@Suite struct TrackTests {
    @Test func `neighbouring tracks do not fight for the same few places of a cache`() {
        // A cache of 64 sets of 64 bytes repeats every 4,096: the same field of tracks that lie 1,024 bytes apart would
        // have four sets to live in, and each report of 10,000 accessories would push another's track out.
        let stride = MemoryLayout<Track>.stride
        let spread = 4096 / (1 << min(12, stride.trailingZeroBitCount))
        #expect(spread >= 32, "a stride of \(stride) bytes leaves \(spread) sets")
    }
}
