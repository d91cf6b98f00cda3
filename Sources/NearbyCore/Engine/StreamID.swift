// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// An accessory's place in the engine: small, stable, cheap to look up with.
public struct AccessoryIndex: Hashable, Sendable {
    /// Counts from 0 in the order of joining.
    public let rawValue: Int

    /// Wraps a place that the engine gave out.
    public init(_ rawValue: Int) {
        self.rawValue = rawValue
    }
}

/// One stream of events and states: an accessory's aggregate, or one of its named peers.
public struct StreamID: Hashable, Sendable {
    /// The accessory.
    public let accessory: AccessoryIndex
    /// The engine's number of the named peer; `nil` is the accessory's aggregate.
    public let peer: Int?

    /// Names a stream by the engine's numbers.
    public init(accessory: AccessoryIndex, peer: Int? = nil) {
        self.accessory = accessory
        self.peer = peer
    }
}
