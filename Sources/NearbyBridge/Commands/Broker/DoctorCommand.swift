// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem

/// `nearby-bridge doctor`: what a connection to the broker fails at.
enum DoctorCommand {
    static func run(_ arguments: ParsedArguments) throws(CommandFailure) -> ExitCode {
        .ok
    }
}
