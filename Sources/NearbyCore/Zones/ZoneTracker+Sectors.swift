// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Zones that lie in some directions only.
///
/// A sector never moves a distance zone. It takes no part in their nesting but for this: nobody enters one who is not in
/// every distance zone at least as large, and whoever leaves one of those has left the sector before. So the events of
/// distance zones are the same with and without angles.
///
/// A report without an angle that counts neither begins nor ends what only an angle can decide; holds that an angle has
/// begun wait for the next one.
extension ZoneTracker {
    /// Notes the angle of a report for every sector; to be called before the report's distance is judged.
    mutating func note(
        _ azimuth: Double?,
        merit: Float?,
        at time: Int64,
        _ now: Instant,
        isSmoothed: Bool,
        in set: ZoneSet
    ) {
        guard bearings.count == set.sectorCount else { return }
        var place = 0
        for zone in set.zones {
            guard let sector = zone.sector else { continue }
            if let azimuth, sector.accepts(merit: merit) {
                bearings[place].observe(azimuth, at: time, now, isSmoothed: isSmoothed)
            } else {
                bearings[place].miss()
            }
            place += 1
        }
    }

    /// Takes the sectors of another set; what was known of the direction still holds, and patience begins anew.
    mutating func adoptSectors(of set: ZoneSet, at now: Instant) {
        bearings = (0..<set.sectorCount).map { place in
            var bearing = bearings.indices.contains(place) ? bearings[place] : bearings.first ?? Bearing(since: now)
            bearing.lastAt = now
            return bearing
        }
    }

    /// Forgets every direction.
    mutating func forgetBearings() {
        for place in bearings.indices { bearings[place].forget() }
    }

    /// What a sector knows of the direction, by the zone's place in the options; `nil` for a zone that is none.
    func bearing(of zone: Int, in set: ZoneSet) -> Bearing? {
        guard bearings.count == set.sectorCount else { return nil }
        var place = 0
        for candidate in set.zones where candidate.sector != nil {
            if candidate.index == zone { return bearings[place] }
            place += 1
        }
        return nil
    }

    /// Judges the sectors by a distance by which the other zones have been judged, and by the last angles.
    ///
    /// - Parameters:
    ///   - distance: Smoothed metres.
    ///   - time: Filter time in nanoseconds.
    ///   - isConfirmed: Whether the distance may cause an event.
    ///   - set: The zones.
    ///   - changes: What changes of the distance zones, the sectors within those that are left included; gets the rest.
    @inline(never)
    mutating func observeSectors(
        _ distance: Double,
        at time: Int64,
        isConfirmed: Bool,
        in set: ZoneSet,
        into changes: inout ZoneChanges
    ) {
        guard bearings.count == set.sectorCount else { return }
        var place = 0
        for zone in set.zones {
            guard let sector = zone.sector else { continue }
            let bearing = bearings[place]
            place += 1
            let bit = UInt32(1) << UInt32(zone.index)
            let isInSight = bearing.azimuth.map { sector.mayBeEntered(from: $0) } ?? false
            switch zones[zone.index].state {
            case .inside:
                guard isConfirmed, changes.exited & bit == 0 else { continue }
                let isAside = bearing.azimuth.map { sector.isLeft(by: $0) } ?? false
                let isFar = distance > zone.exitRadius
                let isKnown = isFar || bearing.isCurrent
                if holds(zone, isFar || isAside, isKnown: isKnown, for: zone.exitHold, at: time) {
                    changes.exited |= bit
                }
            case .unknown where distance >= zone.radius || (bearing.isCurrent && !isInSight):
                zones[zone.index].holdSince = ZoneStatus.noHold
                changes.settled |= bit
            case .outside, .unknown:
                guard isConfirmed else { continue }
                let isWish = distance < zone.radius && isInSight
                let isDue = holds(zone, isWish, isKnown: bearing.isCurrent, for: zone.enterHold, at: time)
                if isDue, isSurrounded(zone, in: set, changes) { changes.entered |= bit }
            }
        }
    }

    /// Whether a running hold of a sector may end without another report.
    func isDecided(_ zone: Zone, _ distance: Double, in set: ZoneSet) -> Bool {
        let isCurrent = bearing(of: zone.index, in: set)?.isCurrent ?? false
        guard zones[zone.index].state != .inside else { return isCurrent || distance > zone.exitRadius }
        return isCurrent && isSurrounded(zone, in: set, ZoneChanges())
    }

    /// Whether every distance zone at least as large as a sector is inside, once changes are carried out.
    private func isSurrounded(_ sector: Zone, in set: ZoneSet, _ changes: ZoneChanges) -> Bool {
        for zone in set.zones where zone.sector == nil && zone.radius >= sector.radius {
            let bit = UInt32(1) << UInt32(zone.index)
            guard zones[zone.index].state == .inside || changes.entered & bit != 0 else { return false }
        }
        return true
    }
}
