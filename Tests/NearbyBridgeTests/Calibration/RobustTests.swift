// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NearbyBridge

struct RobustTests {
    @Test func `medians lie between values`() {
        #expect(Robust.median([3, 1, 2]) == 2)
        #expect(Robust.median([4, 1, 2, 3]) == 2.5)
        #expect(Robust.median([]) == 0)

    }

    @Test func `the spread of normal noise is its standard deviation, whatever a tenth of it does`() {
        var noise = RememberingNoise(seed: 1)
        var values = (0..<5000).map { _ in 0.1 * noise.next() }
        #expect((Robust.spread(values) - 0.1).magnitude < 0.005)
        for place in stride(from: 0, to: 5000, by: 10) { values[place] = 50 }
        #expect((Robust.spread(values) - 0.1).magnitude < 0.02)
    }

    @Test func `values that are mostly the same still have a spread`() {
        #expect(Robust.spread([2, 2, 2, 2, 2.1]) > 0)
        #expect(Robust.spread([2, 2, 2]) == 0)
        #expect(Robust.spread([]) == 0)
    }

    @Test func `autocorrelation tells noise that remembers from noise that does not`() throws {
        var noise = RememberingNoise(seed: 2)
        let white = (0..<5000).map { _ in noise.next() }
        var slow = RememberingNoise(seed: 3, memory: 0.9)
        let red = (0..<5000).map { _ in slow.next() }
        #expect(try #require(Robust.autocorrelation([white], lag: 1)).magnitude < 0.05)
        #expect((try #require(Robust.autocorrelation([red], lag: 1)) - 0.9).magnitude < 0.03)
        #expect((try #require(Robust.autocorrelation([red], lag: 10)) - 0.349).magnitude < 0.08)
        #expect(Robust.autocorrelation([[1]], lag: 1) == nil)
        #expect(Robust.autocorrelation([[0, 0, 0]], lag: 1) == nil)
    }
}
