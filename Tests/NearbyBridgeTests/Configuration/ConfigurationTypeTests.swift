// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NearbyBridge

struct ConfigurationTypeTests {
    static let cases = ConfigurationKey.all.flatMap { key in key.type.wrong.map { (key.path, $0) } }

    @Test func `each wrong value of each key gives exactly one problem with the key and the line`() throws {
        for (path, value) in Self.cases {
            let key = try #require(ConfigurationKey.all.first { $0.path == path })
            let found = problems(key.file(value))
            #expect(found.count == 1, "\(path): \(value): \(found)")
            #expect(found.first?.key?.hasPrefix(key.concretePath) == true, "\(path): \(value): \(found)")
            #expect(found.first?.source == .file(name: "test.yaml", line: key.line), "\(path): \(value): \(found)")
            #expect(found.first?.fix.isEmpty == false)
            #expect(found.first?.description.contains { $0.isNewline } == false)
        }
    }

    @Test func `each wrong value in the environment or on the command line gives exactly one problem too`() throws {
        for (path, value) in Self.cases {
            let key = try #require(ConfigurationKey.all.first { $0.path == path })
            if case .list = key.type { continue }
            // Quotes and brackets are YAML's: here every text stands for itself.
            guard !value.contains(where: { "\"[]{}~'".contains($0) }), value != "null" else { continue }
            let onLine = problems("", ["\(key.concretePath)=\(value)"])
            if !key.levels.contains("[]") {
                #expect(onLine.map(\.key) == [key.concretePath], "\(path): \(value): \(onLine)")
                #expect(onLine.map(\.source) == [.commandLine])
            }
            guard let variable = EnvironmentName.of(key) else { continue }
            let inEnvironment = problems("", environment: [(variable, value)])
            #expect(inEnvironment.map(\.key) == [key.path], "\(path): \(value): \(inEnvironment)")
            #expect(inEnvironment.map(\.source) == [.environment(variable: variable)])
        }
    }

    @Test(arguments: [
        (
            "zones: {near: {radius: 3 m}}",
            "zones.near.radius: expected metres greater than 0, at most 1000, found \"3 m\"; write 3.0"
        ),
        ("mqtt: {port: 99999}", "mqtt.port: expected a whole number from 1 to 65535, found \"99999\"; write 65535"),
        ("mqtt: {retain: on}", "mqtt.retain: expected true or false, found \"on\"; write true"),
        ("event_expiry: 30", "event_expiry: expected a duration from 1s to 1d, found \"30\"; write 30s"),
        ("peer_forget: off", "peer_forget: expected a duration from 1s to 365d, or never, found \"off\"; write never"),
        ("limits: {payload: 64 KB}", "limits.payload: expected a size from 64 to 256MiB, found \"64 KB\"; write 64KiB"),
        (
            "log: {level: inof}",
            "log.level: expected one of error, warning, info, debug, trace, found \"inof\"; write info"
        ),
        (
            "mqtt: {host: \"mqtt://box:1883\"}",
            "mqtt.host: expected a host name or an address, found \"mqtt://box:1883\"; write box"
        ),
        (
            "mqtt: {base_topic: /home/uwb/}",
            "mqtt.base_topic: expected topic levels without wildcards, empty levels or a leading '$', found \"/home/uwb/\"; write home/uwb"
        ),
        (
            "mqtt: {password_file: }",
            "mqtt.password_file: expected a file path, found nothing; write /etc/nearby-bridge/file, or remove it"
        ),
        ("mqtt: {port: [1]}", "mqtt.port: expected a whole number from 1 to 65535, found a list; write 1883"),
        (
            "zones: {Near By: {radius: 2}}",
            "zones.\"Near By\": expected a name of 1 to 32 of a-z 0-9 _, not outside or unknown; write near_by"
        ),
    ])
    func `a problem says what was expected, what was found and what to write`(_ text: String, _ expected: String) {
        #expect(problems(text).map(\.description) == ["test.yaml:1: \(expected)"])
    }

    @Test func `text from outside cannot break or flood a line`() {
        let found = problems("log: {level: \"a\\nb\\e[31m\\u202e\(String(repeating: "x", count: 500))\"}")
        #expect(found.count == 1)
        #expect((found.first?.message.count ?? 0) < 200)
        #expect(found.first?.message.contains { $0.isNewline || $0 == "\u{1B}" || $0 == "\u{202E}" } == false)
    }

    @Test(arguments: [
        ("250ms", Duration.milliseconds(250)), ("5s", .seconds(5)), ("1.5s", .milliseconds(1500)),
        ("2m", .seconds(120)),
        ("1h", .seconds(3600)), ("1d", .seconds(86_400)), ("0s", .zero),
    ])
    func `durations are read and written`(_ text: String, _ duration: Duration) {
        #expect(DurationText.read(text[...]) == duration)
        #expect(DurationText.read(DurationText.write(duration)[...]) == duration)
    }

    @Test(arguments: [
        ("0", 0), ("17", 17), ("64KiB", 65_536), ("1.5KiB", 1536), ("16MiB", 16 << 20), ("1GiB", 1 << 30),
    ])
    func `sizes are read and written`(_ text: String, _ bytes: Int) {
        #expect(ByteSizeText.read(text[...]) == bytes)
        #expect(ByteSizeText.read(ByteSizeText.write(bytes)[...]) == bytes)
    }

    @Test func `quotes do not change what a value means`() throws {
        let loaded = try load("mqtt: {port: \"1884\", retain: 'false', protocol: 5}\nzones: {near: {radius: '2'}}")
        #expect(loaded.configuration.broker.port == 1884)
        #expect(!loaded.configuration.broker.retainsStates)
        #expect(loaded.configuration.zones.map(\.radius) == [2])
    }
}
