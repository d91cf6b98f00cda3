// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// How right the events of one zone were, measured against the truth of the recording.
///
/// The truth makes its own transitions: inside below the radius, outside beyond the exit radius. An event is right if
/// it comes from 1.5 s before to 3 s after a true transition of its kind (reference/uwb-reports.md 8.4).
///
/// The truth is not exact either. A true transition without an event is ambiguous, not missed, if it does not exist or is
/// moved by more than those seconds when both thresholds are moved by the truth's own accuracy, or if the recording ends
/// before the event is due; an event without a true transition is ambiguous, not false, if a truth moved like this
/// explains it (`TrueTransitions`). What is ambiguous is counted and named.
struct Accuracy: Equatable, Sendable {
    /// A change of one zone.
    struct Transition: TimedTransition, Equatable, Sendable {
        var time: Double
        var isEnter: Bool
    }

    /// A pass too close to a threshold to prove anything, for the report.
    struct Graze: Equatable, Sendable {
        var time: Double
        /// The truth's distance closest to the threshold (metres).
        var truth: Double
        /// The threshold (metres).
        var threshold: Double
    }

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
    func delay(percentile: Double) -> Double? { delays.percentile(percentile) }

    /// An empty result, to add others to.
    init() {}

    /// Compares the events of a zone with a walk that knows the truth.
    init(of events: [Transition], in walk: Walk, radius: Double, exitRadius: Double) {
        self.init(of: events, TrueTransitions(TrueCourse(walk), radius: radius, exitRadius: exitRadius))
    }

    /// Compares the events of a zone, in the order of time, with what truly happened.
    init(of events: [Transition], _ truth: TrueTransitions) {
        var unexplained = Array(events.enumerated())
        // How the recording begins nobody need say, and only the very first event can be about it.
        if let opening = truth.opening, let first = events.first, Self.isOwn(first, of: opening) {
            unexplained.removeFirst()
        }
        let matches = Self.match(truth.changes, unexplained.map(\.element))
        total = matches.count
        for (index, match) in matches.enumerated() {
            let change = truth.changes[index]
            if let match {
                delays.append(unexplained[match].element.time - change.time)
            } else if truth.mayBeMissed(index) {
                ambiguous += 1
                note(truth.pass(of: change))
            } else {
                missed += 1
            }
        }
        let taken = Set(matches.compactMap(\.self))
        judge(unexplained.indices.filter { !taken.contains($0) }.map { unexplained[$0] }, truth)
    }

    /// Finds for each transition of the truth the first event of its kind that counts as its own.
    ///
    /// Both in the order of time; no event is found twice.
    static func match(_ truth: [some TimedTransition], _ events: [some TimedTransition]) -> [Int?] {
        var isTaken = Array(repeating: false, count: events.count)
        var first = 0
        return truth.map { transition in
            while first < events.count, events[first].time - transition.time < earliest { first += 1 }
            var place = first
            while place < events.count, events[place].time - transition.time <= latest {
                if !isTaken[place], isOwn(events[place], of: transition) {
                    isTaken[place] = true
                    return place
                }
                place += 1
            }
            return nil
        }
    }

    /// Whether an event is of a transition's kind and near enough in time.
    private static func isOwn(_ event: some TimedTransition, of transition: some TimedTransition) -> Bool {
        let delay = event.time - transition.time
        return event.isEnter == transition.isEnter && delay >= earliest && delay <= latest
    }

    /// Events without a true transition: false, unless one of the moved truths explains them.
    ///
    /// A pass at a threshold explains one enter and one exit, however many of the moved truths make it a stay.
    private mutating func judge(_ events: [(offset: Int, element: Transition)], _ truth: TrueTransitions) {
        guard !events.isEmpty else { return }
        let extras = truth.extras.joined().map { (change: $0, pass: truth.pass(of: $0)) }
        var used: [(pass: Graze, isEnter: Bool)] = []
        for (offset, event) in events {
            let explanation = extras.first { extra in
                (offset == 0 || !extra.change.isOpening) && Self.isOwn(event, of: extra.change)
                    && !used.contains { $0.pass == extra.pass && $0.isEnter == event.isEnter }
            }
            if let explanation {
                ambiguous += 1
                used.append((explanation.pass, event.isEnter))
                note(explanation.pass)
            } else {
                wrong += 1
            }
        }
    }

    private mutating func note(_ graze: Graze) {
        if !grazes.contains(graze) { grazes.append(graze) }
    }
}

/// A change of one zone at a time, whoever says so.
protocol TimedTransition {
    /// Seconds of the recording's own time.
    var time: Double { get }
    /// From outside to inside.
    var isEnter: Bool { get }
}

extension [Double] {
    /// What a share of the values does not exceed, between two of them if need be; `nil` without any.
    func percentile(_ percentile: Double) -> Double? {
        guard !isEmpty else { return nil }
        let sorted = sorted()
        let rank = percentile / 100 * Double(count - 1)
        let lower = Int(rank)
        let upper = Swift.min(lower + 1, count - 1)
        return sorted[lower] + (sorted[upper] - sorted[lower]) * (rank - Double(lower))
    }
}
