// nearby-bridge · SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc

/// The clock that never goes back and counts the machine's sleep.
public enum MonotonicClock {
    /// Nanoseconds since the machine started, sleep included: a laptop that slept has let every deadline pass.
    public static func now() -> Int64 { readClock(CLOCK_BOOTTIME) }
}

func readClock(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    // Cannot fail: both clocks exist on every supported kernel.
    _ = unsafe clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
