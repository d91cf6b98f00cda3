// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// The errors of Apple's Nearby Interaction, as a phone or relay reports them by number.
///
/// Numbers and names from reference/nearby-interaction.md section 6.2.
public enum NearbyError: Int, Sendable, CaseIterable {
    /// The peer has no ultra-wideband.
    case unsupportedPlatform = -5889
    /// The configuration data cannot be used.
    case invalidConfiguration = -5888
    /// The session failed by itself.
    case sessionFailed = -5887
    /// The session used the radio for longer than it may.
    case resourceUsageTimeout = -5886
    /// The peer runs as many sessions as it can.
    case activeSessionsLimitExceeded = -5885
    /// The person at the phone said no.
    case userDidNotAllow = -5884
    /// The camera assistance of the app is set up wrongly.
    case invalidARConfiguration = -5883
    /// The phone does not reach the accessory.
    case accessoryPeerDeviceUnavailable = -5882
    /// The two devices cannot range each other.
    case incompatiblePeerDevice = -5881
    /// The peer runs as many extended-distance sessions as it can.
    case activeExtendedDistanceSessionsLimitExceeded = -5880

    /// What a session may do after the error.
    enum Recovery: UInt8, Sendable {
        /// A new session, after a wait.
        case retry
        /// A different accessory configuration is needed: the same bytes would fail again.
        case newConfiguration
        /// Nothing until a person acts.
        case never
    }

    var recovery: Recovery {
        switch self {
        case .sessionFailed, .resourceUsageTimeout, .activeSessionsLimitExceeded, .accessoryPeerDeviceUnavailable,
            .activeExtendedDistanceSessionsLimitExceeded:
            .retry
        case .invalidConfiguration:
            .newConfiguration
        case .unsupportedPlatform, .userDidNotAllow, .invalidARConfiguration, .incompatiblePeerDevice:
            .never
        }
    }

    /// The reason as events and states name it.
    public var word: String {
        switch self {
        case .unsupportedPlatform: "unsupported_platform"
        case .invalidConfiguration: "invalid_configuration"
        case .sessionFailed: "session_failed"
        case .resourceUsageTimeout: "resource_usage_timeout"
        case .activeSessionsLimitExceeded: "active_sessions_limit_exceeded"
        case .userDidNotAllow: "user_did_not_allow"
        case .invalidARConfiguration: "invalid_ar_configuration"
        case .accessoryPeerDeviceUnavailable: "accessory_peer_device_unavailable"
        case .incompatiblePeerDevice: "incompatible_peer_device"
        case .activeExtendedDistanceSessionsLimitExceeded: "active_extended_distance_sessions_limit_exceeded"
        }
    }

    /// What a person can do about it.
    public var hint: String {
        switch self {
        case .unsupportedPlatform: "the peer has no ultra-wideband"
        case .invalidConfiguration: "the accessory must send different configuration data"
        case .sessionFailed: "a new session is made"
        case .resourceUsageTimeout: "a new session is made"
        case .activeSessionsLimitExceeded: "the peer has too many sessions: end another"
        case .userDidNotAllow: "allow it: in the phone's settings for the app, or here with accessory/approve"
        case .invalidARConfiguration: "the app's camera assistance is set up wrongly"
        case .accessoryPeerDeviceUnavailable: "the accessory is not reachable for the phone"
        case .incompatiblePeerDevice: "these two devices cannot range each other"
        case .activeExtendedDistanceSessionsLimitExceeded: "the peer has too many extended-distance sessions"
        }
    }
}
