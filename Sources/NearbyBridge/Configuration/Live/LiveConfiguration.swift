// nearby-bridge · SPDX-License-Identifier: Apache-2.0

internal import YAML

/// The configuration of a running bridge: its sources can be read again, and requests can change it.
///
/// Where a request and the sources disagree, the request wins, also after the sources were read again.
struct LiveConfiguration: Sendable {
    /// What is in effect: of keys that need a restart, what they were at the start.
    private(set) var loaded: LoadedConfiguration
    /// What requests have set.
    private(set) var runtime = RuntimeOptions()
    /// Keys whose change waits for a restart.
    private(set) var restartKeys: [String] = []
    private var sources: ConfigurationSources?
    /// The sources as they were read last.
    private var base: ConfigurationReader

    /// Reads a configuration.
    init(_ sources: ConfigurationSources) throws(ConfigurationError) {
        var sources = sources
        base = sources.read()
        loaded = try ConfigurationLoader.finish(base)
        self.sources = sources
    }

    /// The defaults, with these `key=value` texts; there is nothing to read again.
    init(overrides: [String] = []) throws(ConfigurationError) {
        base = ConfigurationReader()
        for override in overrides { base.readOverride(override) }
        loaded = try ConfigurationLoader.finish(base)
    }

    /// Whether there is anything to read again.
    var canReload: Bool { sources != nil }

    /// Reads the sources again.
    ///
    /// - Parameter dropped: Gets what requests had set and what fits the new configuration no more.
    /// - Returns: What changed.
    /// - Throws: Everything that is wrong; the configuration stays as it was.
    mutating func reload(dropped: inout [ConfigurationProblem]) throws(ConfigurationError) -> ConfigurationChanges {
        guard var sources else { return ConfigurationChanges(from: loaded, to: loaded) }
        let base = sources.read()
        let changes = try adopt(base, runtime, dropped: &dropped)
        self.sources = sources
        return changes
    }

    /// Puts sources and what requests have set into effect, without that of the latter which does not fit.
    ///
    /// - Throws: Everything that is wrong with the sources alone.
    private mutating func adopt(
        _ base: ConfigurationReader,
        _ wanted: RuntimeOptions,
        dropped: inout [ConfigurationProblem]
    ) throws(ConfigurationError) -> ConfigurationChanges {
        // What is wrong with the sources themselves comes first, and alone.
        var new = try ConfigurationLoader.finish(base)
        var runtime = wanted
        for path in runtime.strangeZones(among: base.settings.names(in: ConfigurationPath(["zones"])).map(\.text)) {
            runtime.remove(path)
            dropped.append(
                ConfigurationProblem(key: "\(path)", source: .request, message: "no zone of this name", fix: "")
            )
        }
        while !runtime.isEmpty {
            do throws(ConfigurationError) {
                new = try Self.load(base, runtime)
                break
            } catch {
                let causes = error.problems.filter { runtime.removeCause(of: $0.key ?? "") }
                guard !causes.isEmpty else { throw error }
                dropped += causes
            }
        }
        self.base = base
        self.runtime = runtime
        return take(new)
    }

    /// Changes keys below a path for as long as the bridge runs; `null` gives one back to the sources.
    ///
    /// - Returns: What changed.
    /// - Throws: Everything that is wrong; the configuration stays as it was.
    mutating func set(_ node: YAMLNode, at path: ConfigurationPath) throws(ConfigurationError) -> ConfigurationChanges {
        // Everything is read once as it came, so that no fault hides in what is dropped or replaced.
        var trial = base
        if node.kind != "nothing" { trial.readRequest(node.withoutNothing, at: path) }
        guard trial.problems.count == base.problems.count else {
            throw ConfigurationError(problems: Array(trial.problems.dropFirst(base.problems.count)))
        }
        var runtime = runtime
        runtime.set(node, at: path)
        let new = try Self.load(base, runtime)
        self.runtime = runtime
        return take(new)
    }

    /// The sections that requests can change: no secret is in them.
    private static let requestable: Set<String> = ["accessories", "zones", "log"]

    /// Sets again what an earlier life's requests had set: `key=value`, as `RuntimeOptions.texts` has it.
    ///
    /// Nothing else that requests have set stays. All at once: with ten thousand accessories each single change costs a quarter of a second.
    ///
    /// - Returns: What fits this configuration no more.
    mutating func restore(_ texts: [String]) -> [String] {
        var wanted = RuntimeOptions()
        var dropped: [String] = []
        var reader = ConfigurationReader()
        for text in texts {
            guard let equals = text.firstIndex(of: "="), let path = ConfigurationPath(parsing: text[..<equals]),
                path.levels.count > 1, Self.requestable.contains(path.levels[0]),
                let node = reader.storedNode(String(text[text.index(after: equals)...]), at: path)
            else {
                dropped.append(text)
                continue
            }
            wanted.set(node, at: path)
        }
        var problems: [ConfigurationProblem] = []
        // The sources have been read already: nothing is wrong with them.
        _ = try? adopt(base, wanted, dropped: &problems)
        return dropped + problems.map { $0.key ?? "an option" }
    }

    private static func load(
        _ base: ConfigurationReader,
        _ runtime: RuntimeOptions
    ) throws(ConfigurationError) -> LoadedConfiguration {
        var reader = base
        for (path, node) in runtime.entries { reader.readRequest(node, at: path) }
        return try ConfigurationLoader.finish(reader)
    }

    /// Puts a configuration into effect, as far as it can change.
    private mutating func take(_ wanted: LoadedConfiguration) -> ConfigurationChanges {
        let changes = ConfigurationChanges(from: loaded, to: wanted)
        restartKeys = changes.restart.map(\.key)
        var new = wanted
        if !changes.restart.isEmpty {
            let fixed = loaded.redacted.filter { !$0.traits.contains(.live) }
            new.redacted = (wanted.redacted.filter { $0.traits.contains(.live) } + fixed).sorted { $0.key < $1.key }
        }
        new.configuration.broker = loaded.configuration.broker
        new.secrets = loaded.secrets
        loaded = new
        return changes
    }
}

extension YAMLNode {
    /// The node without entries that hold nothing, and without sections that are empty then.
    fileprivate var withoutNothing: YAMLNode {
        guard case .mapping(let entries) = content else { return self }
        let kept = entries.filter { $0.value.kind != "nothing" }.map { entry in
            var entry = entry
            entry.value = entry.value.withoutNothing
            return entry
        }
        return YAMLNode(.mapping(kept), at: position)
    }
}
