// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// An event of a zone, ready to be written as a payload (CONTRACT section 4.2).
public struct ZoneEvent: Equatable, Sendable {
    /// What happened.
    public enum Kind: Equatable, Sendable {
        case enter
        case exit(reason: ZoneExitReason, dwell: Duration)
        case dwell(Duration)

        /// Whether nobody knows any more where the peer is.
        var isLoss: Bool {
            if case .exit(reason: .lost, dwell: _) = self { return true }
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

    /// The identifier by which a consumer knows an event that is sent twice: `<id>[/<peer>]:<seq>`.
    public var identifier: String { EventIdentifier.text(accessory, peer, sequence) }
}
