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

    @Test("What was recorded of an accessory is played by a simulated one, and enters and leaves the same zones")
    func recording() throws {
        let site = try Site()
        let directory = try TemporaryDirectory()
        let server = ["--set", "mqtt.host=127.0.0.1", "--set", "mqtt.port=\(site.broker.port)"]
        let record = try BridgeProcess(["record", "--output", directory.file("a.jsonl.gz")] + server)
        #expect(Waiting.until { directory.bytes(of: "a.jsonl.gz").count > 20 })
        try site.enterBoth("lamp")
        try site.report(5, for: 2, of: "lamp")
        _ = site.waitForEvents(4, of: "lamp")
        #expect(record.stop() == .exited(status: 0), "\(record.log)")
        let simulation = try BridgeProcess(
            ["simulate", "--walk", directory.file("a.jsonl.gz"), "--duration", "30s"] + server
        )
        _ = site.waitForEvents(4, of: "sim-1")
        func zones(_ accessory: String) -> [String] {
            site.events(of: accessory).prefix(4).map {
                $0.summary.split(separator: " ").prefix(2).joined(separator: " ")
            }
        }
        #expect(zones("sim-1") == zones("lamp") && zones("lamp").count == 4)
        #expect(simulation.log.contains("a recording of "), "\(simulation.log)")
        #expect(simulation.log.contains("1 track: lamp ("), "\(simulation.log)")
        simulation.stop()
    }
}
