// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Remembering what was decided, and what decided it.
extension BridgeEngine {
    /// Keeps every report and decision of everybody from here on: for replays, which end.
    public mutating func explainEverything() {
        watches.watchEverything()
    }

    /// Keeps a report for somebody who asks.
    mutating func keepSample(
        _ verdict: ReportSample.Verdict,
        _ report: borrowing RangeReport,
        measured: Double,
        corrected: Double,
        of track: Int
    ) {
        let isUsed = verdict.isUsed
        let hasFilter = !tracks[track].isByException
        var sample = ReportSample(
            at: clock,
            measured: measured,
            corrected: corrected,
            verdict: verdict,
            gate: verdict == .gated ? gateState(of: track) : nil,
            smoothed: isUsed ? tracks[track].distance : nil,
            speed: isUsed && hasFilter ? tracks[track].filter.speed : nil,
            motion: isUsed && hasFilter ? tracks[track].filter.motion : nil
        )
        sample.azimuth = report.bearing
        for (zone, status) in tracks[track].tracker.zones.enumerated() where status.holdSince != ZoneStatus.noHold {
            sample.holds |= 1 << UInt32(zone)
        }
        let hasTime = isUsed || verdict == .gated
        watches.keep(sample, at: hasTime ? tracks[track].filterTime : nil, of: track)
    }

    /// Keeps a decision about a zone, before it is carried out: the hold that led to it is still known.
    mutating func keepDecision(_ kind: ZoneDecision.Kind, about zone: Int, of track: Int, at now: Instant) {
        let rules = zoneSets[tracks[track].zoneSet].zones.first { $0.index == zone }
        let bearing = tracks[track].tracker.bearing(of: zone, in: zoneSets[tracks[track].zoneSet])
        var azimuth = bearing?.azimuth
        var threshold: Double?
        var held: Int64?
        switch kind {
        case .entered:
            threshold = rules?.radius
            held = self.held(zone, of: track, at: now)
        case .exited(.left):
            threshold = rules?.exitRadius
            held = self.held(zone, of: track, at: now)
        case .settled:
            threshold = rules?.radius
        case .exited(.lost):
            held = silenceBegan(track).nanoseconds(to: now)
            if let rules, rules.sector != nil, lostAt(track, rules.lostAfter) > now {
                held = unseenSince(track, zone).nanoseconds(to: now)
            } else {
                // Not what decided.
                azimuth = nil
            }
        case .exited(.sessionEnded), .exited(.suspended), .exited(.zoneDisabled), .exited(.accessoryRemoved),
            .exited(.memberRemoved):
            break
        }
        let hasReport = tracks[track].lastReport != nil
        let decision = ZoneDecision(
            kind,
            zone: zone,
            at: now,
            rawDistance: hasReport ? tracks[track].rawDistance : nil,
            distance: hasReport ? tracks[track].distance : nil,
            threshold: threshold,
            azimuth: azimuth,
            held: held ?? .min
        )
        tracks[track].decisions.append(decision)
        if watches.isActive { watches.keep(decision, of: track) }
    }

    /// For how long the hold of a zone has run (nanoseconds); `nil` if none runs.
    ///
    /// That of a source which speaks on change only runs on while it is silent.
    func held(_ zone: Int, of track: Int, at now: Instant) -> Int64? {
        let since = tracks[track].tracker.zones[zone].holdSince
        guard since != ZoneStatus.noHold else { return nil }
        let silence = tracks[track].isByException ? max(0, silenceBegan(track).nanoseconds(to: now)) : 0
        return tracks[track].filterTime &+ silence &- since
    }

    /// What the gate of a track knows; `nil` for a source that has none.
    func gateState(of track: Int) -> GateState? {
        guard !tracks[track].isByException else { return nil }
        return tracks[track].filter.gateState(at: tracks[track].filterTime, options: options.smoothing)
    }

    /// Takes the new places of zones.
    mutating func renumberDecisions(_ places: [Int?], of accessory: Int) {
        for track in accessories[accessory].tracks { tracks[track].decisions.renumber(places) }
    }
}
