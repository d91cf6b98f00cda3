// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// How sessions are run (CONTRACT sections 6 and 7).
public struct SessionOptions: Equatable, Sendable {
    /// Reports outside a session are refused.
    public var isRequired = false
    /// Who makes shareable configuration data.
    public var shareable = ShareableMode.mint
    /// Whether nothing ranges before a person allows it.
    public var authorization = Authorization.open
    /// What shareable configuration data is made with.
    public var source = ShareableDataSource()
    /// How long each stage may take.
    public var timeouts = SessionTimeouts()
    /// How often a lost run is tried again.
    public var retry = RetryPolicy()

    /// Creates the defaults.
    public init() {}

    var context: AccessorySession.Context {
        AccessorySession.Context(source: source, timeouts: timeouts, retry: retry)
    }
}
