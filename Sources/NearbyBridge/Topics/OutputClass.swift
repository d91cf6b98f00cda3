// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What the bridge writes, as somebody who writes an ACL thinks of it: topics that one rule allows.
enum OutputClass: UInt8, CaseIterable, Sendable {
    case bridge
    case response
    case zone
    case state
    case session
    case event
    case command
    case configuration
    case token
    case characteristic
    case nearest

    /// The class of a topic of ours; `nil` for the log, which nobody misses, and for what is not ours.
    init?(_ topic: String, _ topics: TopicScheme) {
        guard topic.hasPrefix("\(topics.base)/") else { return nil }
        let rest = topic.dropFirst(topics.base.count + 1)
        if rest.hasPrefix("group/") {
            self = rest.hasSuffix("/state") ? .state : rest.hasSuffix("/event") ? .event : .zone
            if rest.hasSuffix("/nearest") { self = .nearest }
        } else if rest.hasPrefix("accessory/") {
            if rest.hasSuffix("/state") {
                self = .state
            } else if rest.hasSuffix("/event") {
                self = .event
            } else if rest.hasSuffix("/session") {
                self = .session
            } else if rest.hasSuffix("/command") {
                self = .command
            } else if rest.hasSuffix("/config") {
                self = .configuration
            } else if rest.hasSuffix("/peer_token") {
                self = .token
            } else if rest.hasSuffix("/characteristic") {
                self = .characteristic
            } else {
                self = .zone
            }
        } else if rest.hasPrefix("bridge/response/") {
            self = .response
        } else if rest.hasPrefix("bridge/"), topic != topics.bridgeLogging {
            self = .bridge
        } else {
            return nil
        }
    }

    /// Whether the bridge may look if it arrived: commands hold key material, and whoever asked misses an answer.
    var isReadBack: Bool {
        switch self {
        case .bridge, .zone, .state, .session, .event, .nearest, .characteristic: true
        case .response, .command, .configuration, .token: false
        }
    }

    /// What an ACL must allow for a topic of this class.
    func filter(_ topics: TopicScheme, for topic: String) -> String {
        let kind = topic.hasPrefix("\(topics.base)/group/") ? "group" : "accessory"
        let level = topic.contains("/peer/") ? "\(topics.base)/\(kind)/+/peer/+" : "\(topics.base)/\(kind)/+"
        return switch self {
        case .bridge: "\(topics.base)/bridge/#"
        case .response: "\(topics.base)/bridge/response/#"
        case .zone: "\(level)/zone/+"
        case .state: "\(level)/state"
        case .session: "\(level)/session"
        case .event: "\(level)/event"
        case .command: "\(level)/command"
        case .configuration: "\(level)/config"
        case .token: "\(level)/peer_token"
        case .characteristic: "\(level)/characteristic"
        case .nearest: "\(level)/nearest"
        }
    }
}
