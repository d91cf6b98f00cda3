// nearby-bridge · SPDX-License-Identifier: Apache-2.0

@testable import NearbyBridge

/// Loads a text as the file `test.yaml`.
func load(
    _ text: String,
    environment: [(name: String, value: String?)] = [],
    _ overrides: [String] = []
) throws(ConfigurationError) -> LoadedConfiguration {
    try ConfigurationLoader.load(
        file: ConfigurationFile(name: "test.yaml", bytes: Array(text.utf8)),
        environment: environment,
        overrides: overrides
    )
}

/// The problems of a text, none if it loads.
func problems(
    _ text: String,
    environment: [(name: String, value: String?)] = [],
    _ overrides: [String] = []
) -> [ConfigurationProblem] {
    do {
        _ = try load(text, environment: environment, overrides)
        return []
    } catch {
        return error.problems
    }
}

/// Right and wrong values for every type of key.
extension ConfigurationType {
    /// Two accepted values, as one would write them, at least one of which is not the default.
    var samples: (String, String) {
        switch self {
        case .boolean: ("true", "false")
        case .integer(let range): (String(range.lowerBound), String(range.upperBound))
        case .number(let range): range.minimum < 0 ? ("-0.5", "2.5") : ("0.25", "0.75")
        case .duration(_, .orNever): ("7s", "never")
        case .duration(let range, _): range.contains(.seconds(11)) ? ("7s", "11s") : ("1s", "2s")
        case .byteSize: ("96KiB", "1048577")
        case .choice(let words, let unbuilt): ((words + unbuilt)[1], unbuilt.last ?? words[0])
        case .text(.country): ("US", "EU")
        case .text(.topicPattern): ("a/{peer}", "b/{accessory}/c")
        case .text(.address): ("127.0.0.1", "::1")
        case .text: ("one", "two")
        case .list(let element, let count) where count.lowerBound > 1:
            ("[\(element.samples.0), \(element.samples.1)]", "[\(element.samples.1), \(element.samples.1)]")
        case .list(let element, _): ("[\(element.samples.0)]", "[\(element.samples.0), \(element.samples.1)]")
        }
    }

    /// Values that must be refused, as YAML.
    var wrong: [String] {
        let always = ["", "~", "null", "{a: b}"]
        return always
            + {
                switch self {
                case .boolean: ["on", "yes", "True", "1", "\"\"", "[true]"]
                case .integer(let range):
                    [
                        "\(range.lowerBound - 1)", "\(range.upperBound + 1)", "1.5", "0x1", "five", "1e3", "[1]", "--1",
                        "99999999999999999999", "\"\"", "\"-\"",
                    ]
                case .number(let range):
                    [
                        "3 m", ".inf", "nan", "inf", "1e999", "0x2", "\(range.maximum + 1)", "five", "[1]", "\"\"",
                        "1,5", "\"-\"", ".",
                    ]
                case .duration(_, let openness):
                    ["5", "5 s", "5sec", "-5s", "s", "1e9d", "99999999999999999999999s", "[1s]", "\"\"", "5s5s"]
                        + (openness == .always ? ["never"] : ["off"])
                case .byteSize:
                    ["64KB", "64 KiB", "-1", "0", "1e99", "99999999999GiB", "lots", "[1]", "\"\"", "0.3KiB"]
                case .choice: ["no_such_word", "\"\"", "[a]"]
                case .text(let rule): ["\"\"", "[a]", "\"a\\nb\"", "\"\\u0000\"", "\"\\u009b\""] + rule.wrong
                case .list(let element, let count) where count.lowerBound > 1:
                    ["5", "[\(element.samples.0)]", "[\(element.samples.0), \(element.wrong.last ?? "")]", "[[]]"]
                case .list(let element, _): ["5", "[\(element.wrong.last ?? "")]", "[[]]", "[{}]"]
                }
            }()
    }
}

extension TextRule {
    var wrong: [String] {
        switch self {
        case .line, .path: [String(repeating: "x", count: 1025)]
        case .host: ["mqtt://localhost", "local host", "a/b", String(repeating: "x", count: 254)]
        case .topic: ["/a", "a/", "a//b", "a/+", "\"#\"", "$SYS", "a/{b}", String(repeating: "x", count: 201)]
        case .foreignTopic: ["a/+", "\"a/{peer}\"", "\"#\"", "a//b", "$SYS"]
        case .topicPattern: ["\"a/{room}\"", "\"{peer}/{peer}\"", "\"a/x{peer}\"", "\"a/#\"", "a//b", "a/b+"]
        case .clientIdentifier: ["a/b", "a+", "\"a#\"", String(repeating: "x", count: 201)]
        case .member: ["a/b", "a b", "\"**\"", String(repeating: "x", count: 65)]
        case .identifier: ["a/b", "a b", "ä", "a+", String(repeating: "x", count: 65)]
        case .zone: ["A", "outside", "unknown", "a-b", String(repeating: "x", count: 33)]
        case .country: ["Europe", "eu", "E1"]
        case .address: ["localhost", "1.2.3", "256.0.0.1", "\"1::2::3\"", "0x7f.1"]
        case .sent: ["\"a\\rb\"", "\"\\ta\"", String(repeating: "x", count: 1025)]
        }
    }
}

extension ConfigurationKey {
    /// The levels of the path with names filled in.
    var concrete: [String] {
        var section = ""
        return levels.map { level in
            defer { section = level }
            return level == "*" ? section == "zones" ? "near" : "some-name" : level
        }
    }

    /// The key as problems and `--set` name it.
    var concretePath: String {
        concrete.joined(separator: ".").replacing(".[]", with: "[0]")
    }

    /// Other keys without which this one would be refused.
    var companions: [String] {
        switch path {
        case "smoothing.alpha", "smoothing.time_constant": ["smoothing.filter=ema"]
        case "smoothing.window": ["smoothing.filter=median"]
        case "smoothing.process_noise", "smoothing.measurement_noise": ["smoothing.filter=kalman"]
        case "smoothing.min_cutoff", "smoothing.beta": ["smoothing.filter=one_euro"]
        case "people.*.name", "people.*.presence": ["people.some-name.peers=[x]"]
        case "groups.*.nearest.zone":
            ["groups.some-name.accessories=[x]", "zones.one.radius=1", "zones.two.radius=2"]
        case "groups.*.name", "groups.*.nearest", "groups.*.nearest.margin", "groups.*.nearest.hold",
            "groups.*.nearest.within":
            ["groups.some-name.accessories=[x]"]
        case "mqtt.tls.certificate": ["mqtt.tls.key=k"]
        case "mqtt.tls.key": ["mqtt.tls.certificate=c"]
        default: sectorCompanions
        }
    }

    /// Half a sector is none.
    private var sectorCompanions: [String] {
        guard let name = levels.last, levels.contains("azimuth") || name.hasPrefix("azimuth_") else { return [] }
        guard levels.contains("zones") else { return [] }
        let zone = concretePath.split(separator: ".").prefix { !$0.hasPrefix("azimuth") }.joined(separator: ".")
        return [("from", "-20"), ("to", "90")].filter { $0.0 != name }.map { "\(zone).azimuth.\($0.0)=\($0.1)" }
    }

    /// A file that sets this key alone, with the value in the last line.
    func file(_ value: String) -> String {
        var text = ""
        var indentation = ""
        var isEntry = false
        for (place, level) in concrete.enumerated() {
            if place == concrete.count - 1 {
                for neighbour in neighbours { text += "\n\(indentation)\(neighbour)" }
            }
            if level == "[]" {
                for sibling in siblings {
                    text += "\n\(indentation)\(isEntry ? "  " : "- ")\(sibling)"
                    isEntry = true
                }
                if isEntry { indentation += "  " }
                isEntry = !isEntry
                continue
            }
            text += "\(text.isEmpty ? "" : "\n")\(indentation)\(isEntry ? "- " : "")\(level):"
            indentation += isEntry ? "    " : "  "
            isEntry = false
        }
        return text + " \(value)\n"
    }

    /// The line of the value in `file`.
    var line: Int { concrete.count { $0 != "[]" } + siblings.count + neighbours.count }

    /// What must stand beside the key itself.
    private var neighbours: [String] {
        let below = path.split(separator: "].", maxSplits: 1).last ?? ""
        return switch below {
        case "fields.distance": []
        case "fields.x": ["y: why"]
        case "fields.y": ["x: ex"]
        case "fields.z": ["x: ex", "y: why"]
        case _ where below.hasPrefix("fields."): ["distance: d"]
        default: []
        }
    }

    /// What an entry of a list must have besides.
    private var siblings: [String] {
        switch path {
        case "sources[].topic", "sources[].preset": []
        case "sources[].prefix": ["preset: drtls"]
        case "sources[].format": ["topic: foreign"]
        case "sources[].each", "sources[].ok": ["topic: foreign", "fields: {distance: d, status: s}"]
        case _ where path.hasPrefix("sources[]"): ["topic: foreign", "format: json"]
        case "inputs[].serial", "inputs[].udp": []
        case "inputs[].baud", "inputs[].init", "inputs[].format": ["serial: /dev/ttyACM0"]
        case "inputs[].host": ["udp: 5000"]
        case "inputs[].each", "inputs[].ok": ["udp: 5000", "fields: {distance: d, status: s}"]
        case _ where path.hasPrefix("inputs[]"): ["udp: 5000", "format: json"]
        default: []
        }
    }
}
