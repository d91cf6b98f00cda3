// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// One report of an accessory–peer, and what each stage made of it.
///
/// Kept only while somebody asks why.
public struct ReportSample: Equatable, Sendable {
    /// What became of a report.
    public enum Verdict: UInt8, Sendable, CaseIterable {
        /// Its distance is a fault of the device: below −0.5 m, or beyond anything radio reaches.
        case outOfRange
        /// Its session does not let it count: suspended, of an earlier run, or required and not there.
        case refused
        /// The same report once more.
        case duplicate
        /// Older than one already used.
        case late
        /// Held back by the speed gate.
        case gated
        /// A new beginning that waits for more distances.
        case seededUnconfirmed
        /// A new beginning: those held back have agreed with each other for long enough.
        case seeded
        /// Agrees with a new beginning that is not proved yet.
        case passedUnconfirmed
        /// Passed, and may cause an event.
        case passed

        /// What the filter says of a distance that it did not hold back.
        init(isSeeded: Bool, isConfirmed: Bool) {
            switch (isSeeded, isConfirmed) {
            case (true, true): self = .seeded
            case (true, false): self = .seededUnconfirmed
            case (false, true): self = .passed
            case (false, false): self = .passedUnconfirmed
            }
        }

        /// Whether its distance may cause an event.
        var isConfirmed: Bool { self == .passed || self == .seeded }

        /// Whether the report speaks of now, whatever became of its distance.
        var isOfNow: Bool {
            switch self {
            case .outOfRange, .refused, .duplicate, .late: false
            case .gated, .seededUnconfirmed, .seeded, .passedUnconfirmed, .passed: true
            }
        }

        /// Whether its distance went on to smoothing and zones.
        public var isUsed: Bool {
            switch self {
            case .outOfRange, .refused, .duplicate, .late, .gated: false
            case .seededUnconfirmed, .seeded, .passedUnconfirmed, .passed: true
            }
        }
    }

    /// When it came.
    public var at: Instant
    /// Filter time since the sample before it; `nil` for the first, and for a report that has no place in time.
    public var step: Duration?
    /// Metres as the report has them.
    public var measured: Double
    /// Metres after scale and offset.
    public var corrected: Double
    /// Degrees, if it has an angle of whatever merit.
    public var azimuth: Double?
    /// What became of it.
    public var verdict: Verdict
    /// Why the gate held it back, if it did.
    public var gate: GateState?
    /// Smoothed metres, if the report was used.
    public var smoothed: Double?
    /// m/s, positive when receding, if the report was used and somebody knows.
    public var speed: Double?
    /// Where the distance is going, if the report was used and somebody knows.
    public var motion: Motion?
    /// Bits by zone index: the holds that were running after it.
    var holds: UInt32 = 0

    /// Whether the hold of a zone, by its place in the options, was running after this report.
    public func isHolding(_ zone: Int) -> Bool { zone < 32 && holds & (1 << UInt32(zone)) != 0 }
}
