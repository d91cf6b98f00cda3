// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Which of several candidates is the nearest, with incumbency: who has the place keeps it until another has been
/// nearer by a margin for a hold.
///
/// Pure: distances and instants in, changes out. A distance costs one comparison with the incumbent's; all candidates
/// are looked at only when the challenger or the incumbent gives up, and at most once a second besides. While a hold
/// runs the challengers may take turns: what counts is that the incumbent is beaten all the time, and the nearest wins.
struct NearestChoice: Equatable, Sendable {
    private struct Candidate: Equatable {
        /// What the owner calls it; -1 is a free slot.
        var name: Int
        /// Metres; infinite while it is no candidate.
        var distance = Double.infinity
    }

    /// How often all candidates are looked at: some of them may speak only on change (nanoseconds).
    private static let lookPause: Int64 = 1_000_000_000

    /// Metres by which another must be nearer.
    let margin: Double
    /// Nanoseconds for which it must be so.
    let hold: Int64
    /// Nobody waits for a choice where there is none yet.
    let takesFirstAtOnce: Bool
    private var candidates: [Candidate] = []
    private var slot: Int?
    private var challenger: Int?
    private var challengedSince = Instant.distantPast
    private var nextLook = Instant.distantPast
    /// The incumbent is one of an earlier life and was not heard yet: until then nobody is nearer.
    private(set) var isAwaiting = false

    init(margin: Double, hold: Duration, takesFirstAtOnce: Bool = false) {
        self.margin = max(0, margin)
        self.hold = max(0, hold.wholeNanoseconds)
        self.takesFirstAtOnce = takesFirstAtOnce
    }

    /// The name of the incumbent, if there is one.
    var incumbent: Int? { slot.map { candidates[$0].name } }
    /// Its distance in metres; `nil` while it is not known.
    var distance: Double? { slot.flatMap { candidates[$0].distance.isFinite ? candidates[$0].distance : nil } }
    /// When a running hold ends.
    var due: Instant? { challenger == nil ? nil : challengedSince.advanced(byNanoseconds: hold) }
    /// Whether there is nobody to choose from.
    var isEmpty: Bool { candidates.allSatisfy { $0.name < 0 } }

    /// Whether a slot has the place.
    func isIncumbent(_ slot: Int) -> Bool { self.slot == slot }

    /// Adds a candidate whose distance is not known yet, and returns its slot.
    mutating func add(_ name: Int) -> Int {
        if let free = candidates.firstIndex(where: { $0.name < 0 }) {
            candidates[free] = Candidate(name: name)
            return free
        }
        candidates.append(Candidate(name: name))
        return candidates.count - 1
    }

    /// Takes a candidate away for good.
    ///
    /// - Returns: Whether the incumbent changed.
    mutating func remove(_ slot: Int, at now: Instant) -> Bool {
        let hasChanged = observe(slot, nil, at: now)
        candidates[slot].name = -1
        // Of an earlier life and never heard: it had no distance to lose.
        guard self.slot == slot else { return hasChanged }
        return replace(at: now)
    }

    /// Gives the place to one of an earlier life, which nobody takes from it before it was heard, or is given up.
    mutating func restore(_ slot: Int) {
        self.slot = slot
        isAwaiting = true
        challenger = nil
    }

    /// The awaited incumbent is heard no more.
    ///
    /// - Returns: Whether the incumbent changed.
    mutating func giveUpWaiting(at now: Instant) -> Bool {
        guard isAwaiting else { return false }
        return replace(at: now)
    }

    /// Takes a candidate's distance in metres; `nil` if it has none any more.
    ///
    /// - Returns: Whether the incumbent changed.
    mutating func observe(_ slot: Int, _ distance: Double?, at now: Instant) -> Bool {
        let before = candidates[slot].distance
        candidates[slot].distance = distance ?? .infinity
        if self.slot == slot {
            if distance == nil { return before.isFinite ? replace(at: now) : false }
            isAwaiting = false
            if let challenger, !beats(challenger) { look(at: now) } else if nextLook <= now { look(at: now) }
        } else if challenger == slot {
            if !beats(slot) { look(at: now) }
        } else if challenger == nil, beats(slot) {
            challenger = slot
            challengedSince = now
        }
        return advance(to: now)
    }

    /// Ends a hold that has lasted long enough.
    ///
    /// - Returns: Whether the incumbent changed.
    mutating func advance(to now: Instant) -> Bool {
        guard let due, due <= now || (slot == nil && takesFirstAtOnce) else { return false }
        return replace(at: now)
    }

    /// We were blind meanwhile: a running hold proves nothing.
    mutating func cancelHold() {
        challenger = nil
    }

    /// Gives the place to the nearest.
    private mutating func replace(at now: Instant) -> Bool {
        let before = slot
        slot = nearest()
        isAwaiting = false
        challenger = nil
        return slot != before
    }

    /// Finds out who challenges; a hold that runs goes on with another.
    private mutating func look(at now: Instant) {
        nextLook = now.advanced(byNanoseconds: Self.lookPause)
        let wasChallenged = challenger != nil
        challenger = nearest().flatMap { beats($0) ? $0 : nil }
        if !wasChallenged { challengedSince = now }
    }

    private func nearest() -> Int? {
        var nearest: Int?
        for slot in candidates.indices where candidates[slot].distance.isFinite {
            if let best = nearest, candidates[best].distance <= candidates[slot].distance { continue }
            nearest = slot
        }
        return nearest
    }

    private func beats(_ other: Int) -> Bool {
        guard other != slot, candidates[other].distance.isFinite, !isAwaiting else { return false }
        guard let slot else { return true }
        return candidates[other].distance + margin < candidates[slot].distance
    }
}
