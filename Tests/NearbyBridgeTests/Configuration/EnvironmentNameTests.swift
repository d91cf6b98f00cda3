// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NearbyBridge

struct EnvironmentNameTests {
    private func problem(_ name: String, _ value: String? = "x") -> ConfigurationProblem? {
        problems("", environment: [(name, value)]).first
    }

    @Test func `every key without a name of the user's choice has a variable of its own`() {
        let keys = ConfigurationKey.all.filter { !$0.levels.contains("*") && !$0.levels.contains("[]") }
        #expect(EnvironmentName.keys.count == keys.count)
        #expect(EnvironmentName.keys["NEARBY_BRIDGE_MQTT_HOST"]?.path == "mqtt.host")
        #expect(
            EnvironmentName.keys["NEARBY_BRIDGE_MQTT_TLS_KEY_PASSPHRASE_FILE"]?.path == "mqtt.tls.key_passphrase_file"
        )
        #expect(EnvironmentName.keys["NEARBY_BRIDGE_JOIN"]?.path == "join")
    }

    @Test(arguments: [
        ("NEARBY_BRIDGE_MQTT_HOTS", "did you mean NEARBY_BRIDGE_MQTT_HOST?"),
        ("NEARBY_BRIDGE_MQTT_BASETOPIC", "did you mean NEARBY_BRIDGE_MQTT_BASE_TOPIC?"),
        ("NEARBY_BRIDGE_BASE_TOPIC", "did you mean NEARBY_BRIDGE_MQTT_BASE_TOPIC?"),
        ("NEARBY_BRIDGE_ZONES_NEAR_RADIUS", "zones have names: write them in the file, or with --set"),
        ("NEARBY_BRIDGE_XYZZY", "remove it; a name is NEARBY_BRIDGE_<SECTION>_<KEY>, such as NEARBY_BRIDGE_MQTT_HOST"),
        ("NEARBY_BRIDGE_", "remove it; a name is NEARBY_BRIDGE_<SECTION>_<KEY>, such as NEARBY_BRIDGE_MQTT_HOST"),
    ])
    func `a variable that no key has is a problem with a hint`(_ name: String, _ fix: String) {
        #expect(problem(name)?.source == .environment(variable: name))
        #expect(problem(name)?.fix == fix)
    }

    @Test func `a wrong value names variable and key`() {
        let found = problem("NEARBY_BRIDGE_MQTT_PORT", "x")
        #expect(
            found?.description
                == "NEARBY_BRIDGE_MQTT_PORT: mqtt.port: expected a whole number from 1 to 65535, found \"x\"; write 1883"
        )
        #expect(problem("NEARBY_BRIDGE_MQTT_HOST", "")?.message.contains("found nothing") == true)
        #expect(problem("NEARBY_BRIDGE_MQTT_PASSWORD", nil)?.message == "the value is not UTF-8")
    }

    @Test func `no problem of the environment shows a secret`() {
        for name in ["NEARBY_BRIDGE_MQTT_PASSWROD", "NEARBY_BRIDGE_MQTT_PASSWORD", "NEARBY_BRIDGE_HUNTER"] {
            let found = problem(name, "hunter2\n")
            #expect(found != nil)
            #expect(found?.description.contains("hunter2") == false)
        }
    }

    @Test(arguments: [
        ("NEARBY_BRIDGE_PORT", "tcp://10.0.0.1:8080"), ("NEARBY_BRIDGE_SERVICE_HOST", "10.0.0.1"),
        ("NEARBY_BRIDGE_SERVICE_PORT", "8080"), ("NEARBY_BRIDGE_SERVICE_PORT_HTTP", "8080"),
        ("NEARBY_BRIDGE_PORT_8080_TCP", "tcp://10.0.0.1:8080"), ("NEARBY_BRIDGE_PORT_8080_TCP_ADDR", "10.0.0.1"),
        ("NEARBY_BRIDGE_WEB_SERVICE_HOST", "10.0.0.1"), ("NEARBY_BRIDGE_WEB_PORT_80_TCP_PROTO", "tcp"),
    ])
    func `what Kubernetes sets for a service of our name is no problem`(_ name: String, _ value: String) {
        #expect(problems("", environment: [(name, value)]).isEmpty)
    }

    @Test func `other variables are nobody's business`() {
        #expect(
            problems("", environment: [("PATH", "/bin"), ("NEARBY_BRIDGED", "x"), ("nearby_bridge_x", "y")]).isEmpty
        )
    }
}
