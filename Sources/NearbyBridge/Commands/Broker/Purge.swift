// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import MosquittoClient

/// Finds and removes what a bridge retains: its own topics, and the discovery messages that are surely its own.
struct Purge {
    /// What came of it.
    enum Outcome: Equatable {
        /// So many topics are gone, or would be.
        case done(Int)
        /// Nothing was removed: a bridge would publish it again.
        case bridgeIsAlive
        /// The broker did not bring back this message, so what it retains cannot be known.
        case unreadable(String)
        /// These are still there.
        case left([String])
    }

    /// How long a bridge has to answer.
    private static let bridgePatience: Duration = .seconds(2)
    /// The broker has so long for each step.
    private static let patience: Duration = .seconds(30)

    let topics: TopicScheme
    let discoveryPrefix: String
    let connection: BriefConnection
    let token: String

    /// Removes everything, or only finds it; `found` is called with each topic.
    func run(
        isDry: Bool,
        isForced: Bool,
        found: (String) -> Void
    ) throws(MosquittoError) -> Outcome {
        if !isForced, !isDry {
            let question = HealthQuestion(topics: topics, token: token, patience: Self.bridgePatience)
            if case .alive = try question.ask(over: connection) { return .bridgeIsAlive }
        }
        guard let own = try retained() else { return .unreadable(topics.sentinel(token)) }
        if !isDry {
            for (index, topic) in own.enumerated() {
                try connection.send([], to: topic, isRetained: true)
                // Not all at once into the library's memory.
                if index % 64 == 63 { _ = try connection.pass(topics.sentinel(token)) }
            }
            guard let rest = try retained() else { return .unreadable(topics.sentinel(token)) }
            let left = Set(rest)
            for topic in own where !left.contains(topic) { found(topic) }
            if !rest.isEmpty { return .left(rest) }
        } else {
            own.forEach(found)
        }
        return .done(own.count)
    }

    /// Our retained topics, what says that a bridge is there last; `nil` if the broker does not bring all of them.
    ///
    /// Read at level 0: at level 1 mosquitto leaves out what goes beyond its queue. Messages that a broker sends for a
    /// subscription come before any that is published after its answer.
    private func retained() throws(MosquittoError) -> [String]? {
        connection.allow(Self.patience)
        var own: Set<String> = []
        connection.onMessage = { message in
            guard message.isRetained, !message.payload.isEmpty else { return }
            let isOurs =
                topics.isOwnRetained(message.topic)
                || DiscoveryMessage.isOurs(message.topic, message.payload, prefix: discoveryPrefix, base: topics.base)
            if isOurs { own.insert(message.topic) }
        }
        defer { connection.onMessage = nil }
        let filters = topics.ownRetainedFilters + DiscoveryMessage.filters(prefix: discoveryPrefix)
        _ = try connection.subscribe([topics.sentinel(token)], qualityOfService: .atMostOnce)
        _ = try connection.subscribe(filters, qualityOfService: .atMostOnce)
        guard try connection.pass(topics.sentinel(token)) else { return nil }
        try connection.unsubscribe(filters)
        return own.sorted { ($0 == topics.bridgeState ? 1 : 0, $0) < ($1 == topics.bridgeState ? 1 : 0, $1) }
    }
}
