// nearby-bridge · SPDX-License-Identifier: Apache-2.0

internal import YAML

/// What requests have set while the bridge runs: a layer above all others.
///
/// Kept over restarts by the store, as `texts`.
struct RuntimeOptions: Equatable, Sendable {
    /// Values by the path of their key.
    private var values: [ConfigurationPath: YAMLNode] = [:]

    /// Whether nothing was set.
    var isEmpty: Bool { values.isEmpty }

    /// Keys with their values, sorted, as `--set` would take them.
    var texts: [String] {
        entries.map { path, node in "\(path)=\(node.flowText)" }
    }

    /// Keys with their values, sorted.
    var entries: [(path: ConfigurationPath, node: YAMLNode)] {
        values.map { (path: $0.key, node: $0.value) }.sorted { "\($0.path)" < "\($1.path)" }
    }

    /// Sets everything that a node holds below a path; nothing (`null`) gives a key back to the configuration.
    mutating func set(_ node: YAMLNode, at path: ConfigurationPath) {
        switch node.content {
        case .mapping(let entries):
            for entry in entries { set(entry.value, at: path.appending(entry.key)) }
        case .scalar, .sequence:
            if node.kind == "nothing" { remove(path) } else { values[path] = node }
        }
    }

    /// The sections of zones that are set here, but are not among these.
    func strangeZones(among zones: [String]) -> [ConfigurationPath] {
        let names = Set(values.keys.filter { $0.levels.first == "zones" }.compactMap { $0.levels.dropFirst().first })
        return names.subtracting(zones).sorted().map { ConfigurationPath(["zones", $0]) }
    }

    /// Forgets what was set at a path and below it.
    mutating func remove(_ path: ConfigurationPath) {
        values = values.filter { $0.key != path && !$0.key.isBelow(path) }
    }

    /// Forgets what makes a problem: the key that it names, else whatever was set in the nearest section around it.
    ///
    /// - Returns: Whether anything was set there.
    mutating func removeCause(of key: String) -> Bool {
        guard var path = ConfigurationPath(parsing: key[...]) else { return false }
        let count = values.count
        while values.count == count, path.levels.count > 1 {
            remove(path)
            path.levels.removeLast()
        }
        return values.count < count
    }
}

extension YAMLNode {
    /// The node in one line; quotes stay where they were.
    fileprivate var flowText: String {
        switch content {
        case .scalar(let text, _): text
        case .sequence(let nodes): "[" + nodes.map(\.flowText).joined(separator: ", ") + "]"
        case .mapping(let entries):
            "{" + entries.map { "\($0.key): \($0.value.flowText)" }.joined(separator: ", ") + "}"
        }
    }
}
