// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// A Kalman filter of constant velocity that does not believe what lies too many deviations from what it expects.
///
/// After so many disbelieved distances in a row it begins afresh.
struct GatedKalmanFilter: ComparisonFilter {
    /// m/s²: how fast the velocity may change (a standard deviation).
    let acceleration: Double
    /// Metres: how wrong a distance is (a standard deviation).
    let noise: Double
    /// Deviations that are believed.
    let limit: Double
    /// Disbelieved distances in a row that end it.
    let patience: Int

    private var state: State?
    private var lastTime = 0.0
    private var rejected = 0

    /// What is believed: metres, m/s, and their covariances.
    private struct State {
        var distance: Double
        var speed = 0.0
        var distanceVariance: Double
        var covariance = 0.0
        var speedVariance = 1.0

        mutating func advance(by step: Double, acceleration: Double) {
            let drift = acceleration * acceleration
            distance += speed * step
            distanceVariance += step * (2 * covariance + step * speedVariance) + drift * step * step * step * step / 4
            covariance += step * speedVariance + drift * step * step * step / 2
            speedVariance += drift * step * step
        }

        mutating func correct(by innovation: Double, total: Double) {
            let gain = distanceVariance / total
            let speedGain = covariance / total
            distance += gain * innovation
            speed += speedGain * innovation
            speedVariance -= speedGain * covariance
            covariance *= 1 - gain
            distanceVariance *= 1 - gain
        }
    }

    init(acceleration: Double, noise: Double, limit: Double, patience: Int) {
        self.acceleration = acceleration
        self.noise = noise
        self.limit = limit
        self.patience = patience
    }

    mutating func smooth(_ distance: Double, at time: Double) -> Double {
        let step = max(time - lastTime, 1e-3)
        lastTime = time
        guard var state, rejected < patience else { return seed(distance) }
        state.advance(by: step, acceleration: acceleration)
        let innovation = distance - state.distance
        let total = state.distanceVariance + noise * noise
        if innovation * innovation > limit * limit * total {
            rejected += 1
        } else {
            rejected = 0
            state.correct(by: innovation, total: total)
        }
        self.state = state
        return state.distance
    }

    private mutating func seed(_ distance: Double) -> Double {
        state = State(distance: distance, distanceVariance: noise * noise)
        rejected = 0
        return distance
    }
}
