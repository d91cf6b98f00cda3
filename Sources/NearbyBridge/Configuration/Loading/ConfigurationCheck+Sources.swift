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
            checkAnchors(of: path, source, entry.source)
            checkUnit(of: path, source)
            checkFields(of: path, entry.source)
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

    private func place(of path: ConfigurationPath, _ key: String, or entry: ConfigurationSource) -> ConfigurationSource
    {
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
            guard source.topics.contains(where: { TopicPattern($0).names(level) }) else { continue }
            problem("\(path.appending(key))", setting.source, "its topic names the \(key) already", "remove it")
        }
        guard let around = settings[path.appending("zones_around")], source.options.accessory != nil else { return }
        warn(
            "\(path.appending("zones_around"))",
            around.source,
            "accessory says already where zones lie",
            "remove one of the two"
        )
    }

    private mutating func checkAnchors(
        of path: ConfigurationPath,
        _ source: SourceConfiguration,
        _ entry: ConfigurationSource
    ) {
        let anchors = settings.names(in: path.appending("anchors"))
        guard anchors.isEmpty, source.options.format == RangeFormat(rawValue: "pozyx") else { return }
        warn("\(path)", entry, "positions without anchors are no distances", "say under anchors where they stand")
    }

    private mutating func checkUnit(of path: ConfigurationPath, _ source: SourceConfiguration) {
        let place = path.appending("unit")
        guard let unit = settings[place], source.options.format.metresPerUnit == nil else { return }
        let isOpen = source.options.format == .auto
        problem(
            "\(place)",
            unit.source,
            isOpen ? "needs a format" : "\(source.options.format.rawValue) has distances in several units",
            isOpen ? "set format too" : "set distance_scale of the accessories"
        )
    }

    private mutating func checkFields(of path: ConfigurationPath, _ entry: ConfigurationSource) {
        guard settings.hasFields(path) else {
            for key in ["each", "ok"] {
                guard let setting = settings[path.appending(key)] else { continue }
                problem(
                    "\(path.appending(key))",
                    setting.source,
                    "there are no fields",
                    "say under fields what is where"
                )
            }
            return
        }
        let fields = "\(path.appending("fields"))"
        if let format = settings[path.appending("format")], format.value != .text("json") {
            return problem(fields, format.source, "the format knows its fields", "set format to json, or remove fields")
        }
        let isReadable = (FieldPaths.Field.allCases.map { "fields.\($0.word)" } + ["each", "ok"])
            .allSatisfy { !settings.isRefused(path.appending(key: $0)) }
        guard isReadable else { return }
        do throws(FieldPaths.Fault) {
            _ = try ConfigurationAssembler(settings).fieldPaths(of: path)
        } catch {
            let key: String
            switch error.reason {
            case .nothingMeasured: key = "fields"
            case .wordsWithoutStatus: key = "ok"
            default: key = error.field.map { "fields.\($0.word)" } ?? "each"
            }
            let text = error.reason.text
            let place = settings[path.appending(key: key)]?.source ?? entry
            problem("\(path.appending(key: key))", place, text.message, text.fix)
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
