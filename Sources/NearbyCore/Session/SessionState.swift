// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Where a session stands (CONTRACT section 4.3).
///
/// From the least lively to the liveliest, so that the liveliest of several is the greatest.
public enum SessionState: UInt8, Sendable, CaseIterable, Comparable {
    /// Nothing is known or wanted. Next: any but `suspended`.
    case idle
    /// Over, by whoever's will, or given up. Next: a new start.
    case ended
    /// Over by an error. Next: a new session, if the error allows one.
    case invalidated
    /// A person has to allow it first.
    case awaitingAuthorization
    /// Ranging is run elsewhere: reports are all that comes. Next: a start, once a configuration comes.
    case external
    /// Paused by will: reports are dropped. Next: `awaitingConfiguration` (resume), `invalidated` (too long); after a pause
    /// that the other end made, `ranging` or `starting` when that end goes on.
    case suspended
    /// No valid range for `silence`; waits before the first attempt. Next: `ranging` after a range, `starting`,
    /// `awaitingConfiguration`.
    case silent
    /// Waits before the next attempt. Next: `starting`, `awaitingConfiguration`; after a range `ranging`, or `external`.
    case retrying
    /// `initialize` was sent, or its stop is awaited; of two phones, a discovery token is. Next: `configuring`, `starting`, `retrying`, `external`.
    case awaitingConfiguration
    /// The phone's shareable configuration data is awaited; in the background it goes past the bridge. Next: `starting`, `retrying`.
    case configuring
    /// `configureAndStart` was sent. Next: `ranging` with the first valid range, `retrying`.
    case starting
    /// Proved by a valid range. Next: `silent`, `suspended`.
    case ranging

    /// Orders by liveliness.
    public static func < (lhs: SessionState, rhs: SessionState) -> Bool { lhs.rawValue < rhs.rawValue }

    /// A run is under way, or about to be tried again.
    public var isLive: Bool {
        switch self {
        case .silent, .retrying, .awaitingConfiguration, .configuring, .starting, .ranging: true
        case .idle, .ended, .invalidated, .awaitingAuthorization, .external, .suspended: false
        }
    }
}
