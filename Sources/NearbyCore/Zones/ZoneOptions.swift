// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What may be said about one zone at one level of the override chain.
///
/// Most specific wins: defaults < zone < accessory < peer (CONTRACT section 5). `nil` leaves a value to the level
/// above; what no level says has the default named here.
public struct ZoneOptions: Equatable, Sendable {
    /// Metres: enter when the smoothed distance is below.
    public var radius: Double?
    /// Metres above the radius at which the zone is left; by default `max(0.3, 10 % of the radius)`.
    public var hysteresis: Double?
    /// How long the distance must stay below the radius; by default `Zone.defaultEnterHold`.
    public var enterHold: Duration?
    /// How long the distance must stay beyond radius and hysteresis; by default `Zone.defaultExitHold`.
    public var exitHold: Duration?
    /// How long a peer must be silent before the zone is lost; by default what the accessory or the bridge says.
    public var lostAfter: Patience?
    /// An event after so long inside; by default none.
    public var dwell: Patience?
    /// By default true.
    public var isEnabled: Bool?
    /// Degrees: with `azimuthTo`, the zone lies only in the directions from here to there; by default in all.
    public var azimuthFrom: Double?
    /// Degrees: where these directions end.
    public var azimuthTo: Double?
    /// Degrees by which the limits are wider for whoever is inside; by default `Sector.defaultHysteresis`.
    public var azimuthHysteresis: Double?
    /// Percent of merit below which an angle does not count; by default `Sector.defaultQuality`.
    public var azimuthQuality: Double?

    /// The directions in which the zone lies, as far as this level knows; `nil` for all.
    public var sector: Sector? {
        guard let azimuthFrom, let azimuthTo, azimuthFrom.isFinite, azimuthTo.isFinite else { return nil }
        return Sector(
            from: azimuthFrom,
            to: azimuthTo,
            hysteresis: max(0, azimuthHysteresis ?? Sector.defaultHysteresis),
            quality: azimuthQuality ?? Sector.defaultQuality
        )
    }

    /// Creates options that leave everything to the level above.
    public init(
        radius: Double? = nil,
        hysteresis: Double? = nil,
        enterHold: Duration? = nil,
        exitHold: Duration? = nil,
        lostAfter: Patience? = nil,
        dwell: Patience? = nil,
        isEnabled: Bool? = nil,
        azimuthFrom: Double? = nil,
        azimuthTo: Double? = nil,
        azimuthHysteresis: Double? = nil,
        azimuthQuality: Double? = nil
    ) {
        self.radius = radius
        self.hysteresis = hysteresis
        self.enterHold = enterHold
        self.exitHold = exitHold
        self.lostAfter = lostAfter
        self.dwell = dwell
        self.isEnabled = isEnabled
        self.azimuthFrom = azimuthFrom
        self.azimuthTo = azimuthTo
        self.azimuthHysteresis = azimuthHysteresis
        self.azimuthQuality = azimuthQuality
    }

    /// These options with the more specific ones laid over them.
    public func overridden(by other: ZoneOptions?) -> ZoneOptions {
        guard let other else { return self }
        return ZoneOptions(
            radius: other.radius ?? radius,
            hysteresis: other.hysteresis ?? hysteresis,
            enterHold: other.enterHold ?? enterHold,
            exitHold: other.exitHold ?? exitHold,
            lostAfter: other.lostAfter ?? lostAfter,
            dwell: other.dwell ?? dwell,
            isEnabled: other.isEnabled ?? isEnabled,
            azimuthFrom: other.azimuthFrom ?? azimuthFrom,
            azimuthTo: other.azimuthTo ?? azimuthTo,
            azimuthHysteresis: other.azimuthHysteresis ?? azimuthHysteresis,
            azimuthQuality: other.azimuthQuality ?? azimuthQuality
        )
    }

    /// These options with those of a more specific level laid over them, which may have a `lost_after` for all zones.
    func overridden(by other: ZoneOptions?, lostAfter general: Patience?) -> ZoneOptions {
        var other = other ?? ZoneOptions()
        other.lostAfter = other.lostAfter ?? general
        return overridden(by: other)
    }
}
