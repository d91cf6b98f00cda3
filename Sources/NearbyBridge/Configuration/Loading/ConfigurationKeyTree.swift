// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// The key table as a tree, so that a reader can walk down it beside the YAML tree.
struct ConfigurationKeyTree: Sendable {
    /// What may stand at one place of the configuration.
    private(set) var key: ConfigurationKey?
    private(set) var children: [(name: String, tree: ConfigurationKeyTree)] = []
    /// Whether anything here or below is acted on.
    private(set) var isBuilt = false

    /// The whole table.
    static let root = {
        var root = ConfigurationKeyTree()
        for key in ConfigurationKey.all { root.insert(key, at: key.levels[...]) }
        return root
    }()

    /// What follows for any name, if the user chooses the names here.
    var named: ConfigurationKeyTree? { child("*") }

    /// What follows for each entry, if this is a list of sections.
    var entry: ConfigurationKeyTree? { child("[]") }

    /// The names that are known here.
    var names: [String] { children.map(\.name).filter { $0 != "*" && $0 != "[]" } }

    func child(_ name: String) -> ConfigurationKeyTree? {
        children.first { $0.name == name }?.tree
    }

    private mutating func insert(_ key: ConfigurationKey, at levels: ArraySlice<String>) {
        isBuilt = isBuilt || key.isBuilt
        guard let name = levels.first else {
            self.key = key
            return
        }
        let index = children.firstIndex { $0.name == name } ?? children.count
        if index == children.count { children.append((name, ConfigurationKeyTree())) }
        children[index].tree.insert(key, at: levels.dropFirst())
    }
}
