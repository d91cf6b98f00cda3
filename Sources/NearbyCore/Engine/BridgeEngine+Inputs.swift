// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Reports that come in past the broker: each device or port is a feed of its own.
extension BridgeEngine {
    /// The scope of inputs among the names of feeds: no topic that somebody publishes on can be taken for one.
    private static let inputScope = 1

    /// The feed of a device or port, which is made if it is not known.
    ///
    /// - Parameters:
    ///   - name: What to call it in complaints, such as `serial:/dev/ttyACM0`; another one for each.
    ///   - source: The place of its source among those of the options.
    /// - Returns: The feed.
    public mutating func inputFeed(_ name: Span<UInt8>, source: Int) -> FeedIndex {
        if let known = feedNames.index(of: name, in: Self.inputScope) { return FeedIndex(known) }
        var feed = Feed(source: source, topic: [])
        feed.isInput = true
        for place in name.indices { feed.topic.append(name[place]) }
        feed.accessory = sources[source].options.accessory.map { Array($0.utf8) }
        feed.peer = sources[source].options.peer.map { Array($0.utf8) }
        return insert(feed, in: Self.inputScope)
    }

    /// Drops the beginning of a packet or line whose end will never come.
    public mutating func forgetUnfinished(of feed: FeedIndex) {
        guard feed.rawValue < feeds.count else { return }
        feeds[feed.rawValue].unfinished = nil
    }

    /// Adds a feed that is not known yet.
    mutating func insert(_ feed: Feed, in scope: Int) -> FeedIndex {
        if feedNames.count >= Self.mostFeeds {
            feedNames = IdentifierTable(key: refusedKey)
            feeds.removeAll()
        }
        let place = feedNames.insert(feed.topic.span, in: scope)
        // Feeds are only forgotten all at once: places count up.
        feeds.append(feed)
        return FeedIndex(place)
    }
}
