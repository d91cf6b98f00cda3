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
    /// Whether the running bridge is alive.
    case health
    /// Everything that a bridge left with the broker, removed.
    case purge
    /// What accessories say, kept in a file.
    case record
    /// What an accessory's distances must be corrected by.
    case calibrate
    /// Which radius, hysteresis and holds fit what is measured.
    case advise
    /// What a connection fails at.
    case doctor
    /// The version.
    case version
    /// What a shell needs to know to complete command lines.
    case completions
    /// Manual pages.
    case man
}
