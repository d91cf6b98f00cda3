// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Testing
import YAML

@testable import NearbyBridge

struct PastedYAMLTests {
    @Test(arguments: [
        "lamp", "forklift-17", "a_b", "0x0001", "17", "on", "null", "A", "a:b", "-", "1e3", "~", "y", "a.b", "_",
    ])
    func `every identifier comes back as the text that it is`(_ name: String) throws {
        var yaml = PastedYAML()
        yaml.section("accessories", 0)
        yaml.section(name, 1)
        yaml.pair("distance_offset", "-0.117", 2, why: "because")
        let root = try #require(try YAMLParser.parse(Array(yaml.text.utf8)))
        guard case .mapping(let outer) = root.content,
            case .mapping(let inner) = outer[0].value.content
        else {
            Issue.record("no mapping: \(yaml.text)")
            return
        }
        #expect(inner.map(\.key) == [name])
    }

    @Test func `plain names stay plain`() {
        #expect(PastedYAML.key("forklift-17") == "forklift-17")
        #expect(PastedYAML.key("0x0001") == "\"0x0001\"")
        #expect(PastedYAML.key("on") == "\"on\"")
    }
}
