// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import NearbyCore
import TestSupport
import Testing

@testable import NearbyBridge

struct LiveConfigurationTests {
    /// A configuration file that a test writes again and again.
    private struct Files {
        let directory: TemporaryDirectory
        var path: String { directory.file("bridge.yaml") }

        init(_ text: String) throws {
            directory = try TemporaryDirectory()
            try write(text)
        }

        func write(_ text: String) throws { try directory.write(text, to: "bridge.yaml") }
    }

    private func reload(_ live: inout LiveConfiguration) throws -> ConfigurationChanges {
        var dropped: [ConfigurationProblem] = []
        let changes = try live.reload(dropped: &dropped)
        #expect(dropped.isEmpty)
        return changes
    }

    private func set(_ live: inout LiveConfiguration, _ path: String, _ json: String) throws -> ConfigurationChanges {
        let value = try JSONDecoder().decode(JSONValue.self, from: Data(json.utf8))
        return try live.set(value.node, at: try #require(ConfigurationPath(parsing: path[...])))
    }

    @Test func `reading again tells what is live and what needs a restart`() throws {
        let files = try Files("mqtt: {host: a}\nzones: {near: {radius: 3}}\n")
        var live = try LiveConfiguration(ConfigurationSources(file: files.path))
        #expect(try reload(&live).isEmpty)
        try files.write(
            "mqtt: {host: b, password: x}\nzones: {near: {radius: 2}, gate: {radius: 5}}\naccessories: {lamp: }\n"
        )
        let changes = try reload(&live)
        #expect(
            changes.live.map(\.text) == [
                "zones.gate.radius is 5.0", "zones.near.radius: 3.0, now 2.0", "accessories.lamp is listed",
            ]
        )
        #expect(changes.restart.map(\.key) == ["mqtt.host", "mqtt.password"])
        // What needs a restart is not in effect, and says so again.
        #expect(live.loaded.configuration.broker.host == "a")
        #expect(live.loaded.redacted.first { $0.key == "mqtt.host" }?.value == "a")
        #expect(live.restartKeys == ["mqtt.host", "mqtt.password"])
        let again = try reload(&live)
        #expect(again.live.isEmpty)
        #expect(again.restart.map(\.key) == ["mqtt.host", "mqtt.password"])
        try files.write("mqtt: {host: a}\nzones: {near: {radius: 2}}\n")
        #expect(try reload(&live).live.map(\.text) == ["zones.gate.radius removed", "accessories.lamp removed"])
        #expect(live.restartKeys.isEmpty)
    }

    @Test func `a secret that changed in its file needs a restart and is not told`() throws {
        let files = try Files("one\n")
        let sources = ConfigurationSources(
            file: nil,
            overrides: ["mqtt.username=u", "mqtt.password_file=\(files.path)"]
        )
        var live = try LiveConfiguration(sources)
        #expect(live.loaded.configuration.broker.password == Secret("one"))
        try files.write("two\n")
        let changes = try reload(&live)
        #expect(changes.restart.map(\.text) == ["mqtt.password"])
        #expect(live.loaded.configuration.broker.password == Secret("one"))
    }

    @Test func `problems change nothing, all of them come, and a file that vanished is one`() throws {
        let files = try Files("zones: {near: {radius: 3}}\n")
        var live = try LiveConfiguration(ConfigurationSources(file: files.path))
        let before = live.loaded
        try files.write("zones: {near: {radius: 0}}\nlog: {level: loud}\n")
        var dropped: [ConfigurationProblem] = []
        do {
            _ = try live.reload(dropped: &dropped)
            Issue.record("it reloads")
        } catch {
            #expect(error.problems.map(\.key) == ["zones.near.radius", "log.level"])
        }
        #expect(live.loaded == before)
        try FileManager.default.removeItem(atPath: files.path)
        #expect(throws: ConfigurationError.self) { try live.reload(dropped: &dropped) }
        #expect(live.loaded == before)
    }

    @Test func `a request wins over the sources, also after they were read again, until it gives a key back`() throws {
        let files = try Files("zones: {near: {radius: 3}}\n")
        var live = try LiveConfiguration(ConfigurationSources(file: files.path))
        #expect(try set(&live, "zones.near", #"{"radius":2,"dwell":"30s"}"#).live.count == 2)
        #expect(live.loaded.configuration.zones[0].radius == 2)
        try files.write("zones: {near: {radius: 4}}\n")
        #expect(try reload(&live).isEmpty)
        #expect(live.loaded.configuration.zones[0].radius == 2)
        #expect(live.loaded.origin == "\(files.path), requests")
        #expect(live.runtime.texts == ["zones.near.dwell=30s", "zones.near.radius=2"])
        #expect(try set(&live, "zones.near", #"{"radius":null}"#).live.map(\.new) == ["4.0"])
        #expect(live.loaded.configuration.zones[0].options.dwell == .after(.seconds(30)))
        _ = try set(&live, "zones.near", "null")
        #expect(live.runtime.isEmpty)
    }

    @Test(arguments: [
        ("accessories.lamp", #"{"distance_offset":"x"}"#, ["accessories.lamp.distance_offset"]),
        (
            "accessories.lamp", #"{"nmae":"x","zones":{"near":{"radius":-1}}}"#,
            ["accessories.lamp.nmae", "accessories.lamp.zones.near.radius"]
        ),
        ("accessories.lamp", #"{"zones":{"gate":{"radius":1}}}"#, ["accessories.lamp.zones.gate"]),
        ("accessories.lamp", #"{"zones":[1]}"#, ["accessories.lamp.zones"]),
        ("accessories.lamp.peers.p", #"{"name":"a/b"}"#, ["accessories.lamp.peers.p.name"]),
        ("zones.near", #"{"lost_after":5}"#, ["zones.near.lost_after"]),
        ("log.level", #""loud""#, ["log.level"]),
    ])
    func `a wrong request changes nothing and names every key`(
        _ path: String,
        _ json: String,
        _ keys: [String]
    ) throws {
        var live = try LiveConfiguration()
        let before = live.loaded
        do {
            _ = try set(&live, path, json)
            Issue.record("it is accepted")
        } catch let error as ConfigurationError {
            #expect(error.problems.map(\.key) == keys)
            #expect(error.problems.allSatisfy { $0.source == .request })
        }
        #expect(live.loaded == before)
        #expect(live.runtime.isEmpty)
    }

    @Test func `what a request set and what fits the sources no more is dropped and told`() throws {
        let files = try Files("zones: {near: {radius: 3}, immediate: {}, gate: {radius: 5}}\n")
        var live = try LiveConfiguration(ConfigurationSources(file: files.path))
        // One that exists without a section too: it must not come back by this.
        _ = try set(&live, "zones.immediate", #"{"radius":1}"#)
        _ = try set(&live, "zones.gate", #"{"enabled":false}"#)
        _ = try set(&live, "accessories.lamp", #"{"distance_offset":1,"zones":{"gate":{"radius":1}}}"#)
        try files.write("zones: {near: {radius: 3}}\n")
        var dropped: [ConfigurationProblem] = []
        _ = try live.reload(dropped: &dropped)
        #expect(dropped.map(\.key) == ["zones.gate", "zones.immediate", "accessories.lamp.zones.gate"])
        #expect(live.runtime.texts == ["accessories.lamp.distance_offset=1"])
        #expect(live.loaded.configuration.zones.map(\.name) == ["near"])
        #expect(live.loaded.configuration.accessories[0].distanceOffset == 1)
    }

    @Test func `without sources there is nothing to read again`() throws {
        var live = try LiveConfiguration(overrides: ["mqtt.port=1884"])
        #expect(!live.canReload)
        #expect(try reload(&live).isEmpty)
        #expect(live.loaded.configuration.broker.port == 1884)
    }

    // MARK: Over a restart

    @Test func `what requests had set comes back as it was, whatever characters it has`() throws {
        var before = try LiveConfiguration()
        _ = try set(&before, "accessories.lamp", ##"{"name":"a: 'b', \"c\" = [d] #e","distance_offset":-0.12}"##)
        _ = try set(&before, "accessories.a:b", #"{"zones":{"near":{"radius":2.5,"dwell":"never"}}}"#)
        _ = try set(&before, "log.level", #""debug""#)
        var after = try LiveConfiguration()
        #expect(after.restore(before.runtime.texts) == [])
        #expect(after.runtime.texts == before.runtime.texts)
        #expect(after.loaded.configuration == before.loaded.configuration)
    }

    @Test func `what fits no more is dropped, and nothing else is`() throws {
        var live = try LiveConfiguration()
        let dropped = live.restore([
            "no equals", "zones.near.radius=wide", "nothing.of.that.name=1", "=", "accessories.lamp.name=Lamp",
            "zones.gate.dwell=5s", "mqtt.password=hunter2", "join=allowlist", "event_expiry=1ms", "state.path=/tmp/x",
        ])
        #expect(Set(dropped).isSuperset(of: ["no equals", "nothing.of.that.name=1", "=", "join=allowlist"]))
        #expect(live.runtime.texts == ["accessories.lamp.name=Lamp"], "\(dropped)")
    }

    @Test func `ten thousand options are set at once`() throws {
        var live = try LiveConfiguration()
        let texts = (0..<10_000).map { "accessories.a\($0).name=Name \($0)" }
        #expect(live.restore(texts) == [])
        #expect(live.loaded.configuration.accessories.count == 10_000)
    }
}
