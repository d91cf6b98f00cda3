// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// The three known layouts of the configuration that accessory and phone exchange.
///
/// `reference/nearby-interaction.md` sections 2.2 and 3. The phone answers in the layout of the accessory.
public enum ConfigurationLayout: Sendable, CaseIterable {
    /// Version 1.0: without clock drift.
    case v10
    /// Version 1.1.
    case v11
    /// Version 2.0: the accessory may ask for times and hopping.
    case v20

    /// The version that has exactly this layout.
    public var version: ConfigurationVersion {
        switch self {
        case .v10: ConfigurationVersion(1, 0)
        case .v11: ConfigurationVersion(1, 1)
        case .v20: ConfigurationVersion(2, 0)
        }
    }

    /// Bytes of the accessory's UWB configuration data.
    public var accessoryLength: Int {
        switch self {
        case .v10: 19
        case .v11: 21
        case .v20: 32
        }
    }

    /// Bytes of the shareable configuration data behind their length byte.
    public var shareableLength: Int {
        switch self {
        case .v10: 23
        case .v11: 25
        case .v20: 30
        }
    }

    /// Whether there is a clock drift.
    public var hasClockDrift: Bool { self != .v10 }
    /// Whether there are requests of the accessory, and the hopping mode in the answer.
    public var hasRequests: Bool { self == .v20 }
}
