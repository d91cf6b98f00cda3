// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What the bridge refuses to go beyond: the section `limits`.
public struct LimitOptions: Equatable, Sendable {
    /// Accessories.
    public var accessories = 10_000
    /// Peers of one accessory.
    public var peers = 64
    /// Bytes of one message.
    public var payload = 64 << 10
    /// Reports a second of one accessory.
    public var reportRate = 100
    /// State messages a second over all accessories.
    public var stateRate = 2000
    /// Sessions that run at once.
    public var sessions = 10_000
    /// Sessions that run at once at one accessory.
    public var accessorySessions = 8
    /// Sessions that run at once with one named peer.
    public var peerSessions = 10_000
    /// Sessions that begin within any second.
    public var sessionStarts = 250
    /// Bytes of the messages that wait for the broker.
    public var outbox = 16 << 20

    /// Creates the defaults.
    public init() {}
}
