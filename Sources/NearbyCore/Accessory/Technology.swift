// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// How an accessory measures, which decides whether configuration data is exchanged at all.
public enum Technology: String, Sendable, CaseIterable {
    /// Ultra-wideband two-way ranging.
    case uwb
    /// Bluetooth Channel Sounding, which needs no exchange (`reference/nearby-interaction.md` section 6.4).
    case channelSounding = "ble-cs"
    /// Downlink time differences: it locates itself among anchors, and exchanges nothing with them.
    case downlinkTDoA = "dl-tdoa"
}
