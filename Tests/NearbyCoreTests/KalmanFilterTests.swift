// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyCore

@Suite struct KalmanFilterTests {
    /// The same filter with whole matrices, written from the textbook.
    private struct Textbook {
        var state: (Double, Double)
        var p: (Double, Double, Double, Double)

        mutating func update(_ z: Double, _ dt: Double, _ q: Double, _ r: Double) -> Double {
            state = (state.0 + dt * state.1, state.1)
            // F P F' + Q with F = [1 dt; 0 1] and Q = q² [dt⁴/4 dt³/2; dt³/2 dt²].
            let fp = (p.0 + dt * p.2, p.1 + dt * p.3, p.2, p.3)
            let noise = q * q
            p = (
                fp.0 + fp.1 * dt + noise * dt * dt * dt * dt / 4, fp.1 + noise * dt * dt * dt / 2,
                fp.2 + fp.3 * dt + noise * dt * dt * dt / 2, fp.3 + noise * dt * dt
            )
            let k = (p.0 / (p.0 + r * r), p.2 / (p.0 + r * r))
            let y = z - state.0
            state = (state.0 + k.0 * y, state.1 + k.1 * y)
            p = ((1 - k.0) * p.0, (1 - k.0) * p.1, p.2 - k.1 * p.0, p.3 - k.1 * p.1)
            return state.0
        }
    }

    @Test(arguments: UInt64(1)...10)
    func `it agrees with the textbook`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let q = Double.random(in: 0.1..<3, using: &random)
        let r = Double.random(in: 0.02..<0.5, using: &random)
        var filter = KalmanFilter()
        filter.seed(4, measurementNoise: r)
        var textbook = Textbook(state: (4, 0), p: (r * r, 0, 0, 1))
        for _ in 0..<300 {
            let z = Double.random(in: 3..<6, using: &random)
            let dt = Double.random(in: 0.02..<0.6, using: &random)
            let distance = filter.update(z, step: dt, processNoise: q, measurementNoise: r)
            #expect(abs(distance - textbook.update(z, dt, q, r)) < 1e-9)
            #expect(filter.distance == distance)
        }
    }

    @Test func `it follows a steady walk without lag`() {
        var filter = KalmanFilter()
        filter.seed(10, measurementNoise: 0.1)
        var distance = 10.0
        for step in 1...100 {
            distance = filter.update(10 - 0.1 * Double(step), step: 0.1, processNoise: 1, measurementNoise: 0.1)
        }
        #expect(abs(distance) < 0.01)
    }

    @Test func `without any doubt it believes the measurement`() {
        var filter = KalmanFilter()
        filter.seed(1, measurementNoise: 0)
        #expect(filter.update(5, step: 0, processNoise: 0, measurementNoise: 0) == 5)
        #expect(filter.update(7, step: 0.1, processNoise: 0, measurementNoise: 0).isFinite)
    }
}
