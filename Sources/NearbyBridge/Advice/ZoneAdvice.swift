// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// What fits one zone of one accessory and peer.
struct ZoneAdvice: Equatable, Sendable {
    /// The values that matter here.
    struct Values: Equatable, Sendable {
        /// Metres.
        var radius: Double
        /// Metres.
        var hysteresis: Double
        var enterHold: Duration
        var exitHold: Duration

        /// What the options say, and the defaults where they say nothing; `nil` of a zone that is off, and of a sector,
        /// whose noise is another.
        init?(_ options: ZoneOptions) {
            guard options.isEnabled ?? true, let radius = options.radius, radius > 0 else { return nil }
            guard options.sector == nil else { return nil }
            self.radius = radius
            hysteresis = options.hysteresis ?? Self.usualHysteresis(radius)
            enterHold = options.enterHold ?? Zone.defaultEnterHold
            exitHold = options.exitHold ?? Zone.defaultExitHold
        }

        /// The default (CONTRACT section 5).
        static func usualHysteresis(_ radius: Double) -> Double { max(0.3, 0.1 * radius) }

        var bounds: StandingTrial.Bounds {
            StandingTrial.Bounds(hysteresis: hysteresis, enterHold: enterHold, exitHold: exitHold)
        }
    }

    /// What standing at the zone's bounds would bring.
    struct Expectation: Equatable, Sendable {
        /// Of somebody exactly on the radius.
        var onRadius: StandingTrial.Outcome
        /// Of somebody in the middle of the band.
        var inBand: StandingTrial.Outcome

        /// The greater number of false transitions a day.
        var worst: Double { max(onRadius.transitions, inBand.transitions) }
        /// Nobody would mind.
        var isQuiet: Bool { worst <= ZoneAdvice.mostTransitions }
    }

    /// In and out once a day is nothing that anybody minds.
    static let mostTransitions = 2.0
    /// Bands that are tried (metres).
    static let ladder = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1, 1.2, 1.5, 2, 2.5, 3, 4, 5]
    /// Holds that are tried.
    static let holds: [Duration] = [.milliseconds(500), .seconds(1), .seconds(2), .seconds(3)]
    /// The widest band in a zone: so great a part of its radius.
    static let widestShare = 0.5
    /// Somebody at the accessory itself is surely inside of so many sigmas.
    static let leastRadius = 3.0

    /// The zone's name.
    var name: String
    /// What is in effect.
    var configured: Values
    /// What fits.
    var suggested: Values
    /// What is to be expected of the former; `nil` if nothing is known of the noise.
    var now: Expectation?
    /// And of the latter.
    var then: Expectation?
    /// Why each of the suggested values, by the key.
    var reasons: [(key: String, reason: String)]
    /// No band that was tried is wide enough.
    var isHopeless = false

    static func == (one: ZoneAdvice, other: ZoneAdvice) -> Bool {
        one.name == other.name && one.configured == other.configured && one.suggested == other.suggested
            && one.now == other.now && one.then == other.then && one.isHopeless == other.isHopeless
            && one.reasons.map(\.reason) == other.reasons.map(\.reason)
    }

    /// Advice without knowledge of the noise: everything stays.
    init(name: String, unknown values: Values) {
        self.name = name
        configured = values
        suggested = values
        let why = "stays: nobody stood still for long enough to tell"
        reasons = ["radius", "hysteresis", "enter_hold", "exit_hold"].map { ($0, why) }
    }

    /// Finds what fits, by trial.
    init(name: String, _ values: Values, _ noise: StillNoise, _ book: inout TrialBook) {
        self.name = name
        configured = values
        suggested = values
        reasons = []
        let now = book.expectation(values.bounds)
        self.now = now
        var needed = values.hysteresis
        if !now.isQuiet {
            let found = book.leastQuiet(above: values.bounds)
            needed = found ?? Self.ladder.last ?? values.hysteresis
            isHopeless = found == nil
        }
        chooseRadius(needed, noise)
        chooseHysteresis(needed, now, &book)
        chooseHolds(noise, &book)
        then = book.expectation(suggested.bounds)
    }

    private mutating func chooseRadius(_ needed: Double, _ noise: StillNoise) {
        let radius = configured.radius
        let widest = max(Self.widestShare * radius, Values.usualHysteresis(radius), configured.hysteresis)
        let least = Self.leastRadius * noise.sigma
        if needed > widest {
            suggested.radius = Self.roundedUp(max(needed / Self.widestShare, least))
            let band = Column.decimal(needed, 1)
            reasons.append(("radius", "the noise needs a band of \(band) m, and that is too much of a smaller zone"))
        } else if radius < least {
            suggested.radius = Self.roundedUp(least)
            reasons.append(
                ("radius", "single distances scatter by \(Column.decimal(noise.sigma, 2)) m: too much for it")
            )
        } else {
            reasons.append(("radius", "stays: the noise is small beside it"))
        }
    }

    private mutating func chooseHysteresis(_ needed: Double, _ now: Expectation, _ book: inout TrialBook) {
        // A greater radius has a wider band by itself.
        let isUsual = configured.hysteresis == Values.usualHysteresis(configured.radius)
        let usual = isUsual ? Values.usualHysteresis(suggested.radius) : configured.hysteresis
        suggested.hysteresis = max(needed, usual)
        let before =
            "\(Self.count(now.onRadius.transitions)) false transitions a day on the radius, "
            + "\(Self.count(now.inBand.transitions)) in the band"
        if now.isQuiet {
            reasons.append(("hysteresis", "stays: \(before)"))
        } else if isHopeless {
            reasons.append(("hysteresis", "\(before), and no band stops them: is this somebody who stands still?"))
        } else {
            let then = book.expectation(suggested.bounds)
            reasons.append(
                (
                    "hysteresis",
                    "\(before); so \(Self.count(then.onRadius.transitions)) and "
                        + "\(Self.count(then.inBand.transitions))"
                )
            )
        }
    }

    /// Holds are for gross errors that pass the speed gate: bands are no help against those.
    private mutating func chooseHolds(_ noise: StillNoise, _ book: inout TrialBook) {
        guard noise.greatest > suggested.hysteresis else {
            reasons.append(("enter_hold", "stays: no gross errors while somebody stood still"))
            reasons.append(("exit_hold", "stays: no gross errors while somebody stood still"))
            return
        }
        let (enter, enterings) = book.leastHold(suggested.bounds, \.enterHold)
        let (exit, exits) = book.leastHold(suggested.bounds, \.exitHold)
        func why(_ hold: Duration, _ old: Duration, _ count: Double, _ place: String) -> String {
            "\(hold == old ? "stays: " : "")gross errors make \(Self.count(count)) false transitions a day of somebody "
                + "a metre \(place)"
        }
        reasons.append(("enter_hold", why(enter, configured.enterHold, enterings, "outside")))
        reasons.append(("exit_hold", why(exit, configured.exitHold, exits, "inside")))
        suggested.enterHold = enter
        suggested.exitHold = exit
    }

    private static func roundedUp(_ metres: Double) -> Double { (metres * 10 - 1e-9).rounded(.up) / 10 }

    /// A number of times in words.
    static func count(_ number: Double) -> String {
        number == 0 ? "0" : Column.decimal(number, number < 10 ? 1 : 0)
    }
}
