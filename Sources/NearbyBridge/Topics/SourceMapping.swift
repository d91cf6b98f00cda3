// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// Which foreign topic belongs to which source (CONTRACT section 3).
struct SourceMapping: Equatable, Sendable {
    /// One foreign topic pattern and the place of its source.
    struct Entry: Equatable, Sendable {
        var pattern: TopicPattern
        var source: Int
    }

    /// In the order of the configuration: the first that matches decides.
    private(set) var entries: [Entry] = []

    /// The topics of sources, in their order.
    init(_ sources: [SourceConfiguration] = []) {
        for (index, source) in sources.enumerated() {
            for topic in source.topics { entries.append(Entry(pattern: TopicPattern(topic), source: index)) }
        }
    }

    /// What to subscribe to, each filter once.
    var filters: [String] {
        var known: Set<String> = []
        return entries.map(\.pattern.filter).filter { known.insert($0).inserted }
    }

    /// The source of a foreign topic and what its levels say.
    func match(_ topic: Span<UInt8>) -> (source: Int, levels: FeedLevels)? {
        for entry in entries {
            if let match = entry.pattern.match(topic) { return (entry.source, match) }
        }
        return nil
    }

    /// The feed of a foreign topic, `nil` of a topic that is nobody's, or that names nobody.
    func feed(
        _ topic: Span<UInt8>,
        at now: Instant,
        in engine: inout BridgeEngine,
        into effects: inout EffectBuffer
    ) -> FeedIndex? {
        guard !entries.isEmpty else { return nil }
        if let known = engine.feed(topic) { return known }
        guard let (source, levels) = match(topic) else { return nil }
        engine.advance(to: now, into: &effects)
        return engine.addFeed(topic, source: source, levels: levels, into: &effects)
    }
}
