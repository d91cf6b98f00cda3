// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import NearbyCore

@Suite struct DistanceFilterTests {
    private var filter = DistanceFilter()

    private mutating func update(_ distance: Double, at seconds: Double, _ kind: FilterOptions.Kind) -> Double {
        filter.update(distance, at: Int64((seconds * 1e9).rounded()), kind)
    }

    @Test(arguments: UInt64(1)...10)
    mutating func `ema with 0.3 is Apple's sample to the last bit`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var old = Double.random(in: 0..<9, using: &random)
        var time = 0.0
        #expect(filter.seed(old, at: 0, .ema(alpha: 0.3)) == old)
        for _ in 0..<200 {
            let new = Double.random(in: 0..<9, using: &random)
            time += Double.random(in: 0.01..<2, using: &random)
            old = 0.3 * new + 0.7 * old
            #expect(update(new, at: time, .ema(alpha: 0.3)) == old)
        }
    }

    @Test mutating func `none hands on what was measured`() {
        #expect(filter.seed(3, at: 0, .none) == 3)
        #expect(update(8, at: 0.1, .none) == 8)
        #expect(update(0, at: 0.1, .none) == 0)
    }

    @Test mutating func `median ignores a spike and forgets it with a new seed`() {
        let kind = FilterOptions.Kind.median(window: .seconds(1))
        #expect(filter.seed(3, at: 0, kind) == 3)
        _ = update(3, at: 0.1, kind)
        #expect(update(0.5, at: 0.2, kind) == 3)
        #expect(filter.seed(9, at: 300_000_000, kind) == 9)
        #expect(update(8, at: 0.4, kind) == 8.5)
    }

    @Test mutating func `kalman is the Kalman filter with the time that passed`() {
        let kind = FilterOptions.Kind.kalman(processNoise: 1, measurementNoise: 0.1)
        var expected = KalmanFilter()
        expected.seed(5, measurementNoise: 0.1)
        #expect(filter.seed(5, at: 0, kind) == 5)
        for (distance, time, step) in [(5.2, 0.1, 0.1), (5.1, 0.4, 0.3), (5.6, 0.5, 0.1)] {
            let value = expected.update(distance, step: step, processNoise: 1, measurementNoise: 0.1)
            #expect(abs(update(distance, at: time, kind) - value) < 1e-9)
        }
    }

    @Test mutating func `one-Euro is the filter of the paper`() {
        let kind = FilterOptions.Kind.oneEuro(minimumCutoff: 0.5, beta: 0.8)
        func alpha(_ cutoff: Double, _ step: Double) -> Double { 1 / (1 + 1 / (2 * .pi * cutoff) / step) }
        var (value, previous, derivative) = (4.0, 4.0, 0.0)
        #expect(filter.seed(4, at: 0, kind) == 4)
        var time = 0.0
        for (distance, step) in [(4.3, 0.1), (4.1, 0.2), (5.0, 0.1), (5.1, 0.1), (2.0, 0.5)] {
            time += step
            let speed = (distance - previous) / step
            previous = distance
            derivative = alpha(1, step) * speed + (1 - alpha(1, step)) * derivative
            let weight = alpha(0.5 + 0.8 * abs(derivative), step)
            value = weight * distance + (1 - weight) * value
            #expect(abs(update(distance, at: time, kind) - value) < 1e-9)
        }
    }

    @Test mutating func `standard has next to no lag while somebody walks`() {
        _ = filter.seed(9, at: 0, .standard)
        for step in 1...60 {
            let distance = 9 - 0.12 * Double(step)
            let smoothed = update(distance, at: Double(step) * 0.1, .standard)
            #expect(abs(smoothed - distance) < 0.12)
        }
    }

    @Test(arguments: UInt64(1)...5)
    mutating func `standard calms down when somebody stands still`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        _ = filter.seed(3, at: 0, .standard)
        var squares = 0.0
        for step in 1...600 {
            let noise = (0..<4).reduce(0.0) { sum, _ in sum + Double.random(in: -0.1...0.1, using: &random) }
            let smoothed = update(3 + noise, at: Double(step) * 0.1, .standard)
            if step > 300 { squares += (smoothed - 3) * (smoothed - 3) }
        }
        #expect(sqrt(squares / 300) < 0.05)
    }

    @Test mutating func `standard never strays far from what is measured after long stillness`() {
        _ = filter.seed(3, at: 0, .standard)
        for step in 1...600 { _ = update(3, at: Double(step) * 0.1, .standard) }
        // Coming closer is seen within a few reports, a longer distance within a few more.
        var smoothed = 3.0
        for step in 601...605 { smoothed = update(1, at: Double(step) * 0.1, .standard) }
        #expect(smoothed <= 1.02 + DistanceFilter.farthestAbove)
        #expect(smoothed >= 1)
        for step in 606...610 { smoothed = update(6, at: Double(step) * 0.1, .standard) }
        #expect(smoothed >= 5.96 - DistanceFilter.farthestBelow)
    }

    @Test(arguments: [
        FilterOptions.Kind.standard, .ema(alpha: 0.5), .median(window: .seconds(1)),
        .kalman(processNoise: 1, measurementNoise: 0.1), .oneEuro(minimumCutoff: 1, beta: 0.1), .none,
    ])
    mutating func `every filter stays within what was measured and is finite at equal times`(
        kind: FilterOptions.Kind
    ) {
        _ = filter.seed(2, at: 0, kind)
        for _ in 0..<50 {
            let value = update(2, at: 0, kind)
            #expect(abs(value - 2) < 1e-9)
        }
        filter.reset()
        #expect(filter == DistanceFilter())
    }
}
