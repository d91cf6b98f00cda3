// nearby-bridge · SPDX-License-Identifier: Apache-2.0

extension RangeReport {
    /// The azimuth in degrees, 0 ahead and positive to the right: as reported, or else that of the direction, or else the
    /// horizontal angle; `nil` where there is none of them.
    var bearing: Double? {
        if let azimuth { return azimuth.isFinite ? Double(azimuth) : nil }
        if let direction { return Self.azimuth(of: direction) }
        guard let horizontalAngle, horizontalAngle.isFinite else { return nil }
        return Double(horizontalAngle) * 180 / Double.pi
    }

    /// Degrees in the horizontal plane of a vector with x right, y up and z backwards; `nil` straight up or down.
    static func azimuth(of direction: SIMD3<Float>) -> Double? {
        let right = Double(direction.x)
        let ahead = -Double(direction.z)
        let length = right * right + ahead * ahead
        let whole = length + Double(direction.y) * Double(direction.y)
        // Within three degrees of the vertical every direction is as good as any other.
        guard whole.isFinite, length > 0.0027 * whole else { return nil }
        return arcTangent(right, ahead) * 180 / Double.pi
    }

    /// The angle of a vector in radians, from −π to π; the error is below 0.00001 (Abramowitz and Stegun 4.4.49).
    private static func arcTangent(_ y: Double, _ x: Double) -> Double {
        let (short, long) = abs(y) < abs(x) ? (abs(y), abs(x)) : (abs(x), abs(y))
        guard long > 0 else { return 0 }
        let z = short / long
        let s = z * z
        let tail = -0.085133 + s * 0.0208351
        let polynomial = 0.999866 + s * (-0.3302995 + s * (0.180141 + s * tail))
        var angle = z * polynomial
        if abs(y) >= abs(x) { angle = Double.pi / 2 - angle }
        if x < 0 { angle = Double.pi - angle }
        return y < 0 ? -angle : angle
    }
}
