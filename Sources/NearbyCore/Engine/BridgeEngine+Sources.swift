// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Reports that come in on foreign topics: who their ends are, and what positions mean.
extension BridgeEngine {
    /// More foreign topics than any site has: beyond them all are forgotten, and learned again as they come.
    static let mostFeeds = 32_768
    /// Bytes of a foreign topic: a stranger's may have 65,535, and is remembered.
    static let longestTopic = 512
    /// A tag farther than so many times the outermost radius is nobody's peer, unless it is one already.
    static let reach = 2.0

    /// The feed of a foreign topic that was heard of before.
    public func feed(_ topic: Span<UInt8>) -> FeedIndex? {
        feedNames.index(of: topic, in: 0).map { FeedIndex($0) }
    }

    /// Takes note of a foreign topic.
    ///
    /// - Parameters:
    ///   - topic: The topic as it came.
    ///   - source: The place of its source among those of the options.
    ///   - levels: Where its names stand.
    ///   - effects: Gets a complaint if a level is no identifier.
    /// - Returns: `nil` if a level cannot be an identifier.
    public mutating func addFeed(
        _ topic: Span<UInt8>,
        source: Int,
        levels: FeedLevels,
        into effects: inout EffectBuffer
    ) -> FeedIndex? {
        var feed = Feed(source: source, topic: [])
        guard topic.count <= Self.longestTopic else {
            counters.refusedAccessories += 1
            return nil
        }
        for range in [levels.accessory, levels.peer, levels.anchor] {
            guard let range, !AccessoryIdentifier.isValid(topic.extracting(range)) else { continue }
            refuse(topic.extracting(range), into: &effects)
            return nil
        }
        let options = sources[source].options
        feed.accessory = options.accessory.map { Array($0.utf8) }
        feed.peer = options.peer.map { Array($0.utf8) }
        if let range = levels.accessory { feed.accessory = sources[source].name(topic.extracting(range)) }
        if let range = levels.peer { feed.peer = sources[source].name(topic.extracting(range)) }
        if let range = levels.anchor { feed.anchor = sources[source].name(topic.extracting(range)) }
        feed.topic.reserveCapacity(topic.count)
        for index in topic.indices { feed.topic.append(topic[index]) }
        return insert(feed, in: 0)
    }

    /// A level that cannot be an identifier: told once.
    private mutating func refuse(_ name: Span<UInt8>, into effects: inout EffectBuffer) {
        counters.refusedAccessories += 1
        guard isFirstRefusal(name) else { return }
        let shown = name.extracting(0..<min(64, name.count)).text
        let kind = BridgeNotice.Kind.accessoryRefused(.invalidIdentifier)
        effects.append(.notice(BridgeNotice(kind: kind, accessory: shown, at: clock)))
    }

    /// Takes the payload of one message on a foreign topic, or what a device or port gave at once.
    ///
    /// If `isRetained`, only what it says of anchors counts: the rest tells of the past.
    public mutating func handleReport(
        _ payload: Span<UInt8>,
        from feed: FeedIndex,
        isRetained: Bool,
        at now: Instant,
        into effects: inout EffectBuffer
    ) {
        guard !payload.isEmpty else {
            // It only clears what was retained.
            if let anchor = feeds[feed.rawValue].anchor { sources[feeds[feed.rawValue].source].forget(anchor) }
            return
        }
        handleReport(payload, from: .feed(feed.rawValue, isRetained: isRetained), at: now, into: &effects)
    }

    /// Finds the two ends of a decoded report and lets it act.
    mutating func take(
        _ report: borrowing RangeReport,
        _ payload: Span<UInt8>,
        ofFeed feed: Int,
        isRetained: Bool,
        into effects: inout EffectBuffer
    ) {
        let source = feeds[feed].source
        if report.isAnchorPosition {
            let reporter = sources[source].end(report.reporter, in: payload)
            guard let position = report.position else { return }
            let name = feeds[feed].anchor ?? feeds[feed].accessory ?? name(of: reporter, source)
            if let name, !sources[source].learn(name, at: position * sources[source].options.scale) {
                counters.refusedPeers += 1
                complain(.tooManyAnchors, about: .feed(feed, isRetained: false), into: &effects)
            }
            return
        }
        guard !isRetained else {
            counters.retained += 1
            return
        }
        counters.reports += 1
        var (tag, anchor) = ends(of: report, payload, source)
        if let name = feeds[feed].anchor { anchor = .name(name) }
        if let signal = report.signal { return take(signal, ofFeed: feed, into: &effects) }
        if report.isGone { return noteGone(tag, inFeed: feed) }
        if report.status == .ok, let position = report.position, report.distance == nil {
            return take(report, payload, at: position * sources[source].options.scale, of: tag, feed, into: &effects)
        }
        let measured = report.status == .ok ? report.distance : nil
        let isOfConvergence = report.convergence != nil
        guard measured != nil || isOfConvergence else {
            counters.withoutMeasurement += 1
            return observeFailure(inFeed: feed)
        }
        let distance = measured.map { $0 * sources[source].options.scale }
        take(report, payload, distance, tag: tag, anchor: anchor, feed, isKnownOnly: false, into: &effects)
    }

    /// Which of a report's ends moves, and which stands.
    private mutating func ends(
        of report: borrowing RangeReport,
        _ payload: Span<UInt8>,
        _ source: Int
    ) -> (tag: Source.End, anchor: Source.End) {
        let reporter = sources[source].end(report.reporter, in: payload)
        let other = sources[source].end(report.peer, in: payload)
        return report.isReportedByAnchor ? (other, reporter) : (reporter, other)
    }

    /// A tag told where it is: that is a distance to each anchor.
    private mutating func take(
        _ report: borrowing RangeReport,
        _ payload: Span<UInt8>,
        at position: SIMD3<Double>,
        of tag: Source.End,
        _ feed: Int,
        into effects: inout EffectBuffer
    ) {
        let source = feeds[feed].source
        let reach = Self.reach * (options.zones.lazy.compactMap(\.options.radius).max() ?? 0)
        var hasMeasured = false
        for place in anchors(of: feed) {
            let anchor = sources[source].anchors[place]
            let isHorizontal = report.isHorizontal
            let distance = sources[source].distance(position, to: anchor.position, isHorizontal: isHorizontal)
            guard distance.isFinite else { continue }
            hasMeasured = true
            take(
                report,
                payload,
                distance,
                tag: tag,
                anchor: .name(anchor.name),
                feed,
                isKnownOnly: distance > reach,
                into: &effects
            )
        }
        guard !hasMeasured else { return }
        counters.withoutMeasurement += 1
        complain(.positionWithoutAnchors, about: .feed(feed, isRetained: false), into: &effects)
    }

    /// The anchors to which a position on a topic is a distance: the topic's own, or a fixed accessory if it is one of
    /// them, or all.
    private func anchors(of feed: Int) -> Range<Int> {
        let source = feeds[feed].source
        let isAtAnchors = sources[source].options.center == .anchors
        let fixed = isAtAnchors ? feeds[feed].accessory.flatMap { sources[source].anchor($0) } : nil
        if let name = feeds[feed].anchor {
            guard let place = sources[source].anchor(name) else { return 0..<0 }
            return place..<place + 1
        }
        return fixed.map { $0..<$0 + 1 } ?? 0..<sources[source].anchors.count
    }

    /// A distance between two ends, or none: finds accessory and peer.
    ///
    /// If `isKnownOnly`, it counts only for who is a peer already.
    private mutating func take(
        _ report: borrowing RangeReport,
        _ payload: Span<UInt8>,
        _ distance: Double?,
        tag: Source.End,
        anchor: Source.End,
        _ feed: Int,
        isKnownOnly: Bool,
        into effects: inout EffectBuffer
    ) {
        let source = feeds[feed].source
        let (center, other) = sources[source].options.center == .anchors ? (anchor, tag) : (tag, anchor)
        guard let name = feeds[feed].accessory ?? name(of: center, source) else {
            counters.withoutMeasurement += 1
            return complain(.noAccessory, about: .feed(feed, isRetained: false), into: &effects)
        }
        var peer = other
        if feeds[feed].accessory != nil {
            // The topic's accessory may be either end: the peer is the end that was measured, unless that is itself.
            let (measured, reporter) = report.isReportedByAnchor ? (tag, anchor) : (anchor, tag)
            peer = measured == .unknown || measured == .name(name) ? reporter : measured
        }
        if let name = feeds[feed].peer { peer = .name(name) }
        guard
            let accessory = accessory(of: name, isKnownOnly: isKnownOnly, source, into: &effects),
            !isKnownOnly || existingTrack(of: peer, accessory) != nil
        else { return }
        if accessories[accessory].origin != .source(source) { note(origin: .source(source), of: accessory) }
        guard let track = track(of: peer, accessory) else {
            counters.refusedPeers += 1
            return complain(.tooManyPeers, about: accessory, into: &effects)
        }
        guard tracks[track].allowance.spend(at: clock, rate: options.limits.reportRate) else {
            counters.rateLimited += 1
            return complain(.tooManyReports, about: accessory, into: &effects)
        }
        guard let distance else { return takeWithoutDistance(report, payload, on: track, into: &effects) }
        take(report, payload, distance, on: track, into: &effects)
    }

    private mutating func accessory(
        of name: [UInt8],
        isKnownOnly: Bool,
        _ source: Int,
        into effects: inout EffectBuffer
    ) -> Int? {
        if let place = identifiers.index(of: name.span, in: 0) { return accessoryPlaces[place] }
        if let index = airNames.accessory(of: name.span) { return index }
        guard !isKnownOnly else { return nil }
        return newAccessory(name.span, origin: .source(source), into: &effects)
    }

    private mutating func track(of peer: Source.End, _ accessory: Int) -> Int? {
        switch peer {
        case .unknown: unnamedTrack(of: accessory)
        case .name(let name): track(named: name.span, of: accessory)
        case .address(let address): track(addressed: address, of: accessory)
        }
    }

    private func existingTrack(of peer: Source.End, _ accessory: Int) -> Int? {
        switch peer {
        case .unknown:
            accessories[accessory].tracks.first { !tracks[$0].isNamed && tracks[$0].radio == nil }
        case .name(let name):
            identifiers.index(of: name.span, in: accessory + 1).map { trackPlaces[$0] }
        case .address(let address):
            accessories[accessory].tracks.first { tracks[$0].radio == address }
        }
    }

    /// The identifier of an end that is an accessory.
    private mutating func name(of end: Source.End, _ source: Int) -> [UInt8]? {
        switch end {
        case .unknown: nil
        case .name(let name): name
        case .address(let address): sources[source].spelling(of: address)
        }
    }

    /// What a radio tells of its session concerns the accessory that the topic names.
    private mutating func take(_ signal: RangeReport.Signal, ofFeed feed: Int, into effects: inout EffectBuffer) {
        guard
            let name = feeds[feed].accessory,
            let place = identifiers.index(of: name.span, in: 0)
        else { return }
        take(signal, of: accessoryPlaces[place], into: &effects)
    }

    /// The source says that a tag is away: its peers are lost soon, unless it is heard again.
    private mutating func noteGone(_ tag: Source.End, inFeed feed: Int) {
        let source = feeds[feed].source
        let peer = feeds[feed].peer.map { .name($0) } ?? tag
        let isCenter = sources[source].options.center == .tags
        if let name = feeds[feed].accessory ?? (isCenter ? name(of: tag, source) : nil) {
            guard let place = identifiers.index(of: name.span, in: 0) else { return }
            let accessory = accessoryPlaces[place]
            // Who is named alone is away himself, and with him everybody is.
            if peer != .unknown, peer != .name(name) {
                noteGone(peer, of: accessory)
            } else {
                for track in accessories[accessory].tracks { noteGone(track) }
            }
            return
        }
        for anchor in sources[source].anchors {
            guard let place = identifiers.index(of: anchor.name.span, in: 0) else { continue }
            noteGone(peer, of: accessoryPlaces[place])
        }
    }

    private mutating func noteGone(_ peer: Source.End, of accessory: Int) {
        if let track = existingTrack(of: peer, accessory) { noteGone(track) }
    }

    private mutating func noteGone(_ track: Int) {
        guard tracks[track].goneSince == nil, tracks[track].isPresent || tracks[track].tracker.isInside else { return }
        tracks[track].goneSince = clock
        armDeadline(ofTrack: track)
    }

    // MARK: Patience

    /// What is said of an accessory, with the patience that its source asks for.
    ///
    /// Of one that an earlier life knew nobody can say which source it has: it gets the longest patience of all, until
    /// its first report tells.
    func accessoryOptions(_ name: String, _ origin: Accessory.Origin) -> AccessoryOptions {
        var said = options.accessories[name] ?? AccessoryOptions()
        switch origin {
        case .own: break
        case .source(let place):
            let source = sources[place].options
            if source.isByException { said.reports = .byException }
            if said.lostAfter == nil { said.lostAfter = source.lostAfter }
        case .restored:
            let patience = sources.compactMap { $0.options.lostAfter }.max { $0.nanoseconds < $1.nanoseconds }
            let isEndless = sources.contains { $0.options.isByException && $0.options.lostAfter == nil }
            if isEndless, said.lostAfter == nil {
                said.lostAfter = .never
            } else if let patience, said.lostAfter == nil, patience.nanoseconds > options.lostAfter.nanoseconds {
                said.lostAfter = patience
            }
            // It may be one that is not lost to the patience of zones.
            if sources.contains(where: \.options.isByException) { said.reports = .byException }
        }
        return said
    }

    /// Where an accessory reports is known now, or has changed.
    mutating func note(origin: Accessory.Origin, of accessory: Int) {
        accessories[accessory].origin = origin
        let said = accessoryOptions(name(ofAccessory: accessory), origin)
        guard said != accessories[accessory].options else { return }
        accessories[accessory].options = said
        accessories[accessory].zoneSet = zoneSet(said, nil)
        for track in accessories[accessory].tracks {
            if !adopt(track, said) {
                tracks[track].forgetPlace()
            }
            armDeadline(ofTrack: track)
        }
    }
}
