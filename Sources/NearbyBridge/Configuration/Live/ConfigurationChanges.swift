// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What one configuration says differently from another.
struct ConfigurationChanges: Equatable, Sendable {
    /// One key.
    struct Change: Equatable, Sendable {
        /// The key, levels joined by dots.
        var key: String
        /// The value before, `nil` if there was none.
        var old: String?
        /// The value now, `nil` if there is none.
        var new: String?

        /// The change in words: `zones.near.radius: 3.0, now 2.5`.
        var text: String {
            guard let new else { return "\(key) removed" }
            guard let old, old != new else { return old == nil ? "\(key) is \(new)" : key }
            return "\(key): \(old), now \(new)"
        }
    }

    /// What takes effect at once.
    var live: [Change] = []
    /// What takes effect after a restart.
    var restart: [Change] = []

    /// Whether nothing changed.
    var isEmpty: Bool { live.isEmpty && restart.isEmpty }

    /// Compares two configurations; a feature that is not built yet changes nothing.
    init(from old: LoadedConfiguration, to new: LoadedConfiguration) {
        let before = Dictionary(old.redacted.map { ($0.key, $0) }) { first, _ in first }
        let after = Dictionary(new.redacted.map { ($0.key, $0) }) { first, _ in first }
        for key in Set(before.keys).union(after.keys).sorted() {
            let (was, now) = (before[key], after[key])
            let isSame = was?.value == now?.value && old.secrets[key] == new.secrets[key]
            guard !isSame, let traits = (now ?? was)?.traits, !traits.contains(.unbuilt) else { continue }
            let change = Change(key: key, old: was?.value, new: now?.value)
            if traits.contains(.live) { live.append(change) } else { restart.append(change) }
        }
        noteListing(old, new)
    }

    /// An accessory, or a zone, that is listed without any key of its own makes a difference too.
    private mutating func noteListing(_ old: LoadedConfiguration, _ new: LoadedConfiguration) {
        func note(_ section: String, _ before: [String], _ after: [String]) {
            for name in Set(before).symmetricDifference(after).sorted() {
                let path = "\(ConfigurationPath([section, name]))"
                guard !live.contains(where: { $0.key.hasPrefix("\(path).") }) else { continue }
                live.append(Change(key: path, old: nil, new: after.contains(name) ? "listed" : nil))
            }
        }
        note("accessories", old.configuration.accessories.map(\.id), new.configuration.accessories.map(\.id))
        note("zones", old.configuration.zones.map(\.name), new.configuration.zones.map(\.name))
    }
}
