// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// A one-dimensional Kalman filter with constant velocity.
struct KalmanFilter: Equatable, Sendable {
    private(set) var distance = 0.0
    private var speed = 0.0
    private var varianceOfDistance = 0.0
    private var covariance = 0.0
    private var varianceOfSpeed = 0.0

    /// Begins at a distance with that measurement's doubt and an unknown walking speed.
    mutating func seed(_ distance: Double, measurementNoise: Double) {
        self.distance = distance
        speed = 0
        varianceOfDistance = measurementNoise * measurementNoise
        covariance = 0
        varianceOfSpeed = 1
    }

    /// Follows a measured distance `step` seconds after the last; noises in m/s² and m.
    mutating func update(_ measured: Double, step: Double, processNoise: Double, measurementNoise: Double) -> Double {
        let acceleration = processNoise * processNoise
        distance += speed * step
        varianceOfDistance +=
            step * (2 * covariance + step * varianceOfSpeed) + acceleration * step * step * step * step / 4
        covariance += step * varianceOfSpeed + acceleration * step * step * step / 2
        varianceOfSpeed += acceleration * step * step
        let total = varianceOfDistance + measurementNoise * measurementNoise
        guard total > 0 else {
            distance = measured
            return measured
        }
        let gain = varianceOfDistance / total
        let gainOfSpeed = covariance / total
        let innovation = measured - distance
        distance += gain * innovation
        speed += gainOfSpeed * innovation
        varianceOfSpeed -= gainOfSpeed * covariance
        covariance *= 1 - gain
        varianceOfDistance *= 1 - gain
        return distance
    }
}
