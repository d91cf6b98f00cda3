// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// An event of a zone, ready to be written as a payload (CONTRACT section 4.2).
public struct ZoneEvent: Equatable, Sendable {
    /// What happened.
    public enum Kind: Equatable, Sendable {
        /// A stay began.
        case enter
        /// A stay ended, after so long.
        case exit(reason: ZoneExitReason, dwell: Duration)
        /// A stay has lasted for as long as the zone's `dwell`.
        case dwell(Duration)

        /// Whether nobody knows any more where the peer is.
        var isLoss: Bool {
            if case .exit(reason: .lost, dwell: _) = self { return true }
            return false
        }

        /// Whether it tells of a stay that lasts.
        var isStay: Bool {
            switch self {
            case .enter, .dwell: true
            case .exit: false
            }
        }

        /// Whether a stay has lasted for so long.
        var isDwell: Bool {
            if case .dwell = self { return true }
            return false
        }
    }

    /// The accessory's identifier.
    public var accessory: String
    /// The peer's identifier; `nil` for the accessory's aggregate.
    public var peer: String?
    /// The number of this event in its stream: it grows by one.
    public var sequence: Int64
    /// When it was decided.
    public var at: Instant
    /// What happened.
    public var kind: Kind
    /// The zone's name.
    public var zone: String
    /// Metres.
    public var radius: Double
    /// Smoothed metres, `nil` when there is none.
    public var distance: Double?
    /// The sequence number of the enter event of this stay.
    public var visit: Int64
    /// Smoothed degrees of whoever entered or left a sector; `nil` of other zones, and when it is not known.
    public var azimuth: Double?

    /// The identifier by which a consumer knows an event that is sent twice: `<id>[/<peer>]:<seq>`.
    public var identifier: String { EventIdentifier.text(accessory, peer, sequence) }
}
