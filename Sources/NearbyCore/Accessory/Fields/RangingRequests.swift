// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What an accessory of version 2.0 asks for; each may be granted or refused (`reference/nearby-interaction.md` 2.2).
public struct RangingRequests: Hashable, Sendable {
    /// Hopping between rounds: 0 off, 1 on.
    public var hoppingMode: UInt8
    /// Slots in a ranging round; at least 6 for deferred double-sided two-way ranging.
    public var slotsPerRound: UInt16
    /// Length of a slot in RSTU, of which 1,200 are a millisecond.
    public var slotDuration: UInt16
    /// Milliseconds from one round to the next.
    public var interval: UInt16

    /// Creates requests; what is left out is the default of the specification.
    public init(
        hoppingMode: UInt8 = 0,
        slotsPerRound: UInt16 = 25,
        slotDuration: UInt16 = 2400,
        interval: UInt16 = 200
    ) {
        self.hoppingMode = hoppingMode
        self.slotsPerRound = slotsPerRound
        self.slotDuration = slotDuration
        self.interval = interval
    }
}
