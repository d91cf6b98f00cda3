// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// The JSON Schema (draft 2020-12) of the configuration, made from the table of keys.
///
/// A little stricter than the program, which also takes `"5"` for a number: what the schema accepts, the program reads.
/// The bounds of durations and sizes stand in the descriptions, because a pattern cannot say them.
enum ConfigurationSchema {
    /// The schema.
    static let value: JSONValue = {
        guard case .object(var root) = section(.root, at: []) else { return .null }
        root["$schema"] = .text("https://json-schema.org/draft/2020-12/schema")
        root["title"] = .text("nearby-bridge configuration")
        if let overrides = overridesTree {
            root["$defs"] = .object(["zone_overrides": section(overrides, at: ["zones"])])
        }
        return .object(root)
    }()

    /// The schema as JSON in one line.
    static let json: [UInt8] = {
        var json = JSONWriter()
        json.value(value)
        return json.bytes
    }()

    /// What accessories and peers say about a zone is the same: written once.
    private static let overridesTree = ConfigurationKeyTree.root.child("accessories")?.named?.child("zones")?.named

    private static func schema(of tree: ConfigurationKeyTree, at path: [String]) -> JSONValue {
        if let key = tree.key {
            guard !tree.children.isEmpty else { return .object(schema(of: key)) }
            // Nothing at all stands for neither of the two.
            guard case .object(var below) = section(tree, at: path) else { return .null }
            below["type"] = .text("object")
            return .object(["anyOf": .list([.object(schema(of: key)), .object(below)])])
        }
        if path.count > 2, path.suffix(2) == ["zones", "*"] {
            return .object(["$ref": .text("#/$defs/zone_overrides")])
        }
        return section(tree, at: path)
    }

    private static func section(_ tree: ConfigurationKeyTree, at path: [String]) -> JSONValue {
        if let entry = tree.entry {
            return .object(["type": section("array"), "items": schema(of: entry, at: path + ["[]"])])
        }
        var schema: [String: JSONValue] = ["type": section("object"), "additionalProperties": .boolean(false)]
        if let named = tree.named {
            let rule: TextRule = path.last == "zones" ? .zone : .identifier
            schema["patternProperties"] = .object([rule.pattern: self.schema(of: named, at: path + ["*"])])
        } else {
            let properties = tree.children.map { ($0.name, self.schema(of: $0.tree, at: path + [$0.name])) }
            schema["properties"] = .object(Dictionary(properties) { first, _ in first })
        }
        return .object(schema)
    }

    /// A section whose content is commented out is a section that was not given.
    private static func section(_ type: String) -> JSONValue { .list([.text(type), .text("null")]) }

    private static func schema(of key: ConfigurationKey) -> [String: JSONValue] {
        var schema = schema(of: key.type)
        var help = key.help
        if let bounds = key.type.bounds { help += " \(bounds)." }
        if !key.isBuilt { help += " Not built yet." }
        schema["description"] = .text(help)
        schema["default"] = key.defaultValue.map(json(of:))
        if key.isSecret { schema["writeOnly"] = .boolean(true) }
        return schema
    }

    private static func schema(of type: ConfigurationType) -> [String: JSONValue] {
        switch type {
        case .boolean:
            return ["type": .text("boolean")]
        case .integer(let range):
            return [
                "type": .text("integer"), "minimum": .integer(Int64(range.lowerBound)),
                "maximum": .integer(Int64(range.upperBound)),
            ]
        case .number(let range):
            let minimum = range.isMinimumAllowed ? "minimum" : "exclusiveMinimum"
            return ["type": .text("number"), minimum: .number(range.minimum), "maximum": .number(range.maximum)]
        case .duration(_, let openness):
            let time = "[0-9]+(\\.[0-9]+)?(ms|s|m|h|d)"
            return [
                "type": .text("string"),
                "pattern": .text(openness == .orNever ? "^(never|\(time))$" : "^\(time)$"),
            ]
        case .byteSize(let range):
            return [
                "type": .list([.text("integer"), .text("string")]),
                "minimum": .integer(Int64(range.lowerBound)), "maximum": .integer(Int64(range.upperBound)),
                "pattern": .text("^[0-9]+(\\.[0-9]+)?(B|KiB|MiB|GiB)?$"),
            ]
        case .choice(let words, let unbuilt):
            let all = words + unbuilt
            // YAML reads `5` as a number, whoever meant the word.
            return ["enum": .list(all.map { .text($0) } + all.compactMap { Int64($0) }.map { .integer($0) })]
        case .text(let rule):
            return ["type": .text("string"), "pattern": .text(rule.pattern)]
        case .list(let element, let count):
            var list: [String: JSONValue] = ["type": .text("array"), "items": .object(schema(of: element))]
            guard count != ConfigurationType.anyCount else { return list }
            list["minItems"] = .integer(Int64(count.lowerBound))
            list["maxItems"] = .integer(Int64(count.upperBound))
            return list
        }
    }

    private static func json(of value: ConfigurationValue) -> JSONValue {
        switch value {
        case .boolean(let value): .boolean(value)
        case .integer(let value): .integer(Int64(value))
        case .number(let value): .number(value)
        case .duration, .never, .byteSize, .text: .text(value.text)
        case .list(let values): .list(values.map(json(of:)))
        }
    }
}

extension ConfigurationType {
    /// Bounds that the schema has no words for.
    fileprivate var bounds: String? {
        switch self {
        case .duration(let range, _):
            "\(DurationText.write(range.lowerBound)) to \(DurationText.write(range.upperBound))"
        case .byteSize(let range): "\(ByteSizeText.write(range.lowerBound)) to \(ByteSizeText.write(range.upperBound))"
        case .boolean, .integer, .number, .choice, .text, .list: nil
        }
    }
}

extension TextRule {
    /// The rule as a regular expression, as far as one can say it.
    var pattern: String {
        let control = "\\u0000-\\u001f\\u007f-\\u009f"
        switch self {
        case .line, .path: return "^[^\(control)]{1,1024}$"
        case .host: return "^[A-Za-z0-9._:%-]{1,253}$"
        case .topic: return "^(?!\\$)(?=.{1,200}$)[^/+#{}\(control)]+(/[^/+#{}\(control)]+)*$"
        case .foreignTopic: return "^(?!\\$)/?[^/+#{}\(control)]+(/[^/+#{}\(control)]+)*$"
        case .topicPattern:
            let level = "(\\{(accessory|peer|anchor)\\}|\\+|[^/+#{}\(control)]+)"
            // No name twice.
            return "^(?!\\$)(?!.*(\\{[a-z]+\\}).*\\1)/?\(level)(/\(level))*$"
        case .clientIdentifier: return "^[^/+#\(control)]{1,200}$"
        case .identifier: return "^[A-Za-z0-9._:-]{1,64}$"
        case .member: return "^([A-Za-z0-9._:-]{1,64}|\\*)$"
        case .zone: return "^(?!(outside|unknown)$)[a-z0-9_]{1,32}$"
        case .country: return "^[A-Z]{2}$"
        case .address:
            let octet = "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
            let group = "[0-9A-Fa-f]{1,4}"
            return "^((\(octet)\\.){3}\(octet)|(\(group):){7}\(group)|(\(group):){1,6}:\(group)|::(\(group))?)$"
        case .sent: return "^(?=[\\s\\S]{1,1024}$)[^\(control)]*[\\r\\n]*$"
        }
    }
}
