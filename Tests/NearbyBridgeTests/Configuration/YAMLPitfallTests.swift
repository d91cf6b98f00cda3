// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import Testing

@testable import NearbyBridge

/// What people stumble over in YAML.
struct YAMLPitfallTests {
    private func problems(_ bytes: [UInt8]) -> [ConfigurationProblem] {
        do {
            _ = try ConfigurationLoader.load(file: ConfigurationFile(name: "test.yaml", bytes: bytes))
            return []
        } catch {
            return error.problems
        }
    }

    @Test(arguments: [
        ("mqtt:\n\thost: x\n", 2, "a tab indents this line"),
        ("log:\n  level: info\n  level: debug\n", 3, "the key \"level\" stands in line 2 already"),
        ("mqtt: {host: a}\nmqtt: {port: 1}\n", 2, "the key \"mqtt\" stands in line 1 already"),
        ("accessories:\n  a: &x {name: n}\n", 2, "anchors are not supported"),
        ("accessories:\n  a: {name: n}\n  b: *x\n", 3, "aliases are not supported"),
        ("accessories:\n  b:\n    <<: *x\n", 3, "aliases are not supported"),
        ("mqtt:\n  port: !!int 5\n  host: !secret x\n", 3, "this tag is not supported"),
        ("log: {level: info}\n---\nlog: {level: debug}\n", 2, "a second document starts here"),
        ("mqtt:\n  host: [\n", 3, "did not find expected node content while parsing a flow node"),
        (
            "mqtt:\n  host: a\n port: 1\n", 3,
            "did not find expected key while parsing a block mapping that begins in line 1"
        ),
        ("mqtt:\n  tls:\n    enabled: on\n", 3, "expected true or false, found \"on\""),
        ("mqtt:\n  retain: yes\n", 2, "expected true or false, found \"yes\""),
        ("mqtt:\n  retain: no\n", 2, "expected true or false, found \"no\""),
        ("mqtt:\n  retain: True\n", 2, "expected true or false, found \"True\""),
        ("mqtt:\n  port: 0o123\n", 2, "expected a whole number from 1 to 65535, found \"0o123\""),
        ("mqtt:\n  port: 1e3\n", 2, "expected a whole number from 1 to 65535, found \"1e3\""),
        ("mqtt:\n  port: 1_883\n", 2, "expected a whole number from 1 to 65535, found \"1_883\""),
        ("mqtt:\n  keep_alive: 1:30\n", 2, "expected a duration from 5s to 12h, found \"1:30\""),
        ("limits:\n  accessories: 1,000\n", 2, "expected a whole number from 1 to 1000000, found \"1,000\""),
        ("zones:\n  near: {radius: 3 m}\n", 2, "expected metres greater than 0, at most 1000, found \"3 m\""),
        ("? [a]\n: b\n", 1, "a list or a mapping cannot be a key"),
    ])
    func `each is one problem with its line`(_ text: String, _ line: Int, _ message: String) {
        let found = problems(Array(text.utf8))
        #expect(found.map(\.message) == [message])
        #expect(found.first?.source == .file(name: "test.yaml", line: line))
        #expect(found.first?.fix.isEmpty == false)
        // With the line ends of another system it is the same.
        let carried = problems([0xEF, 0xBB, 0xBF] + Array(text.replacing("\n", with: "\r\n").utf8))
        #expect(carried == found)
    }

    @Test(arguments: ["17", "0x0001", "1e3", "010", "0o17", "1.0", "-", "on", "yes", "null", "true", "1:20", ".5"])
    func `a name is taken as it is written, quoted or not`(_ id: String) throws {
        for name in [id, "\"\(id)\"", "'\(id)'"] {
            let text = "accessories:\n  \(name):\n    peers: {\(name): {distance_offset: 1}}\n"
            guard id != "-" || name != id else { continue }
            let accessories = try load(text).configuration.accessories
            #expect(accessories.map(\.id) == [id])
            #expect(accessories.first?.peers.map(\.id) == [id])
        }
    }

    @Test(arguments: [
        ("mqtt: {username: 17}", "17"), ("mqtt: {username: 0x10}", "0x10"), ("mqtt: {username: on}", "on"),
        ("mqtt: {username: 1e3}", "1e3"), ("mqtt: {username: \"null\"}", "null"),
        ("mqtt: {username: 2026-11-30}", "2026-11-30"),
    ])
    func `a text is taken as it is written`(_ text: String, _ expected: String) throws {
        #expect(try load(text).configuration.broker.username == expected)
    }

    @Test func `Norway is a country`() throws {
        #expect(try load("session: {country: NO}").configuration.session.source.country.text == "NO")
    }

    @Test func `carriage returns and a byte order mark change nothing`() throws {
        let text = contractExample
        let carried = [0xEF, 0xBB, 0xBF] + Array(text.replacing("\n", with: "\r\n").utf8)
        let loaded = try ConfigurationLoader.load(file: ConfigurationFile(name: "test.yaml", bytes: carried))
        #expect(try load(text) == loaded)
    }

    @Test func `what is not UTF-8, too long or too deep is one problem`() {
        #expect(problems([0xFF, 0xFE, 0x6D, 0]).map(\.fix) == ["save the file as UTF-8"])
        #expect(problems(Array("mqtt: {host: \"".utf8) + [0xE4]).map(\.message) == ["byte 14 is not valid UTF-8"])
        #expect(problems(Array("a: \u{0}".utf8)).count == 1)
        let long = problems(Array(repeating: UInt8(ascii: "#"), count: 2 << 20))
        #expect(long.count == 1 && long[0].message.contains("more than"))
        let deep = problems(Array((String(repeating: "[", count: 5000)).utf8))
        #expect(deep.map(\.message) == ["nested deeper than 32 levels"])
        let mapped = problems(Array((0..<40).map { String(repeating: " ", count: $0) + "a:\n" }.joined().utf8))
        #expect(mapped.map(\.message) == ["nested deeper than 32 levels"])
    }
}
