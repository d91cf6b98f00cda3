// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// An accessory that is not there: it makes one peer's distances, recorded or invented.
struct SimulatedAccessory {
    /// Where the distances come from.
    private enum Source {
        case walk(Walk, position: Int, startedAt: Double)
        case invented(distance: Double, target: Double, restUntil: Double)
    }

    /// m/s of an invented walk.
    private static let walkingSpeed = 1.2
    /// The accessory's identifier.
    let identifier: String
    /// When the next report is due, in seconds of the simulation.
    private(set) var due: Double
    private var sequence: Int64 = 0
    private var source: Source
    private let interval: Double
    private let noise: Double
    /// Seconds before a recorded walk begins anew: its end and its beginning are two places.
    private let rest: Double
    private var generator: SplitMix64

    /// An accessory whose peer walks about between 0.3 and 8 m.
    init(identifier: String, rate: Double, noise: Double, seed: UInt64, phase: Double) {
        self.identifier = identifier
        interval = 1 / rate
        self.noise = noise
        rest = 0
        generator = SplitMix64(seed: seed)
        due = phase * interval
        let start = Double.random(in: 0.3...8, using: &generator)
        source = .invented(distance: start, target: start, restUntil: 0)
    }

    /// An accessory whose peer walks as recorded, again and again.
    ///
    /// The usual rest is longer than a peer takes to be lost.
    init(identifier: String, walk: Walk, startingAt start: Double, rest: Double = 12) {
        self.identifier = identifier
        interval = 0.1
        noise = 0
        self.rest = rest
        generator = SplitMix64(seed: 0)
        source = .walk(walk, position: 0, startedAt: start)
        due = start + (walk.samples.first?.time ?? 0)
    }

    /// Lets the peer begin at this time, wherever it is.
    mutating func begin(at start: Double) {
        switch source {
        case .walk(let walk, let position, _):
            source = .walk(walk, position: position, startedAt: start - walk.samples[position].time)
        case .invented: break
        }
        due = start
    }

    /// The report that is due.
    mutating func nextReport() -> SimulatedReport {
        let at = due
        defer { sequence += 1 }
        return SimulatedReport(distance: nextDistance(), sequence: sequence, time: at)
    }

    /// The newest report that is due by now, `nil` if there is none since the last.
    mutating func nextReport(upTo now: Double) -> SimulatedReport? {
        var newest: SimulatedReport?
        while due <= now { newest = nextReport() }
        return newest
    }

    private mutating func nextDistance() -> Double {
        switch source {
        case .walk(let walk, let position, let startedAt):
            let sample = walk.samples[position]
            if position + 1 < walk.samples.count {
                source = .walk(walk, position: position + 1, startedAt: startedAt)
                due = startedAt + walk.samples[position + 1].time
            } else {
                let again = due + rest
                source = .walk(walk, position: 0, startedAt: again)
                due = again + walk.samples[0].time
            }
            return sample.measured
        case .invented(var distance, var target, var restUntil):
            if due >= restUntil {
                let step = Self.walkingSpeed * interval
                if abs(target - distance) <= step {
                    distance = target
                    target = Double.random(in: 0.3...8, using: &generator)
                    restUntil = due + Double.random(in: 2...20, using: &generator)
                } else {
                    distance += target > distance ? step : -step
                }
            }
            source = .invented(distance: distance, target: target, restUntil: restUntil)
            due += interval
            return max(0, distance + noise * generator.gaussian())
        }
    }
}
