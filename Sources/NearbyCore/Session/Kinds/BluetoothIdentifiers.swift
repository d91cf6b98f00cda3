// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What an accessory with Bluetooth Channel Sounding is called on the air, now and before.
///
/// Nearby Interaction takes both, because a Bluetooth identity changes from time to time
/// (`reference/nearby-interaction.md` section 6.4).
public struct BluetoothIdentifiers: Hashable, Sendable {
    /// The present identifier: 1–64 of `A–Z a–z 0–9 : -`.
    public var current: String
    /// The one before it, by which late reports may still call the accessory.
    public var previous: String?

    /// Names an accessory.
    public init(current: String, previous: String? = nil) {
        self.current = current
        self.previous = previous == current ? nil : previous
    }

    /// Whether a text may be an identifier.
    public static func isValid(_ text: Span<UInt8>) -> Bool {
        guard 1...64 ~= text.count else { return false }
        for index in text.indices {
            switch text[index] {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: ":"), UInt8(ascii: "-"):
                continue
            default: return false
            }
        }
        return true
    }

    /// What is known after the accessory has told its identifiers; one that tells no previous one had the one we know.
    func following(_ known: BluetoothIdentifiers?) -> BluetoothIdentifiers {
        guard previous == nil, let known else { return self }
        return BluetoothIdentifiers(
            current: current,
            previous: known.current == current ? known.previous : known.current
        )
    }
}
