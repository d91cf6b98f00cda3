// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What is logged and how: the section `log`.
public struct LogOptions: Equatable, Sendable {
    /// How important a line must be to be printed.
    public enum Level: String, Sendable, CaseIterable {
        /// Something does not work.
        case error
        /// Something will not work for long.
        case warning
        /// What a user wants to know.
        case info
        /// What a developer wants to know.
        case debug
        /// Everything.
        case trace
    }

    /// The form of a line.
    public enum Format: String, Sendable {
        /// For people.
        case text
        /// For machines.
        case json
    }

    /// The least important level that is printed.
    public var level = Level.info
    /// The form of a line.
    public var format = Format.text

    /// Creates the defaults.
    public init() {}
}
