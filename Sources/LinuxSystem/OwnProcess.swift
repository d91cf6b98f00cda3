// nearby-bridge · SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// This process.
public enum OwnProcess {
    /// Whether it runs as root.
    public static var isRoot: Bool { geteuid() == 0 }

    /// Ends at once, as by `kill -9`: nothing is flushed, nothing is said.
    public static func die() -> Never {
        kill(getpid(), SIGKILL)
        // The signal has ended the process before the call returns.
        abort()
    }
}
