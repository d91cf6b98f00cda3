// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What became of one range report, for whoever studies a source instead of running it.
///
/// An engine makes them only if it is asked to: see ``BridgeEngine/observeReports()``.
public struct ReportObservation: Equatable, Sendable {
    /// How far a report came.
    public enum Outcome: UInt8, Sendable {
        /// The round failed, or what was measured is no distance.
        case withoutMeasurement
        /// The same report once more.
        case duplicate
        /// Older than one already used.
        case late
        /// The speed gate held it back.
        case gated
        /// It was judged by.
        case taken
    }

    /// The accessory's identifier.
    public var accessory: String
    /// The peer's name, or its radio address as `peers:` would have it; `nil` if nothing tells peers apart.
    public var peer: String?
    /// When it came.
    public var at: Instant
    /// Metres before `distance_scale` and `distance_offset`; `nil` if there was no measurement.
    public var measured: Double?
    /// Metres after both, before smoothing; `nil` if there was no measurement.
    public var distance: Double?
    /// How far it came.
    public var outcome: Outcome
    /// Where the distance was going by then; `nil` while that is not known, and of sources that speak on change only.
    public var motion: Motion?

    /// Creates an observation.
    public init(
        accessory: String,
        peer: String?,
        at: Instant,
        measured: Double?,
        distance: Double?,
        outcome: Outcome,
        motion: Motion? = nil
    ) {
        self.accessory = accessory
        self.peer = peer
        self.at = at
        self.measured = measured
        self.distance = distance
        self.outcome = outcome
        self.motion = motion
    }
}
