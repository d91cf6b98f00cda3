// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Speed gate and smoothing together: from a corrected distance to one that zones may be judged by.
struct RangeFilter: Equatable, Sendable {
    enum Outcome: Equatable, Sendable {
        /// Held back by the gate.
        case rejected
        /// Smoothed metres. Only a confirmed distance may cause an event. `isSeeded` if smoothing began with it; one that
        /// is not confirmed either follows nothing that counts.
        case distance(Double, isConfirmed: Bool, isSeeded: Bool)
    }

    /// m/s that a person or a forklift among people can do, with room for noise (reference/uwb-reports.md 8.4).
    static let standardSpeed = 2.5
    /// Metres of noise between two reports (the same).
    static let standardSlack = 0.3

    private var gate = ReportGate()
    private var smoothing = DistanceFilter()

    /// Where the distance is going.
    var motion: Motion { smoothing.motion.motion }
    /// m/s, positive when receding.
    var speed: Double { smoothing.motion.speed }

    /// The filter time at which a beginning is proved without another distance; `nil` if none waits for that.
    var provedAt: Int64? { gate.provedAt }

    /// Takes a beginning for proved, since `provedAt` is over and nothing contradicted it.
    mutating func settle() {
        gate.settle()
    }

    /// Takes a corrected distance in metres at a filter time in nanoseconds.
    mutating func observe(_ distance: Double, at time: Int64, interval: Double, options: FilterOptions) -> Outcome {
        let (speed, slack) = Self.limits(options)
        switch gate.judge(distance, at: time, speed: speed, slack: slack, interval: interval) {
        case .rejected:
            return .rejected
        case .passed(let isConfirmed):
            let value = smoothing.update(distance, at: time, options.kind)
            return .distance(value, isConfirmed: isConfirmed, isSeeded: false)
        case .seeded(let isConfirmed):
            let value = smoothing.seed(distance, at: time, options.kind)
            return .distance(value, isConfirmed: isConfirmed, isSeeded: true)
        }
    }

    /// What the gate knows at a filter time; changes nothing.
    func gateState(at time: Int64, options: FilterOptions) -> GateState {
        let (speed, slack) = Self.limits(options)
        return gate.state(at: time, speed: speed, slack: slack)
    }

    /// m/s that a distance may change, and metres that it may jump besides.
    private static func limits(_ options: FilterOptions) -> (speed: Double, slack: Double) {
        let speed = options.gateSpeed ?? (options.kind == .standard ? standardSpeed : .infinity)
        return (speed, options.gateSlack ?? standardSlack)
    }

    /// Forgets everything.
    mutating func reset() {
        gate = ReportGate()
        smoothing.reset()
    }
}
