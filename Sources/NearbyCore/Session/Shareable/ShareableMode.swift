// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Who makes the shareable configuration data of a run (CONTRACT section 7, `shareable`).
public enum ShareableMode: String, Sendable, CaseIterable {
    /// The bridge, for a radio at the other end.
    case mint
    /// The phone at the other end, whose app has MQTT as its data link.
    case relay
    /// The phone for a peer that has a name and is no radio, else the bridge.
    case auto
}
