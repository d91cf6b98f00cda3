// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// A configuration that can be used, with what is worth saying about it.
public struct LoadedConfiguration: Equatable, Sendable {
    /// One setting in effect, fit for publishing.
    public struct Setting: Equatable, Sendable {
        /// The key, levels joined by dots.
        public var key: String
        /// The value as one would write it, `<redacted>` for a secret.
        public var value: String
        /// Where it comes from.
        public var source: ConfigurationSource
        /// What sets its key apart.
        public var traits: ConfigurationKey.Traits
    }

    /// The typed configuration.
    public var configuration: BridgeConfiguration
    /// What works, but probably not as meant.
    public var warnings: [ConfigurationProblem]
    /// Every setting in effect, defaults included, sorted by key, without secrets.
    public var redacted: [Setting]
    /// The values of secret keys, by key: to tell whether one has changed.
    public var secrets: [String: Secret] = [:]
    /// The configuration file, `nil` if there is none.
    public var fileName: String?

    /// Where the configuration comes from, in a few words: `bridge.yaml, environment, --set`, or `defaults`.
    public var origin: String {
        let layers = Set(redacted.map(\.source.layer))
        let others = [(2, "environment"), (3, "--set"), (4, "requests")].filter { layers.contains($0.0) }.map(\.1)
        let names = [fileName].compactMap(\.self) + others
        return names.isEmpty ? "defaults" : names.joined(separator: ", ")
    }
}
