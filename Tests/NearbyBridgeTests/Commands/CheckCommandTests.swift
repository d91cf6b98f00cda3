// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyBridge

struct CheckCommandTests {
    @Test func `the summary says what would run`() throws {
        #expect(
            CheckCommand.summary(try ConfigurationLoader.load())
                == "ok: configuration defaults; broker localhost:1883, base topic nearby; "
                + "zones immediate 1.5 m, near 3 m; 0 accessories configured"
        )
        let loaded = try load(
            "mqtt: {tls: {enabled: true}}\nzones: {gate: {radius: 2.25, enabled: false}}\naccessories: {a: {name: b}}",
            environment: [("NEARBY_BRIDGE_MQTT_HOST", "box")],
            ["http.port=81"]
        )
        #expect(
            CheckCommand.summary(loaded)
                == "ok: configuration test.yaml, environment, --set; broker box:1883 (TLS), base topic nearby; "
                + "zones gate 2.25 m (disabled); 1 accessory configured; 1 warning"
        )
    }

    @Test func `for programs it is one sorted object, whether good or not`() throws {
        let good = CheckCommand.json(.success(try load("http: {port: 81}")))
        #expect(JSONText.fault(good) == nil)
        let object = try #require(JSONText.object(good))
        #expect(object["status"] as? String == "ok")
        #expect((object["warnings"] as? [[String: Any]])?.first?["key"] as? String == "http")
        #expect((object["warnings"] as? [[String: Any]])?.first?["line"] as? Int == 1)
        #expect(object["zones"] as? [String: Double] == ["immediate": 1.5, "near": 3])

        let error = ConfigurationError(problems: problems("a: 1\nmqtt: {port: x}", ["nonsense"]))
        let bad = CheckCommand.json(.failure(error))
        #expect(JSONText.fault(bad) == nil)
        let found = try #require(JSONText.object(bad)?["problems"] as? [[String: Any]])
        #expect(found.map { $0["source"] as? String } == ["test.yaml", "test.yaml", "--set"])
        #expect(found.map { $0["line"] as? Int } == [1, 2, nil])
        #expect(found.map { $0["key"] as? String } == ["a", "mqtt.port", nil])
        #expect(JSONText.object(bad)?["status"] as? String == "error")
    }
}
