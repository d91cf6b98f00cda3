// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// The names that accessories and peers go by.
///
/// CONTRACT section 2: each is one topic level, so that no name can reach into another's topics.
public enum AccessoryIdentifier {
    /// The longest identifier, in bytes.
    public static let maximumLength = 64

    /// Whether the bytes are 1–64 of `A–Z a–z 0–9 . _ : -`.
    public static func isValid(_ bytes: Span<UInt8>) -> Bool {
        guard 1...maximumLength ~= bytes.count else { return false }
        for index in bytes.indices {
            switch bytes[index] {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: ":"),
                UInt8(ascii: "-"):
                continue
            default: return false
            }
        }
        return true
    }
}
