// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// What the ids of messages mean, those of vendors included.
enum MessageVocabulary {
    /// The id in words (`reference/nearby-interaction.md` section 1.1).
    static func meaning(of kind: AccessoryMessage.Kind) -> String {
        switch kind {
        case .accessoryConfigurationData: "accessory → host: configuration data"
        case .accessoryDidStart: "accessory → host: says that it ranges"
        case .accessoryDidStop: "accessory → host: ranges no more"
        case .accessoryPaired: "accessory → host: paired (MOKO)"
        case .initialize: "host → accessory: send your configuration data"
        case .configureAndStart: "host → accessory: begin with this configuration"
        case .stop: "host → accessory: range no more"
        case .vendor(let id): vendor(id) ?? "vendor message"
        }
    }

    /// Whether somebody is known to use the id.
    static func isKnown(_ id: UInt8) -> Bool {
        let kind = AccessoryMessage.Kind(id: id)
        return kind != .vendor(id) || vendor(id) != nil
    }

    /// Whether the payload may hold a key.
    static func mayHoldKey(_ kind: AccessoryMessage.Kind) -> Bool {
        kind == .configureAndStart || kind == .vendor(0x1B)
    }

    private static func vendor(_ id: UInt8) -> String? {
        switch id {
        case 0x1A: "host → accessory: initialize for Android (multi-platform-uwb)"
        case 0x1B: "host → accessory: configure and start for Android (multi-platform-uwb)"
        case 0x20: "host → accessory: get device structure (Qorvo)"
        case 0x21: "host → accessory: set device structure (Qorvo)"
        case 0x2F: "notification (Qorvo)"
        case 0x30: "host → accessory: play a sound (FindMyCat)"
        case 0xA5: "host → accessory: initialize for Android (NXP)"
        default: nil
        }
    }
}
