// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// An event of a group, ready to be written as a payload.
public struct GroupEvent: Equatable, Sendable {
    /// What happened.
    public enum Kind: Equatable, Sendable {
        /// The first came in, at this accessory.
        case enter(zone: String, accessory: String?, visit: Int64)
        /// The last went out, at this accessory.
        case exit(zone: String, accessory: String?, visit: Int64, reason: ZoneExitReason, dwell: Duration)
        /// Another accessory, or none, is the nearest of a peer or a person.
        case nearestChanged(peer: String, from: String?, to: String?, distance: Double?)
    }

    /// The group's identifier.
    public var group: String
    /// The number of this event in the group's stream: it grows by one.
    public var sequence: Int64
    /// When it was decided.
    public var at: Instant
    /// What happened.
    public var kind: Kind

    /// The identifier by which a consumer knows an event that is sent twice: `group/<group>:<seq>`.
    public var identifier: String { EventIdentifier.text(EventIdentifier.group(group), nil, sequence) }
}
