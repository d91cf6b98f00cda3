// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

@testable import NearbyBridge

extension OutgoingMessage {
    /// An event that is told by its number.
    static func event(_ number: Int, expiresAt: Int64 = .max, bytes: Int = 10) -> OutgoingMessage {
        OutgoingMessage(
            topic: "event/\(number)",
            payload: Array(repeating: 1, count: bytes),
            qualityOfService: 1,
            isRetained: false,
            expiresAt: Instant(nanoseconds: expiresAt)
        )
    }

    /// A retained state that is told by its number.
    static func state(_ number: Int, qualityOfService: Int = 1, bytes: Int = 10) -> OutgoingMessage {
        OutgoingMessage(
            topic: "state/\(number)",
            payload: Array(repeating: 2, count: bytes),
            qualityOfService: qualityOfService,
            isRetained: true
        )
    }

    /// The clearing of a retained topic.
    static func clearing(_ number: Int) -> OutgoingMessage { state(number, bytes: 0) }

    /// A line of the log.
    static func line(_ number: Int) -> OutgoingMessage {
        OutgoingMessage(topic: "line/\(number)", payload: [3], qualityOfService: 0, isRetained: false)
    }
}

extension Outbox {
    /// The topics that would be handed over now if every message were acknowledged at once.
    func topics(at now: Instant = Instant(nanoseconds: 0)) -> [String] {
        var copy = self
        var topics: [String] = []
        while let message = copy.next(at: now) {
            topics.append(message.topic)
            copy.handedOver(message, as: 1)
            copy.acknowledged(1)
        }
        return topics
    }

    /// Hands over as much as the window takes, numbered from `first`; returns the topics.
    @discardableResult
    mutating func fillWindow(from first: Int32 = 1, at now: Instant = Instant(nanoseconds: 0)) -> [String] {
        var topics: [String] = []
        while hasRoomInWindow, let message = next(at: now) {
            handedOver(message, as: first + Int32(topics.count))
            topics.append(message.topic)
        }
        return topics
    }
}
