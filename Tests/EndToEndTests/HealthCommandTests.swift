// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import TestSupport
import Testing

@Suite(.onItsOwnThread)
struct HealthCommandTests {
    private func health(_ port: Int, _ more: [String] = []) throws -> BridgeProcess {
        try BridgeProcess(["health", "--set", "mqtt.host=127.0.0.1", "--set", "mqtt.port=\(port)"] + more)
    }

    @Test("A living bridge is told in one line, and is not disturbed", arguments: ["5", "3.1.1"])
    func alive(_ version: String) throws {
        let site = try Site()
        try site.report(2)
        let health = try health(site.broker.port, ["--set", "mqtt.protocol=\(version)"])
        #expect(health.wait() == .exited(status: 0), "\(health.log)")
        #expect(health.output.hasPrefix("alive: version "), "\(health.output)")
        #expect(health.output.contains(", 1 accessories, "), "\(health.output)")
        #expect(health.output.split(separator: "\n").count == 1)
        #expect(health.log.isEmpty)
        #expect(site.bridge.logLines.count { $0.contains("connected to") } == 1)
        let isClean = try site.retained().keys.allSatisfy { !$0.contains("/request/") && !$0.contains("/response/") }
        #expect(isClean)
    }

    @Test("JSON is what the bridge says, to the byte")
    func json() throws {
        let site = try Site()
        let health = try health(site.broker.port, ["--json"])
        #expect(health.wait() == .exited(status: 0), "\(health.log)")
        #expect(KeyOrder.isSorted(Array(health.output.utf8.dropLast())))
        let answer = try site.consumer.message(on: "nearby/bridge/response/health")
        #expect(answer.text.contains(health.output.dropLast()))
    }

    @Test("Without a living bridge one line says why, and the code is 69")
    func dead() throws {
        let site = try Site()
        func why(_ port: Int, _ more: [String] = []) throws -> String {
            let health = try health(port, ["--timeout", "1s"] + more)
            #expect(health.wait() == .exited(status: 69))
            #expect(health.output.isEmpty)
            #expect(health.logLines.count == 1)
            return health.log
        }
        #expect(try why(site.broker.port, ["--set", "mqtt.base_topic=elsewhere"]).contains("on elsewhere"))
        site.bridge.freeze(true)
        #expect(try why(site.broker.port).contains("no bridge answers on nearby; nearby/bridge/state says \"online\""))
        site.bridge.freeze(false)
        site.bridge.stop()
        #expect(try why(site.broker.port).contains("says \"stopped\""))
        site.broker.freeze(true)
        #expect(try why(site.broker.port).contains("the broker does not answer"))
        site.broker.kill()
        #expect(try why(site.broker.port).contains("connection refused"))
    }
}
