// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Smooths the distances that the gate let pass.
///
/// The standard filter has almost no lag while somebody walks and more and more the longer nobody does, so a person
/// standing on a line does not flap and a person crossing it is seen at once. It never strays far from what was just
/// measured: `farthestAbove` and `farthestBelow` bound the price of a wrong guess.
struct DistanceFilter: Equatable, Sendable {
    /// Seconds of lag while walking.
    static let walkingLag = 0.05
    /// Seconds of lag after long stillness.
    static let longestLag = 12.0
    /// After a walk the lag stays short for so long (nanoseconds).
    static let walkingHold: Int64 = 2_000_000_000
    /// Metres that the smoothed distance may lie above the lightly smoothed one: coming closer is seen soon.
    static let farthestAbove = 0.2
    /// Metres that it may lie below: a body in the way lengthens ranges, and only for seconds.
    static let farthestBelow = 1.0
    /// The shortest time between two reports that counts (seconds).
    static let shortestStep = 1e-3

    private(set) var motion = MotionEstimate()
    private var distance = 0.0
    private var lastTime: Int64 = 0
    private var median = MedianWindow()
    private var kalman = KalmanFilter()
    /// Smoothed m/s of the one-Euro filter.
    private var derivative = 0.0
    private var previous = 0.0

    /// Begins afresh at a distance.
    mutating func seed(_ distance: Double, at time: Int64, _ kind: FilterOptions.Kind) -> Double {
        motion.seed(distance, at: time)
        self.distance = distance
        previous = distance
        derivative = 0
        lastTime = time
        switch kind {
        case .median(let window):
            median.removeAll()
            return median.add(distance, at: time, window: window.wholeNanoseconds)
        case .kalman(_, let noise):
            kalman.seed(distance, measurementNoise: noise)
        case .standard, .ema, .timedEMA, .oneEuro, .none:
            break
        }
        return distance
    }

    /// Follows a distance at a filter time in nanoseconds.
    mutating func update(_ measured: Double, at time: Int64, _ kind: FilterOptions.Kind) -> Double {
        let step = max(Double(time &- lastTime) * 1e-9, Self.shortestStep)
        lastTime = time
        motion.update(measured, at: time, step: step)
        switch kind {
        case .standard:
            distance += smoothingWeight(step, lag(at: time)) * (measured - distance)
            distance = max(min(distance, motion.fast + Self.farthestAbove), motion.fast - Self.farthestBelow)
        case .ema(let alpha):
            distance = alpha * measured + (1 - alpha) * distance
        case .median(let window):
            distance = median.add(measured, at: time, window: window.wholeNanoseconds)
        case .kalman(let processNoise, let measurementNoise):
            distance = kalman.update(
                measured,
                step: step,
                processNoise: processNoise,
                measurementNoise: measurementNoise
            )
        case .oneEuro(let minimumCutoff, let beta):
            distance = oneEuro(measured, step, minimumCutoff, beta)
        case .none:
            distance = measured
        case .timedEMA(let timeConstant):
            let lag = Double(timeConstant.wholeNanoseconds) * 1e-9
            distance += smoothingWeight(step, lag) * (measured - distance)
        }
        return distance
    }

    /// Forgets everything.
    mutating func reset() {
        self = DistanceFilter()
    }

    /// A second of lag more for each second of stillness.
    private func lag(at time: Int64) -> Double {
        let still = Double(time &- motion.lastWalk &- Self.walkingHold) * 1e-9
        return min(Self.longestLag, max(Self.walkingLag, Self.walkingLag + still))
    }

    /// Casiez, Roussel and Vogel, "1€ Filter" (CHI 2012), with a derivative cutoff of 1 Hz.
    private mutating func oneEuro(_ measured: Double, _ step: Double, _ minimumCutoff: Double, _ beta: Double) -> Double
    {
        func weight(_ cutoff: Double) -> Double { step / (step + 1 / (2 * Double.pi * cutoff)) }
        derivative += weight(1) * ((measured - previous) / step - derivative)
        previous = measured
        return distance + weight(minimumCutoff + beta * abs(derivative)) * (measured - distance)
    }
}
