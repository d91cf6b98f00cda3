// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// How right the events of one zone were, measured against the truth of the recording.
///
/// The truth makes its own transitions: inside below the radius, outside beyond the exit radius. An event is right if
/// it comes from 1.5 s before to 3 s after a true transition of its kind (reference/uwb-reports.md 8.4).
///
/// A pass that only grazes a threshold, closer to it than the truth is good for, proves nothing either way: such
/// transitions and events are counted as ambiguous and named, neither missed nor false.
struct Accuracy: Equatable, Sendable {
    /// A change of one zone.
    struct Transition: Equatable, Sendable {
        var time: Double
        var isEnter: Bool
    }

    /// A graze, for the report.
    struct Graze: Equatable, Sendable {
        var time: Double
        /// The truth's distance closest to the threshold (metres).
        var truth: Double
        /// The threshold (metres).
        var threshold: Double
    }

    /// Metres within which the truth itself is uncertain near the thresholds (data/uwb-walk SOURCE.md).
    static let truthAccuracy = 0.1
    /// Seconds before a true transition in which an event counts as its own.
    static let earliest = -1.5
    /// Seconds after it.
    static let latest = 3.0

    /// True transitions.
    var total = 0
    /// True transitions without an event.
    var missed = 0
    /// Events without a true transition.
    var wrong = 0
    /// Transitions and events that prove nothing.
    var ambiguous = 0
    /// Seconds from each true transition to its event.
    var delays: [Double] = []
    /// The passes behind `ambiguous`.
    var grazes: [Graze] = []

    /// Adds another zone's or file's figures.
    mutating func add(_ other: Accuracy) {
        total += other.total
        missed += other.missed
        wrong += other.wrong
        ambiguous += other.ambiguous
        delays += other.delays
        grazes += other.grazes
    }

    /// The delay that a share of the right events kept under, `nil` without any.
    func delay(percentile: Double) -> Double? {
        Robust.percentile(percentile, of: delays)
    }

    /// Compares the events of a zone with a walk that knows the truth.
    init(of events: [Transition], in walk: Walk, radius: Double, exitRadius: Double) {
        let truth = TrueTransitions(walk, radius: radius, exitRadius: exitRadius)
        total = truth.transitions.count
        var isExplained = Array(repeating: false, count: events.count)
        // A recording may begin inside: the event that says so belongs to no transition, and there may be none.
        if let start = truth.startsInsideAt, let first = events.first, first.isEnter {
            isExplained[0] = first.time - start <= Self.latest
        }
        for (index, transition) in truth.transitions.enumerated() {
            let match = events.indices.first { place in
                let delay = events[place].time - transition.time
                return !isExplained[place] && events[place].isEnter == transition.isEnter
                    && delay >= Self.earliest && delay <= Self.latest
            }
            if let match {
                isExplained[match] = true
                delays.append(events[match].time - transition.time)
            } else if let graze = truth.graze(at: index) {
                ambiguous += 1
                note(graze)
            } else {
                missed += 1
            }
        }
        judge(events, isExplained, truth)
    }

    /// An empty result, to add others to.
    init() {}

    /// Events without a true transition: false, unless the truth came within its own accuracy of the threshold.
    ///
    /// The way back from an ambiguous event, which is the very next one, is ambiguous with it.
    private mutating func judge(_ events: [Transition], _ isExplained: [Bool], _ truth: TrueTransitions) {
        var openGraze: Graze?
        for (event, isExplained) in zip(events, isExplained) {
            let before = openGraze
            openGraze = nil
            guard !isExplained else { continue }
            if let graze = before {
                ambiguous += 1
                note(graze)
            } else if let graze = truth.graze(near: event) {
                ambiguous += 1
                note(graze)
                openGraze = graze
            } else {
                wrong += 1
            }
        }
    }

    private mutating func note(_ graze: Graze) {
        if !grazes.contains(graze) { grazes.append(graze) }
    }
}

/// The transitions of the truth through the same radius and hysteresis.
private struct TrueTransitions {
    let walk: Walk
    let radius: Double
    let exitRadius: Double
    private(set) var transitions: [Accuracy.Transition] = []
    /// By transition: the sample at which it happens.
    private var positions: [Int] = []
    /// When the recording begins, if the truth is inside then.
    private(set) var startsInsideAt: Double?

    init(_ walk: Walk, radius: Double, exitRadius: Double) {
        self.walk = walk
        self.radius = radius
        self.exitRadius = exitRadius
        var isInside: Bool?
        for (position, sample) in walk.samples.enumerated() {
            guard let truth = sample.truth else { continue }
            let now = isInside == true ? truth <= exitRadius : truth < radius
            if isInside == nil, now { startsInsideAt = sample.time }
            if let before = isInside, before != now {
                transitions.append(Accuracy.Transition(time: sample.time, isEnter: now))
                positions.append(position)
            }
            isInside = now
        }
    }

    /// The graze of a stay that begins or ends with a transition, if it is one.
    func graze(at index: Int) -> Accuracy.Graze? {
        let stays = [(index, index + 1), (index - 1, index)]
        for (from, to) in stays {
            // The first and the last stay are cut off by the recording: how deep they went is not known.
            guard from >= 0, to < positions.count else { continue }
            let isInside = transitions[from].isEnter
            let threshold = isInside ? radius : exitRadius
            guard let extreme = extreme(in: positions[from]..<positions[to], isInside: isInside) else { continue }
            if abs(extreme.truth - threshold) <= Accuracy.truthAccuracy { return extreme }
        }
        return nil
    }

    /// The graze that an event without a true transition may be due to: the truth turned back at the threshold.
    ///
    /// A truth that went straight through it is no excuse for an event too many.
    func graze(near event: Accuracy.Transition) -> Accuracy.Graze? {
        let from = walk.samples.firstIndex { $0.time >= event.time - Accuracy.latest } ?? walk.samples.endIndex
        let rest = walk.samples[from...]
        let to = rest.firstIndex { $0.time > event.time - Accuracy.earliest } ?? walk.samples.endIndex
        guard let extreme = extreme(in: from..<to, isInside: event.isEnter) else { return nil }
        return abs(extreme.truth - extreme.threshold) <= Accuracy.truthAccuracy ? extreme : nil
    }

    /// The sample in which the truth lies deepest inside, or farthest outside.
    private func extreme(in range: Range<Int>, isInside: Bool) -> Accuracy.Graze? {
        let candidates = walk.samples[range].filter { $0.truth != nil }
        let chosen =
            isInside
            ? candidates.min { ($0.truth ?? .infinity) < ($1.truth ?? .infinity) }
            : candidates.max { ($0.truth ?? -.infinity) < ($1.truth ?? -.infinity) }
        return chosen.map {
            Accuracy.Graze(time: $0.time, truth: $0.truth ?? 0, threshold: isInside ? radius : exitRadius)
        }
    }
}
