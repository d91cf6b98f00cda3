// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// The topics of groups.
extension TopicScheme {
    static let groupLevel = "group/"

    func zone(_ zone: String, ofGroup group: String) -> String { "\(base)/group/\(group)/zone/\(zone)" }
    func state(ofGroup group: String) -> String { "\(base)/group/\(group)/state" }
    func event(ofGroup group: String) -> String { "\(base)/group/\(group)/event" }
    func nearest(of peer: String, inGroup group: String) -> String {
        "\(base)/group/\(group)/peer/\(peer)/nearest"
    }

    /// What a consumer subscribes to: the events of every group.
    var groupEventFilter: String { "\(base)/group/+/event" }

    /// Every retained topic of groups.
    var groupFilters: [String] {
        ["state", "zone/+", "peer/+/nearest"].map { "\(base)/group/+/\($0)" }
    }

    /// The levels below the groups' own, `nil` for any other topic.
    private func groupLevels(_ topic: String) -> [String]? {
        let prefix = "\(base)/\(Self.groupLevel)"
        guard topic.hasPrefix(prefix) else { return nil }
        let levels = topic.dropFirst(prefix.count).split(separator: "/", omittingEmptySubsequences: false)
        guard let group = levels.first, Self.isName(group) else { return nil }
        return levels.map(String.init)
    }

    private static func isName(_ level: Substring) -> Bool {
        AccessoryIdentifier.isValid(Array(level.utf8).span)
    }

    /// The group of a state topic of ours, `nil` for any other topic.
    func stateGroup(_ topic: String) -> String? {
        guard let levels = groupLevels(topic), levels.count == 2, levels[1] == "state" else { return nil }
        return levels[0]
    }

    /// Whose nearest accessory a topic of ours tells, `nil` for any other topic.
    func nearestPeer(_ topic: String) -> (group: String, peer: String)? {
        guard let levels = groupLevels(topic), levels.count == 4, levels[1] == "peer", levels[3] == "nearest",
            Self.isName(levels[2][...])
        else { return nil }
        return (levels[0], levels[2])
    }

    /// The zone of a group's zone topic of ours, `nil` for any other topic.
    func groupZoneName(_ topic: String) -> String? {
        guard let levels = groupLevels(topic), levels.count == 3, levels[1] == "zone" else { return nil }
        return levels[2]
    }

    /// Whether a topic is one that only the bridge itself retains of a group.
    func isGroupRetained(_ topic: String) -> Bool {
        stateGroup(topic) != nil || nearestPeer(topic) != nil
            || groupZoneName(topic).map { TextRule.zone.accepts($0) } ?? false
    }
}
