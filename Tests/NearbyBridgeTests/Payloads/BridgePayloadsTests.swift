// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import TestSupport
import Testing

@testable import NearbyBridge

struct BridgePayloadsTests {
    @Test(arguments: ["online", "stopped", "offline"])
    func `the state of the bridge is one word in an object`(_ word: String) {
        #expect(BridgePayloads.state(word) == Array(#"{"state":"\#(word)"}"#.utf8))
    }

    @Test func `info tells version, instance and the configuration without secrets`() throws {
        let text = """
            mqtt: {username: u, password: hunter2}
            zones: {near: {radius: 3}, b: {radius: 1}, a: {radius: 2}}
            accessories: {z-9: {}, A.1: {name: "a \\"b\\""}, a_b: {distance_offset: -0.5}}
            """
        var options = BridgeOptions(try load(text))
        options.instance = "0123456789abcdef"
        options.published.reverse()
        let info = BridgePayloads.info(options, startedAt: 1_000_000)
        #expect(JSONText.fault(info) == nil)
        let object = try #require(JSONText.object(info))
        #expect(Set(object.keys) == ["configuration", "instance", "schema", "started_at", "v", "version"])
        #expect(object["instance"] as? String == "0123456789abcdef")
        #expect(object["started_at"] as? String == "1970-01-01T00:00:00.001Z")
        #expect(object["version"] as? String == Version.text)
        #expect(object["v"] as? Int == 1)
        let configuration = try #require(object["configuration"] as? [String: String])
        #expect(configuration.first { $0.key.hasSuffix(".name") }?.value == "a \"b\"")
        #expect(configuration["mqtt.host"] == "localhost")
        #expect(configuration["mqtt.password"] != nil)
        #expect(!String(decoding: info, as: UTF8.self).contains("hunter2"))
    }

    @Test func `accessories are listed with name and approval, in the order of joining`() throws {
        var options = EngineOptions()
        options.accessories["lamp"] = AccessoryOptions()
        options.accessories["lamp"]?.name = "The \"lamp\""
        var bench = try PerformerBench(engine: options)
        #expect(
            BridgePayloads.accessories(bench.engine, [:], Self.wall)
                == Array(#"{"accessories":[],"blocked":[],"candidates":[],"permit_join_until":null,"v":1}"#.utf8)
        )
        bench.report(#"{"distance":1,"peer":"p"}"#, from: "zebra")
        bench.report(#"{"distance":1}"#, from: "lamp")
        let payload = BridgePayloads.accessories(bench.engine, [:], Self.wall)
        #expect(JSONText.fault(payload) == nil)
        #expect(
            String(decoding: payload, as: UTF8.self)
                == #"{"accessories":[{"approved":true,"id":"zebra"},"#
                + #"{"approved":true,"id":"lamp","name":"The \"lamp\""}],"blocked":[],"candidates":[],"#
                + #""permit_join_until":null,"v":1}"#
        )
    }

    @Test func `info holds the schema as JSON, and what waits for a restart`() throws {
        var options = try BridgeOptions.plain()
        options.restartKeys = ["mqtt.host", "mqtt.port"]
        let object = try #require(JSONText.object(BridgePayloads.info(options, startedAt: 0)))
        let schema = try #require(object["schema"] as? [String: Any])
        #expect((schema["properties"] as? [String: Any])?.keys.contains("mqtt") == true)
        #expect(object["restart_required"] as? [String] == ["mqtt.host", "mqtt.port"])
    }

    @Test func `a long configuration is told without single accessories, and how much is left out`() throws {
        var options = try BridgeOptions.plain()
        let count = options.published.count
        options.published += (0..<5000).map { ("accessories.a\($0).name", "Accessory \($0)") }
        let info = BridgePayloads.info(options, startedAt: 0)
        #expect(JSONText.fault(info) == nil)
        #expect(info.count < BridgePayloads.mostConfigurationBytes)
        let object = try #require(JSONText.object(info))
        #expect((object["configuration"] as? [String: String])?.count == count)
        #expect(object["configuration_left_out"] as? Int == 5000)
    }

    @Test func `accessories are told with what is configured of them`() throws {
        let text =
            "accessories: {lamp: {distance_offset: 1, zones: {near: {radius: 2}}}, a.b: {name: x}, other: {name: y}}"
        let options = BridgeOptions(try load(text))
        var bench = try PerformerBench(engine: options.engine)
        bench.report(#"{"distance":1}"#, from: "lamp")
        bench.report(#"{"distance":1}"#, from: "a.b")
        let payload = BridgePayloads.accessories(bench.engine, options.accessorySettings, Self.wall)
        #expect(JSONText.fault(payload) == nil)
        let list = try #require(JSONText.object(payload)?["accessories"] as? [[String: Any]])
        #expect(
            list.map { $0["options"] as? [String: String] } == [
                ["distance_offset": "1.0", "zones.near.radius": "2.0"], ["name": "x"],
            ]
        )
    }

    @Test func `changes are told with the values that are in effect`() throws {
        let changes = ConfigurationChanges(
            from: try load("zones: {near: {radius: 3}, gate: {radius: 4}}"),
            to: try load("zones: {near: {radius: 2}}")
        )
        let expected = #"{"changed":{"zones.gate.radius":null,"zones.near.radius":"2.0"}}"#
        #expect(String(decoding: BridgePayloads.changes(changes), as: UTF8.self) == expected)
    }

    @Test func `who waits, who is kept away and until when anybody may join is told`() throws {
        var options = EngineOptions()
        options.join = .approve
        var bench = try PerformerBench(engine: options)
        bench.report("{}", from: "stranger")
        bench.engine.handle(.remove("enemy", isBlocked: true), at: bench.now, into: &bench.buffer)
        bench.engine.handle(
            .permitJoin(until: Instant(nanoseconds: 60_000_000_000)),
            at: bench.now,
            into: &bench.buffer
        )
        #expect(
            String(decoding: BridgePayloads.accessories(bench.engine, [:], Self.wall), as: UTF8.self)
                == #"{"accessories":[],"blocked":["enemy"],"candidates":[{"approved":false,"id":"stranger","#
                + #""since":"2025-11-30T14:01:53.100Z"}],"permit_join_until":"2025-11-30T14:02:52.000Z","v":1}"#
        )
    }

    private static let wall = WallTime(origin: 1_764_511_312_000_000_000)
}
