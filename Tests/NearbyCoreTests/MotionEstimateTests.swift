// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import NearbyCore

@Suite struct MotionEstimateTests {
    private var motion = MotionEstimate()
    private var time: Int64 = 0

    /// Walks at a speed for some seconds.
    private mutating func walk(from distance: Double, speed: Double, seconds: Double, interval: Double = 0.1) {
        for step in 1...Int((seconds / interval).rounded()) {
            time += Int64(interval * 1e9)
            motion.update(distance + speed * Double(step) * interval, at: time, step: interval)
        }
    }

    @Test func `a seed stands still where it is`() {
        var motion = MotionEstimate()
        motion.seed(3, at: 7)
        #expect(motion.fast == 3)
        #expect(motion.speed == 0)
        #expect(motion.motion == .still)
        #expect(motion.lastWalk == 7)
    }

    @Test(arguments: [(1.2, Motion.receding), (-1.2, .approaching)], [0.05, 0.1, 0.5])
    mutating func `a walk is told with its direction and its speed at any rate`(
        walk: (speed: Double, motion: Motion),
        interval: Double
    ) {
        motion.seed(20, at: 0)
        self.walk(from: 20, speed: walk.speed, seconds: 5, interval: interval)
        #expect(motion.motion == walk.motion)
        #expect(abs(motion.speed - walk.speed) < 0.1)
        #expect(motion.lastWalk == time)
    }

    @Test mutating func `standing ends a motion and turning round reverses it`() {
        motion.seed(10, at: 0)
        walk(from: 10, speed: -1, seconds: 4)
        walk(from: 6, speed: 0, seconds: 6)
        #expect(motion.motion == .still)
        walk(from: 6, speed: 1, seconds: 4)
        #expect(motion.motion == .receding)
        walk(from: 10, speed: -1, seconds: 4)
        #expect(motion.motion == .approaching)
    }

    @Test(arguments: UInt64(1)...5)
    mutating func `noise is no walk`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        motion.seed(3, at: 0)
        for step in 1...3000 {
            let noise = (0..<4).reduce(0.0) { sum, _ in sum + Double.random(in: -0.1...0.1, using: &random) }
            motion.update(3 + noise, at: Int64(step) * 100_000_000, step: 0.1)
            #expect(motion.motion == .still)
        }
        #expect(motion.lastWalk == 0)
    }

    @Test mutating func `a step to the side is no walk`() {
        motion.seed(3, at: 0)
        walk(from: 3, speed: 0, seconds: 3)
        walk(from: 3.6, speed: 0, seconds: 3)
        #expect(motion.lastWalk == 0)
    }

    @Test mutating func `a new seed forgets the motion`() {
        motion.seed(10, at: 0)
        walk(from: 10, speed: 1, seconds: 4)
        motion.seed(2, at: 5)
        var fresh = MotionEstimate()
        fresh.seed(2, at: 5)
        #expect(motion == fresh)
    }

    @Test func `the weight is that of the exponential over its whole range`() {
        var worst = 0.0
        for exponent in stride(from: -7.0, through: 3.0, by: 0.001) {
            let x = pow(10, exponent)
            let exact = -expm1(-x)
            let weight = smoothingWeight(x * 0.8, 0.8)
            worst = max(worst, abs(weight - exact))
            #expect(0...1 ~= weight)
        }
        #expect(worst < 1e-12)
    }

    @Test func `the weight is whole without a lag and nothing without a step`() {
        #expect(smoothingWeight(0.1, 0) == 1)
        #expect(smoothingWeight(1e9, 1) == 1)
        #expect(smoothingWeight(0, 1) == 0)
    }
}
