// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// The directions in which a zone lies, as seen by whoever measures.
///
/// All angles are azimuths in degrees as reports have them. The sector reaches from one to the other in the direction of
/// growing azimuths: from 150 to −150 it is what lies behind.
public struct Sector: Equatable, Sendable {
    /// Degrees by which the limits are wider for whoever is inside, unless configured.
    public static let defaultHysteresis = 10.0
    /// Percent of merit below which an angle does not count, unless configured.
    public static let defaultQuality = 50.0

    /// Degrees: where it begins.
    public var from: Double
    /// Degrees: where it ends.
    public var to: Double
    /// Degrees by which the limits are wider for whoever is inside.
    public var hysteresis: Double
    /// Percent: an angle with a lower figure of merit does not count; one without any does.
    public var quality: Double

    /// Creates a sector.
    public init(
        from: Double,
        to: Double,
        hysteresis: Double = Self.defaultHysteresis,
        quality: Double = Self.defaultQuality
    ) {
        self.from = from
        self.to = to
        self.hysteresis = hysteresis
        self.quality = quality
    }

    /// Degrees from one end to the other, 0 to 360.
    public var width: Double {
        let width = to - from
        return width < 0 ? width + 360 : width
    }

    /// Where it is left counter-clockwise and clockwise; `nil` if no direction is outside.
    public var exitLimits: (from: Double, to: Double)? {
        guard width + 2 * hysteresis < 360 else { return nil }
        return ((from - hysteresis).wrappedDegrees, (to + hysteresis).wrappedDegrees)
    }

    /// Whether somebody in that direction may enter.
    public func mayBeEntered(from azimuth: Double) -> Bool { distance(azimuth) <= 0 }

    /// Whether somebody inside leaves by that direction.
    public func isLeft(by azimuth: Double) -> Bool { distance(azimuth) > hysteresis }

    /// Degrees from the nearer limit, negative inside.
    private func distance(_ azimuth: Double) -> Double {
        abs((azimuth - (from + width / 2)).wrappedDegrees) - width / 2
    }

    /// Whether an angle counts.
    func accepts(merit: Float?) -> Bool { merit.map { Double($0) >= quality } ?? true }
}

extension Double {
    /// The same direction, from −180 up to but without 180.
    var wrappedDegrees: Double {
        // Almost always: a remainder costs more than all the rest.
        let turn = magnitude < 540 ? self : truncatingRemainder(dividingBy: 360)
        return turn >= 180 ? turn - 360 : turn < -180 ? turn + 360 : turn
    }
}
