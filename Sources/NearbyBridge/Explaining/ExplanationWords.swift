// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// Metres and seconds as explanations write them.
enum ExplanationWords {
    static func metres(_ metres: Double) -> String { "\(Column.decimal(metres, 2)) m" }

    /// Seconds with one decimal where there is one; of very short ones two.
    static func seconds(_ duration: Duration) -> String {
        let seconds = duration.inSeconds
        let text = Column.decimal(seconds, seconds.magnitude < 0.095 ? 2 : 1)
        return "\(text.hasSuffix(".0") ? String(text.dropLast(2)) : text == "0.00" ? "0" : text) s"
    }

    /// Degrees with one decimal where there is one.
    static func degrees(_ degrees: Double) -> String {
        let text = Column.decimal(degrees, 1)
        return (text.hasSuffix(".0") ? String(text.dropLast(2)) : text).replacingMinusZero + "°"
    }

    /// `-30° to 30°`.
    static func sector(_ from: Double, _ to: Double) -> String { "\(degrees(from)) to \(degrees(to))" }

    static func speed(_ speed: Double) -> String { "\(Column.decimal(speed, 1)) m/s" }

    /// Why the gate holds back the last distance; `nil` if it does not.
    static func heldBack(_ gate: GateState) -> String? {
        guard let rival = gate.rival, let passed = gate.passed, let since = gate.since else { return nil }
        let such = "\(seconds(gate.rivalFor ?? .zero)) of \(seconds(gate.takeover)) of such distances"
        let way = "from \(metres(passed)) within \(seconds(since))"
        guard (rival - passed).magnitude > gate.reach else { return "\(metres(rival)) is a leap \(way); \(such)" }
        return "\(metres(rival)) cannot be reached \(way) at \(speed(gate.speed)); \(such)"
    }
}

extension String {
    fileprivate var replacingMinusZero: String { self == "-0" ? "0" : self }
}

extension ReportSample.Verdict {
    var word: String {
        switch self {
        case .outOfRange: "out_of_range"
        case .refused: "refused"
        case .duplicate: "duplicate"
        case .late: "late"
        case .gated: "gated"
        case .seededUnconfirmed: "seeded_unconfirmed"
        case .seeded: "seeded"
        case .passedUnconfirmed: "passed_unconfirmed"
        case .passed: "passed"
        }
    }
}

extension ZoneDecision.Kind {
    var word: String {
        switch self {
        case .entered: "entered"
        case .exited: "exited"
        case .settled: "settled"
        }
    }
}

extension GateState.Stage {
    var word: String {
        switch self {
        case .empty: "empty"
        case .seeking: "seeking"
        case .locked: "locked"
        }
    }
}
