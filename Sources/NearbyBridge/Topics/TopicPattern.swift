// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// A foreign topic whose levels name accessory, peer or anchor: `espresense/devices/{peer}/{accessory}`.
///
/// A level `+` stands for anything and says nothing.
struct TopicPattern: Equatable, Sendable {
    /// What one level is.
    enum Level: Equatable, Sendable {
        case text([UInt8])
        case accessory
        case peer
        case anchor
        case anything
    }

    /// The pattern as it was written.
    let text: String
    private let levels: [Level]

    /// Reads a pattern that follows `TextRule.topicPattern`.
    init(_ text: String) {
        self.text = text
        levels = text.split(separator: "/", omittingEmptySubsequences: false).map { level in
            switch level {
            case "{accessory}": .accessory
            case "{peer}": .peer
            case "{anchor}": .anchor
            case "+": .anything
            default: .text(Array(level.utf8))
            }
        }
    }

    /// What to subscribe to.
    var filter: String {
        levels.map { level in
            switch level {
            case .text(let text): String(decoding: text, as: UTF8.self)
            case .accessory, .peer, .anchor, .anything: "+"
            }
        }.joined(separator: "/")
    }

    /// Whether it names something.
    func names(_ level: Level) -> Bool { levels.contains(level) }

    /// Takes a topic apart without a copy; `nil` if it is none of these.
    func match(_ topic: Span<UInt8>) -> FeedLevels? {
        var match = FeedLevels()
        var start = 0
        for (index, level) in levels.enumerated() {
            var end = start
            while end < topic.count, topic[end] != UInt8(ascii: "/") { end += 1 }
            guard (end == topic.count) == (index == levels.count - 1) else { return nil }
            switch level {
            case .text(let text):
                guard end - start == text.count else { return nil }
                for place in text.indices where topic[start + place] != text[place] { return nil }
            case .accessory: match.accessory = start..<end
            case .peer: match.peer = start..<end
            case .anchor: match.anchor = start..<end
            case .anything: break
            }
            start = end + 1
        }
        return match
    }

    /// Whether one topic may be both of this pattern and of another.
    func overlaps(_ other: TopicPattern) -> Bool {
        levels.count == other.levels.count && overlapsBeginning(of: other)
    }

    /// Whether topics of this pattern may lie below another one's.
    func mayLie(below prefix: TopicPattern) -> Bool {
        levels.count > prefix.levels.count && overlapsBeginning(of: prefix)
    }

    private func overlapsBeginning(of other: TopicPattern) -> Bool {
        zip(levels, other.levels).allSatisfy { one, other in
            guard case .text(let text) = one, case .text(let otherText) = other else { return true }
            return text == otherText
        }
    }
}
