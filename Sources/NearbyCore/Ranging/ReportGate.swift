// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Holds back distances that nobody can have walked.
///
/// Raw ultra-wideband ranges contain gross errors, most of them short, and devices smear one over several reports, so
/// neither a median nor "three in a row" protects; a bound on the rate of change does. Three states:
/// - empty: nothing is known. The first distance becomes the seed.
/// - seeking: a seed waits for more distances that agree with it, as many as no smeared error gives, or for long enough.
///   One that does not agree becomes the new seed.
/// - locked: a distance passes if walking can have reached it from the last one that passed. Those that cannot form a
///   series of their own, which takes over once it has agreed with itself for a while: for `doubt` if running could have
///   reached it, for `relock` if nothing could.
///
/// After a gap without a passing distance the gate is seeking again: a gap is not bridged. So it is after a shorter pause
/// that ends with a jump which only the pause makes reachable.
struct ReportGate: Equatable, Sendable {
    enum Verdict: Equatable, Sendable {
        /// Goes on from the last distance; only a confirmed one may cause an event.
        case passed(isConfirmed: Bool)
        /// A new beginning, after which smoothing starts afresh; only a confirmed one may cause an event.
        case seeded(isConfirmed: Bool)
        /// Held back.
        case rejected
    }

    /// A series of rejected distances that agrees with itself for so long is the truth (nanoseconds).
    static let relock: Int64 = 700_000_000
    /// The same for distances that can be reached at top speed.
    ///
    /// Longer than an error that a device smears over three of its ten reports a second (reference/uwb-reports.md 8.3).
    static let doubt: Int64 = 300_000_000
    /// The part of the top speed at which people walk.
    static let walking = 0.5
    /// So many distances that agree are a beginning; a smeared error gives three.
    static let proofCount: UInt8 = 4
    /// So are fewer that have agreed for so long: slow sources need not wait (nanoseconds).
    static let proof: Int64 = 500_000_000
    /// The shortest gap that ends a series (nanoseconds); slow sources get four of their intervals.
    static let shortestGap: Int64 = 5_000_000_000

    private enum State: UInt8 { case empty, seeking, locked }

    private var state = State.empty
    private var lastDistance = 0.0
    private var lastTime: Int64 = 0
    /// When the seed came, and how many distances agree so far.
    private var seedTime: Int64 = 0
    private var seedCount: UInt8 = 0
    private var rivalDistance = 0.0
    private var rivalTime: Int64 = 0
    /// When the running series of rejected distances began; `Int64.min` when there is none.
    private var rivalSince = Int64.min
    /// Top speed could have reached that series.
    private var isRivalNear = false

    /// When a beginning is one without another distance, since nothing contradicts it; `nil` if none waits for that.
    ///
    /// A device that sends five times a second would have told by then that its first three distances were wrong.
    var provedAt: Int64? { state == .seeking && seedCount > 1 ? seedTime &+ Self.relock : nil }

    /// Judges a distance.
    ///
    /// - Parameters:
    ///   - distance: Metres.
    ///   - time: Filter time in nanoseconds.
    ///   - speed: m/s that a distance may change.
    ///   - slack: Metres that it may jump besides.
    ///   - interval: Mean seconds between reports; 0 while unknown.
    /// - Returns: What becomes of the distance.
    mutating func judge(
        _ distance: Double,
        at time: Int64,
        speed: Double,
        slack: Double,
        interval: Double
    ) -> Verdict {
        let step = time &- lastTime
        if state != .empty, step > Self.gap(interval) { state = .empty }
        // A pause makes much reachable, and a gross error may be what ends it: then the next distance decides.
        let usual = min(step, max(Self.relock, Int64(min(interval, 3600) * 2e9)))
        switch state {
        case .empty:
            seed(distance, time)
            return .seeded(isConfirmed: false)
        case .seeking:
            guard agrees(distance, lastDistance, usual, speed, slack) else {
                seed(distance, time)
                return .seeded(isConfirmed: false)
            }
            seedCount &+= 1
            // Without a top speed there is nothing to tell errors by.
            if seedCount >= Self.proofCount || time &- seedTime >= Self.proof || speed.isInfinite { state = .locked }
            pass(distance, time)
            return .passed(isConfirmed: state == .locked)
        case .locked:
            let isNear = agrees(distance, lastDistance, step, speed, slack)
            if isNear, !agrees(distance, lastDistance, usual, speed, slack) {
                seed(distance, time)
                return .seeded(isConfirmed: false)
            }
            if agrees(distance, lastDistance, step, Self.walking * speed, slack) {
                pass(distance, time)
                return .passed(isConfirmed: true)
            }
            return rival(distance, time, speed, slack, isNear: isNear)
        }
    }

    /// Takes a beginning for one because time has passed; the caller knows that `provedAt` is over.
    mutating func settle() {
        if provedAt != nil { state = .locked }
    }

    /// Four intervals of a slow source, but never less than `shortestGap`.
    private static func gap(_ interval: Double) -> Int64 {
        max(shortestGap, Int64(min(interval, 3600) * 4e9))
    }

    private func agrees(_ a: Double, _ b: Double, _ step: Int64, _ speed: Double, _ slack: Double) -> Bool {
        abs(a - b) <= Self.reach(step, speed, slack)
    }

    /// Metres that a distance may change within so many nanoseconds.
    private static func reach(_ step: Int64, _ speed: Double, _ slack: Double) -> Double {
        slack + speed * max(Double(step) * 1e-9, DistanceFilter.shortestStep)
    }

    /// What the gate knows at a filter time, for people who ask why it holds something back; changes nothing.
    func state(at time: Int64, speed: Double, slack: Double) -> GateState {
        let stage: GateState.Stage =
            switch state {
            case .empty: .empty
            case .seeking: .seeking
            case .locked: .locked
            }
        let step = max(0, time &- lastTime)
        return GateState(
            stage: stage,
            passed: state == .empty ? nil : lastDistance,
            since: state == .empty ? nil : .nanoseconds(step),
            speed: speed,
            slack: slack,
            reach: Self.reach(step, speed, slack),
            rival: rivalSince == .min ? nil : rivalDistance,
            rivalFor: rivalSince == .min ? nil : .nanoseconds(rivalTime &- rivalSince),
            takeover: .nanoseconds(isRivalNear ? Self.doubt : Self.relock)
        )
    }

    private mutating func seed(_ distance: Double, _ time: Int64) {
        state = .seeking
        seedTime = time
        seedCount = 1
        pass(distance, time)
    }

    private mutating func pass(_ distance: Double, _ time: Int64) {
        lastDistance = distance
        lastTime = time
        rivalSince = .min
        isRivalNear = false
    }

    private mutating func rival(
        _ distance: Double,
        _ time: Int64,
        _ speed: Double,
        _ slack: Double,
        isNear: Bool
    ) -> Verdict {
        if rivalSince == .min || !agrees(distance, rivalDistance, time &- rivalTime, speed, slack) {
            rivalSince = time
            isRivalNear = false
        }
        rivalDistance = distance
        rivalTime = time
        if isNear { isRivalNear = true }
        let isBelievable = isRivalNear
        guard time &- rivalSince >= (isBelievable ? Self.doubt : Self.relock) else { return .rejected }
        pass(distance, time)
        // What could be reached goes on from there; what could not is a new beginning.
        return isBelievable ? .passed(isConfirmed: true) : .seeded(isConfirmed: true)
    }
}
