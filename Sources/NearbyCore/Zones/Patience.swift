// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// A time that may be left open.
///
/// For overrides, where "not set" and "never" are different things.
public enum Patience: Equatable, Sendable {
    /// It never comes.
    case never
    /// It comes after so long.
    case after(Duration)

    /// The time, `nil` for never.
    public var duration: Duration? {
        switch self {
        case .never: nil
        case .after(let duration): duration
        }
    }

    /// Nanoseconds, `Int64.max` for never.
    var nanoseconds: Int64 {
        switch self {
        case .never: .max
        case .after(let duration): max(0, duration.wholeNanoseconds)
        }
    }
}
