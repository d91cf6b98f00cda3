// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import TestSupport
import Testing

/// The configuration of a bridge that runs, changed by SIGHUP and by requests.
@Suite(.onItsOwnThread)
struct ReloadTests {
    /// What became of a request.
    private struct Outcome: Decodable {
        var status: String
        var error: String?
    }

    /// A site whose bridge has a configuration file, with the zones and more that the test wants.
    private final class ConfiguredSite {
        let directory: TemporaryDirectory
        let site: Site

        init(_ text: String) throws {
            directory = try TemporaryDirectory()
            let path = try directory.write(text, to: "bridge.yaml")
            site = try Site(configuration: path)
        }

        /// Writes another configuration, has it read, and waits for a line that says so.
        func reload(_ text: String, untilLog expected: String) throws {
            try directory.write(text, to: "bridge.yaml")
            site.bridge.reload()
            try #require(Waiting.until { site.bridge.log.contains(expected) }, "\(site.bridge.log)")
        }

        /// The answer to a request, with the transaction it was asked with.
        func ask(_ command: String, _ body: String) throws -> Outcome {
            let transaction = "\(UInt32.random(in: 0...UInt32.max))"
            let payload = "{\"transaction\":\"\(transaction)\",\(body)}"
            try site.source.publish(site.topic("bridge/request/\(command)"), payload)
            let topic = site.topic("bridge/response/\(command)")
            let isAnswered = site.consumer.waitFor { messages in
                messages.contains { $0.topic == topic && $0.text.contains(transaction) }
            }
            try #require(isAnswered, "no answer:\n\(site.bridge.log)")
            let message = try #require(
                site.consumer.messages.last { $0.topic == topic && $0.text.contains(transaction) }
            )
            #expect(KeyOrder.isSorted(message.payload))
            return try message.decoded()
        }
    }

    @Test("SIGHUP changes zones in the middle of a stay: nothing is invented, what is gone is cleared")
    func zones() throws {
        let configured = try ConfiguredSite("zones: {immediate: {radius: 1.5}, near: {radius: 3}}\n")
        let site = configured.site
        try site.enterBoth()
        try configured.reload(
            "zones: {near: {radius: 2}, far: {radius: 6}}\n",
            untilLog: "in effect now: zones.far.radius is 6.0"
        )
        let exit = site.waitForEvents(3)
        #expect(exit.map(\.summary).dropFirst(2) == ["exit immediate zone_disabled"])
        #expect(exit[2].visit == exit[1].seq)
        #expect(Waiting.until { (try? site.zones())?.keys.sorted() == ["far", "near"] })
        #expect(try site.zones()["near"] == "inside")
        try site.report(4.0, for: 1.5)
        let after = site.waitForEvents(5).map(\.summary).dropFirst(3)
        #expect(Set(after) == ["enter far", "exit near left"])
    }

    @Test("A configuration that is wrong changes nothing and every problem is a line")
    func wrong() throws {
        let configured = try ConfiguredSite("zones: {near: {radius: 3}}\n")
        try configured.reload(
            "zones: {near: {radius: 0}}\nlog: {level: loud}\n",
            untilLog: "not reloaded, the old configuration stays in effect"
        )
        let lines = configured.site.bridge.logLines.filter { $0.contains(" error configuration: ") }
        #expect(lines.count == 3, "\(lines)")
        #expect(lines.contains { $0.contains("bridge.yaml:1: zones.near.radius: expected") })
        #expect(lines.contains { $0.contains("bridge.yaml:2: log.level: expected") })
        #expect(configured.site.bridge.isRunning)
        #expect(try configured.site.retained()["nearby/bridge/info"]?.contains("\"zones.near.radius\":\"3.0\"") == true)
    }

    @Test("What needs a restart is named and not done; info tells what is in effect")
    func restart() throws {
        let configured = try ConfiguredSite("zones: {near: {radius: 3}}\n")
        try configured.reload(
            "mqtt: {keep_alive: 20s}\nzones: {near: {radius: 2.5}}\n",
            untilLog: "takes effect after a restart: mqtt.keep_alive: 15s, now 20s"
        )
        let isTold = Waiting.until {
            (try? configured.site.retained()["nearby/bridge/info"])?.contains("\"zones.near.radius\":\"2.5\"") == true
        }
        #expect(isTold)
        let info = try #require(try configured.site.retained()["nearby/bridge/info"])
        #expect(info.contains("\"mqtt.keep_alive\":\"15s\""))
        #expect(info.contains("\"restart_required\":[\"mqtt.keep_alive\"]"))
        #expect(KeyOrder.isSorted(Array(info.utf8)))
    }

    @Test("Options set by request take effect at once, survive SIGHUP, and are told")
    func requests() throws {
        let configured = try ConfiguredSite("zones: {near: {radius: 3}}\n")
        let site = configured.site
        try site.report(2.0, for: 1)
        #expect(site.waitForEvents(1).map(\.summary) == ["enter near"])
        let answer = try configured.ask(
            "accessory/options",
            "\"accessory\":\"lamp\",\"options\":{\"name\":\"Lamp\",\"distance_offset\":3}"
        )
        #expect(answer.status == "ok")
        try site.report(2.0, for: 1.5)
        #expect(site.waitForEvents(2).map(\.summary) == ["enter near", "exit near left"])
        #expect(try site.state().distance == 5)
        try configured.reload(
            "zones: {near: {radius: 2.9}}\naccessories: {lamp: {distance_offset: 0}}\n",
            untilLog: "zones.near.radius: 3.0, now 2.9"
        )
        try site.report(2.0, for: 1)
        #expect(site.waitForEvents(2).count == 2)
        let accessories = try #require(try site.retained()["nearby/bridge/accessories"])
        #expect(accessories.contains("\"name\":\"Lamp\""))
        #expect(accessories.contains("\"options\":{\"distance_offset\":\"3.0\",\"name\":\"Lamp\"}"), "\(accessories)")
        #expect(try configured.ask("zone/options", "\"zone\":\"near\",\"options\":{\"enabled\":false}").status == "ok")
        #expect(Waiting.until { (try? site.zones())?.isEmpty == true })
    }

    @Test("A wrong request is answered with the field, and changes nothing")
    func wrongRequests() throws {
        let configured = try ConfiguredSite("zones: {near: {radius: 3}}\n")
        try configured.site.report(2.0)
        let wrong = [
            (
                "accessory/options", "\"accessory\":\"lamp\",\"options\":{\"distance_scale\":0}",
                "options.distance_scale: "
            ),
            (
                "accessory/options", "\"accessory\":\"lamp\",\"options\":{\"zones\":{\"near\":7}}",
                "options.zones.near: "
            ),
            ("accessory/options", "\"accessory\":\"nobody\",\"options\":{\"name\":\"x\"}", "accessory: "),
            ("zone/options", "\"zone\":\"near\",\"options\":{\"radius\":\"3\\n4\"}", "options.radius: "),
            ("log_level", "\"level\":\"loud\"", "level: "),
            ("log_level", "\"level\":\"info\",\"subsystem\":\"zone\"", "subsystem: "),
        ]
        for (command, body, expected) in wrong {
            let answer = try configured.ask(command, body)
            #expect(answer.status == "error")
            #expect(answer.error?.hasPrefix(expected) == true, "\(answer.error ?? "")")
        }
    }

    @Test("The level of one subsystem is changed by request")
    func logLevel() throws {
        let configured = try ConfiguredSite("log: {format: json}\n")
        #expect(try configured.ask("log_level", "\"level\":\"debug\",\"subsystem\":\"zones\"").status == "ok")
        try configured.site.enterBoth()
        #expect(
            Waiting.until {
                configured.site.bridge.logLines.contains {
                    $0.contains("\"level\":\"debug\"") && $0.contains("\"subsystem\":\"zones\"")
                        && $0.contains("enters near")
                }
            }
        )
        #expect(!configured.site.bridge.log.contains("is asked for"))
    }

    @Test("The environment counts, between file and command line, and what is unknown there ends the start")
    func environment() throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write("mqtt: {host: file.invalid, base_topic: file}\n", to: "bridge.yaml")
        let secret = try directory.write("hunter2\n", to: "password")
        let variables = [
            "NEARBY_BRIDGE_MQTT_HOST=environment.invalid", "NEARBY_BRIDGE_MQTT_BASE_TOPIC=environment",
            "NEARBY_BRIDGE_MQTT_PASSWORD_FILE=\(secret)", "NEARBY_BRIDGE_MQTT_USERNAME=u",
        ]
        let check = ["check", "--config", path, "--set", "mqtt.base_topic=line"]
        let good = try BridgeProcess(check, environment: variables)
        #expect(good.wait() == .exited(status: 0))
        #expect(good.output.contains("broker environment.invalid:1883, base topic line"), "\(good.output)")
        #expect(!good.output.contains("hunter2") && !good.log.contains("hunter2"))
        let bad = try BridgeProcess(["run"] + check.dropFirst(), environment: variables + ["NEARBY_BRIDGE_MQTT_HOTS=x"])
        #expect(bad.wait() == .exited(status: 78))
        #expect(bad.log.contains("NEARBY_BRIDGE_MQTT_HOTS: no key of this name; did you mean NEARBY_BRIDGE_MQTT_HOST?"))
    }
}
