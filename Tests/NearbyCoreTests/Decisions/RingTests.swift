// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NearbyCore

@Suite struct RingTests {
    @Test(arguments: [0, 1, 3, 4, 5, 8, 9, 1000])
    func `the last values are kept in their order`(_ count: Int) {
        var ring = Ring<Int>(capacity: 4)
        for value in 0..<count { ring.append(value) }
        #expect(ring.all == Array((0..<count).suffix(4)))
    }

    @Test func `an emptied ring begins anew`() {
        var ring = Ring<Int>(capacity: 4)
        for value in 0..<6 { ring.append(value) }
        ring.removeAll()
        #expect(ring.all.isEmpty)
        for value in 10..<13 { ring.append(value) }
        #expect(ring.all == [10, 11, 12])
    }
}
