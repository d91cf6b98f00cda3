// nearby-bridge · SPDX-License-Identifier: Apache-2.0

public import NearbyCore

/// Everything that the user decides, checked and typed.
///
/// Holds what this version acts on. The chain defaults < zone < accessory < peer is kept as it was written.
public struct BridgeConfiguration: Equatable, Sendable {
    /// Which accessories are taken.
    public enum JoinPolicy: String, Sendable {
        /// Any valid identifier.
        case open
        /// Those listed under `accessories`, and those that somebody approved.
        case approve
        /// Those listed under `accessories`.
        case allowlist
    }

    /// How to reach the broker.
    public var broker = BrokerOptions()
    /// Which accessories are taken.
    public var join = JoinPolicy.open
    /// The zones in the order of the file.
    public var zones = ConfigurationKey.defaultZones.map { ZoneConfiguration(name: $0.name, radius: $0.radius) }
    /// How distances are smoothed.
    public var smoothing = SmoothingOptions()
    /// Shortest time between two state messages of one accessory that differ in distance only.
    public var stateInterval = Duration.seconds(1)
    /// An event older than this is not published any more.
    public var eventExpiry = Duration.seconds(60)
    /// An unconfigured peer is forgotten after so long without a report, `nil` for never.
    public var peerForget: Duration? = .seconds(3600)
    /// Without a valid report for so long, a peer is lost, `nil` for never.
    public var lostAfter: Duration? = .seconds(10)
    /// How sessions are run.
    public var session = SessionOptions()
    /// What the bridge refuses to go beyond.
    public var limits = LimitOptions()
    /// The configured accessories in the order of the file.
    public var accessories: [AccessoryConfiguration] = []
    /// Who carries which peers, by the person's identifier.
    public var people: [String: PersonOptions] = [:]
    /// Which accessories belong together, by the group's identifier.
    public var groups: [String: GroupOptions] = [:]
    /// Whose reports come in on foreign topics, in the order of the file.
    public var sources: [SourceConfiguration] = []
    /// What is published for others.
    public var outputs = OutputOptions()
    /// Which serial devices and UDP ports reports come in on, in the order of the file.
    public var inputs: [InputConfiguration] = []
    /// Where what must survive a restart is kept.
    public var state = StateOptions()
    /// What is logged and how.
    public var log = LogOptions()

    /// Creates the defaults, the same as loading nothing.
    public init() {}
}
