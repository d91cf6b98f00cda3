// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What the truth did with regard to one zone, and what it may have done.
///
/// The truth of a recording is itself a measurement, good to `accuracy`. So its transitions are made several times: with
/// the thresholds as they are, and with both of them moved by up to that much, inwards and outwards. What happens in all
/// of these truths is certain. A transition that one of the moved truths does not make, or makes so much earlier or later
/// that it would not count as the same, is ambiguous; and what only a moved truth does may have happened.
///
/// The beginning of the recording counts as a transition that nobody need notice: one who begins inside may cause an
/// event that says so, and one whose beginning lies within the accuracy of a threshold may or may not. So a stay that the
/// recording cuts off is judged like any other.
struct TrueTransitions: Equatable, Sendable {
    /// A change of the truth, in one of its versions.
    struct Change: Equatable, Sendable {
        var time: Double
        var isEnter: Bool
        /// Where it happens in the course.
        var position: Int
        /// Where the stay or absence begins that it ends, and where the one ends that it begins.
        var before: Int
        var after: Int
        /// The beginning of the recording.
        var isOpening: Bool
    }

    /// Metres within which the truth itself is uncertain near the thresholds (Tests/Fixtures/uwb-walk/SOURCE.md).
    static let accuracy = 0.1
    /// Metres between two of the moved truths.
    private static let step = 0.02
    /// How far the moved truths are moved, the least first.
    private static let shifts: [Double] = (1...Int((accuracy / step).rounded())).flatMap { count in
        [Double(count) * step, -Double(count) * step]
    }

    private let course: TrueCourse
    private let radius: Double
    private let exitRadius: Double
    /// How the recording begins, `nil` if nothing in it is true.
    let opening: Change?
    /// What the truth did after its beginning.
    let changes: [Change]
    /// For each of `changes`: whether every moved truth does it too.
    private var isCertain: [Bool]
    /// What each moved truth does and the truth itself does not.
    private(set) var extras: [[Change]] = []

    /// Follows the truth through a zone that is entered below `radius` and left beyond `exitRadius` (metres).
    init(_ course: TrueCourse, radius: Double, exitRadius: Double) {
        self.course = course
        self.radius = radius
        self.exitRadius = exitRadius
        let all = Self.changes(course, radius, exitRadius)
        opening = all.first
        changes = Array(all.dropFirst())
        isCertain = Array(repeating: true, count: changes.count)
        for shift in Self.shifts {
            let moved = Self.changes(course, radius + shift, exitRadius + shift)
            var isPaired = Array(repeating: false, count: moved.count)
            for (index, partner) in Accuracy.match(all, moved).enumerated() {
                if let partner {
                    isPaired[partner] = true
                } else if index > 0 {
                    isCertain[index - 1] = false
                }
            }
            extras.append(moved.indices.filter { !isPaired[$0] }.map { moved[$0] })
        }
    }

    /// Whether a change need not be noticed: it is ambiguous, or the recording ends before its event is due.
    func mayBeMissed(_ index: Int) -> Bool {
        guard isCertain[index], let end = course.times.last else { return true }
        return end - changes[index].time < Accuracy.latest
    }

    /// The pass at a threshold that is behind an ambiguous change: where the truth came nearest to it before or after.
    func pass(of change: Change) -> Accuracy.Graze {
        var nearest = graze(at: change.position, change.isEnter)
        var doubt = Double.infinity
        let ranges = [
            (change.position..<change.after, change.isEnter), (change.before..<change.position, !change.isEnter),
        ]
        for (range, isInside) in ranges {
            guard let turn = turningPoint(range, isInside) else { continue }
            let graze = graze(at: turn, isInside)
            let difference = abs(graze.truth - graze.threshold)
            // Rounding must not make a pass at exactly the accuracy a different one.
            if difference <= Self.accuracy + 1e-9, difference < doubt {
                nearest = graze
                doubt = difference
            }
        }
        return nearest
    }

    private func graze(at position: Int, _ isInside: Bool) -> Accuracy.Graze {
        Accuracy.Graze(
            time: course.times[position],
            truth: course.distances[position],
            threshold: isInside ? radius : exitRadius
        )
    }

    /// Where the truth lies deepest inside, or farthest outside.
    private func turningPoint(_ range: Range<Int>, _ isInside: Bool) -> Int? {
        isInside
            ? range.min { course.distances[$0] < course.distances[$1] }
            : range.max { course.distances[$0] < course.distances[$1] }
    }

    private static func changes(_ course: TrueCourse, _ radius: Double, _ exitRadius: Double) -> [Change] {
        var changes: [Change] = []
        var isInside = false
        for (position, distance) in course.distances.enumerated() {
            let now = isInside ? distance <= exitRadius : distance < radius
            guard position == 0 || now != isInside else { continue }
            isInside = now
            let before = changes.last?.position ?? 0
            if !changes.isEmpty { changes[changes.count - 1].after = position }
            changes.append(
                Change(
                    time: course.times[position],
                    isEnter: now,
                    position: position,
                    before: before,
                    after: course.distances.count,
                    isOpening: position == 0
                )
            )
        }
        return changes
    }
}

extension TrueTransitions.Change: TimedTransition {}
