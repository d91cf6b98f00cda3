// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// How a walk is heard that was recorded whole.
enum WalkCondition: Equatable, Sendable {
    /// As it was recorded.
    case recorded
    /// So many reports a second.
    case rate(Double)
    /// Such a share of the reports is missing at random.
    case missing(Double)
    /// Nothing is heard for so many seconds, once a minute or so.
    case holes(Double)

    /// The conditions of the comparison, the easiest first.
    static let all: [WalkCondition] = [.recorded, .rate(5), .rate(2), .rate(1), .missing(0.2), .holes(20)]

    /// For tables and programs.
    var name: String {
        switch self {
        case .recorded: "as recorded"
        case .rate(let rate): "\(Column.decimal(rate, 0)) Hz"
        case .missing(let share): "\(Column.decimal(share * 100, 0)) % missing"
        case .holes(let seconds): "holes of \(Column.decimal(seconds, 0)) s"
        }
    }

    /// What is heard of a walk; the same seed loses the same.
    func heard(_ walk: Walk, seed: UInt64) -> Walk {
        var generator = SplitMix64(seed: seed)
        switch self {
        case .recorded: return walk
        case .rate(let rate): return walk.sampled(at: rate)
        case .missing(let share):
            return Walk(name: walk.name, samples: walk.samples.filter { _ in !generator.happens(share) })
        case .holes(let seconds):
            guard var begin = walk.samples.first?.time else { return walk }
            begin += Double.random(in: 10..<50, using: &generator)
            var kept: [Walk.Sample] = []
            for sample in walk.samples {
                if sample.time >= begin + seconds { begin += seconds + Double.random(in: 30..<50, using: &generator) }
                if sample.time < begin { kept.append(sample) }
            }
            return Walk(name: walk.name, samples: kept)
        }
    }

    /// The walks whose truth counts.
    ///
    /// What a slow source could not see happened all the same. In a hole nobody knows: each stretch between two of them
    /// is a recording of its own.
    func stretches(of walk: Walk, heard: Walk) -> [Walk] {
        guard case .holes(let seconds) = self else { return [walk] }
        var stretches: [Walk] = []
        for sample in heard.samples {
            if let last = stretches.last?.samples.last, sample.time - last.time < seconds * 0.9 {
                stretches[stretches.count - 1].samples.append(sample)
            } else {
                stretches.append(Walk(name: walk.name, samples: [sample]))
            }
        }
        return stretches
    }
}

extension Walk {
    /// The walk as a source of so many reports a second would have told it.
    func sampled(at rate: Double) -> Walk {
        var due = -Double.infinity
        var kept: [Sample] = []
        for sample in samples where sample.time >= due {
            kept.append(sample)
            // A tenth of the step is the recording's own jitter.
            due = sample.time + 0.9 / rate
        }
        return Walk(name: name, samples: kept)
    }
}
