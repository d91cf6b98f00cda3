// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What an accessory's distances must be corrected by, from what it measured at known distances.
///
/// Corrected distance = measured × scale + offset (CONTRACT section 3).
struct Calibration: Equatable, Sendable {
    /// Why the scale stays as it is configured.
    enum KeptScale: Equatable, Sendable {
        /// One distance tells nothing of it.
        case onlyOneDistance
        /// The distances lie only so far apart (metres).
        case tooClose(Double)
        /// It would be this, which no radio is wrong by.
        case implausible(Double)

        var text: String {
            switch self {
            case .onlyOneDistance:
                return "distance_scale stays: one distance tells nothing of it"
            case .tooClose(let span):
                return "distance_scale stays: the distances are \(Column.decimal(span, 2)) m apart, and it takes at "
                    + "least \(Column.decimal(Calibration.leastSpan, 0)) m to tell it"
            case .implausible(let scale):
                return
                    "distance_scale stays: it would be \(Column.decimal(scale, 3)), and no radio is wrong by so much; "
                    + "was one of the distances measured from the wrong place?"
            }
        }
    }

    /// Metres that distances must lie apart to tell the scale.
    static let leastSpan = 2.0
    /// No radio's scale is outside of this.
    static let plausibleScales = 0.9...1.1
    /// What a tape measure is good for (metres): no single distance may count for everything.
    private static let leastError = 0.005
    /// Standard errors to either side of an interval that holds in 95 of 100 cases.
    private static let normal95 = 1.96

    /// What was measured where, in the order of the true distances.
    var points: [CalibrationPoint]
    /// Metres to add after scaling.
    var offset: Double
    /// The factor.
    var scale: Double
    /// Why the scale is the configured one; `nil` if it was found.
    var keptScale: KeptScale?
    /// Metres to either side of the offset, in 95 of 100 cases.
    var offsetInterval: Double
    /// To either side of the scale; `nil` if it is the configured one.
    var scaleInterval: Double?

    /// Finds offset, and scale if it can be told; needs at least one point.
    init?(_ points: [CalibrationPoint], configuredScale: Double) {
        self.points = points.sorted { $0.truth < $1.truth }
        guard let nearest = self.points.first, let farthest = self.points.last else { return nil }
        let line = Line(self.points.map { Line.Point($0, leastError: Self.leastError) })
        let span = farthest.truth - nearest.truth
        if span < Self.leastSpan {
            keptScale = points.count == 1 || span == 0 ? .onlyOneDistance : .tooClose(span)
        } else if let slope = line.slope, !Self.plausibleScales.contains(slope) {
            keptScale = .implausible(slope)
        }
        guard keptScale == nil, let slope = line.slope else {
            scale = configuredScale
            offset = line.offset(atScale: configuredScale)
            // What the tape is good for is not part of what the radio is good for.
            offsetInterval = configuredScale * (self.points.count == 1 ? nearest.interval : Self.normal95 * line.error)
            return
        }
        scale = slope
        offset = line.offset(atScale: slope)
        offsetInterval = Self.normal95 * line.errorOfOffset
        scaleInterval = Self.normal95 * line.errorOfSlope
    }

    /// Metres that a point's median is wrong by after the correction.
    func residual(of point: CalibrationPoint) -> Double {
        point.median * scale + offset - point.truth
    }
}

/// A straight line through points, each by the weight of its certainty.
private struct Line {
    struct Point {
        var x: Double
        var y: Double
        var weight: Double

        init(_ point: CalibrationPoint, leastError: Double) {
            x = point.median
            y = point.truth
            let error = max(leastError, point.standardError)
            weight = 1 / (error * error)
        }
    }

    private var weights = 0.0
    private var meanX = 0.0
    private var meanY = 0.0
    private var squares = 0.0
    private var products = 0.0

    init(_ points: [Point]) {
        for point in points { weights += point.weight }
        for point in points {
            meanX += point.weight * point.x / weights
            meanY += point.weight * point.y / weights
        }
        for point in points {
            squares += point.weight * (point.x - meanX) * (point.x - meanX)
            products += point.weight * (point.x - meanX) * (point.y - meanY)
        }
    }

    /// `nil` if all points measured the same.
    var slope: Double? { squares > 0 ? products / squares : nil }
    var errorOfSlope: Double { squares > 0 ? (1 / squares).squareRoot() : .infinity }
    /// Of the mean of all points.
    var error: Double { (1 / weights).squareRoot() }
    var errorOfOffset: Double { (error * error + meanX * meanX * errorOfSlope * errorOfSlope).squareRoot() }

    func offset(atScale scale: Double) -> Double { meanY - meanX * scale }
}
