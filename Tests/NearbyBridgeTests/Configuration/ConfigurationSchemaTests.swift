// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing
import YAML

@testable import NearbyBridge

struct ConfigurationSchemaTests {
    private func faults(_ text: String) throws -> [String] {
        let node = try YAMLParser.parse(Array(text.utf8))
        return SchemaWalker(root: ConfigurationSchema.value).faults(of: node.map(JSONValue.init(core:)) ?? .null)
    }

    @Test func `it is sorted JSON of a size that a retained topic can bear`() {
        #expect(JSONText.fault(ConfigurationSchema.json) == nil)
        #expect(ConfigurationSchema.json.count < 40 << 10)
        let object = JSONText.object(ConfigurationSchema.json)
        #expect(object?["$schema"] as? String == "https://json-schema.org/draft/2020-12/schema")
    }

    @Test func `the contract's example is valid`() throws {
        #expect(try faults(contractExample).isEmpty)
        // A section without content is one that was not given, in both.
        for text in ["", "{}", "mqtt:\nzones:\naccessories: {lamp: }\nsources:\n"] {
            #expect(try faults(text).isEmpty)
            #expect(problems(text).isEmpty)
        }
    }

    @Test func `it knows every key, and no other`() throws {
        for key in ConfigurationKey.all {
            #expect(try faults(key.file(key.type.schemaSample)).isEmpty, "\(key.path)")
            let misspelt = key.concretePath.split(separator: ".").last.map { "\($0)x" } ?? ""
            guard !key.levels.contains("*"), !key.levels.contains("[]") else { continue }
            let file = key.file("1").replacing("\(key.levels.last ?? ""):", with: "\(misspelt):")
            #expect(try !faults(file).isEmpty, "\(file)")
        }
        #expect(try !faults("zones: {outside: {radius: 1}}").isEmpty)
        #expect(try faults("groups: {a: [b], c: {accessories: [\"*\"], nearest: {zone: near}}}").isEmpty)
        #expect(try !faults("groups: {a: {members: [b]}}").isEmpty)
        #expect(try !faults("groups: {a: [b/c]}").isEmpty)
        #expect(try !faults("zones: {Near: {radius: 1}}").isEmpty)
        #expect(try !faults("accessories: {a/b: {name: n}}").isEmpty)
        #expect(try !faults("accessories: {a: {peers: {p: {zones: {near: {raduis: 1}}}}}}").isEmpty)
    }

    @Test func `what it accepts, the program reads`() throws {
        for key in ConfigurationKey.all {
            for value in key.type.wrong + [key.type.samples.0, key.type.samples.1, key.type.schemaSample] {
                let file = key.file(value)
                guard let isValid = try? faults(file).isEmpty, isValid else { continue }
                let found = problems(file, key.companions)
                // Bounds of times and sizes stand in the description alone.
                if key.type.hasUnsaidBounds { continue }
                #expect(found.isEmpty, "\(key.path): \(value): \(found)")
            }
        }
    }

    @Test func `defaults and help of every key are in it`() throws {
        let text = String(decoding: ConfigurationSchema.json, as: UTF8.self)
        for key in ConfigurationKey.all { #expect(text.contains(key.help), "\(key.path)") }
        #expect(text.contains(#""default":1883"#))
        #expect(text.contains(#""default":["1s","2s","4s"]"#))
        #expect(text.contains("Not built yet."))
        #expect(text.contains(#""writeOnly":true"#))
    }
}

extension ConfigurationType {
    /// A value in the type that JSON has for it.
    fileprivate var schemaSample: String {
        switch self {
        case .text, .choice: "\"\(samples.0)\""
        case .list(let element, let count):
            "[" + Array(repeating: element.schemaSample, count: max(1, count.lowerBound)).joined(separator: ", ") + "]"
        case .boolean, .integer, .number, .duration, .byteSize: samples.0
        }
    }

    fileprivate var hasUnsaidBounds: Bool {
        switch self {
        case .duration, .byteSize: true
        case .list(let element, _): element.hasUnsaidBounds
        case .boolean, .integer, .number, .choice, .text: false
        }
    }
}

extension JSONValue {
    /// What YAML's core schema makes of a node.
    fileprivate init(core node: YAMLNode) {
        switch node.content {
        case .scalar(let text, let isQuoted):
            if isQuoted {
                self = .text(text)
            } else if ConfigurationType.nothing.contains(text) {
                self = .null
            } else if let value = Int64(text) {
                self = .integer(value)
            } else if let value = Decimals.number(text[...]) {
                self = .number(value)
            } else {
                self = text == "true" ? .boolean(true) : text == "false" ? .boolean(false) : .text(text)
            }
        case .sequence(let nodes): self = .list(nodes.map(JSONValue.init(core:)))
        case .mapping(let entries):
            self = .object(Dictionary(entries.map { ($0.key, JSONValue(core: $0.value)) }) { first, _ in first })
        }
    }
}

/// As much of JSON Schema as ours uses; whatever else it holds is a fault.
private struct SchemaWalker {
    let root: JSONValue

    func faults(of value: JSONValue) -> [String] { check(value, root, "") }

    private static let silent: Set<String> = ["$defs", "$schema", "title", "description", "default", "writeOnly"]

    private func check(_ value: JSONValue, _ schema: JSONValue, _ path: String) -> [String] {
        guard case .object(let words) = schema else { return ["\(path): no schema"] }
        return words.flatMap { word, rule in
            Self.silent.contains(word) ? [] : check(value, word, rule, words, path)
        }
    }

    private func check(
        _ value: JSONValue,
        _ word: String,
        _ rule: JSONValue,
        _ words: [String: JSONValue],
        _ path: String
    ) -> [String] {
        let fault = ["\(path): \(word)"]
        switch (word, rule, value) {
        case ("$ref", .text(let reference), _):
            guard case .object(let top) = root, case .object(let definitions)? = top["$defs"] else { return fault }
            let name = reference.split(separator: "/").last.map(String.init) ?? ""
            return definitions[name].map { check(value, $0, path) } ?? fault
        case ("type", .text(let type), _): return Self.isOf(type, value) ? [] : fault
        case ("type", .list(let types), _):
            let isAny = types.contains { if case .text(let type) = $0 { Self.isOf(type, value) } else { false } }
            return isAny ? [] : fault
        case ("anyOf", .list(let schemas), _):
            return schemas.contains { check(value, $0, path).isEmpty } ? [] : fault
        case ("enum", .list(let values), _): return values.contains(value) ? [] : fault
        case ("pattern", .text(let pattern), .text(let text)): return Self.matches(text, pattern) ? [] : fault
        case ("minimum", _, _): return bound(value, rule) { $0 >= $1 } ? [] : fault
        case ("exclusiveMinimum", _, _): return bound(value, rule) { $0 > $1 } ? [] : fault
        case ("maximum", _, _): return bound(value, rule) { $0 <= $1 } ? [] : fault
        case ("minItems", .integer(let count), .list(let values)): return values.count >= count ? [] : fault
        case ("maxItems", .integer(let count), .list(let values)): return values.count <= count ? [] : fault
        case ("items", _, .list(let values)):
            return values.enumerated().flatMap { check($0.element, rule, "\(path)[\($0.offset)]") }
        case ("properties", .object(let properties), .object(let pairs)):
            return pairs.flatMap { key, value in properties[key].map { check(value, $0, "\(path).\(key)") } ?? [] }
        case ("patternProperties", .object(let patterns), .object(let pairs)):
            return pairs.flatMap { key, value in
                patterns.filter { Self.matches(key, $0.key) }.flatMap { check(value, $0.value, "\(path).\(key)") }
            }
        case ("additionalProperties", .boolean(false), .object(let pairs)):
            return pairs.keys.filter { !isKnown($0, words) }.map { "\(path).\($0): unknown" }
        case ("pattern", _, _), ("items", _, _), ("minItems", _, _), ("maxItems", _, _), ("properties", _, _),
            ("patternProperties", _, _),
            ("additionalProperties", _, _):
            return []
        default: return ["\(path): the walker does not know \(word)"]
        }
    }

    private func isKnown(_ key: String, _ words: [String: JSONValue]) -> Bool {
        if case .object(let properties)? = words["properties"], properties[key] != nil { return true }
        guard case .object(let patterns)? = words["patternProperties"] else { return false }
        return patterns.keys.contains { Self.matches(key, $0) }
    }

    private func bound(_ value: JSONValue, _ rule: JSONValue, _ isWithin: (Double, Double) -> Bool) -> Bool {
        guard let limit = Self.number(rule) else { return false }
        return Self.number(value).map { isWithin($0, limit) } ?? true
    }

    private static func number(_ value: JSONValue) -> Double? {
        switch value {
        case .integer(let value): Double(value)
        case .number(let value): value
        case .null, .boolean, .text, .list, .object: nil
        }
    }

    private static func isOf(_ type: String, _ value: JSONValue) -> Bool {
        switch value {
        case .null: type == "null"
        case .boolean: type == "boolean"
        case .integer: type == "integer" || type == "number"
        case .number: type == "number"
        case .text: type == "string"
        case .list: type == "array"
        case .object: type == "object"
        }
    }

    private static func matches(_ text: String, _ pattern: String) -> Bool {
        do {
            let regex = try Regex(pattern).matchingSemantics(.unicodeScalar)
            return text.contains(regex)
        } catch {
            Issue.record("\(pattern): \(error)")
            return false
        }
    }
}
