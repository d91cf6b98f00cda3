// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What a radio calls another one: a short address of two bytes, an extended one of eight, or a number of the vendor's.
///
/// Not a name: a peer that is only known by it has no topics of its own unless `peers:` names it (CONTRACT section 2.2).
public struct RadioAddress: Hashable, Sendable, CustomStringConvertible {
    /// The address as a number.
    public var value: UInt64
    /// Whether it has eight bytes.
    public var isExtended: Bool

    /// Creates a short address; of a greater number the extended one.
    public init(_ value: UInt64) {
        self.value = value
        isExtended = value > UInt64(UInt16.max)
    }

    /// Creates an address of eight bytes.
    public init(extended value: UInt64) {
        self.value = value
        isExtended = true
    }

    /// The number as `peers:` has it: `0x00AB`, or sixteen digits.
    public var description: String {
        "0x" + Hexadecimal.text(value, digits: isExtended ? 16 : 4).uppercased()
    }
}
