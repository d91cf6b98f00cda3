// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import LinuxSystem
import MosquittoClient
import TestSupport
import Testing

@Suite(.onItsOwnThread)
struct DoctorTests {
    private struct Result: Decodable {
        struct Step: Decodable {
            var status: String
            var step: String
            var text: String
        }
        var ok: Bool
        var steps: [Step]
    }

    private func doctor(_ port: Int, _ more: [String] = [], status: Int32 = 0) throws -> Result {
        let process = try BridgeProcess(
            ["doctor", "--json", "--set", "mqtt.host=127.0.0.1", "--set", "mqtt.port=\(port)"] + more
        )
        #expect(process.wait() == .exited(status: status), "\(process.output)")
        #expect(KeyOrder.isSorted(Array(process.output.utf8.dropLast())))
        let result = try JSONDecoder().decode(Result.self, from: Data(process.output.utf8))
        #expect(result.ok == (status == 0))
        return result
    }

    /// A broker whose nameless users may do only this.
    private func broker(_ rules: [String], _ directory: TemporaryDirectory) throws -> MosquittoProcess {
        let text = rules.map { "topic \($0)\n" }.joined()
        return try MosquittoProcess(extra: ["acl_file \(try directory.write(text, to: "acl"))"])
    }

    @Test("Where nothing is wrong, every step is ok and nothing stays behind", arguments: ["5", "3.1.1"])
    func well(_ version: String) throws {
        let broker = try MosquittoProcess()
        let result = try doctor(broker.port, ["--set", "mqtt.protocol=\(version)"])
        for step in result.steps where step.step != "bridge" { #expect(step.status == "ok", "\(step)") }
        let names = result.steps.map(\.step)
        #expect(
            names.prefix(9) == [
                "configuration", "clock", "store", "lookup", "tcp", "mqtt version", "login", "retained messages",
                "bridge",
            ]
        )
        for topic in [
            "accessory/+/report", "accessory/+/zone/+", "accessory/+/event", "bridge/state", "bridge/request/#",
        ] {
            #expect(result.steps.contains { $0.text.hasPrefix("nearby/\(topic) may be ") }, "\(topic)")
        }
        let newcomer = try MQTTTestClient(port: broker.port, clientIdentifier: "newcomer")
        try newcomer.subscribe("#", "end")
        try newcomer.publish("end", "")
        #expect(newcomer.waitFor { $0.contains { $0.topic == "end" } })
        #expect(!newcomer.messages.contains { $0.isRetained })
    }

    @Test(
        "A running bridge is left in peace: no event, nobody joined, nothing retained changed",
        arguments: ["5", "3.1.1"]
    )
    func peace(_ version: String) throws {
        let site = try Site(set: ["lost_after=never"])
        try site.enterBoth()
        // The list of accessories follows within a second.
        let isListed = site.consumer.waitFor { messages in
            messages.contains { $0.topic == "nearby/bridge/accessories" && $0.text.contains("lamp") }
        }
        try #require(isListed)
        let before = try site.retained()
        let log = site.bridge.log
        let result = try doctor(site.broker.port, ["--set", "mqtt.protocol=\(version)"])
        #expect(result.steps.contains { $0.step == "bridge" && $0.text.hasPrefix("alive: ") })
        #expect(try site.health().accessories == 1)
        let after = try site.retained()
        #expect(after["nearby/bridge/accessories"] == before["nearby/bridge/accessories"])
        #expect(after["nearby/bridge/state"] == before["nearby/bridge/state"])
        #expect(after.keys == before.keys)
        #expect(site.bridge.log == log)
        #expect(site.events().count == 2)
        #expect(!site.consumer.messages.contains { $0.topic == "nearby/bridge/event" && $0.text.contains("doctor") })
    }

    @Test("A bridge that is away for a while finds nothing of it when it comes back")
    func away() throws {
        let site = try Site()
        try site.enterBoth()
        site.bridge.stop()
        _ = try doctor(site.broker.port)
        try site.restartBridge()
        #expect(try site.health().accessories == 1, "\(site.bridge.log)")
        #expect(!site.bridge.log.contains("doctor"))
    }

    @Test("A topic that may not be written is named, with MQTT 5")
    func deniedWrite() throws {
        let directory = try TemporaryDirectory()
        let broker = try broker(
            ["readwrite nearby/bridge/#", "read nearby/#", "write nearby/accessory/+/state"],
            directory
        )
        let failed = try doctor(broker.port, status: 69).steps.filter { $0.status == "failed" }.map(\.text)
        #expect(
            failed.contains(
                "nearby/accessory/+/event: the broker refuses what is published; allow this user to write it"
            )
        )
        #expect(failed.contains { $0.hasPrefix("nearby/accessory/+/zone/+: the broker refuses") })
        #expect(!failed.contains { $0.hasPrefix("nearby/accessory/+/state") || $0.hasPrefix("nearby/bridge/") })
    }

    @Test(
        "A topic that may not be read is named, although the broker lets everybody subscribe",
        arguments: ["5", "3.1.1"]
    )
    func deniedRead(_ version: String) throws {
        let directory = try TemporaryDirectory()
        let rules = ["write nearby/#", "read nearby/bridge/#", "read nearby/accessory/+/state"]
        let broker = try broker(rules, directory)
        let steps = try doctor(broker.port, ["--set", "mqtt.protocol=\(version)"], status: 69).steps
        let failed = steps.filter { $0.status == "failed" }.map(\.text)
        #expect(failed.contains { $0.hasPrefix("nearby/accessory/+/session: ") }, "\(failed)")
        #expect(!failed.contains { $0.hasPrefix("nearby/accessory/+/state: ") }, "\(failed)")
        if version == "5" { #expect(failed.contains { $0.hasPrefix("nearby/accessory/+/report: nothing comes") }) }
    }

    @Test("An ACL that gives no more than is needed fails nowhere; what it hides is skipped")
    func leastPrivilege() throws {
        let directory = try TemporaryDirectory()
        let broker = try broker(
            ["report", "config", "message", "availability", "shareable", "peer/+/shareable", "peer/+/token"]
                .map { "read nearby/accessory/+/\($0)" }
                + ["readwrite nearby/bridge/#", "write nearby/accessory/+/peer/+/config"]
                + ["write nearby/accessory/+/peer/+/peer_token", "readwrite nearby/accessory/+/characteristic"]
                + ["nearby/accessory/+", "nearby/accessory/+/peer/+"].flatMap { stream in
                    ["readwrite \(stream)/state", "readwrite \(stream)/zone/+", "readwrite \(stream)/session"]
                        + ["write \(stream)/event", "write \(stream)/command"]
                },
            directory
        )
        let steps = try doctor(broker.port).steps
        #expect(steps.count { $0.status == "skipped" && $0.text.hasPrefix("nearby/accessory/+/") } == 7)
    }

    @Test("A subscription that the broker refuses is named")
    func refusedSubscription() throws {
        let broker = try FakeBroker([], to: "/nothing", reportGrant: 0x80)
        let steps = try doctor(
            broker.port,
            ["--timeout", "2s", "--set", "mqtt.protocol=3.1.1"],
            status: 69
        ).steps
        let text = "nearby/accessory/+/report: the broker refuses the subscription; allow this user to read it"
        #expect(steps.contains { $0.status == "failed" && $0.text == text })
    }

    @Test("A wrong password is a matter of login")
    func login() throws {
        let directory = try TemporaryDirectory()
        let passwords = directory.file("passwords")
        _ = try ChildProcess(["mosquitto_passwd", "-b", "-c", passwords, "u", "right"]).wait()
        let broker = try MosquittoProcess(allowAnonymous: false, extra: ["password_file \(passwords)"])
        let user = ["--set", "mqtt.username=u", "--set"]
        let failed = try #require(try doctor(broker.port, user + ["mqtt.password=hunter2"], status: 69).steps.last)
        #expect(failed.step == "login" && failed.status == "failed", "\(failed)")
        #expect(!failed.text.contains("hunter2"))
        let login = try doctor(broker.port, user + ["mqtt.password=right"]).steps.first { $0.step == "login" }
        #expect(login?.text == "accepted as user u")
    }

    @Test("What fails before the broker is named: configuration, lookup, TCP, and a port that is silent")
    func early() throws {
        let wrong = try doctor(1, ["--set", "mqtt.prot=1"], status: 78).steps
        #expect(wrong.map(\.step) == ["configuration"])
        #expect(wrong.first?.text.contains("did you mean") == true)
        #expect(try doctor(1, status: 69).steps.last?.step == "tcp")
        let nowhere = try doctor(1, ["--set", "mqtt.host=no-such-host.invalid"], status: 69).steps.last
        #expect(nowhere?.step == "lookup")
        let silent = try FakeServer { $0.waitForClose() }
        let mute = try doctor(silent.port, ["--timeout", "300ms"], status: 69).steps.last
        #expect(mute?.step == "mqtt")
        #expect(mute?.text.contains("does not answer") == true)
        let secured = try doctor(silent.port, ["--timeout", "300ms", "--set", "mqtt.tls.enabled=true"], status: 69)
        #expect(secured.steps.last?.step == "tls handshake")
    }
}
