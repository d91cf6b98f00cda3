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
    }

    /// The typed configuration.
    public var configuration: BridgeConfiguration
    /// What works, but probably not as meant.
    public var warnings: [ConfigurationProblem]
    /// Every setting in effect, defaults included, sorted by key, without secrets.
    public var redacted: [Setting]
}
