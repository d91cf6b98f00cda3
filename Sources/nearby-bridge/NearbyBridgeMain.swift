// nearby-bridge · SPDX-License-Identifier: Apache-2.0

@main
struct NearbyBridgeMain {
    static func main() {}
}
