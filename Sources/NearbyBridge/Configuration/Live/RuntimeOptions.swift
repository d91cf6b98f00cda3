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

    /// Forgets what was set at a path and below it.
    mutating func remove(_ path: ConfigurationPath) {
        values = values.filter { $0.key != path && !$0.key.isBelow(path) }
    }

    /// Forgets a key by its name in a problem.
    ///
    /// - Returns: Whether anything was set there.
    mutating func remove(key: String) -> Bool {
        let count = values.count
        values = values.filter { "\($0.key)" != key && !"\($0.key)".hasPrefix("\(key).") }
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
