// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// A moment on a monotonic clock of the caller's choice.
///
/// Only differences and order mean anything. The engine never asks for the time: it is told, with every call.
public struct Instant: Comparable, Hashable, Sendable {
    /// Nanoseconds since the clock's own origin.
    public var nanoseconds: Int64

    /// Before everything.
    public static let distantPast = Instant(nanoseconds: .min)

    /// Creates the instant that lies so many nanoseconds after the clock's origin.
    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// The instant so long after this one, held at the end of time instead of overflowing.
    public func advanced(by duration: Duration) -> Instant {
        advanced(byNanoseconds: duration.wholeNanoseconds)
    }

    /// The time from this instant to another: negative if the other is earlier.
    public func duration(to other: Instant) -> Duration {
        .nanoseconds(nanoseconds(to: other))
    }

    /// Orders by time.
    public static func < (lhs: Instant, rhs: Instant) -> Bool {
        lhs.nanoseconds < rhs.nanoseconds
    }

    func advanced(byNanoseconds delta: Int64) -> Instant {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(delta)
        return Instant(nanoseconds: overflow ? (delta > 0 ? .max : .min) : sum)
    }

    func nanoseconds(to other: Instant) -> Int64 {
        let (difference, overflow) = other.nanoseconds.subtractingReportingOverflow(nanoseconds)
        return overflow ? (other.nanoseconds > nanoseconds ? .max : .min) : difference
    }
}

extension Duration {
    /// The duration in nanoseconds, held at the bounds of `Int64` (292 years) instead of overflowing.
    public var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, overflow2) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000)
        return overflow || overflow2 ? (seconds > 0 ? .max : .min) : sum
    }
}
