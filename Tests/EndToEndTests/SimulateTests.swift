// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import TestSupport
import Testing

@Suite(.onItsOwnThread)
struct SimulateTests {
    @Test("Simulated accessories do the handshake, and say goodbye: every one of them")
    func handshake() throws {
        let site = try Site()
        let simulation = try BridgeProcess(
            ["simulate", "--handshake", "--accessories", "60", "--spelling", "json", "--duration", "6s"]
                + ["--set", "mqtt.host=127.0.0.1", "--set", "mqtt.port=\(site.broker.port)"]
        )
        #expect(simulation.wait() == .exited(status: 0), "\(simulation.log)")
        #expect(simulation.output.contains("60 accessories, 60 runs of ranging"), "\(simulation.output)")
        let haveLeft = site.consumer.waitFor { messages in
            messages.count { $0.topic.hasSuffix("/availability") && $0.text == "offline" } == 60
        }
        #expect(haveLeft)
    }

    @Test("A fault that only a handshake can have is refused without one, with a way out")
    func faultWithoutHandshake() throws {
        let simulation = try BridgeProcess(["simulate", "--fault", "no_start"])
        #expect(simulation.wait() == .exited(status: 64))
        #expect(simulation.log.contains("add --handshake"), "\(simulation.log)")
    }
}
