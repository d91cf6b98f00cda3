// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import MosquittoClient
import TestSupport
import Testing

/// Brokers that let not everybody do everything.
@Suite(.onItsOwnThread)
struct AccessControlTests {
    /// The example that is shipped, with its passwords made and its places moved to where a test may write.
    private final class Example {
        static let users = ["nearby-bridge", "lamp", "door", "consumer"]
        let broker: MosquittoProcess
        let bridge: BridgeProcess

        init(protocolVersion: String) throws {
            broker = try MosquittoProcess { port, directory in
                for user in Self.users {
                    let create = user == Self.users[0] ? ["-c"] : []
                    let command =
                        ["mosquitto_passwd"] + create + ["-b", directory.file("passwords"), user, "secret-\(user)"]
                    try #require(try ChildProcess(command).wait() == .exited(status: 0))
                }
                try directory.write(Fixtures.example("mosquitto/acl.conf"), to: "acl.conf")
                let text = String(decoding: try Fixtures.example("mosquitto/mosquitto.conf"), as: UTF8.self)
                try #require(text.contains("listener 1883\n") && text.contains("autosave_interval 30"))
                return text.replacing("listener 1883\n", with: "listener \(port) 127.0.0.1\n")
                    .replacing("/etc/mosquitto/", with: "\(directory.path)/")
                    .replacing("/var/lib/mosquitto/", with: "\(directory.path)/")
                    + "user root\nlog_dest stderr\n"
            }
            let settings = [
                "mqtt.host=127.0.0.1", "mqtt.port=\(broker.port)", "mqtt.protocol=\(protocolVersion)",
                "mqtt.username=nearby-bridge", "mqtt.password=secret-nearby-bridge", "state.path=none",
            ]
            bridge = try BridgeProcess(["run"] + settings.flatMap { ["--set", $0] })
        }

        func client(_ user: String) throws -> MQTTTestClient {
            var options = ConnectionOptions(host: "127.0.0.1", port: broker.port, clientIdentifier: "the-\(user)")
            options.username = user
            options.password = "secret-\(user)"
            options.cleanStart = true
            return try MQTTTestClient(options)
        }
    }

    @Test("With the example's broker each does what it is for, and nothing else", arguments: ["5", "3.1.1"])
    func example(_ protocolVersion: String) throws {
        let site = try Example(protocolVersion: protocolVersion)
        let (lamp, door, consumer) = (try site.client("lamp"), try site.client("door"), try site.client("consumer"))
        for client in [lamp, door, consumer] { try client.subscribe("nearby/#") }
        let isOnline = consumer.waitFor {
            $0.contains { $0.topic == "nearby/bridge/state" && $0.text.contains("online") }
        }
        try #require(isOnline, "\(site.bridge.log)\n\(site.broker.log)")
        // The other's reports, events, answers: refused (135 is "not authorized").
        #expect(try lamp.publish("nearby/accessory/door/report", "{\"distance\":1}") == 135)
        #expect(try lamp.publish("nearby/accessory/lamp/event", "{}") == 135)
        #expect(try lamp.publish("nearby/bridge/request/health", "") == 135)
        #expect(try consumer.publish("nearby/accessory/lamp/event", "{\"type\":\"zone_exit\"}") == 135)
        #expect(try consumer.publish("nearby/accessory/lamp/report", "{\"distance\":1}") == 135)
        #expect(try consumer.publish("nearby/bridge/state", "{\"state\":\"offline\"}", isRetained: true) == 135)
        // Its own: a handshake, and a visit.
        #expect(try lamp.publish("nearby/accessory/lamp/config", bytes: Site.configuration) < 128)
        _ = try lamp.message(on: "nearby/accessory/lamp/command")
        for distance in [1.0, 4.0] {
            for _ in 0..<20 {
                try lamp.publish(
                    "nearby/accessory/lamp/report",
                    "{\"distance\":\(distance)}",
                    qualityOfService: .atMostOnce
                )
                Waiting.sleep(milliseconds: 100)
            }
        }
        let hasLeft = consumer.waitFor { messages in
            messages.count { $0.topic == "nearby/accessory/lamp/event" && $0.text.contains("\"zone_") } == 4
        }
        #expect(hasLeft, "\(site.bridge.log)")
        // Long enough for a refusal that the broker does not tell.
        Waiting.sleep(milliseconds: 11_000)
        #expect(!site.bridge.log.contains(" error"), "\(site.bridge.log)")
        #expect(
            consumer.messages.allSatisfy {
                !$0.topic.hasSuffix("/command") && !$0.topic.hasPrefix("nearby/accessory/door")
            }
        )
        #expect(lamp.messages.allSatisfy { $0.topic == "nearby/accessory/lamp/command" })
        #expect(door.messages.isEmpty)
    }

    /// A site whose broker lets nobody write one kind of topic.
    private func site(refusing topics: [String], _ protocolVersion: String) throws -> (Site, TemporaryDirectory) {
        let directory = try TemporaryDirectory()
        let kinds = ["event", "state", "session", "zone/+", "report"].filter { !topics.contains($0) }
        let rules =
            ["topic readwrite nearby/bridge/#", "topic readwrite end/#"]
            + kinds.map { "topic readwrite nearby/accessory/+/\($0)" }
            + topics.map { "topic read nearby/accessory/+/\($0)" }
        let file = try directory.write(rules.joined(separator: "\n") + "\n", to: "acl.conf")
        // Without a limit mosquitto 2.0 ends the connection of whoever publishes what it refuses.
        let site = try Site(
            set: ["mqtt.protocol=\(protocolVersion)"],
            brokerExtra: ["acl_file \(file)", "max_queued_messages 10000"]
        )
        return (site, directory)
    }

    @Test("What the broker refuses to take is told, whether it says so or not", arguments: ["5", "3.1.1"])
    func refusedPublish(_ protocolVersion: String) throws {
        let (site, directory) = try site(refusing: ["event", "zone/+"], protocolVersion)
        defer { withExtendedLifetime(directory) {} }
        try site.report(1.0, for: 2)
        let parts = ["nearby/accessory/lamp/event", "nearby/accessory/+/event", "nearby/accessory/+/zone/+"]
        let isTold = Waiting.until { parts.allSatisfy { site.bridge.log.contains($0) } }
        #expect(isTold, "\(site.bridge.log)")
        try site.report(4.0, for: 2)
        Waiting.sleep(milliseconds: 1000)
        #expect(site.bridge.logLines.count { $0.contains("what we publish to") } == 2, "\(site.bridge.log)")
        #expect(site.events().isEmpty)
    }

    @Test("Where all is allowed, what was read back once is not listened to any more")
    func readBack() throws {
        let site = try Site(set: ["mqtt.protocol=3.1.1"])
        try site.enterBoth()
        Waiting.sleep(milliseconds: 500)
        let before = try site.health()
        try site.report(4.0, for: 2)
        #expect(site.waitForEvents(4).count == 4)
        let after = try site.health()
        // The reports, and the second request.
        #expect(after.mqtt.received - before.mqtt.received == after.reports - before.reports + 1)
        #expect(after.reports - before.reports == 20)
    }
}
