// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// How distances are smoothed: the section `smoothing`; `nil` leaves a figure to the filter.
public struct SmoothingOptions: Equatable, Sendable {
    /// The filters.
    public enum Filter: String, Sendable, CaseIterable {
        /// The pipeline that wins on recorded walks.
        case standard = "default"
        /// Exponential moving average, by report or by time.
        case ema
        /// Median over a time.
        case median
        /// Constant-velocity Kalman filter.
        case kalman
        /// One-Euro filter.
        case oneEuro = "one_euro"
        /// None.
        case none
    }

    /// The filter.
    public var filter = Filter.standard
    /// `ema`: weight of the newest distance, above 0 to 1.
    public var alpha: Double?
    /// `median`: how far back it looks.
    public var window: Duration?
    /// `ema`: time in which an old distance fades, instead of `alpha`.
    public var timeConstant: Duration?
    /// `kalman`: acceleration in m/s².
    public var processNoise: Double?
    /// `kalman`: deviation of a distance in metres.
    public var measurementNoise: Double?
    /// `one_euro`: cut-off at rest in Hz.
    public var minimumCutoff: Double?
    /// `one_euro`: growth of the cut-off per speed in 1/m.
    public var beta: Double?
    /// Any filter: fastest believed change in m/s.
    public var gateSpeed: Double?
    /// Any filter: always believed change in metres.
    public var gateSlack: Double?

    /// Creates the defaults.
    public init() {}
}
