// nearby-bridge · SPDX-License-Identifier: Apache-2.0

internal import YAML

/// Any JSON value: for what is read or written without a type of its own.
enum JSONValue: Equatable, Sendable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case number(Double)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])

    /// The value as the configuration reads it.
    var node: YAMLNode {
        let start = YAMLPosition(line: 1, column: 1)
        switch self {
        case .null: return YAMLNode(.scalar("null", isQuoted: false), at: start)
        case .boolean(let value): return YAMLNode(.scalar(String(value), isQuoted: false), at: start)
        case .integer(let value): return YAMLNode(.scalar(String(value), isQuoted: false), at: start)
        case .number(let value): return YAMLNode(.scalar(String(value), isQuoted: false), at: start)
        case .text(let text): return YAMLNode(.scalar(text, isQuoted: true), at: start)
        case .list(let values): return YAMLNode(.sequence(values.map(\.node)), at: start)
        case .object(let pairs):
            // Sorted, so that the same request has the same answer.
            let entries = pairs.sorted { $0.key < $1.key }.map { key, value in
                YAMLNode.Entry(key: key, isKeyQuoted: true, keyPosition: start, value: value.node)
            }
            return YAMLNode(.mapping(entries), at: start)
        }
    }
}

extension JSONWriter {
    /// Writes a value, keys sorted.
    mutating func value(_ value: JSONValue) {
        switch value {
        case .null: null()
        case .boolean(let value): boolean(value)
        case .integer(let value): integer(value)
        case .number(let value): number(value, decimals: 6)
        case .text(let text): string(text)
        case .list(let values):
            beginArray()
            for value in values { self.value(value) }
            endArray()
        case .object(let pairs):
            beginObject()
            for (key, value) in pairs.sorted(by: { $0.key < $1.key }) {
                self.key(key)
                self.value(value)
            }
            endObject()
        }
    }
}

extension JSONValue: Decodable {
    private struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: Key.self) {
            var object: [String: JSONValue] = [:]
            for key in container.allKeys { object[key.stringValue] = try container.decode(JSONValue.self, forKey: key) }
            self = .object(object)
            return
        }
        if var container = try? decoder.unkeyedContainer() {
            var list: [JSONValue] = []
            while !container.isAtEnd { list.append(try container.decode(JSONValue.self)) }
            self = .list(list)
            return
        }
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let value = try? container.decode(Bool.self) {
            self = .boolean(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else {
            self = .number(try container.decode(Double.self))
        }
    }
}
