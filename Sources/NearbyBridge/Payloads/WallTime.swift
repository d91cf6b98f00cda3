// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import NearbyCore

/// The wall clock as seen from the engine's monotonic one, for payloads and logs only.
///
/// Taken anew in every turn of the loop, so a step of the wall clock shows in the next payload and in no decision.
struct WallTime: Equatable, Sendable {
    /// Unix nanoseconds at the origin of the monotonic clock.
    var origin: Int64

    /// The relation of the two clocks now.
    static func current() -> WallTime {
        WallTime(origin: WallClock.now() &- MonotonicClock.now())
    }

    /// Unix nanoseconds of an instant.
    func unixNanoseconds(of instant: Instant) -> Int64 {
        origin &+ instant.nanoseconds
    }

    /// The instant of a Unix time in nanoseconds.
    func instant(ofUnixNanoseconds unix: Int64) -> Instant {
        Instant(nanoseconds: unix &- origin)
    }
}
