// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import TestSupport

/// An event as a consumer reads it (CONTRACT section 4.2).
struct Event: Decodable, Equatable {
    var v: Int
    var id: String
    var seq: Int64
    var type: String
    var accessory: String
    var peer: String?
    var at: String
    var publishedAt: String
    var zone: String
    var radius: Double
    var distance: Double?
    var visit: Int64
    var dwell: Double?
    var reason: String?

    enum CodingKeys: String, CodingKey {
        case v, id, seq, type, accessory, peer, at, zone, radius, distance, visit, dwell, reason
        case publishedAt = "published_at"
    }

    /// What happened in two or three words, for comparing: `enter near`, `exit near left`.
    var summary: String {
        switch type {
        case "zone_enter": "enter \(zone)"
        case "zone_exit": "exit \(zone) \(reason ?? "without reason")"
        default: type
        }
    }
}

/// A state snapshot as a consumer reads it (CONTRACT section 4.1), as far as the tests look at it.
struct Snapshot: Decodable {
    struct Zone: Decodable, Equatable {
        var state: String
        var since: String?
        var visit: Int64?
        var count: Int
    }
    struct Peer: Decodable, Equatable {
        var zone: String
        var distance: Double?
        var session: String
    }

    var v: Int
    var accessory: String
    var peer: String?
    var zone: String
    var zones: [String: Zone]
    var peers: [String: Peer]?
    var distance: Double?
    var measurement: String
    var session: String
    var seq: Int64?
    var restored: Bool
}

/// The answer to a request; `data` as far as the tests look at it.
struct Answer: Decodable {
    struct Data: Decodable {
        struct Traffic: Decodable {
            var published: Int
            var received: Int
            var reconnects: Int
        }
        var accessories: Int
        var reports: Int
        var events: Int
        var stalls: Int
        var storeFailures: Int
        var dropped: [String: Int]
        var mqtt: Traffic

        enum CodingKeys: String, CodingKey {
            case accessories, reports, events, stalls, dropped, mqtt
            case storeFailures = "store_failures"
        }
    }

    var status: String
    var transaction: String?
    var error: String?
    var data: Data?
}

extension MQTTTestClient.Message {
    /// The payload as a value, throwing what is wrong with it.
    func decoded<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(type, from: Data(payload))
    }
}

/// Looks at the order of keys, which decoders do not tell.
struct KeyOrder {
    private let bytes: [UInt8]
    private var position = 0

    /// Whether the keys of every object in a JSON text stand in sorted order, and at least one is there.
    static func isSorted(_ json: [UInt8]) -> Bool {
        var order = KeyOrder(bytes: json)
        return order.value() && order.position == json.count && json.first == UInt8(ascii: "{")
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func value() -> Bool {
        switch bytes[position...].first {
        case UInt8(ascii: "{"): return object()
        case UInt8(ascii: "["): return array()
        case UInt8(ascii: "\""): return string() != nil
        default:
            let end = bytes[position...].firstIndex { ",]}".utf8.contains($0) } ?? bytes.count
            defer { position = end }
            return end > position
        }
    }

    private mutating func object() -> Bool {
        var last = ""
        repeat {
            position += 1
            if last.isEmpty, take("}") { return true }
            guard let key = string(), key > last, take(":"), value() else { return false }
            last = key
        } while position < bytes.count && bytes[position] == UInt8(ascii: ",")
        return take("}")
    }

    private mutating func array() -> Bool {
        position += 1
        if take("]") { return true }
        position -= 1
        repeat {
            position += 1
            guard value() else { return false }
        } while position < bytes.count && bytes[position] == UInt8(ascii: ",")
        return take("]")
    }

    private mutating func string() -> String? {
        guard take("\"") else { return nil }
        let start = position
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        let text = String(decoding: bytes[start..<min(position, bytes.count)], as: UTF8.self)
        return take("\"") ? text : nil
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }
}
