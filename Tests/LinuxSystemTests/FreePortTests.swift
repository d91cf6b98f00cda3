// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import Testing

@Suite("A free port")
struct FreePortTests {
    @Test("is a port")
    func find() throws {
        for _ in 0..<10 { #expect((1024...65_535).contains(try FreePort.find())) }
    }
}
