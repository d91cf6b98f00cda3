// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// One zone of a group: who is inside at which accessory.
struct GroupZone: Sendable {
    /// Where an accessory's own zone stands, as far as a group cares.
    enum Standing {
        case never, outside, lost, inside

        init(_ status: ZoneStatus) {
            switch status.state {
            case .inside: self = .inside
            case .outside: self = .outside
            case .unknown: self = status.visit > 0 ? .lost : .never
            }
        }
    }

    var status = ZoneStatus()
    /// Accessories with somebody inside, in the order of their places: cheap to list the first of many.
    private(set) var inside: [Int] = []
    private(set) var lost = 0
    private(set) var outside = 0
    /// How each accessory of the running visit ended its last stay, but for those inside; below zero are those that are
    /// no more.
    private(set) var reasons: [Int: ZoneExitReason] = [:]
    /// At how many accessories each named peer or person is inside.
    private var placesOfOccupants: [String: Int] = [:]
    /// The named peers and people inside, sorted.
    private(set) var occupants: [String] = []
    /// Peers inside that have no name: nobody knows whether they are the same somewhere else.
    private(set) var unnamed = 0

    /// How many are inside.
    var count: Int { occupants.count + unnamed }

    /// Inside if anybody is anywhere; else unknown if somebody was lost and not seen since; else outside once anything
    /// was judged.
    var derived: ZoneState {
        if !inside.isEmpty { return .inside }
        if lost > 0 { return .unknown }
        if outside > 0 { return .outside }
        return status.state == .inside ? .unknown : status.state
    }

    /// The reason that all accessories of the running visit share, else `lost`.
    var reason: ZoneExitReason {
        guard !status.hasForgottenLoss, let first = reasons.values.first else { return .lost }
        return reasons.values.allSatisfy { $0 == first } ? first : .lost
    }

    /// An accessory's zone stands otherwise.
    mutating func move(_ accessory: Int, from old: Standing, to new: Standing, _ reason: ZoneExitReason) {
        count(old, -1)
        count(new, 1)
        if new == .inside {
            inside.insertSorted(accessory)
            reasons[accessory] = nil
        } else if old == .inside {
            inside.removeSorted(accessory)
            reasons[accessory] = reason
        }
    }

    private mutating func count(_ standing: Standing, _ change: Int) {
        switch standing {
        case .lost: lost += change
        case .outside: outside += change
        case .never, .inside: break
        }
    }

    /// An accessory's loss counts for the running visit, which began in an earlier life.
    mutating func note(_ accessory: Int, _ reason: ZoneExitReason) { reasons[accessory] = reason }

    /// Somebody came in at one accessory, or went out there; `nil` is a peer without a name.
    mutating func count(_ occupant: String?, hasEntered: Bool) {
        let change = hasEntered ? 1 : -1
        guard let occupant else {
            unnamed += change
            return
        }
        let places = (placesOfOccupants[occupant] ?? 0) + change
        placesOfOccupants[occupant] = places > 0 ? places : nil
        if hasEntered, places == 1 { occupants.insertSorted(occupant) }
        if !hasEntered, places == 0 { occupants.removeSorted(occupant) }
    }

    /// An accessory is no more; how it ended its last stay still decides why the running visit ends.
    mutating func forget(_ accessory: Int) {
        guard let reason = reasons.removeValue(forKey: accessory) else { return }
        // Its place may be used again, by one that has nothing to do with this.
        if let other = reasons.updateValue(reason, forKey: ~accessory), other != reason {
            status.hasForgottenLoss = true
        }
    }

    /// A visit begins.
    mutating func beginVisit() { reasons.removeAll() }

    /// Begins to count anew; of the running visit only these accessories matter still.
    mutating func resetCounts(keeping members: (Int) -> Bool) {
        let kept = reasons.filter { $0.key < 0 || members($0.key) }
        let before = status
        self = GroupZone()
        status = before
        reasons = kept
    }
}

extension Array where Element: Comparable {
    /// The first place whose element is not less than this one.
    private func place(of element: Element) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < element { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Adds an element to a sorted array that has not got it yet.
    fileprivate mutating func insertSorted(_ element: Element) {
        let place = place(of: element)
        guard place == count || self[place] != element else { return }
        insert(element, at: place)
    }

    /// Removes an element from a sorted array, if it has it.
    fileprivate mutating func removeSorted(_ element: Element) {
        let place = place(of: element)
        guard place < count, self[place] == element else { return }
        remove(at: place)
    }
}
