// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// Why a zone is what it is, in one sentence for people.
struct ZoneExplanationText {
    let zone: ZoneExplanation
    private let wall: WallTime

    /// A shorter silence is nothing to tell of.
    private static let leastSilence = Duration.seconds(2)

    /// Explains by the wall clock.
    init(_ explanation: ZoneExplanation, _ wall: WallTime) {
        zone = explanation
        self.wall = wall
    }

    /// What the zone is, why, and what would change it.
    ///
    /// What most stands in the way of a change is told first: whom nobody hears cannot be held back.
    var sentence: String {
        guard let rules = zone.rules else { return "\(zone.state.word): the zone is disabled" }
        if zone.peers.count > 1 { return severalPeers(rules) }
        if zone.session == .suspended {
            return "\(head): the session is suspended; its reports count again when it goes on"
        }
        if zone.samples.last?.verdict == .refused {
            return "\(head): the last report did not count: of an earlier run, or outside a session, which is "
                + zone.session.word
        }
        guard zone.lastReport != nil else { return neverHeard }
        if zone.isBlind { return "\(head): the bridge is not connected, and silence means nothing" }
        if let silent = silent(rules) { return "\(head): \(silent)" }
        if let reason = zone.gate.flatMap(ExplanationWords.heldBack) {
            return "\(head): held back: \(reason)" + waiting(rules)
        }
        guard let distance = zone.distance else { return "\(head): there is no distance" }
        if let sector = rules.sector { return "\(head): " + inSector(sector, distance, rules) }
        return head + ": " + (zone.state == .inside ? staying(distance, rules) : coming(distance, rules))
    }

    // MARK: Silence

    private var neverHeard: String {
        guard zone.isRestored, zone.state != .unknown else { return "unknown: no report since the start" }
        return "\(head), from before the start: no report since" + (lostAt.map { "; lost at \($0)" } ?? "")
    }

    private func silent(_ rules: ZoneExplanation.Rules) -> String? {
        guard let silence = zone.silence else { return nil }
        let told = "nobody has reported for \(ExplanationWords.seconds(silence))"
        guard zone.distance != nil || zone.state == .inside else {
            return told + (ending.map { "; \($0)" } ?? "") + "; \(Self.entering(rules))"
        }
        if zone.isGone { return "its source has called it away" + (lostAt.map { "; lost at \($0)" } ?? "") }
        let usual = zone.interval.map { $0 * 4 } ?? .zero
        guard !zone.isByException, silence >= max(Self.leastSilence, usual) else { return nil }
        return told + (lostAt.map { "; lost at \($0)" } ?? "; it is never lost")
            + waiting(rules)
    }

    /// How the last stay ended, where a report had nothing to do with it.
    private var ending: String? {
        guard case .exited(let reason) = lastDecision?.kind, reason != .left else { return nil }
        guard reason == .lost else { return reason.phrase }
        return "lost" + (lastDecision?.held.map { " after \(ExplanationWords.seconds($0))" } ?? "")
    }

    private var lastDecision: ZoneDecision? { zone.decisions.last { $0.at == zone.since } }

    /// After how much silence the peer is lost.
    var lostAt: String? {
        guard let lostAt = zone.lostAt, let silence = zone.silence else { return nil }
        return ExplanationWords.seconds(silence + zone.at.duration(to: lostAt))
    }

    /// A hold that has begun, of which only a report can say that it goes on.
    func waiting(_ rules: ZoneExplanation.Rules) -> String {
        guard let held = zone.held else { return "" }
        let (what, hold) = zone.state == .inside ? ("leave", rules.exitHold) : ("enter", rules.enterHold)
        return "; the hold to \(what) has run \(ExplanationWords.seconds(held)) of \(ExplanationWords.seconds(hold)) "
            + "and waits for a report"
    }

    // MARK: Distance

    /// What it takes to enter.
    static func entering(_ rules: ZoneExplanation.Rules) -> String {
        "enters \(lasting(rules.enterHold))below \(ExplanationWords.metres(rules.radius))"
            + (rules.sector.map { " within \(ExplanationWords.sector($0.from, $0.to))" } ?? "")
    }

    /// What it takes to leave.
    static func leaving(_ rules: ZoneExplanation.Rules) -> String {
        "leaves \(lasting(rules.exitHold))beyond \(ExplanationWords.metres(rules.exitRadius))"
            + (rules.sector?.exitLimits.map { " or outside \(ExplanationWords.sector($0.from, $0.to))" } ?? "")
    }

    private static func lasting(_ hold: Duration) -> String {
        hold > .zero ? "after \(ExplanationWords.seconds(hold)) " : ""
    }

    private func staying(_ distance: Double, _ rules: ZoneExplanation.Rules) -> String {
        let text = ExplanationWords.metres(distance) + measured
        let exit = ExplanationWords.metres(rules.exitRadius)
        guard distance > rules.exitRadius else {
            let radius = ExplanationWords.metres(rules.radius)
            let relation = distance < rules.radius ? "below \(radius)" : "beyond \(radius) but not beyond \(exit)"
            return "\(text) is \(relation); \(Self.leaving(rules))"
        }
        return "\(text) is beyond \(exit)" + pending("leaves", rules.exitHold)
    }

    private func coming(_ distance: Double, _ rules: ZoneExplanation.Rules) -> String {
        let text = ExplanationWords.metres(distance) + measured
        let radius = ExplanationWords.metres(rules.radius)
        guard distance < rules.radius else { return "\(text) is not below \(radius); \(Self.entering(rules))" }
        return "\(text) is below \(radius)" + pending("enters", rules.enterHold)
    }

    /// What is missing for a change that the distance asks for.
    func pending(_ what: String, _ hold: Duration) -> String {
        guard zone.isConfirmed else { return ", but waits for more distances that agree" }
        guard let held = zone.held else { return "; the next report decides" }
        let left = ExplanationWords.seconds(max(.zero, hold - held))
        return "; \(what) in \(left) unless a report says otherwise"
    }

    /// The measured distance, where smoothing has moved it.
    var measured: String {
        guard let raw = zone.rawDistance, let distance = zone.distance, abs(raw - distance) >= 0.1 else { return "" }
        return " (smoothed; the last measured was \(ExplanationWords.metres(raw)))"
    }

    // MARK: Several peers

    private func severalPeers(_ rules: ZoneExplanation.Rules) -> String {
        let inside = zone.peers.filter { $0.state == .inside }
        let count = zone.peers.count
        if !inside.isEmpty {
            return
                "\(head): \(Self.list(inside.map(\.shown))) of \(count) peers \(inside.count == 1 ? "is" : "are") inside"
        }
        if zone.state == .unknown {
            let unknown = zone.peers.filter { $0.state == .unknown }
            return "\(head): nobody knows where \(Self.list(unknown.map(\.shown))) of \(count) peers is"
        }
        let near = zone.peers.filter { $0.distance != nil }
            .min { ($0.distance ?? .infinity) < ($1.distance ?? .infinity) }
        guard let near, let distance = near.distance else { return "\(head): none of \(count) peers has a distance" }
        guard rules.sector == nil else {
            return "\(head): none of \(count) peers is inside; the nearest, \(near.shown), is at "
                + ExplanationWords.metres(distance)
        }
        let relation = distance < rules.radius ? "below" : "not below"
        return "\(head): the nearest of \(count) peers, \(near.shown), is at \(ExplanationWords.metres(distance)), "
            + "\(relation) \(ExplanationWords.metres(rules.radius))"
    }

    private static func list(_ names: [String]) -> String {
        guard names.count > 4 else { return names.joined(separator: ", ") }
        return names.prefix(3).joined(separator: ", ") + " and \(names.count - 3) more"
    }

    // MARK: Since

    /// `inside since 14:02 UTC`.
    private var head: String {
        guard zone.state != .outside, let since = zone.since else { return zone.state.word }
        let text = String(decoding: Timestamp.text(unixNanoseconds: wall.unixNanoseconds(of: since)), as: UTF8.self)
        let time = text.dropFirst(11).prefix(5)
        let isOld = since.duration(to: zone.at) >= .seconds(86_400)
        return "\(zone.state.word) since \(isOld ? text.prefix(10) + " " : "")\(time) UTC"
    }
}

extension ZoneExplanation.Peer {
    fileprivate var shown: String { name.isEmpty ? "the unnamed one" : name }
}

extension ZoneExitReason {
    /// Why a stay ended, in words.
    var phrase: String {
        switch self {
        case .left: "left"
        case .lost: "no report came"
        case .sessionEnded: "the session ended"
        case .suspended: "the session was suspended"
        case .zoneDisabled: "the zone was disabled"
        case .accessoryRemoved: "the accessory was removed"
        case .memberRemoved: "the one inside does not belong there any more"
        }
    }
}
