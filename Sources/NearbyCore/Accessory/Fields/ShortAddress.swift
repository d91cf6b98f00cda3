// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// The two-byte MAC address of one end.
///
/// A little-endian integer on the wire; this numeric form is the one shown everywhere
/// (`reference/nearby-interaction.md` section 2.2).
public struct ShortAddress: Hashable, Sendable, CustomStringConvertible {
    /// The address as a number.
    public var value: UInt16

    /// Creates an address from its number.
    public init(_ value: UInt16) {
        self.value = value
    }

    /// Whether IEEE 802.15.4 gives it another meaning: 0xFFFF is everybody, 0xFFFE somebody without a short address.
    public var isReserved: Bool { value >= 0xFFFE }

    /// The number as `0x00AB`.
    public var description: String { "0x" + Hexadecimal.text(value, digits: 4).uppercased() }
}
