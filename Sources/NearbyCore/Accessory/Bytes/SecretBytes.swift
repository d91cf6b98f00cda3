// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Bytes that no description, dump or log may show, since they hold or may hold key material.
public struct SecretBytes: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The bytes themselves: for those who send or decode them.
    public let bytes: [UInt8]

    /// Wraps bytes.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// What stands in the place of so many secret bytes.
    public static func placeholder(count: Int) -> String {
        "<secret, \(count) byte\(count == 1 ? "" : "s")>"
    }

    /// The placeholder.
    public var description: String { Self.placeholder(count: bytes.count) }
    /// The placeholder.
    public var debugDescription: String { description }
    /// Hides the bytes from `dump` as well.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
