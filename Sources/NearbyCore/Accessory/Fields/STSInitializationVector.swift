// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// The six random bytes from which both ends derive the scrambled timestamp sequence: a secret of one run.
///
/// Whoever knows it can forge ranges, so no description, dump or log shows it (`reference/nearby-interaction.md`
/// sections 3 and 9).
public struct STSInitializationVector: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// How many bytes it has.
    public static let length = 6

    private let value: UInt64

    /// Draws a new one.
    public static func random(using generator: inout some RandomNumberGenerator) -> Self {
        Self(value: generator.next() & 0xFFFF_FFFF_FFFF)
    }

    /// Wraps exactly six bytes in the order of the wire; `nil` for any other number of bytes.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.length else { return nil }
        self.init(value: bytes.reduce(0) { $0 << 8 | UInt64($1) })
    }

    private init(value: UInt64) {
        self.value = value
    }

    /// The bytes themselves, in the order of the wire.
    public var bytes: [UInt8] {
        (0..<Self.length).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * (Self.length - 1 - $0))) }
    }

    /// A placeholder.
    public var description: String { SecretBytes.placeholder(count: Self.length) }
    /// A placeholder.
    public var debugDescription: String { description }
    /// Hides the bytes from `dump` as well.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
