// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What one level of the chain defaults < zone < accessory < peer says about a zone; `nil` leaves it to the level above.
public struct ZoneOverrides: Equatable, Sendable {
    /// Metres.
    public var radius: Double?
    /// Metres; if no level sets it, the larger of 0.3 m and 10 % of the effective radius.
    public var hysteresis: Double?
    /// How long the distance must stay below to enter; if no level sets it, the project's default.
    public var enterHold: Duration?
    /// How long the distance must stay above to leave; if no level sets it, the project's default.
    public var exitHold: Duration?
    /// Without a valid report for so long, the peer is lost.
    public var lostAfter: Patience?
    /// Event after so long inside; if no level sets it, never.
    public var dwell: Patience?
    /// Whether the zone is there; if no level sets it, it is.
    public var isEnabled: Bool?

    /// Creates overrides that leave everything to the level above.
    public init() {}
}
