// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// How often an accessory would like to range (`reference/nearby-interaction.md` section 2.1).
public struct UpdateRate: RawRepresentable, Hashable, Sendable {
    /// The byte on the wire.
    public var rawValue: UInt8

    /// Wraps any byte: rates unknown here are kept.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The host chooses.
    public static let automatic = UpdateRate(rawValue: 0)
    /// About 1.3 times a second.
    public static let infrequent = UpdateRate(rawValue: 10)
    /// About 5.5 times a second.
    public static let userInteractive = UpdateRate(rawValue: 20)

    /// Whether the rate is one of the three.
    public var isKnown: Bool { [Self.automatic, .infrequent, .userInteractive].contains(self) }

    /// The rate to act upon: unknown ones count as automatic, as in AOSP's ranging test application.
    public var effective: UpdateRate { isKnown ? self : .automatic }

    /// The rate in words.
    public var meaning: String {
        switch rawValue {
        case 0: "automatic: the host chooses"
        case 10: "infrequent, about 1.3 Hz"
        case 20: "user-interactive, about 5.5 Hz"
        default: "unknown, counts as automatic"
        }
    }
}
