// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Speed towards or away from the accessory, and whether somebody is walking.
///
/// Two exponential averages with different lags differ by speed × difference of the lags. A speed that keeps its sign
/// for `walkingProof` is a walk; noise changes sign sooner, and a body stepping in the way looks like speed for less
/// than a second.
struct MotionEstimate: Equatable, Sendable {
    /// Seconds.
    static let fastLag = 0.1
    /// Seconds.
    static let slowLag = 0.8
    /// The averages have not grown apart enough before this to divide by (seconds).
    static let leastLagDifference = 0.35
    /// m/s beyond which a speed may be a walk.
    static let walkingSpeed = 0.25
    /// Nanoseconds that it must keep its sign for that.
    static let walkingProof: Int64 = 1_300_000_000
    /// m/s beyond which consumers are told of a motion.
    static let motionSpeed = 0.30
    /// Nanoseconds that it must keep its sign for that.
    static let motionProof: Int64 = 800_000_000
    /// m/s below which a motion is ending.
    static let endingSpeed = 0.15
    /// Nanoseconds below `endingSpeed` that end it.
    static let stillProof: Int64 = 1_000_000_000

    /// An unbroken run of one sign of speed.
    private struct Run: Equatable, Sendable {
        var sign = 0
        var since: Int64 = 0

        /// Notes a sign.
        ///
        /// The report before the first fast one was already part of the run.
        mutating func note(_ sign: Int, after lastTime: Int64) {
            if sign != 0, sign != self.sign { since = lastTime }
            self.sign = sign
        }

        func hasLasted(_ proof: Int64, at time: Int64) -> Bool {
            sign != 0 && time &- since >= proof
        }
    }

    /// Lightly smoothed metres.
    private(set) var fast = 0.0
    private var slow = 0.0
    /// How far each average is behind a steady walk since the seed (seconds).
    private var fastBehind = 0.0
    private var slowBehind = 0.0
    /// m/s, positive when receding.
    private(set) var speed = 0.0
    /// What a consumer is told.
    private(set) var motion = Motion.still
    /// Filter time when somebody was last seen walking.
    private(set) var lastWalk: Int64 = 0
    private var lastTime: Int64 = 0
    private var walk = Run()
    private var move = Run()
    private var quietSince = Int64.min

    /// Begins at a distance, as if somebody had just walked there.
    mutating func seed(_ distance: Double, at time: Int64) {
        self = MotionEstimate()
        fast = distance
        slow = distance
        lastWalk = time
        lastTime = time
        walk.since = time
        move.since = time
    }

    /// Follows a distance that the gate let pass, `step` seconds after the last.
    mutating func update(_ distance: Double, at time: Int64, step: Double) {
        let fastWeight = smoothingWeight(step, Self.fastLag)
        let slowWeight = smoothingWeight(step, Self.slowLag)
        fast += fastWeight * (distance - fast)
        slow += slowWeight * (distance - slow)
        fastBehind = (fastBehind + step) * (1 - fastWeight)
        slowBehind = (slowBehind + step) * (1 - slowWeight)
        speed = (fast - slow) / max(slowBehind - fastBehind, Self.leastLagDifference)
        walk.note(sign(beyond: Self.walkingSpeed), after: lastTime)
        move.note(sign(beyond: Self.motionSpeed), after: lastTime)
        lastTime = time
        if walk.hasLasted(Self.walkingProof, at: time) { lastWalk = time }
        judgeMotion(at: time)
    }

    private func sign(beyond limit: Double) -> Int {
        abs(speed) <= limit ? 0 : (speed > 0 ? 1 : -1)
    }

    private mutating func judgeMotion(at time: Int64) {
        if move.hasLasted(Self.motionProof, at: time) {
            motion = move.sign > 0 ? .receding : .approaching
            quietSince = .min
            return
        }
        guard motion != .still else { return }
        let onwards = motion == .receding ? speed : -speed
        guard onwards < Self.endingSpeed else {
            quietSince = .min
            return
        }
        if quietSince == .min { quietSince = time }
        if time &- quietSince >= Self.stillProof { motion = .still }
    }
}

/// The weight of a new value in an exponential average: `1 − e^(−step/lag)`, both in seconds.
///
/// The exponential is a rational approximation, since the standard library has none; it is off by less than 1e-12.
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
