// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// How much a line of the log matters.
public enum LogLevel: String, Sendable, CaseIterable, Comparable {
    /// Everything.
    case trace
    /// What a developer wants to know.
    case debug
    /// What a user wants to know.
    case info
    /// Something will not work for long.
    case warning
    /// Something does not work.
    case error

    /// The levels as the configuration writes them, the most important first.
    static let words = allCases.reversed().map(\.rawValue)

    /// What syslog and the journal call it.
    var priority: Int {
        switch self {
        case .trace, .debug: 7
        case .info: 6
        case .warning: 4
        case .error: 3
        }
    }

    private var rank: Int {
        switch self {
        case .trace: 0
        case .debug: 1
        case .info: 2
        case .warning: 3
        case .error: 4
        }
    }

    /// Whether one level matters less than another.
    public static func < (lhs: LogLevel, rhs: LogLevel) -> Bool { lhs.rank < rhs.rank }
}
