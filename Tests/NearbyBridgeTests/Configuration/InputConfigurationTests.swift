// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import Testing

@testable import NearbyBridge

struct InputConfigurationTests {
    private func input(_ entry: String) throws -> InputConfiguration {
        try #require(try load("inputs: [{\(entry)}]").configuration.inputs.first)
    }

    @Test func `a device has a speed, and lines with the ends that the file gives them`() throws {
        let plain = try input("serial: /dev/ttyACM0, accessory: a")
        #expect(plain.port == .serial(path: "/dev/ttyACM0", bitsPerSecond: 115_200, lines: []))
        #expect(plain.name == "serial:/dev/ttyACM0")
        let full = try input(#"serial: /dev/ttyUSB1, baud: 921600, init: ["\r\r", lec], accessory: a"#)
        #expect(full.port == .serial(path: "/dev/ttyUSB1", bitsPerSecond: 921_600, lines: ["\r\r", "lec"]))
    }

    @Test func `a port listens on every address unless one is named`() throws {
        #expect(try input("udp: 5000").port == .udp(host: "0.0.0.0", port: 5000))
        #expect(try input("udp: 5000").name == "udp:5000")
        #expect(try input("udp: 5000, host: 127.0.0.1").name == "udp:127.0.0.1:5000")
    }

    @Test func `an entry says what its reports mean, as one of sources does`() throws {
        let meaning = """
            format: uci, accessory: a, peer: b, names: {"0x0454": gate}, anchors: {gate: [1, 2, 3]}, horizontal: true, \
            unit: mm, lost_after: 30s, reports: by_exception
            """
        let loaded = try load("{sources: [{topic: t, \(meaning)}], inputs: [{udp: 5000, \(meaning)}]}")
        let input = try #require(loaded.configuration.inputs.first)
        #expect(input.options == loaded.configuration.sources.first?.options)
        #expect(input.options.accessory == "a")
        #expect(input.options.names == ["0x0454": "gate"])
    }

    @Test func `the engine has the inputs behind the sources`() throws {
        let loaded = try load(
            """
            sources: [{topic: a, accessory: one}, {topic: b, accessory: two}]
            inputs: [{udp: 5000, accessory: three}]
            """
        )
        let options = BridgeOptions(loaded)
        #expect(options.engine.sources.map(\.accessory) == ["one", "two", "three"])
        #expect(options.firstInput == 2)
        #expect(options.inputs == loaded.configuration.inputs)
    }

    @Test func `what is sent to a device is shown in one line`() throws {
        let loaded = try load(#"inputs: [{serial: /dev/a, init: ["\r\r", "lec\r\n"], accessory: a}]"#)
        #expect(loaded.redacted.first { $0.key == "inputs[0].init" }?.value == #"[\r\r, lec\r\n]"#)
    }

    @Test func `a change needs a restart`() throws {
        let keys = ConfigurationKey.all.filter { $0.path.hasPrefix("inputs[]") }
        #expect(keys.count > 20)
        #expect(keys.allSatisfy { $0.isBuilt && !$0.appliesLive })
    }
}
