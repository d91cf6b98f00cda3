// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// What is wrong with the section `sources`, entry by entry and between entries.
extension ConfigurationCheck {
    mutating func checkSources() {
        let section = ConfigurationPath(["sources"])
        let sources = ConfigurationAssembler(settings).sources()
        var earlier: [(name: String, pattern: TopicPattern)] = []
        for (entry, source) in zip(settings.names(in: section), sources) {
            let path = section.appending(entry.text)
            guard !settings.isRefused(path) else { continue }
            checkTopic(of: path, entry.source)
            checkEnds(of: path, source)
            checkMeaning(of: path, source.options, entry.source)
            if !settings.isGiven(path.appending("preset")), !source.names(.accessory), !source.names(.anchor) {
                checkCenter(of: path, source.options, entry.source)
            }
            for topic in source.topics {
                let pattern = TopicPattern(topic)
                checkCollision(of: pattern, path)
                if let other = earlier.first(where: { $0.pattern.overlaps(pattern) }) {
                    warn(
                        "\(path)",
                        place(of: path, "topic", or: entry.source),
                        "\(topic) may also be a topic of \(other.name), which is asked first",
                        "make the topics differ"
                    )
                }
                earlier.append(("\(path)", pattern))
            }
        }
    }

    func place(of path: ConfigurationPath, _ key: String, or entry: ConfigurationSource) -> ConfigurationSource {
        settings[path.appending(key)]?.source ?? entry
    }

    private mutating func checkTopic(of path: ConfigurationPath, _ entry: ConfigurationSource) {
        let hasPreset = settings.isGiven(path.appending("preset"))
        guard settings.isGiven(path.appending("topic")) || hasPreset else {
            return problem("\(path)", entry, "neither topic nor preset", "write \"topic: devices/{peer}/{accessory}\"")
        }
        if let prefix = settings[path.appending("prefix")] {
            let key = "\(path.appending("prefix"))"
            if !hasPreset {
                problem(key, prefix.source, "there is no preset whose topics it could begin", "set topic instead")
            } else if settings[path.appending("topic")] != nil {
                problem(key, prefix.source, "given together with topic", "keep one of the two")
            }
        }
    }

    /// Nothing may be said twice of an end.
    private mutating func checkEnds(of path: ConfigurationPath, _ source: SourceConfiguration) {
        for (key, level) in [("accessory", TopicPattern.Level.accessory), ("peer", .peer)] {
            guard let setting = settings[path.appending(key)] else { continue }
            guard source.names(level) else { continue }
            problem("\(path.appending(key))", setting.source, "its topic names the \(key) already", "remove it")
        }
    }

    /// What is published for others must be nobody's input, least of all our own.
    mutating func checkOutputs() {
        let topics = ConfigurationAssembler(settings).sources().flatMap(\.topics).map { TopicPattern($0) }
        for (key, levels) in [("outputs.mqtt_room", "+"), ("outputs.omlox", "fence_events/+")] {
            guard let setting = settings[key], case .text(let text) = setting.value else { continue }
            let pattern = TopicPattern("\(text)/\(levels)")
            if case .text(let base)? = settings["mqtt.base_topic"]?.value, pattern.mayLie(below: TopicPattern(base)) {
                problem(key, setting.source, "lies below \(base), where the bridge's own topics are", "choose another")
            } else if let source = topics.first(where: { $0.overlaps(pattern) }) {
                problem(key, setting.source, "the bridge would read it back by \(source.text)", "choose another")
            }
        }
    }

    /// What the bridge publishes must not come back as reports.
    private mutating func checkCollision(of pattern: TopicPattern, _ path: ConfigurationPath) {
        let places = [("mqtt.base_topic", "nearby"), ("home_assistant.prefix", "homeassistant")]
        for (key, standard) in places {
            var base = standard
            if case .text(let text)? = settings[key]?.value { base = text }
            guard pattern.mayLie(below: TopicPattern(base)) else { continue }
            return problem(
                "\(path)",
                place(of: path, "topic", or: place(of: path, "preset", or: .standard)),
                "\(pattern.text) may be a topic of our own, below \(base)",
                "begin it with another level, or change \(key)"
            )
        }
    }
}

extension SourceConfiguration {
    /// Whether a level of one of its topics names an end.
    fileprivate func names(_ level: TopicPattern.Level) -> Bool { topics.contains { TopicPattern($0).names(level) } }
}
