// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// The commands of this version.
public enum CommandName: String, Sendable, CaseIterable {
    /// The bridge.
    case run
    /// Everything at once on loopback.
    case demo
    /// Recorded reports through the zones, offline.
    case replay
    /// Accessories that are not there.
    case simulate
    /// Bytes explained field by field.
    case decode
    /// The configuration checked.
    case check
    /// The configuration's JSON Schema.
    case schema
    /// The version.
    case version
}
