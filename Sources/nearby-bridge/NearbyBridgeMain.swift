// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Glibc
import NearbyBridge

@main
struct NearbyBridgeMain {
    static func main() {
        // Not `exit`: it would clean OpenSSL up under a thread that is still connecting. Nothing of ours is buffered.
        _exit(CommandLineTool.run(Array(CommandLine.arguments.dropFirst())).rawValue)
    }
}
