// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import MosquittoClient
import TestSupport
import Testing

@Suite(.onItsOwnThread)
struct PurgeTests {
    private func purge(_ broker: MosquittoProcess, _ more: [String] = []) throws -> BridgeProcess {
        let process = try BridgeProcess(
            ["purge", "--set", "mqtt.host=127.0.0.1", "--set", "mqtt.port=\(broker.port)"] + more
        )
        _ = process.wait()
        return process
    }

    private func keep(_ site: Site, _ topic: String, _ payload: String) throws {
        try site.source.publish(topic, payload, isRetained: true)
    }

    @Test("Everything of the bridge goes, everything of others stays", arguments: ["5", "3.1.1"])
    func everything(_ version: String) throws {
        let site = try Site()
        try site.report(1.0, for: 1, peer: "alice")
        try site.enterBoth("lamp")
        let ours = #"{"o":{"name":"nearby-bridge"},"avty_t":"nearby/bridge/state"}"#
        let theirs = #"{"o":{"name":"nearby-bridge"},"avty_t":"nearby2/bridge/state"}"#
        let others = [
            "nearby/accessory/lamp/config": "0102", "nearby/accessory/lamp/availability": "online",
            "nearby/accessory/lamp/zone/a/b": "x", "nearby/own/notes": "x", "nearby2/bridge/state": "x",
            "nearby2/accessory/lamp/state": "x",
        ]
        for (topic, payload) in others { try keep(site, topic, payload) }
        try keep(site, "homeassistant/device/ours/config", ours)
        try keep(site, "homeassistant/device/theirs/config", theirs)
        site.bridge.stop()
        let before = try site.retained()
        let trial = try purge(site.broker, ["--dry-run", "--set", "mqtt.protocol=\(version)"])
        #expect(trial.ending == .exited(status: 0), "\(trial.log)")
        #expect(try site.retained() == before)
        let purge = try purge(site.broker, ["--set", "mqtt.protocol=\(version)"])
        #expect(purge.ending == .exited(status: 0), "\(purge.log)")
        #expect(trial.output.replacing("would remove", with: "removed") == purge.output)
        let topics = purge.output.split(separator: "\n").dropLast().map { String($0.dropFirst("removed ".count)) }
        #expect(topics.contains("nearby/accessory/lamp/peer/alice/zone/near"))
        #expect(topics.contains("homeassistant/device/ours/config"))
        #expect(!topics.contains("homeassistant/device/theirs/config"))
        #expect(topics.last == "nearby/bridge/state")
        #expect(Set(topics).isDisjoint(with: others.keys))
        let left = try site.retained()
        #expect(Set(left.keys) == Set(others.keys.filter { $0.hasPrefix("nearby/") }))
        #expect(try self.purge(site.broker).output == "removed 0 retained topics\n")
    }

    @Test("A living bridge is not pulled the rug from under, unless by force")
    func alive() throws {
        let site = try Site()
        try site.enterBoth()
        let before = try site.retained()
        let refused = try purge(site.broker)
        #expect(refused.ending == .exited(status: 69))
        #expect(refused.log.contains("stop it first"))
        #expect(refused.output.isEmpty)
        #expect(try site.retained().keys == before.keys)
        let forced = try purge(site.broker, ["--force"])
        #expect(forced.output.contains("removed nearby/accessory/lamp/zone/near"), "\(forced.log)")
    }

    @Test("Thousands of topics go, more than a broker queues for one client")
    func many() throws {
        let broker = try MosquittoProcess()
        let source = try MQTTTestClient(port: broker.port, clientIdentifier: "source")
        for number in 0..<3000 {
            try source.publish(
                "nearby/accessory/a\(number)/state",
                "{}",
                qualityOfService: .atMostOnce,
                isRetained: true
            )
        }
        try source.publish("nearby/bridge/state", "{}", isRetained: true)
        let purge = try purge(broker)
        #expect(purge.ending == .exited(status: 0), "\(purge.log)")
        #expect(purge.output.hasSuffix("removed 3001 retained topics\n"))
    }

    @Test("A user who may not write is told which topics are still there")
    func denied() throws {
        let directory = try TemporaryDirectory()
        let rules = """
            topic readwrite nearby/bridge/#
            topic read nearby/accessory/#
            user owner
            topic readwrite #

            """
        let broker = try MosquittoProcess(extra: ["acl_file \(try directory.write(rules, to: "acl"))"])
        var options = ConnectionOptions(
            host: "127.0.0.1",
            port: broker.port,
            clientIdentifier: "owner",
            username: "owner"
        )
        options.cleanStart = true
        let source = try MQTTTestClient(options)
        try source.publish("nearby/bridge/info", "{}", isRetained: true)
        try source.publish("nearby/accessory/lamp/state", "{}", isRetained: true)
        let purge = try purge(broker)
        #expect(purge.ending == .exited(status: 69))
        #expect(
            purge.log.contains("1 topics are still there, the first is nearby/accessory/lamp/state"),
            "\(purge.log)"
        )
        #expect(purge.output == "removed nearby/bridge/info\n")
    }
}
