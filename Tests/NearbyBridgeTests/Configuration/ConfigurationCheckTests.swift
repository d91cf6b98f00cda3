// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NearbyBridge

struct ConfigurationCheckTests {
    @Test(arguments: [
        ("mqtt: {password: a, password_file: b}", "mqtt.password_file"),
        ("mqtt: {tls: {key_passphrase: a, key_passphrase_file: b}}", "mqtt.tls.key_passphrase_file"),
        ("mqtt: {tls: {certificate: a}}", "mqtt.tls.certificate"),
        ("mqtt: {tls: {key: a}}", "mqtt.tls.key"),
        ("mqtt: {protocol: 3.1.1, password: a}", "mqtt.password"),
        ("zones: {gate: {}}", "zones.gate.radius"),
        ("zones: {gate: {radius: x}}", "zones.gate.radius"),
        ("zones: {gate: {raduis: 2}}", "zones.gate.raduis"),
        ("smoothing: {alpha: 0.3}", "smoothing.alpha"),
        ("smoothing: {filter: emma, alpha: 0.3}", "smoothing.filter"),
        ("smoothing: {filter: ema, window: 1s}", "smoothing.window"),
        ("smoothing: {filter: median, window: 5}", "smoothing.window"),
        ("smoothing: {filter: median, window: 20ms}", "smoothing.window"),
        ("smoothing: {filter: median, window: 11s}", "smoothing.window"),
        ("smoothing: {time_constant: 1s}", "smoothing.time_constant"),
        ("smoothing: {filter: kalman, time_constant: 1s}", "smoothing.time_constant"),
        ("smoothing: {filter: ema, alpha: 0.3, time_constant: 1s}", "smoothing.alpha"),
        ("accessories: {a: {zones: {naer: {radius: 1}}}}", "accessories.a.zones.naer"),
        ("accessories: {a: {peers: {b: {zones: {gate: {radius: 1}}}}}}", "accessories.a.peers.b.zones.gate"),
        ("accessories: {a: {peers: {b: {name: x}, c: {name: x}}}}", "accessories.a.peers.c"),
        ("accessories: {a: {peers: {b: {}, c: {name: b}}}}", "accessories.a.peers.c"),
        ("sources: [{}]", "sources[0]"),
        ("sources: [{format: json}]", "sources[0]"),
        ("sources: [{topic: a, prefix: b}]", "sources[0].prefix"),
        ("sources: [{preset: drtls, topic: a, prefix: b}]", "sources[0].prefix"),
        ("sources: [{preset: drtls, prefix: \"a/+\"}]", "sources[0].prefix"),
        ("sources: [{topic: \"a/{accessory}\", accessory: b}]", "sources[0].accessory"),
        ("sources: [{topic: \"a/{peer}\", peer: b}]", "sources[0].peer"),
        ("sources: [{preset: espresense, accessory: b}]", "sources[0].accessory"),
        ("sources: [{topic: a, unit: cm}]", "sources[0].unit"),
        ("sources: [{topic: a, format: makerfabs, unit: mm}]", "sources[0].unit"),
        ("sources: [{topic: nearby/x}]", "sources[0]"),
        ("sources: [{topic: \"+/x\"}]", "sources[0]"),
        ("sources: [{topic: \"{accessory}/+/{peer}/range\"}]", "sources[0]"),
        ("sources: [{topic: homeassistant/x}]", "sources[0]"),
        ("sources: [{topic: a, fields: {distance: a..b}}]", "sources[0].fields.distance"),
        ("sources: [{topic: a, fields: {peer: a}}]", "sources[0].fields"),
        ("sources: [{topic: a, fields: {x: a}}]", "sources[0].fields.x"),
        ("sources: [{topic: a, fields: {distance: d}, each: \"\"}]", "sources[0].each"),
        ("sources: [{topic: a, fields: {distance: d}, ok: [Ok]}]", "sources[0].ok"),
        ("sources: [{topic: a, each: b}]", "sources[0].each"),
        ("sources: [{topic: a, ok: [b]}]", "sources[0].ok"),
        ("sources: [{topic: a, format: uci, fields: {distance: d}}]", "sources[0].fields"),
        ("inputs: [{}]", "inputs[0]"),
        ("inputs: [{format: qorvo, accessory: a}]", "inputs[0]"),
        ("inputs: [{serial: /dev/a, udp: 1, accessory: a}]", "inputs[0].udp"),
        ("inputs: [{serial: /dev/a, host: 127.0.0.1}]", "inputs[0].host"),
        ("inputs: [{udp: 1, baud: 9600}]", "inputs[0].baud"),
        ("inputs: [{udp: 1, init: [a]}]", "inputs[0].init"),
        ("inputs: [{serial: /dev/a}, {udp: 1}, {serial: /dev/a, baud: 9600}]", "inputs[2]"),
        ("inputs: [{udp: 1}, {udp: 1}]", "inputs[1]"),
        ("inputs: [{udp: 1, unit: cm}]", "inputs[0].unit"),
        ("inputs: [{udp: 1, each: b}]", "inputs[0].each"),
        ("inputs: [{udp: 1, accessory: a, fields: {peer: a}}]", "inputs[0].fields"),
        ("outputs: {mqtt_room: nearby}", "outputs.mqtt_room"),
        ("sources: [{topic: a, format: uci, names: {0x1: b, 0x0001: c}}]", "sources[0].names.0x0001"),
        ("outputs: {omlox: nearby/x}", "outputs.omlox"),
        ("{sources: [{topic: \"room/{accessory}\"}], outputs: {mqtt_room: room}}", "outputs.mqtt_room"),
        ("{mqtt: {base_topic: a/b}, sources: [{topic: a/+/c}]}", "sources[0]"),
    ])
    func `settings that do not fit together are one problem`(_ text: String, _ key: String) {
        #expect(problems(text).map(\.key) == [key])
    }

    @Test(arguments: [
        ("join: allowlist", "join"),
        ("join: allowlist", "join"),
        ("mqtt: {tls: {enabled: true, insecure: true}}", "mqtt.tls.insecure"),
        ("mqtt: {tls: {ca: f}}", "mqtt.tls.ca"),
        ("shards: {count: 2}", "shards.count"),
        ("sources: [{topic: \"a/{peer}\"}, {topic: a/b}]", "sources[1]"),
        ("sources: [{topic: a, accessory: b, zones_around: tags}]", "sources[0].zones_around"),
        ("sources: [{topic: a, format: json}]", "sources[0]"),
        ("sources: [{topic: a, format: makerfabs, names: {\"25\": b}}]", "sources[0].names.25"),
        ("sources: [{topic: \"a/{accessory}\", format: pans, names: {022E: b}}]", "sources[0].names.022E"),
        ("inputs: [{udp: 1, format: json}]", "inputs[0]"),
        ("inputs: [{serial: /dev/a, format: qorvo, zones_around: tags}]", "inputs[0]"),
        ("inputs: [{serial: /dev/a, fields: {distance: d}}]", "inputs[0]"),
        ("inputs: [{serial: /dev/a, fields: {distance: d, peer: p}, zones_around: tags}]", "inputs[0]"),
        ("inputs: [{serial: /dev/a, accessory: b, zones_around: tags}]", "inputs[0].zones_around"),
        ("inputs: [{udp: 1, format: pozyx}]", "inputs[0]"),
        ("home_assistant: {discovery: false}", "home_assistant"),
    ])
    func `what probably is not meant is one warning`(_ text: String, _ key: String) throws {
        #expect(try load(text).warnings.map(\.key) == [key])
    }

    @Test(arguments: [
        "serial: /dev/a", "serial: /dev/a, format: json, accessory: b", "serial: /dev/a, format: qorvo",
        "udp: 5000, format: makerfabs, zones_around: tags", "udp: 5000, fields: {distance: d, peer: p}",
        "udp: 5000, fields: {distance: d, reporter: p}, zones_around: tags",
        "udp: 5000, fields: {x: a, y: b}, anchors: {gate: [0, 0]}",
    ])
    func `an input whose reports have an accessory is nothing to warn of`(_ entry: String) throws {
        #expect(try load("inputs: [{\(entry)}]").warnings.isEmpty)
    }

    @Test func `a filter chosen on the command line may leave the file's figures behind`() throws {
        let text = "smoothing: {filter: ema, alpha: 0.3}"
        #expect(try load(text, ["smoothing.filter=none"]).configuration.smoothing.filter == .none)
        #expect(problems(text, ["smoothing.window=5s"]).map(\.key) == ["smoothing.window"])
    }
}
