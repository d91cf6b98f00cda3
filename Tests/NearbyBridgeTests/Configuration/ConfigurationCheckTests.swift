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
        ("accessories: {a: {shareable: mint}, b: {shareable: mint}}", "accessories.a.shareable"),
        ("session: {channel: 9, shareable: relay}", "session.shareable"),
    ])
    func `what probably is not meant is one warning`(_ text: String, _ key: String) throws {
        #expect(try load(text).warnings.map(\.key) == [key])
    }

    @Test func `a filter chosen on the command line may leave the file's figures behind`() throws {
        let text = "smoothing: {filter: ema, alpha: 0.3}"
        #expect(try load(text, ["smoothing.filter=none"]).configuration.smoothing.filter == .none)
        #expect(problems(text, ["smoothing.window=5s"]).map(\.key) == ["smoothing.window"])
    }
}
