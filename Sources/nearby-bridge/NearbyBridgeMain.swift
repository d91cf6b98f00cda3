// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Glibc
import NearbyBridge

@main
struct NearbyBridgeMain {
    static func main() {
        exit(CommandLineTool.run(Array(CommandLine.arguments.dropFirst())).rawValue)
    }
}
