// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import MosquittoClient
import NearbyCore

/// Every topic of the bridge, built and parsed in one place (CONTRACT section 2).
struct TopicScheme: Equatable, Sendable {
    /// What a message that came in is.
    enum Incoming: Equatable {
        /// A range report of the accessory whose identifier stands at these bytes of the topic.
        case report(Range<Int>)
        /// Accessory configuration data of the accessory at these bytes.
        case configuration(Range<Int>)
        /// Shareable configuration data for the accessory at these bytes, of the named phone at those.
        case shareable(Range<Int>, peer: Range<Int>?)
        /// A data-channel message of the accessory at these bytes.
        case message(Range<Int>)
        /// The availability of the accessory at these bytes.
        case availability(Range<Int>)
        /// A request whose name stands at these bytes of the topic.
        case request(Range<Int>)
        /// Nothing we know.
        case other
    }

    /// The base topic; may contain `/`.
    let base: String
    private let accessoryPrefix: [UInt8]
    private let requestPrefix: [UInt8]
    private static let reportSuffix = Array("/report".utf8)
    private static let configurationSuffix = Array("/config".utf8)
    private static let messageSuffix = Array("/message".utf8)
    private static let shareableSuffix = Array("/shareable".utf8)
    private static let peerLevel = Array("/peer/".utf8)
    private static let availabilitySuffix = Array("/availability".utf8)
    private static let commandSuffix = Array("/command".utf8)

    /// The topics below a base topic.
    init(base: String) {
        self.base = base
        accessoryPrefix = Array("\(base)/accessory/".utf8)
        requestPrefix = Array("\(base)/bridge/request/".utf8)
    }

    // MARK: The bridge

    var bridgeState: String { "\(base)/bridge/state" }
    var bridgeInfo: String { "\(base)/bridge/info" }
    var bridgeHealth: String { "\(base)/bridge/health" }
    var bridgeAccessories: String { "\(base)/bridge/accessories" }
    var bridgeEvent: String { "\(base)/bridge/event" }
    var bridgeLogging: String { "\(base)/bridge/logging" }

    func request(_ name: String) -> String { "\(base)/bridge/request/\(name)" }
    func response(_ name: String) -> String { "\(base)/bridge/response/\(name)" }
    /// Where a bridge that comes up writes to itself, to know that the broker has told it everything before.
    func sentinel(_ token: String) -> String { "\(base)/bridge/start/\(token)" }

    // MARK: Accessories and peers

    func zone(_ zone: String, of accessory: String, peer: String?) -> String {
        "\(stream(accessory, peer))/zone/\(zone)"
    }

    func state(of accessory: String, peer: String?) -> String { "\(stream(accessory, peer))/state" }
    func session(of accessory: String, peer: String?) -> String { "\(stream(accessory, peer))/session" }
    func event(of accessory: String, peer: String?) -> String { "\(stream(accessory, peer))/event" }

    /// What an accessory is told.
    func command(of accessory: String) -> String { "\(base)/accessory/\(accessory)/command" }
    /// What a radio is told that is a peer of an accessory.
    func command(of accessory: String, peer: String) -> String { "\(stream(accessory, peer))/command" }
    /// Where an accessory sends its configuration data.
    func configuration(of accessory: String) -> String { "\(base)/accessory/\(accessory)/config" }
    /// Where a phone gets the accessory's configuration data.
    func configuration(of accessory: String, for peer: String) -> String { "\(stream(accessory, peer))/config" }
    /// Where a phone sends the shareable configuration data that its session gave.
    func shareable(of accessory: String, from peer: String?) -> String { "\(stream(accessory, peer))/shareable" }
    /// Where an accessory sends data-channel messages.
    func message(of accessory: String) -> String { "\(base)/accessory/\(accessory)/message" }
    /// Where an accessory, or its relay, says whether it is there.
    func availability(of accessory: String) -> String { "\(base)/accessory/\(accessory)/availability" }
    /// Where an accessory reports.
    func report(of accessory: String) -> String { "\(base)/accessory/\(accessory)/report" }

    private func stream(_ accessory: String, _ peer: String?) -> String {
        // Groups stand where accessories stand under a name that no accessory can have.
        if accessory.hasPrefix(Self.groupLevel) { return "\(base)/\(accessory)" }
        return peer.map { "\(base)/accessory/\(accessory)/peer/\($0)" } ?? "\(base)/accessory/\(accessory)"
    }

    // MARK: What we subscribe to

    var reportFilter: String { "\(base)/accessory/+/report" }
    /// What accessories say besides reports.
    var accessoryFilters: [String] {
        ["config", "message", "availability", "shareable", "peer/+/shareable"].map { "\(base)/accessory/+/\($0)" }
    }
    /// What nobody ever subscribes to: ending that subscription asks the broker for a sign of life.
    var lineCheckFilter: String { "\(base)/bridge/line-check" }
    var requestFilter: String { "\(base)/bridge/request/#" }

    /// What a consumer subscribes to: the events of every accessory.
    var eventFilter: String { "\(base)/accessory/+/event" }
    /// The events of every named peer.
    var peerEventFilter: String { "\(base)/accessory/+/peer/+/event" }

    /// What a simulation subscribes to: what every accessory is told.
    var commandFilter: String { "\(base)/accessory/+/command" }

    /// What a bridge that comes up reads: its own retained states, and what another bridge may say.
    func startFilters(token: String) -> [String] {
        let streams = ["\(base)/accessory/+", "\(base)/accessory/+/peer/+"]
        return twinFilters(token: token) + streams.flatMap { ["\($0)/state", "\($0)/zone/+", "\($0)/session"] }
            + groupFilters
    }

    /// What a bridge that lost its connection reads: only what another bridge may say.
    func twinFilters(token: String) -> [String] {
        [bridgeState, bridgeInfo, response("health"), sentinel(token)]
    }

    /// Every retained topic that a bridge of this base topic owns.
    ///
    /// Nothing of an accessory's own is among them: `config` and `availability` belong to it.
    var ownRetainedFilters: [String] {
        let streams = ["\(base)/accessory/+", "\(base)/accessory/+/peer/+"]
        return streams.flatMap { ["\($0)/state", "\($0)/session", "\($0)/zone/+"] }
            + groupFilters + [bridgeState, bridgeInfo, bridgeHealth, bridgeAccessories, "\(base)/bridge/shard/+/state"]
    }

    /// What a recording subscribes to: all that one accessory, or every one, says and is told.
    func trafficFilters(of accessory: String?, withSecrets: Bool) -> [String] {
        let prefix = "\(base)/accessory/\(accessory ?? "+")"
        let shareable = withSecrets ? ["shareable", "peer/+/shareable"] : []
        return
            (["config", "report", "message", "availability", "command", "peer/+/config", "peer/+/command"] + shareable)
            .map { "\(prefix)/\($0)" }
    }

    /// What every radio is told.
    var radioCommandFilter: String { "\(base)/accessory/+/peer/+/command" }

    // MARK: Parsing

    /// Takes a topic apart without a copy.
    ///
    /// The identifier is not judged here.
    func parse(_ topic: Span<UInt8>) -> Incoming {
        if starts(topic, with: accessoryPrefix) {
            if let identifier = identifier(in: topic, before: Self.reportSuffix) { return .report(identifier) }
            if let identifier = identifier(in: topic, before: Self.messageSuffix) { return .message(identifier) }
            if let identifier = identifier(in: topic, before: Self.configurationSuffix) {
                return .configuration(identifier)
            }
            if let identifier = identifier(in: topic, before: Self.availabilitySuffix) {
                return .availability(identifier)
            }
            return shareable(in: topic)
        }
        if starts(topic, with: requestPrefix) { return .request(requestPrefix.count..<topic.count) }
        return .other
    }

    /// Whose shareable configuration data it is: `<id>/shareable` or `<id>/peer/<peer>/shareable`.
    private func shareable(in topic: Span<UInt8>) -> Incoming {
        if let identifier = identifier(in: topic, before: Self.shareableSuffix) {
            return .shareable(identifier, peer: nil)
        }
        let start = accessoryPrefix.count
        let end = topic.count - Self.shareableSuffix.count
        guard end > start, ends(topic, with: Self.shareableSuffix, at: end) else { return .other }
        var slash = start
        while slash < end, topic[slash] != UInt8(ascii: "/") { slash += 1 }
        let peer = slash + Self.peerLevel.count
        guard peer <= end, ends(topic, with: Self.peerLevel, at: slash) else { return .other }
        for index in peer..<end where topic[index] == UInt8(ascii: "/") { return .other }
        return .shareable(start..<slash, peer: peer..<end)
    }

    /// Where in a topic of ours the identifier of the accessory that is told something stands, `nil` in any other.
    func commandIdentifier(in topic: Span<UInt8>) -> Range<Int>? {
        guard starts(topic, with: accessoryPrefix) else { return nil }
        return identifier(in: topic, before: Self.commandSuffix)
    }

    /// The single level between the accessories' prefix and a suffix.
    private func identifier(in topic: Span<UInt8>, before suffix: [UInt8]) -> Range<Int>? {
        let start = accessoryPrefix.count
        let end = topic.count - suffix.count
        guard end >= start, ends(topic, with: suffix, at: end) else { return nil }
        for index in start..<end where topic[index] == UInt8(ascii: "/") { return nil }
        return start..<end
    }

    /// Whose topics they are.
    struct Stream: Hashable {
        var accessory: String
        /// `nil` for the accessory's own.
        var peer: String?
    }

    /// The stream of a state topic of ours, `nil` for any other topic.
    func stateStream(_ topic: String) -> Stream? { stream(of: topic, "state") }

    /// The stream of a session topic of ours, `nil` for any other topic.
    func sessionStream(_ topic: String) -> Stream? { stream(of: topic, "session") }

    private func stream(of topic: String, _ leaf: String) -> Stream? {
        let prefix = "\(base)/accessory/"
        guard topic.hasPrefix(prefix) else { return nil }
        let levels = topic.dropFirst(prefix.count).split(separator: "/", omittingEmptySubsequences: false).map(
            String.init
        )
        if levels.count == 2, levels[1] == leaf { return Stream(accessory: levels[0]) }
        guard levels.count == 4, levels[1] == "peer", levels[3] == leaf else { return nil }
        return Stream(accessory: levels[0], peer: levels[2])
    }

    /// The zone of a zone topic of ours, `nil` for any other topic.
    func zoneName(_ topic: String) -> String? {
        if let zone = groupZoneName(topic) { return zone }
        let prefix = "\(base)/accessory/"
        guard topic.hasPrefix(prefix) else { return nil }
        let levels = topic.dropFirst(prefix.count).split(separator: "/", omittingEmptySubsequences: false).map(
            String.init
        )
        let isPeer = levels.count == 5 && levels[1] == "peer" && levels[3] == "zone"
        return isPeer || (levels.count == 3 && levels[1] == "zone") ? levels.last : nil
    }

    /// Whether a topic is one of those that only the bridge itself retains, of an accessory and a peer with proper names.
    func isOwnRetained(_ topic: String) -> Bool {
        let bridge = "\(base)/bridge/"
        if topic.hasPrefix(bridge) { return ownRetainedFilters.contains { TopicFilter.matches($0, topic: topic) } }
        if isGroupRetained(topic) { return true }
        let prefix = "\(base)/accessory/"
        guard topic.hasPrefix(prefix) else { return false }
        var levels = topic.dropFirst(prefix.count).split(separator: "/", omittingEmptySubsequences: false)
        func takeName() -> Bool { AccessoryIdentifier.isValid(Array(levels.removeFirst().utf8).span) }
        guard levels.count >= 2, takeName() else { return false }
        if levels.count >= 3, levels[0] == "peer" {
            levels.removeFirst()
            guard takeName() else { return false }
        }
        if levels.count == 1 { return levels[0] == "state" || levels[0] == "session" }
        return levels.count == 2 && levels[0] == "zone" && TextRule.zone.accepts(String(levels[1]))
    }

    private func starts(_ topic: Span<UInt8>, with prefix: [UInt8]) -> Bool {
        guard topic.count >= prefix.count else { return false }
        for index in prefix.indices where topic[index] != prefix[index] { return false }
        return true
    }

    private func ends(_ topic: Span<UInt8>, with suffix: [UInt8], at start: Int) -> Bool {
        for index in suffix.indices where topic[start + index] != suffix[index] { return false }
        return true
    }
}
