// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// Finds out whether what we publish arrives, where the broker does not say that it refuses it.
///
/// MQTT 3.1.1 acknowledges what an ACL refuses. So the first message of each class is read back: its topic is subscribed
/// to right before, and unsubscribed from when it has come. Each class once in a life; then this costs nothing any more.
struct WriteCheck: Equatable, Sendable {
    /// A message that was acknowledged comes back within this time, or never.
    static let patience: Duration = .seconds(10)

    /// A message that is awaited.
    struct Pending: Equatable, Sendable {
        var topic: String
        var output: OutputClass
        /// When the broker said that it has the message; `nil` before.
        var acknowledgedAt: Instant?
    }

    private var unchecked: [OutputClass]
    private(set) var pending: [Pending] = []

    /// Prepares a check of everything, or of nothing where the broker tells by itself.
    init(isNeeded: Bool) {
        unchecked = isNeeded ? OutputClass.allCases.filter(\.isReadBack) : []
    }

    /// Whether a message that is about to be published is to be read back.
    mutating func begins(with topic: String, _ topics: TopicScheme) -> Bool {
        guard !unchecked.isEmpty, let output = OutputClass(topic, topics) else { return false }
        guard let index = unchecked.firstIndex(of: output) else { return false }
        unchecked.remove(at: index)
        pending.append(Pending(topic: topic, output: output))
        return true
    }

    /// The broker says that it has a message on this topic.
    mutating func acknowledged(_ topic: String, at now: Instant) {
        guard let index = pending.firstIndex(where: { $0.topic == topic && $0.acknowledgedAt == nil }) else { return }
        pending[index].acknowledgedAt = now
    }

    /// A message came back on this topic.
    ///
    /// - Returns: Whether that ends a check.
    mutating func arrived(_ topic: String) -> Bool {
        guard let index = pending.firstIndex(where: { $0.topic == topic }) else { return false }
        pending.remove(at: index)
        return true
    }

    /// What should have come back by now, once.
    mutating func overdue(at now: Instant) -> Pending? {
        let index = pending.firstIndex { waiting in
            waiting.acknowledgedAt.map { $0.duration(to: now) >= Self.patience } ?? false
        }
        return index.map { pending.remove(at: $0) }
    }

    /// The connection is gone, and what was to come back with it: those classes are checked again.
    mutating func disconnected() {
        unchecked += pending.map(\.output)
        pending.removeAll()
    }
}
