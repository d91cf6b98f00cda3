// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What is logged and how: the section `log`.
public struct LogOptions: Equatable, Sendable {
    /// The form of a line.
    public enum Format: String, Sendable {
        /// For people.
        case text
        /// For machines.
        case json
    }

    /// The least important level that is printed.
    public var level = LogLevel.info
    /// The same for subsystems that have one of their own.
    public var levels: [LogSubsystem: LogLevel] = [:]
    /// The form of a line.
    public var format = Format.text

    /// Creates the defaults.
    public init() {}

    /// Whether lines of a subsystem and a level are printed.
    func wants(_ level: LogLevel, of subsystem: LogSubsystem) -> Bool {
        level >= levels[subsystem] ?? self.level
    }
}
