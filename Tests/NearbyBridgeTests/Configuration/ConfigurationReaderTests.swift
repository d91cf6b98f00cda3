// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NearbyBridge

struct ConfigurationReaderTests {
    @Test(arguments: [
        ("[a]", "test.yaml:1: expected keys with values, found a list; write \"mqtt: …\" in a line of its own"),
        (
            "text",
            "test.yaml:1: expected keys with values, found a single value; write \"mqtt: …\" in a line of its own"
        ),
        (
            "mqtt: 5",
            "test.yaml:1: mqtt: expected keys with values, found a single value; write \"host: …\" in a line of its own"
        ),
        (
            "zones: [near]\naccessories: {a: {zones: {gate: {radius: 1}}}}",
            "test.yaml:1: zones: expected keys with values, found a list; write \"name: …\" in a line of its own"
        ),
        (
            "zones:\n  near: 3",
            "test.yaml:2: zones.near: expected keys with values, found a single value; write \"radius: …\" in a line of its own"
        ),
        ("sources: {topic: a}", "test.yaml:1: sources: expected a list, found a mapping; write [] for none"),
        (
            "sources: [a]",
            "test.yaml:1: sources[0]: expected keys with values, found a single value; write \"topic: …\" in a line of its own"
        ),
        ("\"[\\n]\": 1", "test.yaml:1: \"[\\n]\": unknown key; known here: \(topLevel)"),
        ("\"\": 1", "test.yaml:1: \"\": unknown key; known here: \(topLevel)"),
        ("\"*\": 1", "test.yaml:1: \"*\": unknown key; known here: \(topLevel)"),
        (
            "zones: {\"*\": {radius: 1}}",
            "test.yaml:1: zones.\"*\": expected a name of 1 to 32 of a-z 0-9 _, not outside or unknown; write _"
        ),
        (
            "accessories: {a/b: {}}",
            "test.yaml:1: accessories.\"a/b\": expected a name of 1 to 64 of A-Z a-z 0-9 . _ : -; write a_b"
        ),
    ])
    func `a wrong shape is one problem`(_ text: String, _ expected: String) {
        #expect(problems(text).map(\.description) == [expected])
    }

    @Test(arguments: [
        ("mqtt.host.name=x", "--set: mqtt.host.name: this key has no keys below it; did you mean mqtt.host?"),
        (
            "mqtt=x",
            "--set: mqtt: expected keys with values, found a single value; write \"host: …\" in a line of its own"
        ),
        (
            "mqtt={host: [}",
            "--set: mqtt: did not find expected node content while parsing a flow node"
                + "; check the indentation and the quotes here and in the line above"
        ),
        ("=x", "--set: expected key=value; write for example --set mqtt.host=localhost"),
        (
            "mqtt.port=",
            "--set: mqtt.port: expected a whole number from 1 to 65535, found nothing; write 1883, or remove it"
        ),
        (
            "session.retry.backoff=1s,2",
            "--set: session.retry.backoff: expected a duration from 100ms to 1d, found \"2\"; write 2s"
        ),
    ])
    func `a wrong override is one problem`(_ override: String, _ expected: String) {
        #expect(problems("", [override]).map(\.description) == [expected])
    }

    @Test func `sections without content are sections that were not given`() throws {
        let empty = "mqtt:\nzones:\nsources:\naccessories: ~\nlog: {}\n"
        let loaded = try load(empty)
        #expect(loaded.configuration == BridgeConfiguration())
    }

    @Test func `a long list of accessories keeps its order`() throws {
        let text = "accessories:\n" + (0..<2000).map { "  a\($0): {distance_offset: \($0 % 9)}\n" }.joined()
        let accessories = try load(text).configuration.accessories
        #expect(accessories.map(\.id) == (0..<2000).map { "a\($0)" })
        #expect(accessories[17].distanceOffset == 8)
    }

    private static let topLevel = ConfigurationKeyTree.root.names.joined(separator: ", ")
}
