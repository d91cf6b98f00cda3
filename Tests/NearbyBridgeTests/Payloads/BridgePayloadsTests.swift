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
            BridgePayloads.accessories(bench.engine, [:]) == Array(#"{"accessories":[],"candidates":[],"v":1}"#.utf8)
        )
        bench.report(#"{"distance":1,"peer":"p"}"#, from: "zebra")
        bench.report(#"{"distance":1}"#, from: "lamp")
        let payload = BridgePayloads.accessories(bench.engine, [:])
        #expect(JSONText.fault(payload) == nil)
        #expect(
            String(decoding: payload, as: UTF8.self)
                == #"{"accessories":[{"approved":true,"id":"zebra"},"#
                + #"{"approved":true,"id":"lamp","name":"The \"lamp\""}],"candidates":[],"v":1}"#
        )
    }
}
