// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Speed towards or away from the accessory, and whether somebody is walking.
///
/// Two exponential averages with different lags differ by speed × difference of the lags, whatever the report rate.
/// A speed that keeps its sign for `walkingProof` is a walk; noise changes sign sooner.
struct MotionEstimate: Equatable, Sendable {
    /// Seconds.
    static let fastLag = 0.1
    /// Seconds.
    static let slowLag = 0.8
    /// m/s beyond which a speed counts as moving.
    static let movingSpeed = 0.25
    /// m/s below which a motion counts as ending.
    static let endingSpeed = 0.15
    /// Nanoseconds that a moving speed must keep its sign.
    static let walkingProof: Int64 = 1_200_000_000
    /// Nanoseconds below `endingSpeed` that end a motion.
    static let stillProof: Int64 = 1_000_000_000

    /// Lightly smoothed metres, `fastLag` behind.
    private(set) var fast = 0.0
    private var slow = 0.0
    /// m/s, positive when receding.
    private(set) var speed = 0.0
    /// What a consumer is told.
    private(set) var motion = Motion.still
    /// Filter time when somebody was last seen walking.
    private(set) var lastWalk: Int64 = 0
    private var lastTime: Int64 = 0
    private var runSign = 0
    private var runSince: Int64 = 0
    private var quietSince = Int64.min

    /// Begins at a distance, as if somebody had just walked there.
    mutating func seed(_ distance: Double, at time: Int64) {
        fast = distance
        slow = distance
        speed = 0
        lastWalk = time
        lastTime = time
        runSign = 0
        runSince = time
    }

    /// Follows a distance that the gate let pass, `step` seconds after the last.
    mutating func update(_ distance: Double, at time: Int64, step: Double) {
        fast += smoothingWeight(step, Self.fastLag) * (distance - fast)
        slow += smoothingWeight(step, Self.slowLag) * (distance - slow)
        speed = (fast - slow) / (Self.slowLag - Self.fastLag)
        let sign = abs(speed) <= Self.movingSpeed ? 0 : (speed > 0 ? 1 : -1)
        // The report before the first fast one was already part of the walk.
        if sign != 0, sign != runSign { runSince = lastTime }
        runSign = sign
        lastTime = time
        let isWalking = sign != 0 && time &- runSince >= Self.walkingProof
        if isWalking { lastWalk = time }
        judgeMotion(sign, isWalking, at: time)
    }

    /// Forgets the motion: nobody knows where the peer went.
    mutating func reset() {
        self = MotionEstimate()
    }

    private mutating func judgeMotion(_ sign: Int, _ isWalking: Bool, at time: Int64) {
        if isWalking {
            motion = sign > 0 ? .receding : .approaching
            quietSince = .min
            return
        }
        guard motion != .still else { return }
        let towards = motion == .receding ? speed : -speed
        guard towards < Self.endingSpeed else {
            quietSince = .min
            return
        }
        if quietSince == .min { quietSince = time }
        if time &- quietSince >= Self.stillProof { motion = .still }
    }
}

/// The weight of a new value in an exponential average: `1 − e^(−step/lag)`, both in seconds.
///
/// The exponential is a rational approximation, exact to 1e-4, since the standard library has none.
func smoothingWeight(_ step: Double, _ lag: Double) -> Double {
    guard lag > 0 else { return 1 }
    let x = step / lag
    guard x < 40 else { return 1 }
    // e^x = (e^(x/16))^16 with a fourth-order Padé approximant of the small argument.
    let y = x / 16
    let y2 = y * y
    let even = 1680 + 180 * y2 + y2 * y2
    let odd = y * (840 + 20 * y2)
    let small = (even + odd) / (even - odd)
    let p2 = small * small
    let p4 = p2 * p2
    let p8 = p4 * p4
    return 1 - 1 / (p8 * p8)
}
