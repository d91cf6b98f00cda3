// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import TestSupport
import Testing

@Suite(.onItsOwnThread)
struct StrangeBrokerTests {
    private func bridge(at broker: FakeBroker, set settings: [String] = []) throws -> BridgeProcess {
        let all = ["mqtt.host=127.0.0.1", "mqtt.port=\(broker.port)", "mqtt.protocol=3.1.1"] + settings
        return try BridgeProcess(["run"] + all.flatMap { ["--set", $0] })
    }

    /// What may stand between `a` and `b` in a name, and whether libmosquitto lets it through.
    private static let improper: [(text: String, passes: Bool)] = [
        ("\u{202E}", true), ("\u{2028}", true), ("\u{200B}", true), ("\u{1B}[31m", false),
        ("\n2026 error: forged", false),
        ("\u{7F}", false), ("\u{85}", false), ("\t", false),
    ]

    @Test("No control character of a topic reaches the log, and the bridge lives", arguments: improper)
    func controlCharacters(_ improper: (text: String, passes: Bool)) throws {
        let topic = "nearby/accessory/a\(improper.text)b/report"
        let broker = try FakeBroker([.init(topic, "{\"distance\":1}")], to: "/report")
        let bridge = try bridge(at: broker)
        let sign = improper.passes ? "refused" : "not proper MQTT"
        #expect(Waiting.until { bridge.log.contains(sign) }, "\(bridge.log)")
        Waiting.sleep(milliseconds: 3000)
        #expect(bridge.isRunning)
        let control = bridge.log.unicodeScalars.filter { scalar in
            let category = scalar.properties.generalCategory
            return scalar != "\n" && [.control, .format, .lineSeparator, .paragraphSeparator].contains(category)
        }
        #expect(control.isEmpty)
        #expect(!bridge.logLines.contains { $0.hasPrefix("2026 error") })
        // A message that ends the connection whenever it comes is told of once and met ever more slowly.
        #expect(bridge.logLines.count { $0.contains(sign) } == 1, "\(bridge.log)")
        #expect(bridge.logLines.count < 20, "\(bridge.log)")
    }

    @Test("While the broker refuses our subscription we are blind: nobody is lost")
    func refusedSubscription() throws {
        let state = """
            {"accessory":"lamp","seq":1700000000001,"v":1,"zone":"near","zones":{"near":{"count":1,"state":"inside",\
            "visit":1700000000001}}}
            """
        let retained = FakeBroker.Message("nearby/accessory/lamp/state", state, isRetained: true)
        let broker = try FakeBroker([retained], to: "/accessory/+/state", reportGrant: 0x80)
        let bridge = try bridge(at: broker, set: ["lost_after=1s"])
        #expect(Waiting.until { bridge.log.contains("refuses the subscription to nearby/accessory/+/report") })
        #expect(Waiting.until { broker.topics.contains("nearby/accessory/lamp/zone/near") })
        Waiting.sleep(milliseconds: 2500)
        #expect(!broker.topics.contains { $0.hasSuffix("lamp/event") }, "\(bridge.log)")
        #expect(bridge.stop() == .exited(status: 0))
    }
}
