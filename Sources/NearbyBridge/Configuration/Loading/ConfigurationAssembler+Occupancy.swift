// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// The sections `people` and `groups`.
extension ConfigurationAssembler {
    func people() -> [String: PersonOptions] {
        let section = ConfigurationPath(["people"])
        let pairs = settings.names(in: section).map { name in
            var person = PersonOptions(peers: [])
            let path = section.appending(name.text)
            assign("name", in: path, to: &person.name)
            assign("peers", in: path, to: &person.peers)
            assign("presence", in: path, to: &person.presence)
            return (name.text, person)
        }
        return Dictionary(pairs) { first, _ in first }
    }

    func groups() -> [String: GroupOptions] {
        let section = ConfigurationPath(["groups"])
        let pairs = settings.names(in: section).map { ($0.text, group(at: section.appending($0.text))) }
        return Dictionary(pairs) { first, _ in first }
    }

    private func group(at path: ConfigurationPath) -> GroupOptions {
        let members = Set(settings.members(of: path))
        var group = GroupOptions(members: members.contains("*") ? .all : .listed(members))
        assign("name", in: path, to: &group.name)
        group.nearest = nearest(at: path.appending("nearest"))
        return group
    }

    /// How the nearest accessory is chosen; a key below it asks for that as `true` does.
    private func nearest(at path: ConfigurationPath) -> NearestOptions? {
        let isAsked = settings[path]?.value
        guard isAsked == .boolean(true) || (isAsked == nil && settings.hasNearestKeys(path)) else { return nil }
        var nearest = NearestOptions()
        assign("margin", in: path, to: &nearest.margin)
        assign("hold", in: path, to: &nearest.hold)
        var metres: Double?
        var zone: String?
        assign("within", in: path, to: &metres)
        assign("zone", in: path, to: &zone)
        nearest.reach = zone.map { .zone($0) } ?? metres.map { .metres($0) } ?? .unlimited
        return nearest
    }
}

extension ConfigurationSettings {
    /// The accessories of a group, whichever way they are written; a section says more than a list.
    func members(of group: ConfigurationPath) -> [String] {
        let setting = self[group.appending("accessories")] ?? self[group]
        return setting.flatMap { [String]($0.value) } ?? []
    }

    /// Whether anything is said of how the nearest accessory is chosen.
    fileprivate func hasNearestKeys(_ path: ConfigurationPath) -> Bool {
        ["margin", "hold", "within", "zone"].contains { self[path.appending($0)] != nil }
    }
}
