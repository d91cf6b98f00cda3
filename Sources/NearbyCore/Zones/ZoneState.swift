// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Where a peer is with regard to one zone.
public enum ZoneState: UInt8, Sendable, CaseIterable {
    /// Not known: never seen, or lost while inside. Next: `inside` with an event, or `outside` without one.
    case unknown
    /// Beyond the radius, or beyond radius and hysteresis after a stay. Next: `inside` with an event.
    case outside
    /// Below the radius and not yet left. Next: `outside` with an event, or `unknown` with an event (lost).
    case inside
}

/// Why a stay in a zone ended (CONTRACT section 4.2).
public enum ZoneExitReason: UInt8, Sendable, CaseIterable {
    /// The distance stayed beyond radius and hysteresis, or the direction beyond those of a sector, for the exit hold.
    case left
    /// No valid report, or to a sector none with an angle that counts, came for too long.
    case lost
    /// The session ended.
    case sessionEnded
    /// The session was suspended.
    case suspended
    /// The zone was switched off.
    case zoneDisabled
    /// The accessory was removed.
    case accessoryRemoved
    /// People or groups are made up otherwise now, and nobody who counts is inside any more.
    case memberRemoved
}
