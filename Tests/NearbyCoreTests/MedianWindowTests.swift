// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyCore

@Suite struct MedianWindowTests {
    @Test func `the median of an even count lies between the middle two`() {
        var window = MedianWindow()
        #expect(window.add(4, at: 0, window: 100) == 4)
        #expect(window.add(1, at: 1, window: 100) == 2.5)
        #expect(window.add(3, at: 2, window: 100) == 3)
    }

    @Test func `what is older than the window does not count`() {
        var window = MedianWindow()
        _ = window.add(9, at: 0, window: 100)
        _ = window.add(1, at: 50, window: 100)
        #expect(window.add(1, at: 100, window: 100) == 1)
        #expect(window.add(5, at: 151, window: 100) == 3)
    }

    @Test func `forgetting leaves nothing`() {
        var window = MedianWindow()
        _ = window.add(9, at: 0, window: 100)
        window.removeAll()
        #expect(window == MedianWindow())
        #expect(window.add(2, at: 1, window: 100) == 2)
    }

    @Test(arguments: UInt64(1)...10)
    func `random reports agree with sorting the last sixteen within the window`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var window = MedianWindow()
        var all: [(time: Int64, distance: Double)] = []
        var time: Int64 = 0
        for _ in 0..<500 {
            time += Int64.random(in: 0..<60, using: &random)
            let distance = Double.random(in: 0..<10, using: &random)
            all.append((time, distance))
            let kept = all.suffix(MedianWindow.maximumCount).filter { time - $0.time <= 500 }.map(\.distance).sorted()
            let lower = kept[(kept.count - 1) / 2]
            let upper = kept[kept.count / 2]
            #expect(window.add(distance, at: time, window: 500) == (lower + upper) / 2)
        }
    }
}
