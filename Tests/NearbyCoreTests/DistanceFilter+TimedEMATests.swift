// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NearbyCore

struct DistanceFilterTimedEMATests {
    private let kind = FilterOptions.Kind.timedEMA(timeConstant: .milliseconds(500))

    /// The distance half a second after a step from 0 to 1, at so many reports a second.
    private func halfASecondOn(rate: Int64) -> Double {
        var filter = DistanceFilter()
        var distance = filter.seed(0, at: 0, kind)
        for step in 1...(rate / 2) { distance = filter.update(1, at: step * 1_000_000_000 / rate, kind) }
        return distance
    }

    @Test(arguments: [Int64(2), 10, 20, 50])
    func `an old distance fades to 1/e in the time constant, whatever the rate`(_ rate: Int64) {
        #expect(abs(halfASecondOn(rate: rate) - (1 - 0.367_879)) < 1e-4)
    }

    @Test func `it begins at the first distance`() {
        var filter = DistanceFilter()
        #expect(filter.seed(2.5, at: 7, kind) == 2.5)
        #expect(filter.update(2.5, at: 100_000_000, kind) == 2.5)
    }
}
