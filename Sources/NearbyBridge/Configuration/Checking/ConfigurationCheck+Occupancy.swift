// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// What is wrong with people and groups.
extension ConfigurationCheck {
    mutating func checkPeople() {
        let section = ConfigurationPath(["people"])
        var carriers: [String: String] = [:]
        for person in settings.names(in: section) {
            let path = section.appending(person.text).appending("peers")
            let peers = settings[path].flatMap { [String]($0.value) } ?? []
            if peers.isEmpty, !settings.isRefused(path) {
                warn(
                    "\(path)",
                    person.source,
                    "missing: the person is nowhere",
                    "write \"peers: [\(person.text)-phone]\""
                )
            }
            for peer in peers {
                guard let other = carriers.updateValue(person.text, forKey: peer) else { continue }
                let source = settings[path]?.source ?? person.source
                let message =
                    other == person.text ? "\(peer) is named twice" : "\(other) carries \(peer) already"
                problem("\(path)", source, message, "name it once")
            }
        }
        let configured = configuredPeers()
        for person in settings.names(in: section) {
            guard let clash = carriers[person.text].map({ "what \($0) carries" }) ?? configured[person.text] else {
                continue
            }
            let path = section.appending(person.text)
            problem("\(path)", person.source, "\(clash) is called so too", "choose another name")
        }
    }

    /// The names of configured peers, both that of their reports and that in topics, and whose they are.
    private func configuredPeers() -> [String: String] {
        var names: [String: String] = [:]
        let section = ConfigurationPath(["accessories"])
        for accessory in settings.names(in: section) {
            let peers = section.appending(accessory.text).appending("peers")
            for peer in settings.names(in: peers) {
                names[peer.text] = "a peer of \(accessory.text)"
                if case .text(let name)? = settings[peers.appending(peer.text).appending("name")]?.value {
                    names[name] = "a peer of \(accessory.text)"
                }
            }
        }
        return names
    }

    mutating func checkGroups() {
        let section = ConfigurationPath(["groups"])
        for group in settings.names(in: section) {
            let path = section.appending(group.text)
            let places = [path, path.appending("accessories")]
            if settings.members(of: path).isEmpty, !places.contains(where: { settings.isRefused($0) }) {
                let fix = "write \"accessories: [\\\"*\\\"]\" for every accessory"
                warn("\(path)", group.source, "no accessory belongs to it", fix)
            }
            checkMembers(of: path, group.source)
            checkNearest(of: path.appending("nearest"))
        }
    }

    /// Accessories may join at any time; but a name that resembles a listed one is hardly meant, and who is not on the
    /// list of `join: allowlist` never comes.
    private mutating func checkMembers(of path: ConfigurationPath, _ group: ConfigurationSource) {
        let listed = settings.names(in: ConfigurationPath(["accessories"])).map(\.text)
        let isClosed = settings["join"]?.value == .text("allowlist")
        for member in settings.members(of: path) where member != "*" && !listed.contains(member) {
            let source = (settings[path.appending("accessories")] ?? settings[path])?.source ?? group
            if isClosed {
                let message = "\(member) may not join: it is not listed under accessories"
                warn("\(path)", source, message, "list it there, or remove it here")
            } else if let near = NearestName.of(member, in: listed) {
                warn("\(path)", source, "no accessory \(member) is listed", "did you mean \(near)?")
            }
        }
    }

    private mutating func checkNearest(of path: ConfigurationPath) {
        let zonePath = path.appending("zone")
        guard let zone = settings[zonePath] else { return }
        if settings[path.appending("within")] != nil {
            problem("\(zonePath)", zone.source, "given together with within", "keep one of the two")
        }
        let known = settings.names(in: ConfigurationPath(["zones"])).map(\.text)
        guard case .text(let name) = zone.value, !known.contains(name) else { return }
        let fix = NearestName.of(name, in: known).map { "did you mean \($0)?" } ?? "add it under zones"
        problem("\(zonePath)", zone.source, "no zone of this name", fix)
    }
}
