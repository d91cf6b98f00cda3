// nearby-bridge · SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc

/// The calendar clock, for payloads and logs only: it may jump.
public enum WallClock {
    /// Nanoseconds since 1970-01-01 00:00 UTC.
    public static func now() -> Int64 { readClock(CLOCK_REALTIME) }
}
