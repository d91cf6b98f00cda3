// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NearbyBridge

struct ConfigurationProblemTests {
    @Test(arguments: [
        ("mqtt: {hots: x}", "mqtt.hots", "did you mean mqtt.host?"),
        ("mqtt: {Base-Topic: x}", "mqtt.Base-Topic", "did you mean mqtt.base_topic?"),
        ("zone: {near: {radius: 2}}", "zone", "did you mean zones?"),
        ("zones: {near: {raidus: 2}}", "zones.near.raidus", "did you mean zones.near.radius?"),
        ("username: x", "username", "did you mean mqtt.username?"),
        ("log: {xyzzy: 1}", "log.xyzzy", "known here: level, format, levels"),
        (
            "accessories: {a: {peers: {b: {nmae: c}}}}", "accessories.a.peers.b.nmae",
            "did you mean accessories.a.peers.b.name?"
        ),
    ])
    func `an unknown key comes with the nearest known one`(_ text: String, _ key: String, _ fix: String) {
        let found = problems(text)
        #expect(found.map(\.key) == [key])
        #expect(found.map(\.message) == ["unknown key"])
        #expect(found.first?.fix == fix)
    }

    @Test(arguments: [
        "mqtt: {password: [hunter2]}",
        "mqtt: {password: {a: hunter2}}",
        "mqtt: {password: \"hunter2\\n\"}",
        "mqtt: {tls: {key_passphrase: \"hunter2\\n\"}}",
        "mqtt: {passwrod: hunter2}",
        "mqtt: {password: hunter2, password_file: x}",
        "mqtt:\n  password: @hunter2\n",
        "mqtt:\n  password: a: hunter2\n",
    ])
    func `no problem shows a secret`(_ text: String) {
        let found = problems(text)
        #expect(!found.isEmpty)
        #expect(!found.contains { "\($0)\(String(reflecting: $0))".contains("hunter2") }, "\(found)")
    }

    @Test(arguments: ["mqtt.password", "mqtt.passwrod=hunter2", "mqtt.password:hunter2", "mqtt.password=\nhunter2"])
    func `no problem of the command line shows a secret`(_ override: String) {
        let found = problems("", [override])
        #expect(!found.isEmpty)
        #expect(!found.contains { "\($0)".contains("hunter2") }, "\(found)")
    }

    @Test func `no rendering of a loaded configuration shows a secret`() throws {
        let loaded = try load("mqtt: {password: hunter2, tls: {enabled: true, key_passphrase: hunter2}}")
        #expect(loaded.configuration.broker.password?.value == "hunter2")
        var dumped = ""
        dump(loaded, to: &dumped)
        #expect(!"\(loaded)\(String(reflecting: loaded))\(dumped)".contains("hunter2"))
        #expect(loaded.redacted.first { $0.key == "mqtt.password" }?.value == Secret.placeholder)
    }
}
