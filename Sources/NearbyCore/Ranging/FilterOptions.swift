// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// How distances are smoothed.
public struct FilterOptions: Equatable, Sendable {
    /// The filter behind the speed gate.
    public enum Kind: Equatable, Sendable {
        /// The pipeline that wins on recorded walks.
        case standard
        /// Exponential moving average per report; α 0.3 is Apple's sample.
        case ema(alpha: Double)
        /// Exponential moving average by time: an old distance fades to 1/e in `timeConstant`.
        case timedEMA(timeConstant: Duration)
        /// Median over a time window, at most `MedianWindow.maximumCount` reports of it.
        case median(window: Duration)
        /// Constant velocity; noises are standard deviations in m/s² and m.
        case kalman(processNoise: Double, measurementNoise: Double)
        /// One-Euro filter; Hz and 1/m.
        case oneEuro(minimumCutoff: Double, beta: Double)
        /// Raw distances.
        case none
    }

    /// The filter.
    public var kind: Kind = .standard
    /// m/s that a distance may change, beyond the slack; `nil` leaves the choice to the filter: the standard pipeline
    /// has a gate, the others run without.
    public var gateSpeed: Double?
    /// Metres that a distance may jump.
    public var gateSlack: Double?

    /// Creates the defaults.
    public init(kind: Kind = .standard, gateSpeed: Double? = nil, gateSlack: Double? = nil) {
        self.kind = kind
        self.gateSpeed = gateSpeed
        self.gateSlack = gateSlack
    }
}
