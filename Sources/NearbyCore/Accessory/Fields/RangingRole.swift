// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// The part that the accessory takes in ranging (`reference/nearby-interaction.md` section 2.2).
public struct RangingRole: RawRepresentable, Hashable, Sendable {
    /// The byte on the wire.
    public var rawValue: UInt8

    /// Wraps any byte: roles unknown here are kept.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Answers, and is told when to: FiRa's controlee.
    public static let responder = RangingRole(rawValue: 0)
    /// Begins, and sets the times: FiRa's controller.
    public static let initiator = RangingRole(rawValue: 1)

    /// Whether the role is one of two-way ranging.
    public var isTwoWay: Bool { rawValue <= 1 }

    /// The role in words.
    public var meaning: String {
        switch rawValue {
        case 0: "responder, controlee"
        case 1: "initiator, controller"
        case 5: "advertiser"
        case 6: "observer"
        case 7: "DL-TDoA anchor"
        case 8: "DL-TDoA tag"
        default: "unknown"
        }
    }
}
