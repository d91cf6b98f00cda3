// nearby-bridge · SPDX-License-Identifier: Apache-2.0

extension BridgeEngine {
    /// Below this a distance is a fault of the device, not a small negative one (metres).
    public static let leastDistance = -0.5
    /// No ultra-wideband link reaches this far (metres).
    public static let greatestDistance = 1000.0
    /// So many more long pauses than short ones are a source that is too slow.
    static let sparseProof: UInt8 = 5

    /// Takes the payload of one report message: decodes it, filters, decides.
    ///
    /// The hot path: a report that changes nothing makes no effect and allocates nothing.
    public mutating func handleReport(
        _ payload: Span<UInt8>,
        from accessory: AccessoryIndex,
        at now: Instant,
        into effects: inout EffectBuffer
    ) {
        handleReport(payload, from: .accessory(accessory.rawValue), at: now, into: &effects)
    }

    mutating func handleReport(
        _ payload: Span<UInt8>,
        from origin: ReportOrigin,
        at now: Instant,
        into effects: inout EffectBuffer
    ) {
        advance(to: now, into: &effects)
        // A backlog may come before our subscriptions are acknowledged.
        if hasRestored { settleRestored(at: clock, into: &effects) }
        guard payload.count <= options.limits.payload else {
            counters.tooLarge += 1
            complain(.payloadTooLarge(bytes: payload.count), about: origin, into: &effects)
            return
        }
        if hasUnfinished(origin) { return continueStream(payload, of: origin, into: &effects) }
        decode(payload, of: origin, ReportCursor(), into: &effects)
    }

    /// Puts what the last message left unfinished before this one.
    private mutating func continueStream(
        _ payload: Span<UInt8>,
        of origin: ReportOrigin,
        into effects: inout EffectBuffer
    ) {
        guard let unfinished = takeUnfinished(of: origin) else { return }
        let row = RangeFormatRow.table[unfinished.row]
        if row.isLines, row.looksLike(payload) {
            // A gateway that sends each line as a message may leave its end out: then the next one ends it.
            var cursor = ReportCursor()
            cursor.row = unfinished.row
            decode((unfinished.bytes + [UInt8(ascii: "\n")]).span, of: origin, cursor, into: &effects)
            return decode(payload, of: origin, ReportCursor(), into: &effects)
        }
        var whole = unfinished.bytes
        whole.reserveCapacity(whole.count + payload.count)
        for place in payload.indices { whole.append(payload[place]) }
        var cursor = ReportCursor()
        cursor.row = unfinished.row
        if !givesReport(whole.span, of: origin, cursor), givesReport(payload, of: origin, ReportCursor()) {
            // What is complete by itself continues nothing: the rest of the other message will never come.
            counters.malformed += 1
            return decode(payload, of: origin, ReportCursor(), into: &effects)
        }
        decode(whole.span, of: origin, cursor, into: &effects)
    }

    /// Whether the first thing in a payload is a whole report.
    private func givesReport(_ payload: Span<UInt8>, of origin: ReportOrigin, _ start: ReportCursor) -> Bool {
        var cursor = start
        var report = RangeReport()
        return (try? next(in: payload, of: origin, at: &cursor, into: &report)) == true
    }

    /// Decodes the next report in the format of its origin.
    private func next(
        in payload: Span<UInt8>,
        of origin: ReportOrigin,
        at cursor: inout ReportCursor,
        into report: inout RangeReport
    ) throws(ReportError) -> Bool {
        let format: RangeFormat
        switch origin {
        case .accessory(let index): format = accessories[index].options.format
        case .feed(let feed, _):
            let source = feeds[feed].source
            if let paths = sources[source].options.fields {
                return try MappedJSON.next(in: payload, paths: paths, at: &cursor, into: &report)
            }
            format = sources[source].options.format
        }
        return try RangeFormat.next(in: payload, format: format, at: &cursor, into: &report)
    }

    private mutating func decode(
        _ payload: Span<UInt8>,
        of origin: ReportOrigin,
        _ start: ReportCursor,
        into effects: inout EffectBuffer
    ) {
        var cursor = start
        var report = RangeReport()
        var isUnderstood = false
        defer { keepUnfinished(payload, cursor, of: origin, into: &effects) }
        while true {
            do throws(ReportError) {
                guard try next(in: payload, of: origin, at: &cursor, into: &report) else {
                    return note(isUnderstood, payload, of: origin, into: &effects)
                }
                isUnderstood = true
                switch origin {
                case .accessory(let index):
                    counters.reports += 1
                    take(report, payload, from: index, into: &effects)
                case .feed(let feed, let isRetained):
                    take(report, payload, ofFeed: feed, isRetained: isRetained, into: &effects)
                }
            } catch {
                isUnderstood = true
                counters.malformed += 1
                complain(.report(error), about: origin, into: &effects)
                if cursor.isFinished { return }
            }
        }
    }

    /// Notes whether a message held anything; somebody should know if none ever does.
    private mutating func note(
        _ isUnderstood: Bool,
        _ payload: Span<UInt8>,
        of origin: ReportOrigin,
        into effects: inout EffectBuffer
    ) {
        if !isUnderstood { counters.withoutReport += 1 }
        let isTime: Bool
        switch origin {
        case .accessory(let index): isTime = accessories[index].understanding.note(hasReports: isUnderstood)
        case .feed(let feed, _): isTime = sources[feeds[feed].source].understanding.note(hasReports: isUnderstood)
        }
        guard isTime else { return }
        let expected: RangeFormat
        switch origin {
        case .accessory(let index): expected = accessories[index].options.format
        case .feed(let feed, _): expected = sources[feeds[feed].source].options.format
        }
        let seeming = RangeFormatRow.index(for: payload, format: .auto).map { RangeFormatRow.table[$0].format }
        complain(.nothingUnderstood(format: expected, seeming: seeming), about: origin, into: &effects)
    }

    /// Finds the peer of a decoded report and lets it act.
    private mutating func take(
        _ report: borrowing RangeReport,
        _ payload: Span<UInt8>,
        from accessory: Int,
        into effects: inout EffectBuffer
    ) {
        guard accessories[accessory].allowance.spend(at: clock, rate: options.limits.reportRate) else {
            counters.rateLimited += 1
            return complain(.tooManyReports, about: accessory, into: &effects)
        }
        if let signal = report.signal { return take(signal, of: accessory, into: &effects) }
        guard let measured = measured(report, of: accessory) else {
            return takeWithoutDistance(report, payload, of: accessory, into: &effects)
        }
        if accessories[accessory].origin != .own { note(origin: .own, of: accessory) }
        guard let track = track(of: report, payload, accessory) else {
            counters.refusedPeers += 1
            return complain(refusal(of: report.peer, payload, accessory), about: accessory, into: &effects)
        }
        take(report, payload, measured, on: track, into: &effects)
    }

    /// Corrects a measured distance and lets it act, if it is one.
    mutating func take(
        _ report: borrowing RangeReport,
        _ payload: Span<UInt8>,
        _ measured: Double,
        on track: Int,
        into effects: inout EffectBuffer
    ) {
        let distance = measured * tracks[track].distanceScale + tracks[track].distanceOffset
        // What is no number is in no range.
        let isPossible =
            measured >= Self.leastDistance && distance >= Self.leastDistance && distance <= Self.greatestDistance
        let verdict: ReportSample.Verdict
        if !isPossible {
            counters.withoutMeasurement += 1
            verdict = .outOfRange
        } else if !isPermitted(track, into: &effects) {
            verdict = .refused
        } else if !isWelcome(report, on: track) {
            verdict = .refused
        } else {
            verdict = measure(report, max(0, distance), track, into: &effects)
        }
        if report.convergence != nil, verdict.isOfNow { noteConvergence(report, payload, on: track, into: &effects) }
        observe(verdict, measured, corrected: max(0, distance), on: track)
        if watches.isActive { keepSample(verdict, report, measured: measured, corrected: distance, of: track) }
    }

    /// Runs a valid distance through filter time, gate, smoothing and zones.
    private mutating func measure(
        _ report: borrowing RangeReport,
        _ distance: Double,
        _ track: Int,
        into effects: inout EffectBuffer
    ) -> ReportSample.Verdict {
        let now = clock
        let step: Int64
        switch tracks[track].clock.observe(report, at: now) {
        case .duplicate where tracks[track].isByException:
            step = repeatStep(of: track, at: now)
            tracks[track].filterTime &+= step
        case .duplicate:
            counters.duplicates += 1
            return .duplicate
        case .late:
            counters.late += 1
            return .late
        case .advanced(let advanced):
            step = self.step(of: track, after: advanced)
            tracks[track].filterTime &+= step
        }
        noteRate(of: track, at: now, into: &effects)
        noteArrival(on: track, after: step, at: now)
        prove(by: track, into: &effects)
        var verdict = ReportSample.Verdict.passed
        var smoothed = distance
        if !tracks[track].isByException {
            let time = tracks[track].filterTime
            let outcome = tracks[track].filter.observe(
                distance,
                at: time,
                interval: tracks[track].interval,
                options: options.smoothing
            )
            guard case .distance(let value, let isConfirmed, let isSeeded) = outcome else {
                counters.gated += 1
                return .gated
            }
            verdict = ReportSample.Verdict(isSeeded: isSeeded, isConfirmed: isConfirmed)
            // Nothing before it counts.
            if verdict == .seededUnconfirmed { tracks[track].tracker.cancelHolds() }
            smoothed = value
        }
        let isConfirmed = verdict.isConfirmed
        let isReturn = !tracks[track].isPresent
        remember(report, raw: distance, smoothed, on: track)
        let set = zoneSets[tracks[track].zoneSet]
        if set.sectorCount > 0 { noteBearing(report, on: track, set) }
        let changes = tracks[track].tracker.observe(
            smoothed,
            at: tracks[track].filterTime,
            isConfirmed: isConfirmed,
            in: set
        )
        if isConfirmed { tracks[track].lastConfirmed = now }
        conclude(changes, of: track, isReturn: isReturn, isConfirmed: isConfirmed, into: &effects)
        return verdict
    }

    /// Carries out what a report changed, and what its mere coming brings.
    private mutating func conclude(
        _ changes: ZoneChanges,
        of track: Int,
        isReturn: Bool,
        isConfirmed: Bool,
        into effects: inout EffectBuffer
    ) {
        let now = clock
        var aggregateChanged = false
        if !changes.isEmpty {
            aggregateChanged = apply(changes, reason: .left, to: track, at: now, into: &effects)
        }
        if isConfirmed, tracks[track].occupancy.isWatched,
            spread(track, hasComeOrGone: isReturn, at: now, into: &effects)
        {
            aggregateChanged = true
        }
        if isConfirmed { dwellIfOverdue(track, at: now, into: &effects) }
        snapshot(
            track,
            at: now,
            peerChanged: !changes.isEmpty,
            aggregateChanged: aggregateChanged,
            into: &effects
        )
        // A deadline that is in the table already comes early or in time: nothing else here can bring it forward.
        let mayHold = tracks[track].isByException || !isConfirmed
        if !changes.isEmpty || isReturn || mayHold { armDeadline(ofTrack: track) }
    }

    /// A source that pauses for about as long as `lost_after` is lost while it is there: somebody should know, once.
    ///
    /// A pause alone proves nothing, since people go away; many of them with little in between do.
    private mutating func noteRate(of track: Int, at now: Instant, into effects: inout EffectBuffer) {
        let lostAfter = zoneSets[tracks[track].zoneSet].lostAfter
        guard lostAfter != .max, tracks[track].lastReport != nil else { return }
        let pause = silenceBegan(track).nanoseconds(to: now)
        guard pause >= lostAfter / 2 else {
            if tracks[track].sparseReports > 0 { tracks[track].sparseReports -= 1 }
            return
        }
        counters.sparse += 1
        tracks[track].sparseReports = min(Self.sparseProof, tracks[track].sparseReports + 1)
        let accessory = tracks[track].accessory
        guard tracks[track].sparseReports == Self.sparseProof, !accessories[accessory].hasToldSparse else { return }
        // What waits for its turn among other complaints is told with the next such pause.
        guard clock >= accessories[accessory].nextComplaint else { return }
        accessories[accessory].hasToldSparse = true
        let kind = Complaint.Kind.sparseReports(pause: .nanoseconds(pause), lostAfter: .nanoseconds(lostAfter))
        complain(kind, about: accessory, into: &effects)
    }

    /// Keeps the mean interval, in filter time, and the moment of a valid report.
    private mutating func noteArrival(on track: Int, after step: Int64, at now: Instant) {
        if tracks[track].lastReport != nil {
            let step = min(Double(step) * 1e-9, 60)
            let interval = tracks[track].interval
            // A lone gap may not pass for a slow source, nor a burst for a fast one.
            let weight = min(0.1, step / 10)
            tracks[track].interval = interval == 0 ? min(step, 5) : interval + (step - interval) * weight
        }
        tracks[track].lastReport = now
        tracks[track].goneSince = nil
        tracks[track].failedAt = nil
        tracks[track].isRestored = false
        tracks[track].occupancy.isAwaited = false
    }

    /// Notes from where a valid report came, for sectors: out of the way of those who have none.
    @inline(never)
    private mutating func noteBearing(_ report: borrowing RangeReport, on track: Int, _ set: ZoneSet) {
        if tracks[track].tracker.bearings.count != set.sectorCount {
            tracks[track].tracker.adoptSectors(of: set, at: clock)
        }
        tracks[track].tracker.note(
            report.bearing,
            merit: report.azimuth == nil ? nil : report.azimuthMerit,
            at: tracks[track].filterTime,
            clock,
            isSmoothed: !tracks[track].isByException,
            in: set
        )
    }

    private mutating func remember(
        _ report: borrowing RangeReport,
        raw: Double,
        _ smoothed: Double,
        on track: Int
    ) {
        tracks[track].isPresent = true
        tracks[track].distance = smoothed
        tracks[track].rawDistance = raw
        tracks[track].direction = report.direction
        tracks[track].azimuth = report.azimuth
        tracks[track].elevation = report.elevation
        tracks[track].horizontalAngle = report.horizontalAngle
        tracks[track].vertical = report.vertical
        tracks[track].worldPosition = report.worldPosition
        tracks[track].quality = report.quality
        if tracks[track].measurement == .distanceAndDirection { tracks[track].hadDirection = true }
    }
}
