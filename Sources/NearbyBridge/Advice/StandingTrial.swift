// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// What zones do about somebody who stands still: the real engine over a long stay with noise as it was measured.
struct StandingTrial {
    /// The bounds of one zone, as far as standing at them matters.
    struct Bounds: Hashable, Sendable {
        /// Metres of the band between radius and exit radius.
        var hysteresis: Double
        var enterHold: Duration
        var exitHold: Duration
    }

    /// What came of it, for one zone.
    struct Outcome: Equatable, Sendable {
        /// Changes a day that nobody made: all but the first enter, and without those by loss.
        var transitions: Double
        /// Stays a day that ended because reports paused.
        var losses: Double
    }

    /// Where somebody stands.
    enum Place: Sendable {
        /// Exactly on the radius.
        case radius
        /// In the middle of the band between radius and exit radius.
        case band
    }

    /// Zones in one trial at most.
    static let mostZones = Zone.maximumCount
    /// Metres at which everybody stands: smoothing does not care, as long as no distance is negative.
    private static let place = 100.0
    private static let day = 86_400.0
    /// Metres inside or outside at which only gross errors matter.
    private static let deep = 1.0

    private let options: EngineOptions
    private let walk: Walk
    private let seconds: Double

    /// Prepares a stay of so many seconds.
    ///
    /// - Parameters:
    ///   - noise: How distances scatter.
    ///   - options: What the engine is told; its zones are replaced.
    ///   - accessory: What is configured of the accessory.
    ///   - lostAfter: When it counts as lost.
    ///   - seconds: How long the stay is.
    ///   - seed: The same seed gives the same stay.
    init(
        noise: StillNoise,
        options: EngineOptions,
        accessory: AccessoryOptions,
        lostAfter: Patience,
        seconds: Double,
        seed: UInt64
    ) {
        var options = options
        var alone = AccessoryOptions()
        alone.reports = accessory.reports
        options.accessories = ["stand": alone]
        options.sources = []
        options.lostAfter = lostAfter
        // Nobody looks at snapshots.
        options.stateInterval = .seconds(3600)
        options.stateHeartbeat = .seconds(3600)
        self.options = options
        walk = noise.stand(at: Self.place, for: seconds, seed: seed)
        self.seconds = max(1, walk.samples.last?.time ?? seconds)
    }

    /// Lets somebody stand on the radius of many zones at once.
    ///
    /// The bounds must be in the order of growing bands and exit holds, with the same enter hold: then no zone's exit
    /// brings another's that would not have come by itself.
    func onRadius(_ bounds: [Bounds]) -> [Outcome] {
        let radii = bounds.map { _ in Self.place }
        return outcomes(bounds, radii)
    }

    /// Lets somebody stand in the middle of the band.
    func inBand(_ bounds: Bounds) -> Outcome {
        outcomes([bounds], [Self.place - bounds.hysteresis / 2])[0]
    }

    /// Lets somebody stand a metre inside of zones that differ in their exit hold, in growing order: what happens there is
    /// the fault of gross errors.
    func deepInside(_ bounds: [Bounds]) -> [Outcome] {
        outcomes(bounds, bounds.map { _ in Self.place + Self.deep })
    }

    /// Lets somebody stand a metre outside of zones that differ in their enter hold, in falling order.
    func farOutside(_ bounds: [Bounds]) -> [Outcome] {
        outcomes(bounds, bounds.map { Self.place - Self.deep - $0.hysteresis }, firstCounts: true)
    }

    private func outcomes(_ bounds: [Bounds], _ radii: [Double], firstCounts: Bool = false) -> [Outcome] {
        var options = options
        options.zones = zip(bounds, radii).prefix(Self.mostZones).enumerated().map { place, zone in
            EngineOptions.NamedZone(
                name: "z\(place)",
                options: ZoneOptions(
                    radius: zone.1,
                    hysteresis: zone.0.hysteresis,
                    enterHold: zone.0.enterHold,
                    exitHold: zone.0.exitHold
                )
            )
        }
        var replay = Replay(options: options, name: "stand")
        var changes = [Int](repeating: 0, count: bounds.count)
        var losses = changes
        for event in replay.events(of: walk) {
            guard let place = Int(event.zone.dropFirst()) else { continue }
            switch event.kind {
            case .enter: changes[place] += 1
            // The enter after it is as little of anybody's making as the loss.
            case .exit(.lost, _): losses[place] += 1
            case .exit: changes[place] += 1
            case .dwell: break
            }
        }
        return zip(changes, losses).map { changes, losses in
            Outcome(
                transitions: Double(max(0, changes - (firstCounts ? 0 : 1) - losses)) * Self.day / seconds,
                losses: Double(losses) * Self.day / seconds
            )
        }
    }
}
