// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// Retained messages by which Home Assistant learns of our entities, as far as one must tell ours from others'.
///
/// Ours name `nearby-bridge` as their origin and say `<base topic>/bridge/state` where they are available: no other
/// program writes both, and a bridge with another base topic writes another one.
enum DiscoveryMessage {
    /// The name of our origin.
    static let originName = "nearby-bridge"

    /// What brings every discovery message, ours and others'.
    static func filters(prefix: String) -> [String] { ["\(prefix)/+/+/config", "\(prefix)/+/+/+/config"] }

    /// Whether a message is a discovery message of a bridge with this base topic.
    static func isOurs(_ topic: String, _ payload: [UInt8], prefix: String, base: String) -> Bool {
        guard topic.hasPrefix("\(prefix)/"), topic.hasSuffix("/config") else { return false }
        guard let body = try? JSONDecoder().decode(Body.self, from: Data(payload)) else { return false }
        guard (body.origin ?? body.o)?.name == originName else { return false }
        let listed = (body.availability ?? []) + (body.avty ?? [])
        let single = [body.availabilityTopic, body.avtyT]
        let topics = (listed.flatMap { [$0.topic, $0.t] } + single).compactMap { $0 }
        return topics.contains { expand($0, body.base) == "\(base)/bridge/state" }
    }

    /// Home Assistant puts the message's own base where a topic begins or ends with a tilde.
    private static func expand(_ topic: String, _ base: String?) -> String {
        guard let base else { return topic }
        if topic.hasPrefix("~") { return base + topic.dropFirst() }
        return topic.hasSuffix("~") ? topic.dropLast() + base : topic
    }

    private struct Origin: Decodable { var name: String? }
    private struct Availability: Decodable {
        var topic: String?
        var t: String?
    }

    /// The long and the short spellings that Home Assistant accepts.
    private struct Body: Decodable {
        var base: String?
        var origin: Origin?
        var o: Origin?
        var availability: [Availability]?
        var avty: [Availability]?
        var availabilityTopic: String?
        var avtyT: String?

        enum CodingKeys: String, CodingKey {
            case base = "~"
            case origin, o, availability, avty
            case availabilityTopic = "availability_topic"
            case avtyT = "avty_t"
        }
    }
}
