// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// The accessory–peers that somebody asks about: their last reports and decisions in detail.
///
/// Without anybody asking there is nothing here, and reports pay one look at `isActive`. Nothing is due at a time: a
/// watch that has run out is dropped with the next report of its peer, or when somebody asks again.
struct ReportWatches: Sendable {
    /// How long reports are kept after the last question.
    static let lifetime = Duration.seconds(60)
    /// So many reports, and so many decisions, of each.
    static let kept = 32
    /// So many accessory–peers at once; the one asked about longest ago gives way.
    static let most = 64

    private struct Watch: Sendable {
        var until: Instant
        var samples = Ring<ReportSample>(capacity: kept)
        var decisions = Ring<ZoneDecision>(capacity: kept)
        /// Filter time of the last sample.
        var lastTime: Int64?
    }

    private var watches: [Int: Watch] = [:]
    /// Whether any report is kept.
    private(set) var isActive = false
    /// Every accessory–peer is watched, for ever: for replays.
    private(set) var isEverything = false

    /// How many accessory–peers are watched.
    var count: Int { watches.count }

    /// Watches everything from here on.
    mutating func watchEverything() {
        isEverything = true
        isActive = true
    }

    /// Watches a track from here on, or for longer.
    ///
    /// - Returns: Whether it was not watched before.
    mutating func begin(_ track: Int, knowing decisions: [ZoneDecision], at now: Instant) -> Bool {
        if !isEverything {
            for (other, watch) in watches where watch.until <= now { watches[other] = nil }
        }
        let until = now.advanced(by: Self.lifetime)
        defer { isActive = true }
        guard watches[track] == nil else {
            watches[track]?.until = until
            return false
        }
        // The number breaks ties: the same questions have the same answers.
        if !isEverything, watches.count >= Self.most,
            let oldest = watches.min(by: { ($0.value.until, $0.key) < ($1.value.until, $1.key) })
        {
            watches[oldest.key] = nil
        }
        var watch = Watch(until: until)
        for decision in decisions { watch.decisions.append(decision) }
        watches[track] = watch
        return true
    }

    /// Keeps a report of a track, if that is watched; `time` is its filter time if it has a place in it.
    mutating func keep(_ sample: ReportSample, at time: Int64?, of track: Int) {
        guard isWatching(track, at: sample.at) else { return }
        var sample = sample
        if let time {
            if let last = watches[track]?.lastTime { sample.step = .nanoseconds(time &- last) }
            watches[track]?.lastTime = time
        }
        watches[track]?.samples.append(sample)
    }

    /// Keeps a decision about a track, if that is watched.
    mutating func keep(_ decision: ZoneDecision, of track: Int) {
        guard isWatching(track, at: decision.at) else { return }
        watches[track]?.decisions.append(decision)
    }

    /// The last reports of a track, oldest first.
    func samples(of track: Int) -> [ReportSample] { watches[track]?.samples.all ?? [] }

    /// The last decisions about a track, oldest first; `nil` if it is not watched.
    func decisions(of track: Int) -> [ZoneDecision]? { watches[track]?.decisions.all }

    /// Forgets a track: its place may be another peer's next.
    mutating func end(_ track: Int) {
        guard isActive else { return }
        watches[track] = nil
        isActive = isEverything || !watches.isEmpty
    }

    /// Forgets what was seen of every track, and goes on watching: zones have other places now.
    mutating func forgetSeen() {
        for track in watches.keys {
            watches[track]?.samples.removeAll()
            watches[track]?.decisions.removeAll()
        }
    }

    private mutating func isWatching(_ track: Int, at now: Instant) -> Bool {
        if isEverything {
            if watches[track] == nil { watches[track] = Watch(until: now) }
            return true
        }
        guard let until = watches[track]?.until else { return false }
        guard until <= now else { return true }
        end(track)
        return false
    }
}
