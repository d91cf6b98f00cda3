// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// Advice for people and for programs, and the lines for the configuration.
struct AdviceReport {
    /// The accessory that was named; then the lines are for it alone.
    var accessory: String?
    /// The peer that was named.
    var peer: String?
    /// One for each accessory and peer, at least one.
    var advices: [Advice]

    /// Whether everything that is in effect fits everybody.
    var isFine: Bool { advices.allSatisfy(\.isFine) }

    // MARK: For people

    /// The figures and the suggestions of each, then the lines to paste.
    var text: String {
        advices.map(Self.text).joined(separator: "\n") + "\n" + ending
    }

    private var ending: String {
        guard !isFine else {
            let isUsual = advices.allSatisfy { advice in
                advice.lostAfter == .after(.seconds(10)) && advice.zones.allSatisfy(\.isUsual)
            }
            return isUsual ? "The defaults are fine.\n" : "What is configured is fine.\n"
        }
        return yaml
    }

    private static func text(_ advice: Advice) -> String {
        let rate = advice.rate
        let who = advice.peer.map { "\(advice.accessory), peer \($0)" } ?? advice.accessory
        var text = "\(who): \(advice.count) distances in \(Column.decimal(rate.duration, 0)) s\n"
        text += "  rate        every \(Column.decimal(rate.interval, 2)) s; 99 of 100 pauses under "
        text += "\(Column.decimal(rate.gap99, 2)) s, the longest \(Column.decimal(rate.longest, 1)) s\n"
        text += "  failed      \(Column.decimal(100 * rate.failedShare, 1)) % of the rounds\n"
        text += "  held back   \(Column.decimal(rate.grossPerHour, 0)) gross errors an hour, by the speed gate\n"
        if let noise = advice.noise {
            text += "  noise       \(Column.decimal(noise.sigma, 3)) m in \(Column.decimal(noise.duration, 0)) s of "
            text += "standing still, alike for \(Column.decimal(noise.correlationTime, 1)) s\n"
        }
        for zone in advice.zones { text += Self.text(zone) }
        text +=
            "  " + Column.left("lost_after: \(write(advice.suggestedLostAfter))", 19) + "  \(advice.lostAfterReason)\n"
        if advice.noise != nil {
            text += "  Expected from the engine itself over \(Column.decimal(advice.trialHours, 1)) h of this noise.\n"
        }
        for warning in advice.warnings { text += "warning: \(warning.text)\n" }
        return text
    }

    private static func text(_ zone: ZoneAdvice) -> String {
        var text = "  zone \(zone.name)\n"
        for (key, value) in zone.suggested.pairs {
            let reason = zone.reasons.first { $0.key == key }?.reason ?? ""
            text += "    " + Column.left("\(key): \(value)", 17) + "  \(reason)\n"
        }
        return text
    }

    private static func write(_ patience: Patience) -> String {
        patience.duration.map(DurationText.write) ?? "never"
    }

    // MARK: The lines to paste

    /// What must change so that it fits everybody who was seen; empty if nothing must.
    var yaml: String {
        guard !isFine else { return "" }
        var yaml = PastedYAML()
        var level = 0
        if let accessory {
            yaml.section("accessories", 0)
            yaml.section(accessory, 1)
            level = 2
            if let peer {
                yaml.section("peers", 2)
                yaml.section(peer, 3)
                level = 4
            }
        }
        if let patience = lostAfter { yaml.pair("lost_after", Self.write(patience), level) }
        let changes = zoneChanges
        guard !changes.isEmpty else { return yaml.text }
        yaml.section("zones", level)
        for (name, pairs) in changes {
            yaml.section(name, level + 1)
            for (key, value) in pairs { yaml.pair(key, value, level + 2) }
        }
        return yaml.text
    }

    /// The longest patience that anybody needs, if it is not the one in effect.
    private var lostAfter: Patience? {
        let changed = advices.filter { $0.lostAfter != $0.suggestedLostAfter }.map(\.suggestedLostAfter)
        return changed.max { ($0.duration ?? .zero) < ($1.duration ?? .zero) }
    }

    /// By zone, in their order: the greatest of what anybody needs.
    private var zoneChanges: [(name: String, pairs: [(key: String, value: String)])] {
        var names: [String] = []
        for zone in advices.flatMap(\.zones) where !names.contains(zone.name) { names.append(zone.name) }
        return names.compactMap { name in
            let zones = advices.flatMap(\.zones).filter { $0.name == name }
            guard let first = zones.first, zones.contains(where: { $0.configured != $0.suggested }) else { return nil }
            var values = first.suggested
            for zone in zones.dropFirst() { values.widen(to: zone.suggested) }
            let pairs = values.pairs(without: first.configured)
            return pairs.isEmpty ? nil : (name, pairs)
        }
    }

    // MARK: For programs

    /// One JSON object.
    var json: [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.key("advice")
        json.beginArray()
        for advice in advices { Self.write(advice, into: &json) }
        json.endArray()
        json.pair("fine", isFine)
        json.pair("type", "advice")
        json.pair("yaml", yaml)
        json.endObject()
        return json.bytes
    }

    private static func write(_ advice: Advice, into json: inout JSONWriter) {
        let rate = advice.rate
        json.beginObject()
        json.pair("accessory", advice.accessory)
        json.optional("correlation_time", advice.noise?.correlationTime)
        json.pair("distances", Int64(advice.count))
        json.pair("duration", rate.duration)
        json.pair("failed_share", rate.failedShare, decimals: 4)
        json.pair("gap_longest", rate.longest)
        json.pair("gap_p99", rate.gap99)
        json.pair("gross_errors_per_hour", rate.grossPerHour, decimals: 1)
        json.pair("interval", rate.interval, decimals: 4)
        json.pair("lost_after", write(advice.suggestedLostAfter))
        json.pair("lost_after_reason", advice.lostAfterReason)
        json.optional("noise", advice.noise?.sigma, decimals: 4)
        json.optional("peer", advice.peer)
        json.optional("still", advice.noise?.duration)
        json.pair("trial_hours", advice.trialHours)
        json.key("warnings")
        json.beginArray()
        for warning in advice.warnings { json.string(warning.text) }
        json.endArray()
        json.key("zones")
        json.beginArray()
        for zone in advice.zones { write(zone, into: &json) }
        json.endArray()
        json.endObject()
    }

    private static func write(_ zone: ZoneAdvice, into json: inout JSONWriter) {
        json.beginObject()
        json.key("configured")
        write(zone.configured, zone.now, into: &json)
        json.key("reasons")
        json.beginObject()
        for (key, reason) in zone.reasons.sorted(by: { $0.key < $1.key }) { json.pair(key, reason) }
        json.endObject()
        json.key("suggested")
        write(zone.suggested, zone.then, into: &json)
        json.pair("zone", zone.name)
        json.endObject()
    }

    private static func write(
        _ values: ZoneAdvice.Values,
        _ expectation: ZoneAdvice.Expectation?,
        into json: inout JSONWriter
    ) {
        json.beginObject()
        json.pair("enter_hold", values.enterHold.inSeconds)
        json.pair("exit_hold", values.exitHold.inSeconds)
        json.optional("false_per_day_in_band", expectation?.inBand.transitions)
        json.optional("false_per_day_on_radius", expectation?.onRadius.transitions)
        json.pair("hysteresis", values.hysteresis)
        json.optional("lost_per_day", expectation?.onRadius.losses)
        json.pair("radius", values.radius)
        json.endObject()
    }
}

extension ZoneAdvice {
    /// Whether everything but the radius is the default.
    fileprivate var isUsual: Bool {
        Values(ZoneOptions(radius: configured.radius)) == configured
    }
}

extension ZoneAdvice.Values {
    /// Metres to the millimetre: three tenths of a metre are not quite 0.3 to a computer.
    private static func write(_ metres: Double) -> String { Decimals.short((metres * 1000).rounded() / 1000) }

    /// As the configuration writes them.
    fileprivate var pairs: [(key: String, value: String)] {
        [
            ("radius", Self.write(radius)),
            ("hysteresis", Self.write(hysteresis)),
            ("enter_hold", DurationText.write(enterHold)),
            ("exit_hold", DurationText.write(exitHold)),
        ]
    }

    /// Those that are not what is in effect, nor the default of the new radius.
    fileprivate func pairs(without configured: ZoneAdvice.Values) -> [(key: String, value: String)] {
        let known = configured.pairs
        let isUsual =
            hysteresis == Self.usualHysteresis(radius)
            && configured.hysteresis == Self.usualHysteresis(configured.radius)
        return zip(pairs, known).filter { new, old in
            new.value != old.value && !(new.key == "hysteresis" && isUsual)
        }.map(\.0)
    }

    /// Takes the greater of each.
    fileprivate mutating func widen(to other: ZoneAdvice.Values) {
        radius = max(radius, other.radius)
        hysteresis = max(hysteresis, other.hysteresis)
        enterHold = max(enterHold, other.enterHold)
        exitHold = max(exitHold, other.exitHold)
    }
}
