// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// Which radius, hysteresis, holds and `lost_after` fit what was reported of one accessory and one peer.
///
/// What standing at a zone's bounds would bring is not computed by a formula: the real engine goes through a long stay
/// that is put together from the noise that was measured.
struct Advice: Equatable, Sendable {
    /// Values of `lost_after` that are tried (seconds).
    static let patiences: [Double] = [10, 15, 20, 30, 45, 60, 90, 120, 180, 300]
    /// `lost_after` outlasts so many intervals.
    static let leastIntervals = 4.0
    /// Pauses that outlast `lost_after`, in an hour, that nobody minds.
    static let mostLosses = 1.0
    /// A longer stay takes too long to go through (distances).
    static let mostSamples = 1_000_000.0

    /// The accessory's identifier.
    var accessory: String
    /// The peer; `nil` if nothing tells peers apart.
    var peer: String?
    /// Distances that were seen.
    var count: Int
    /// How often they came.
    var rate: ReportRate
    /// How they scatter; `nil` if nobody stood still for long enough.
    var noise: StillNoise?
    /// Hours that each trial went through.
    var trialHours: Double
    /// In the order of the configuration.
    var zones: [ZoneAdvice]
    /// What is in effect.
    var lostAfter: Patience
    /// What fits.
    var suggestedLostAfter: Patience
    /// Why.
    var lostAfterReason: String
    /// What to mind besides.
    var warnings: [AdviceWarning]

    /// Whether everything that is in effect fits.
    var isFine: Bool {
        lostAfter == suggestedLostAfter && zones.allSatisfy { $0.configured == $0.suggested }
    }

    /// Studies a trace; `nil` of fewer than two distances in a row.
    ///
    /// - Parameters:
    ///   - trace: What was reported.
    ///   - options: What the engine is told.
    ///   - radii: Study zones of these radii (metres) instead of the configured ones.
    ///   - stay: How long the stay of each trial is (seconds), if it does not take too many distances.
    ///   - seed: The same seed gives the same advice.
    init?(_ trace: ReportTrace, options: EngineOptions, radii: [Double] = [], stay: Double = 86_400, seed: UInt64 = 1) {
        guard let rate = ReportRate(trace) else { return nil }
        accessory = trace.accessory
        peer = trace.peer
        count = trace.count
        self.rate = rate
        let said = options.accessories[trace.accessory] ?? AccessoryOptions()
        let own = trace.peer.flatMap { peer in said.peers.first { ($0.value.name ?? $0.key) == peer } }?.value
        let lostAfter = own?.lostAfter ?? said.lostAfter ?? (said.reports == .byException ? .never : options.lostAfter)
        self.lostAfter = lostAfter
        (suggestedLostAfter, lostAfterReason) = Self.patience(lostAfter, rate)
        noise = StillNoise(trace, interval: rate.interval)
        let seconds = min(stay, Self.mostSamples * max(rate.interval, 1e-3))
        trialHours = seconds / 3600
        zones = []
        warnings = []
        let values = Self.values(options, said, own, radii)
        if let noise {
            var book = TrialBook(
                StandingTrial(
                    noise: noise,
                    options: options,
                    accessory: said,
                    lostAfter: suggestedLostAfter,
                    seconds: seconds,
                    seed: seed
                )
            )
            zones = values.map { ZoneAdvice(name: $0.name, $0.values, noise, &book) }
        } else {
            zones = values.map { ZoneAdvice(name: $0.name, unknown: $0.values) }
        }
        warnings = warningsNow
    }

    /// Zones as they apply to the peer, or those of the radii that were asked for.
    private static func values(
        _ options: EngineOptions,
        _ accessory: AccessoryOptions,
        _ peer: PeerOptions?,
        _ radii: [Double]
    ) -> [(name: String, values: ZoneAdvice.Values)] {
        guard radii.isEmpty else {
            return radii.compactMap { radius in
                let name = "zone_" + Column.decimal(radius * 100, 0) + "cm"
                return ZoneAdvice.Values(ZoneOptions(radius: radius)).map { (name, $0) }
            }
        }
        return options.zones.compactMap { zone in
            let said = zone.options.overridden(by: accessory.zones[zone.name]).overridden(by: peer?.zones[zone.name])
            return ZoneAdvice.Values(said).map { (zone.name, $0) }
        }
    }

    /// The shortest patience, no shorter than the present one, that the pauses of somebody who is there do not outlast.
    private static func patience(_ now: Patience, _ rate: ReportRate) -> (Patience, String) {
        guard let duration = now.duration else { return (now, "stays: silence is no loss here") }
        let present = Double(duration.wholeNanoseconds) * 1e-9
        let hours = max(rate.duration, 1) / 3600
        func losses(_ seconds: Double) -> Double { Double(rate.pausesOfStays.count { $0 > seconds }) / hours }
        func isEnough(_ seconds: Double) -> Bool {
            seconds >= leastIntervals * rate.interval && losses(seconds) <= mostLosses
        }
        let longest = Column.decimal(rate.longest, 1)
        if isEnough(present) { return (now, "stays: the longest pause was \(longest) s") }
        let wanted = patiences.first { $0 > present && isEnough($0) } ?? max(present, patiences[patiences.count - 1])
        let why =
            losses(present) > mostLosses
            ? "reports paused longer than \(Column.decimal(present, 0)) s \(ZoneAdvice.count(losses(present))) times an "
                + "hour while somebody was there"
            : "a distance comes every \(Column.decimal(rate.interval, 1)) s only"
        return (.after(.milliseconds(Int64(1000 * wanted))), why)
    }

    private var warningsNow: [AdviceWarning] {
        var warnings: [AdviceWarning] = []
        if count < AdviceWarning.fewDistances { warnings.append(.few(count)) }
        if let noise {
            if noise.duration < AdviceWarning.briefly { warnings.append(.briefStill(noise.duration)) }
        } else {
            warnings.append(.nobodyStill)
        }
        if rate.failedShare > AdviceWarning.mostFailures { warnings.append(.failedRounds(rate.failedShare)) }
        if rate.gap99 > AdviceWarning.shortPause, rate.gap99 > AdviceWarning.irregularity * rate.interval {
            warnings.append(.irregular(gap: rate.gap99, interval: rate.interval))
        }
        if let duration = lostAfter.duration {
            let seconds = Double(duration.wholeNanoseconds) * 1e-9
            // The engine itself complains from here on.
            if rate.interval > seconds / 2 {
                warnings.append(.tooSlowForLoss(interval: rate.interval, lostAfter: seconds))
            }
            if let last = Self.patiences.last, rate.pausesOfStays.contains(where: { $0 > max(last, seconds) }) {
                warnings.append(.longPauses(rate.longest))
            }
        }
        for zone in zones {
            for (key, hold) in [("enter_hold", zone.suggested.enterHold), ("exit_hold", zone.suggested.exitHold)] {
                let seconds = Double(hold.wholeNanoseconds) * 1e-9
                guard seconds > 0, rate.interval > seconds else { continue }
                warnings.append(.tooSlowForHold(key: key, hold: seconds, interval: rate.interval, zone: zone.name))
            }
            if zone.isHopeless { warnings.append(.hopeless(zone: zone.name)) }
        }
        let nested = zones.sorted { $0.configured.radius < $1.configured.radius }
        for (inner, outer) in zip(nested, nested.dropFirst())
        where inner.configured.radius < outer.configured.radius && inner.suggested.radius >= outer.suggested.radius {
            warnings.append(.merged(inner: inner.name, outer: outer.name))
        }
        return warnings
    }
}
