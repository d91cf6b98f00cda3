// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// How the nearest accessory of a peer is chosen: the one that has the place keeps it until another is clearly nearer.
public struct NearestOptions: Equatable, Sendable {
    /// How near an accessory must be to be anybody's nearest.
    public enum Reach: Equatable, Sendable {
        /// Any known distance will do.
        case unlimited
        /// At most so many metres; the one that has the place keeps it for `margin` more.
        case metres(Double)
        /// The peer is inside this zone of it.
        case zone(String)
    }

    /// By how many metres another must be nearer.
    public var margin: Double
    /// For how long it must be so.
    public var hold: Duration
    /// How near is near enough.
    public var reach: Reach

    /// Creates options; the defaults are those of the configuration.
    public init(margin: Double = 0.5, hold: Duration = .seconds(2), reach: Reach = .unlimited) {
        self.margin = margin
        self.hold = hold
        self.reach = reach
    }
}
