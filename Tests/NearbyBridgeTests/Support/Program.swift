// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem

/// Programs that some machines have and some do not.
enum Program {
    /// Whether a shell finds a program of this name.
    static func isInstalled(_ name: String) -> Bool {
        (try? ChildProcess(["sh", "-c", "command -v \(name) >/dev/null"]).wait()) == .exited(status: 0)
    }
}
