// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Holds back distances that nobody can have walked.
///
/// Raw ultra-wideband ranges contain gross errors, most of them short, and devices smear one over several reports, so
/// neither a median nor "three in a row" protects; a bound on the rate of change does. Three states:
/// - empty: nothing is known. The first distance becomes the seed.
/// - seeking: a seed waits for a second distance that agrees with it. One that does not becomes the new seed.
/// - locked: a distance passes if it can be reached from the last one that passed. Those that cannot form a series of
///   their own, which takes over once it has agreed with itself for `relock`.
///
/// After a gap without a passing distance the gate is seeking again: a gap is not bridged. So it is after a shorter pause
/// that ends with a jump which only the pause makes reachable. A jump that can be reached, but that nobody makes who
/// walks, passes and waits for the next distance before it may cause an event.
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
    /// The shortest gap that ends a series (nanoseconds); slow sources get four of their intervals.
    static let shortestGap: Int64 = 5_000_000_000

    private enum State: UInt8 { case empty, seeking, locked }

    private var state = State.empty
    private var lastDistance = 0.0
    private var lastTime: Int64 = 0
    /// The last distance that passed waits to be confirmed.
    private var isSuspecting = false
    private var rivalDistance = 0.0
    private var rivalTime: Int64 = 0
    /// When the running series of rejected distances began; `Int64.min` when there is none.
    private var rivalSince = Int64.min

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
            state = .locked
            pass(distance, time)
            return .passed(isConfirmed: true)
        case .locked:
            guard agrees(distance, lastDistance, step, speed, slack) else {
                return rival(distance, time, speed, slack)
            }
            guard agrees(distance, lastDistance, usual, speed, slack) else {
                seed(distance, time)
                return .seeded(isConfirmed: false)
            }
            let isPlain = speed.isInfinite || agrees(distance, lastDistance, step, Self.calm(step), slack)
            let isConfirmed = isPlain || isSuspecting
            pass(distance, time)
            isSuspecting = !isConfirmed
            return .passed(isConfirmed: isConfirmed)
        }
    }

    /// m/s up to which a change needs no second distance; of a slow source that one would take too long.
    private static func calm(_ step: Int64) -> Double { step <= relock / 2 ? 0.6 : 1.5 }

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
            isSuspecting: isSuspecting,
            passed: state == .empty ? nil : lastDistance,
            since: state == .empty ? nil : .nanoseconds(step),
            speed: speed,
            slack: slack,
            reach: Self.reach(step, speed, slack),
            rival: rivalSince == .min ? nil : rivalDistance,
            rivalFor: rivalSince == .min ? nil : .nanoseconds(rivalTime &- rivalSince)
        )
    }

    private mutating func seed(_ distance: Double, _ time: Int64) {
        state = .seeking
        pass(distance, time)
    }

    private mutating func pass(_ distance: Double, _ time: Int64) {
        lastDistance = distance
        lastTime = time
        rivalSince = .min
        isSuspecting = false
    }

    private mutating func rival(_ distance: Double, _ time: Int64, _ speed: Double, _ slack: Double) -> Verdict {
        if rivalSince == .min || !agrees(distance, rivalDistance, time &- rivalTime, speed, slack) {
            rivalSince = time
        }
        rivalDistance = distance
        rivalTime = time
        guard time &- rivalSince >= Self.relock else { return .rejected }
        pass(distance, time)
        return .seeded(isConfirmed: true)
    }
}
