// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What a session is between, and who sets it up (CONTRACT section 4.3, `kind`).
public enum SessionKind: String, Sendable, CaseIterable {
    /// An accessory with ultra-wideband and a phone or radio, by configuration data.
    case uwb
    /// An accessory with Bluetooth Channel Sounding: nothing is exchanged (`reference/nearby-interaction.md` section 6.4).
    case channelSounding = "ble-cs"
    /// Two phones, by their discovery tokens.
    case peer
    /// Run elsewhere: reports are all that comes. Told in the state `external`, whatever the session was before.
    case external
}
