// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// An event as the demo reads it from MQTT, like any consumer would.
struct DemoEvent: Decodable {
    /// The kind, such as `zone_enter`.
    var type: String
    /// The accessory's identifier.
    var accessory: String
    private var zone: String?
    private var distance: Double?
    private var dwell: Double?
    private var reason: String?
    private var run: Int?
    private var stage: String?
    private var attempt: Int?
    private var maximum: Int?
    private var delay: Double?
    private var rung: String?

    private enum CodingKeys: String, CodingKey {
        case type, accessory, zone, distance, dwell, reason, run, stage, attempt, delay, rung
        case maximum = "max_attempts"
    }

    /// One line for people.
    func line(at seconds: Double, hasColour: Bool) -> String {
        var what = words
        if hasColour { what = "\u{1B}[\(colour)m\(what)\u{1B}[0m" }
        return "\(Column.right(Column.decimal(seconds, 1), 7))  \(Column.left(accessory, 11))  \(what)\n"
    }

    /// Zones green and yellow; sessions cyan, in trouble red.
    private var colour: Int {
        switch type {
        case "zone_enter": 32
        case "zone_exit": 33
        case "session_started", "session_resumed": 36
        case "session_timeout", "session_invalidated", "configuration_rejected": 31
        default: 35
        }
    }

    private var words: String {
        guard let zone else { return sessionWords }
        let verb = type == "zone_enter" ? "enter" : type == "zone_exit" ? "exit " : "dwell"
        var text = "\(verb) \(Column.left(zone, 10))"
        if let distance { text += " \(Column.decimal(distance, 2)) m" }
        if let reason { text += "  \(reason)" }
        if let dwell { text += " after \(Column.decimal(dwell, 1)) s" }
        return text
    }

    private var sessionWords: String {
        var text = type
        if let stage {
            text += "  stage \(stage)"
            if let meaning = Self.meaning(ofStage: stage) { text += ": \(meaning)" }
        }
        if let attempt, let maximum { text += "  attempt \(attempt) of \(maximum)" }
        if let rung { text += ", \(rung)" }
        if let delay { text += " in \(Column.decimal(delay, 1)) s" }
        if let run, stage == nil { text += "  run \(run)" }
        if let reason { text += "  \(reason)" }
        return text
    }

    private static func meaning(ofStage stage: String) -> String? {
        switch stage {
        case "configuration": "initialize was not answered"
        case "start": "told to start, but no range came"
        case "ranging": "ranges stopped coming"
        default: nil
        }
    }
}
