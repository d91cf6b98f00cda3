// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What one observation changes, as bits by zone index.
struct ZoneChanges: Equatable, Sendable {
    var entered: UInt32 = 0
    var exited: UInt32 = 0
    /// From unknown to outside: the retained state changes, no event is due.
    var settled: UInt32 = 0

    var isEmpty: Bool { entered | exited | settled == 0 }
}

/// One zone of one accessory–peer, or of an accessory's aggregate.
struct ZoneStatus: Equatable, Sendable {
    /// No hold is running.
    static let noHold = Int64.min

    var state: ZoneState = .unknown
    /// Unknown because the peer was lost while inside, and not seen since.
    var isLostInside = false
    /// The dwell event of this visit was sent, or none is due.
    var hasDwelt = false
    /// Why the last stay ended.
    var exitReason: ZoneExitReason = .left
    /// When `state` last changed; `distantPast` while nothing was ever decided.
    var since = Instant.distantPast
    /// The sequence number of the enter event, which names the stay from enter to exit; 0 before the first.
    var visit: Int64 = 0
    /// The aggregate's visit that this peer's stay belongs to.
    var aggregateVisit: Int64 = 0
    /// A peer of the aggregate's running visit was forgotten, and it had not left.
    var hasForgottenLoss = false
    /// Filter time of the first report of an unbroken run that asks for a change.
    var holdSince = Self.noHold
}

/// Zones with hysteresis and holds for one accessory–peer.
///
/// Pure: a smoothed distance and filter time in, changes out. Nesting is kept whatever the options: an inner enter
/// brings the outer zones with it, an outer exit the inner ones (CONTRACT section 5).
struct ZoneTracker: Equatable, Sendable {
    /// By zone index.
    var zones: [ZoneStatus]
    /// Of the sectors, in the order of their set; none where there are no sectors, or before the first report.
    var bearings: [Bearing] = []

    init(count: Int) {
        zones = Array(repeating: ZoneStatus(), count: count)
    }

    /// Whether any zone is inside.
    var isInside: Bool {
        for zone in zones where zone.state == .inside { return true }
        return false
    }

    /// Judges one smoothed distance in metres.
    ///
    /// Only a confirmed one can cause an event.
    mutating func observe(_ distance: Double, at time: Int64, isConfirmed: Bool, in set: ZoneSet) -> ZoneChanges {
        var changes = ZoneChanges()
        var innermostEntered: Int?
        var outermostExited: Int?
        for place in set.zones.indices {
            let zone = set.zones[place]
            if zone.sector != nil { continue }
            switch zones[zone.index].state {
            case .inside:
                guard isConfirmed else { continue }
                if holds(zone, distance > zone.exitRadius, for: zone.exitHold, at: time) { outermostExited = place }
            case .outside:
                guard isConfirmed else { continue }
                if holds(zone, distance < zone.radius, for: zone.enterHold, at: time) {
                    innermostEntered = innermostEntered ?? place
                }
            case .unknown:
                if distance >= zone.radius {
                    zones[zone.index].holdSince = ZoneStatus.noHold
                    changes.settled |= 1 << UInt32(zone.index)
                } else if isConfirmed, holds(zone, true, for: zone.enterHold, at: time) {
                    innermostEntered = innermostEntered ?? place
                }
            }
        }
        if let innermostEntered {
            for zone in set.zones[innermostEntered...] where zones[zone.index].state != .inside && zone.sector == nil {
                changes.entered |= 1 << UInt32(zone.index)
            }
        }
        if let outermostExited {
            for zone in set.zones[...outermostExited] where zones[zone.index].state == .inside {
                changes.exited |= 1 << UInt32(zone.index)
            }
        }
        if set.sectorCount > 0 {
            observeSectors(distance, at: time, isConfirmed: isConfirmed, in: set, into: &changes)
        }
        return changes
    }

    /// The filter time at which a running hold would end if nothing contradicts it and the last distance stays.
    func earliestHoldEnd(in set: ZoneSet, at distance: Double) -> Int64? {
        var earliest: Int64?
        for zone in set.zones where zones[zone.index].holdSince != ZoneStatus.noHold {
            if zone.sector != nil, !isDecided(zone, distance, in: set) { continue }
            let hold = zones[zone.index].state == .inside ? zone.exitHold : zone.enterHold
            let end = Instant(nanoseconds: zones[zone.index].holdSince).advanced(byNanoseconds: hold).nanoseconds
            earliest = min(earliest ?? end, end)
        }
        return earliest
    }

    /// Forgets running holds: what comes next is not a continuation.
    mutating func cancelHolds() {
        for index in zones.indices { zones[index].holdSince = ZoneStatus.noHold }
    }

    /// Whether a wish has lasted for its hold.
    ///
    /// A wish that is interrupted starts anew; one that is not known to be there any more neither begins nor ends.
    mutating func holds(
        _ zone: Zone,
        _ wish: Bool,
        isKnown: Bool = true,
        for hold: Int64,
        at time: Int64
    ) -> Bool {
        guard wish else {
            zones[zone.index].holdSince = ZoneStatus.noHold
            return false
        }
        guard isKnown else { return false }
        if zones[zone.index].holdSince == ZoneStatus.noHold { zones[zone.index].holdSince = time }
        return time &- zones[zone.index].holdSince >= hold
    }
}
