// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import Testing

@testable import NearbyBridge

struct SourceMappingTests {
    private func source(_ mapping: SourceMapping, _ topic: String) -> Int? {
        mapping.match(Array(topic.utf8).span)?.source
    }

    @Test func `the first pattern that matches decides`() {
        let mapping = SourceMapping([
            SourceConfiguration(topics: ["a/gate", "b/{peer}"]), SourceConfiguration(topics: ["a/{accessory}"]),
        ])
        #expect(source(mapping, "a/gate") == 0)
        #expect(source(mapping, "a/other") == 1)
        #expect(source(mapping, "b/x") == 0)
        #expect(source(mapping, "c/x") == nil)
        #expect(source(mapping, "") == nil)
    }

    @Test func `each filter is asked for once`() {
        let mapping = SourceMapping([
            SourceConfiguration(topics: ["a/{peer}", "a/{accessory}"]), SourceConfiguration(topics: ["a/+", "b"]),
        ])
        #expect(mapping.filters == ["a/+", "b"])
    }

    @Test(arguments: [
        ("preset: drtls", ["dwm/node/+/uplink/location", "dwm/node/+/uplink/status", "dwm/node/+/uplink/config"]),
        ("preset: espresense", ["espresense/devices/+/+"]),
        ("preset: pozyx", ["tags"]),
        ("preset: omlox", ["/omlox/json/location_updates/pub/+", "/omlox/json/proximity_updates/+/+"]),
        ("preset: makerfabs", ["makerfabs/+"]),
        (
            "preset: drtls, prefix: site/uwb",
            ["site/uwb/node/+/uplink/location", "site/uwb/node/+/uplink/status", "site/uwb/node/+/uplink/config"]
        ),
        ("preset: makerfabs, topic: uwb/out", ["uwb/out"]),
    ])
    func `presets have their topics, below another prefix if one says so`(_ entry: String, _ filters: [String]) throws {
        let loaded = try load("sources: [{\(entry)}]")
        #expect(SourceMapping(loaded.configuration.sources).filters == filters)
    }

    @Test func `an entry says what its reports mean`() throws {
        let loaded = try load(
            """
            sources:
              - topic: "site/{peer}"
                format: uci
                zones_around: tags
                names: {"0x000454": gate, tag-1: forklift}
                anchors: {gate: [1, 2.5], dock: [0, 0, 4]}
                horizontal: true
                unit: mm
                lost_after: never
                reports: by_exception
            """
        )
        let options = try #require(loaded.configuration.sources.first?.options)
        #expect(options.format == .uci)
        #expect(options.center == .tags)
        #expect(options.names == ["0x000454": "gate", "tag-1": "forklift"])
        #expect(options.anchors["dock"] == SIMD3(0, 0, 4))
        #expect(options.anchors["gate"]?.z.isNaN == true)
        #expect(options.isHorizontal)
        #expect(options.scale == 0.1)
        #expect(options.lostAfter == .never)
        #expect(options.isByException)
    }
}
