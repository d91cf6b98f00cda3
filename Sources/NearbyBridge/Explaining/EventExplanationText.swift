// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// Why a zone event fell, for people.
struct EventExplanationText {
    /// So many reports before an event are shown.
    static let shownSamples = 5

    private let explanation: EventExplanation

    init(_ explanation: EventExplanation) {
        self.explanation = explanation
    }

    /// What decided, in one sentence.
    var sentence: String {
        let decision = explanation.decision
        switch decision.kind {
        case .entered: return crossing("below", explanation.rules?.enterHold)
        case .exited(.left): return crossing("beyond", explanation.rules?.exitHold)
        case .settled: return crossing("not below", nil)
        case .exited(.lost) where decision.azimuth != nil:
            let unseen = decision.held.map { " for \(ExplanationWords.seconds($0))" } ?? ""
            let last = decision.azimuth.map { "; the last was \(ExplanationWords.degrees($0))" } ?? ""
            return "no angle that counts\(unseen)\(last)"
        case .exited(.lost):
            let silence = decision.held.map { "no report for \(ExplanationWords.seconds($0))" } ?? "no report"
            return silence + (decision.rawDistance.map { "; the last said \(ExplanationWords.metres($0))" } ?? "")
        case .exited(let reason): return reason.phrase
        }
    }

    /// The sentence and the last reports, a line each.
    var lines: [String] {
        let by = explanation.peer.map { "\($0): " } ?? ""
        return ["\(by)\(sentence)"] + explanation.samples.suffix(Self.shownSamples).map(Self.line)
    }

    private func crossing(_ relation: String, _ hold: Duration?) -> String {
        let decision = explanation.decision
        guard let distance = decision.distance, let threshold = decision.threshold else { return decision.kind.word }
        let isCrossed = relation == "beyond" ? distance > threshold : distance < threshold
        var text = "\(ExplanationWords.metres(distance)) is \(relation) \(ExplanationWords.metres(threshold))"
        if let sector = explanation.rules?.sector, let azimuth = decision.azimuth, relation != "not below" || !isCrossed
        {
            let degrees = ExplanationWords.degrees(azimuth)
            if decision.kind == .entered {
                text += " and \(degrees) is within \(ExplanationWords.sector(sector.from, sector.to))"
            } else if decision.kind == .settled {
                text = "\(degrees) is not within \(ExplanationWords.sector(sector.from, sector.to))"
            } else if !isCrossed, let limits = sector.exitLimits, sector.isLeft(by: azimuth) {
                text = "\(degrees) is outside \(ExplanationWords.sector(limits.from, limits.to))"
            } else if !isCrossed {
                return "with another zone that it lies in or around"
            }
        } else if !isCrossed, relation != "not below" {
            return "with another zone that it lies in or around"
        }
        if let hold, hold > .zero, let held = decision.held {
            text += " for \(ExplanationWords.seconds(held)), and \(ExplanationWords.seconds(hold)) are asked for"
        }
        return text
    }

    private static func line(_ sample: ReportSample) -> String {
        let time = Column.right(Column.decimal(Replay.seconds(sample.at), 3), 10)
        let distance = Column.right(ExplanationWords.metres(sample.corrected), 9)
        let azimuth = sample.azimuth.map { " at \(ExplanationWords.degrees($0))" } ?? ""
        var text = "\(time) s \(distance)\(azimuth)  \(words(sample.verdict))"
        if let smoothed = sample.smoothed { text += ", smoothed \(ExplanationWords.metres(smoothed))" }
        if let speed = sample.speed { text += ", \(Column.decimal(speed, 1)) m/s" }
        if let reason = sample.gate.flatMap(ExplanationWords.heldBack) { text += ": \(reason)" }
        return text
    }

    private static func words(_ verdict: ReportSample.Verdict) -> String {
        switch verdict {
        case .outOfRange: "no possible distance"
        case .refused: "its session does not let it count"
        case .duplicate: "the same report again"
        case .late: "too late"
        case .gated: "held back"
        case .seededUnconfirmed: "a beginning, waits for a second"
        case .seeded: "a new beginning, proved by those held back"
        case .passedUnconfirmed: "passed, waits for a second"
        case .passed: "passed"
        }
    }
}
