// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Trials and what came of them: each takes a while, and zones ask for the same ones.
struct TrialBook {
    private let trial: StandingTrial
    private var onRadius: [StandingTrial.Bounds: StandingTrial.Outcome] = [:]
    private var inBand: [StandingTrial.Bounds: StandingTrial.Outcome] = [:]

    init(_ trial: StandingTrial) {
        self.trial = trial
    }

    /// What is to be expected of a zone with these bounds.
    mutating func expectation(_ bounds: StandingTrial.Bounds) -> ZoneAdvice.Expectation {
        if onRadius[bounds] == nil { tryOnRadius(bounds) }
        let band = inBand[bounds] ?? trial.inBand(bounds)
        inBand[bounds] = band
        return ZoneAdvice.Expectation(
            onRadius: onRadius[bounds] ?? StandingTrial.Outcome(transitions: 0, losses: 0),
            inBand: band
        )
    }

    /// The narrowest band of the ladder, wider than this one, at which nobody sees false transitions.
    mutating func leastQuiet(above bounds: StandingTrial.Bounds) -> Double? {
        let wider = ZoneAdvice.ladder.filter { $0 > bounds.hysteresis }
        var low = 0
        var high = wider.count
        // The widths below `low` are too narrow, those from `high` on are wide enough.
        while low < high {
            let middle = (low + high) / 2
            var tried = bounds
            tried.hysteresis = wider[middle]
            if expectation(tried).isQuiet { high = middle } else { low = middle + 1 }
        }
        return high < wider.count ? wider[high] : nil
    }

    /// The shortest hold, no shorter than the present one, that keeps gross errors out, or else the longest that was
    /// tried; and how often they come in a day with the present one.
    func leastHold(
        _ bounds: StandingTrial.Bounds,
        _ hold: WritableKeyPath<StandingTrial.Bounds, Duration>
    ) -> (hold: Duration, transitions: Double) {
        let isEnter = hold == \.enterHold
        let holds = [bounds[keyPath: hold]] + ZoneAdvice.holds.filter { $0 > bounds[keyPath: hold] }
        let tried = holds.map { length in
            var bounds = bounds
            bounds[keyPath: hold] = length
            return bounds
        }
        let outcomes = isEnter ? trial.farOutside(tried.reversed()).reversed() : trial.deepInside(tried)
        let quiet = zip(holds, outcomes).first { $0.1.transitions <= ZoneAdvice.mostTransitions }
        return (quiet?.0 ?? holds[holds.count - 1], outcomes[0].transitions)
    }

    /// Tries these bounds, and in the same stay the wider bands of the ladder, which may be asked for next.
    private mutating func tryOnRadius(_ bounds: StandingTrial.Bounds) {
        let wider = ZoneAdvice.ladder.filter { $0 > bounds.hysteresis }.map { width in
            var wider = bounds
            wider.hysteresis = width
            return wider
        }
        for (tried, outcome) in zip([bounds] + wider, trial.onRadius([bounds] + wider)) where onRadius[tried] == nil {
            onRadius[tried] = outcome
        }
    }
}
