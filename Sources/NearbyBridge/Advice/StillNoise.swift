// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// How distances scatter while somebody stands still, kept as it was measured so that it can be played again.
struct StillNoise: Equatable, Sendable {
    /// One deviation from the slow median, so many seconds after the one before.
    struct Step: Equatable, Sendable {
        var pause: Double
        /// Metres.
        var deviation: Double
    }

    /// A stretch is no shorter (seconds).
    static let shortestStretch = 5.0
    /// Nor has it fewer distances.
    static let fewestSamples = 10
    /// Walking is noticed so late (seconds), and somebody who has just stopped still sways: that is left out.
    private static let motionProof = 1.5
    /// Half of the time over which the slow median is taken (seconds): what is slower is somebody moving.
    private static let medianReach = 5.0
    /// A motion is none if the slow median stays within so many times the noise.
    private static let aimlessSpreads = 3.0
    /// A pause longer than so many intervals, and than two seconds, ends a stretch.
    private static let longestPause = 20.0
    /// Never look for a correlation longer than this (seconds).
    private static let longestCorrelation = 10.0

    /// Stretches of standing still, none of them empty.
    var stretches: [[Step]]
    /// Metres, comparable to a standard deviation.
    var sigma: Double
    /// Seconds after which deviations have forgotten each other to 1/e.
    var correlationTime: Double
    /// Seconds of standing still that were found.
    var duration: Double
    /// Seconds between two distances, as a rule.
    var interval: Double
    /// The greatest deviation of all (metres).
    var greatest: Double

    /// `nil` if nobody stood still for long enough.
    init?(_ trace: ReportTrace, interval: Double) {
        var found: [[Step]] = []
        for part in trace.parts {
            for stretch in Self.still(part, interval) { found.append(Self.deviations(stretch)) }
        }
        self.init(stretches: found, interval: interval)
    }

    /// Noise that is known; `nil` without any.
    init?(stretches: [[Step]], interval: Double) {
        let values = stretches.map { $0.map(\.deviation) }
        let all = values.flatMap { $0 }
        guard !all.isEmpty else { return nil }
        self.stretches = stretches
        self.interval = interval
        sigma = Robust.spread(all)
        greatest = all.reduce(0) { max($0, $1.magnitude) }
        duration = stretches.reduce(0) { sum, stretch in sum + stretch.dropFirst().reduce(0) { $0 + $1.pause } }
        correlationTime = Self.correlationTime(values, sigma: sigma, interval: interval)
    }

    /// The stretches of one part in which somebody stood still.
    private static func still(_ part: [ReportTrace.Sample], _ interval: Double) -> [ArraySlice<ReportTrace.Sample>] {
        let longest = max(2, longestPause * interval)
        let part = withoutAimlessMotion(part)
        var stretches: [ArraySlice<ReportTrace.Sample>] = []
        var start = part.startIndex
        for place in part.indices {
            let isLast = place + 1 == part.endIndex
            let isCut = !isLast && part[place + 1].time - part[place].time > longest
            guard !part[place].isStill || isLast || isCut else { continue }
            let end = part[place].isStill ? place + 1 : place
            if start < end {
                let from = start == part.startIndex ? part[start].time : part[start].time + motionProof
                let until = part[end - 1].time - (part[place].isStill ? 0 : motionProof)
                stretches.append(part[start..<end].filter { $0.time >= from && $0.time <= until }[...])
            }
            start = place + 1
        }
        return stretches.filter { stretch in
            guard let first = stretch.first, let last = stretch.last else { return false }
            return stretch.count >= fewestSamples && last.time - first.time >= shortestStretch
        }
    }

    /// The part, with motions that lead nowhere taken for the noise that they are.
    ///
    /// Great noise looks like motion to the engine: without this only its quietest moments would count as still.
    private static func withoutAimlessMotion(_ part: [ReportTrace.Sample]) -> [ReportTrace.Sample] {
        let range = aimlessSpreads * shortNoise(part)
        guard range > 0 else { return part }
        var part = part
        var place = 0
        while place < part.count {
            guard !part[place].isStill else {
                place += 1
                continue
            }
            let start = place
            while place < part.count, !part[place].isStill { place += 1 }
            let from = part[start].time - motionProof
            let until = part[place - 1].time + motionProof
            let near = part.indices.filter { part[$0].time >= from && part[$0].time <= until }
            let middles = near.map { slowMedian(part, around: $0) }
            guard let least = middles.min(), let greatest = middles.max(), greatest - least <= range else { continue }
            for moving in start..<place { part[moving].isStill = true }
        }
        return part
    }

    /// How much distances change within a second while the engine sees nobody move, as a standard deviation.
    private static func shortNoise(_ part: [ReportTrace.Sample]) -> Double {
        var changes: [Double] = []
        var later = 0
        for sample in part where sample.isStill && !sample.isGated {
            while later < part.count, part[later].time < sample.time + 1 { later += 1 }
            guard later < part.count else { break }
            if part[later].isStill, !part[later].isGated { changes.append(part[later].distance - sample.distance) }
        }
        return Robust.spread(changes) / 2.0.squareRoot()
    }

    private static func slowMedian(_ part: [ReportTrace.Sample], around place: Int) -> Double {
        let time = part[place].time
        var low = place
        var high = place
        while low > 0, part[low - 1].time >= time - medianReach / 2 { low -= 1 }
        while high + 1 < part.count, part[high + 1].time <= time + medianReach / 2 { high += 1 }
        return Robust.median(stride(from: low, through: high, by: max(1, (high - low) / 100)).map { part[$0].distance })
    }

    private static func deviations(_ stretch: ArraySlice<ReportTrace.Sample>) -> [Step] {
        let samples = Array(stretch)
        var steps: [Step] = []
        var low = 0
        var high = 0
        for (place, sample) in samples.enumerated() {
            while samples[low].time < sample.time - medianReach { low += 1 }
            while high < samples.count, samples[high].time <= sample.time + medianReach { high += 1 }
            // A hundred of them are as good as a thousand.
            let near = stride(from: low, to: high, by: max(1, (high - low) / 100)).map { samples[$0] }
            let tame = near.filter { !$0.isGated }
            let middle = Robust.median((tame.isEmpty ? near : tame).map(\.distance))
            let pause = place == 0 ? 0 : sample.time - samples[place - 1].time
            steps.append(Step(pause: pause, deviation: sample.distance - middle))
        }
        return steps
    }

    private static func correlationTime(_ stretches: [[Double]], sigma: Double, interval: Double) -> Double {
        // One gross error would look like noise that is not correlated at all.
        let bound = 4 * sigma
        let tame = stretches.map { $0.map { max(-bound, min(bound, $0)) } }
        let level = 0.367_879
        var before = 1.0
        for lag in 1...max(1, Int(min(longestCorrelation / max(interval, 1e-3), 1000))) {
            guard let now = Robust.autocorrelation(tame, lag: lag) else { break }
            if now < level { return interval * (Double(lag - 1) + (before - level) / max(before - now, 1e-9)) }
            before = now
        }
        return min(longestCorrelation, duration(of: stretches, interval))
    }

    private static func duration(of stretches: [[Double]], _ interval: Double) -> Double {
        interval * Double(stretches.map(\.count).max() ?? 0)
    }

    // MARK: Playing it again

    /// Somebody who stands at a distance for so many seconds, with this noise.
    ///
    /// Blocks of what was measured follow each other in random order, long enough to keep what is correlated together.
    func stand(at distance: Double, for seconds: Double, seed: UInt64) -> Walk {
        var generator = SplitMix64(seed: seed)
        let starts = stretches.indices.flatMap { stretch in stretches[stretch].indices.map { (stretch, $0) } }
        let length = max(20, Int(min(5 * correlationTime / max(interval, 1e-3), 1e5)))
        var samples: [Walk.Sample] = []
        samples.reserveCapacity(Int(min(seconds / max(interval, 1e-3), 2e6)))
        var time = 0.0
        // A source without time between its distances would never get to the end.
        let least = 1e-3
        while time < seconds, let (stretch, start) = starts.randomElement(using: &generator) {
            let block = stretches[stretch][start...].prefix(length)
            for (place, step) in block.enumerated() {
                time += max(least, place == 0 ? interval : step.pause)
                samples.append(Walk.Sample(time: time, measured: distance + step.deviation, truth: nil))
            }
        }
        return Walk(name: "stand", samples: samples)
    }
}
