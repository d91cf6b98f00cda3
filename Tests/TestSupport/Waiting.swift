// nearby-bridge · SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import LinuxSystem

/// Waiting for what another thread or process does.
public enum Waiting {
    /// Looks every two milliseconds until `condition` holds; false if it does not within `timeout`.
    ///
    /// The limit is for a broken program only, so be generous: a test must not depend on how fast the machine is.
    public static func until(_ timeout: Duration = .seconds(30), condition: () -> Bool) -> Bool {
        let (seconds, attoseconds) = timeout.components
        let end = MonotonicClock.now() + seconds * 1_000_000_000 + attoseconds / 1_000_000_000
        while !condition() {
            if MonotonicClock.now() > end { return condition() }
            sleep(milliseconds: 2)
        }
        return true
    }

    /// Sleeps.
    public static func sleep(milliseconds: UInt32) { _ = usleep(milliseconds * 1_000) }
}
