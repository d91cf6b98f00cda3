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

    /// The address of a text such as `0x00AB`, in either case; `nil` for any other text.
    public init?(_ text: String) {
        let digits = text.utf8.dropFirst(2)
        guard text.hasPrefix("0x") || text.hasPrefix("0X"), 1...4 ~= digits.count else { return nil }
        guard digits.allSatisfy({ UInt8(ascii: "+") != $0 && UInt8(ascii: "-") != $0 }) else { return nil }
        guard let value = UInt16(text.dropFirst(2), radix: 16) else { return nil }
        self.value = value
    }

    /// Whether IEEE 802.15.4 gives it another meaning: 0xFFFF is everybody, 0xFFFE somebody without a short address.
    public var isReserved: Bool { value >= 0xFFFE }

    /// The number as `0x00AB`.
    public var description: String { "0x" + Hexadecimal.text(value, digits: 4).uppercased() }
}
