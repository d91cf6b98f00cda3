// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// The names that keys have in the environment: `NEARBY_BRIDGE_<SECTION>_<KEY>`.
///
/// Only keys without a name of the user's choice have one.
enum EnvironmentName {
    static let prefix = "NEARBY_BRIDGE_"

    /// The keys by the names of their variables.
    static let keys: [String: ConfigurationKey] = {
        let pairs = ConfigurationKey.all.compactMap { key in of(key).map { ($0, key) } }
        return Dictionary(pairs) { first, _ in first }
    }()

    /// The variable of a key, `nil` for a key that has none.
    static func of(_ key: ConfigurationKey) -> String? {
        guard !key.levels.contains(where: { $0 == "*" || $0 == "[]" }) else { return nil }
        return prefix + key.levels.joined(separator: "_").uppercased()
    }

    /// What to say of a variable that no key has.
    static func hint(_ name: String) -> String {
        let rest = String(name.dropFirst(prefix.count))
        let known = keys.keys.sorted().map { String($0.dropFirst(prefix.count)) }
        if let near = NearestName.of(rest, in: known) { return "did you mean \(prefix)\(near)?" }
        let section = rest.prefix { $0 != "_" }.lowercased()
        if ["zones", "accessories", "people", "groups", "sources", "inputs"].contains(section) {
            return "\(section) have names: write them in the file, or with --set"
        }
        // The section may only be missing.
        if let near = known.first(where: { $0.hasSuffix("_\(rest)") }) { return "did you mean \(prefix)\(near)?" }
        return "remove it; a name is \(prefix)<SECTION>_<KEY>, such as \(prefix)MQTT_HOST"
    }

    /// Whether Kubernetes set a variable, as it does for every service whose name begins like ours.
    static func isServiceLink(_ name: String, _ value: String) -> Bool {
        let levels = name.split(separator: "_")
        for (index, level) in levels.enumerated() where index > 0 {
            if levels[index - 1] == "SERVICE", level == "HOST" || level == "PORT" { return true }
            if levels[index - 1] == "PORT", level.allSatisfy(\.isNumber) { return true }
        }
        return levels.last == "PORT" && value.contains("://")
    }
}
