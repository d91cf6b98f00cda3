// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What a line of the log is about; each may have a level of its own.
public enum LogSubsystem: String, Sendable, CaseIterable {
    /// The bridge as a whole: start, stop, twins, stalls.
    case bridge
    /// The connection to the broker and what it carries.
    case mqtt
    /// Serial devices and UDP ports of our own.
    case inputs
    /// Who joins, who is refused, and what cannot be understood.
    case accessories
    /// Runs of ranging.
    case session
    /// Enters and exits.
    case zones
    /// What is configured, and what changed.
    case configuration
    /// What was asked for over MQTT.
    case requests

    /// The subsystems as the configuration writes them.
    static let words = allCases.map(\.rawValue)
}
