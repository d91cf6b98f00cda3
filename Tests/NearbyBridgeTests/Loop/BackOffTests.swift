// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NearbyBridge

struct BackOffTests {
    /// The longest waits in milliseconds, by attempt; the last one stays.
    private static let network = [250, 500, 1000, 2000, 4000, 4000]
    private static let refusal = [2000, 4000, 8000, 16_000, 32_000, 60_000]

    @Test(arguments: [false, true])
    func `waits stay under the bounds of the table and come near them`(_ isRefusal: Bool) {
        let bounds = isRefusal ? Self.refusal : Self.network
        var generator = SplitMix64(seed: 1)
        var longest = Array(repeating: Duration.zero, count: 40)
        var shortest = Array(repeating: Duration.seconds(100), count: 40)
        for _ in 0..<500 {
            var backOff = BackOff()
            for attempt in 0..<40 {
                let wait = backOff.next(isRefusal: isRefusal, using: &generator)
                longest[attempt] = max(longest[attempt], wait)
                shortest[attempt] = min(shortest[attempt], wait)
            }
            #expect(backOff.attempts == 40)
        }
        for attempt in 0..<40 {
            let bound = Duration.milliseconds(bounds[min(attempt, bounds.count - 1)])
            #expect(longest[attempt] <= bound, "attempt \(attempt + 1)")
            #expect(longest[attempt] > bound * 0.95, "attempt \(attempt + 1)")
            // Full jitter: bridges that lost the same broker do not come back together.
            #expect(shortest[attempt] >= .milliseconds(50), "attempt \(attempt + 1)")
            #expect(shortest[attempt] < .milliseconds(50) + bound * 0.05, "attempt \(attempt + 1)")
        }
    }

    @Test func `an accepted connection begins the table anew`() {
        var generator = SplitMix64(seed: 2)
        var backOff = BackOff()
        for _ in 0..<10 { _ = backOff.next(isRefusal: true, using: &generator) }
        backOff.reset()
        #expect(backOff == BackOff())
        #expect(backOff.next(isRefusal: false, using: &generator) <= .milliseconds(250))
    }

    @Test func `the same seed gives the same waits`() {
        func waits() -> [Duration] {
            var generator = SplitMix64(seed: 3)
            var backOff = BackOff()
            return (0..<10).map { backOff.next(isRefusal: $0 % 2 == 0, using: &generator) }
        }
        #expect(waits() == waits())
    }
}
