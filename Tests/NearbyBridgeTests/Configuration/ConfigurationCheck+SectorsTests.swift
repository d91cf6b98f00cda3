// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import Testing

@testable import NearbyBridge

struct ConfigurationCheckSectorsTests {
    @Test func `a zone and everything that overrides it may have directions`() throws {
        let configuration = try load(
            """
            zones:
              shelf: {radius: 2, azimuth: {from: -30, to: 30}, azimuth_hysteresis: 15, azimuth_quality: 80}
              near: {radius: 3}
            accessories:
              lamp:
                zones: {shelf: {azimuth: {to: 45}}}
                peers: {alice: {zones: {shelf: {azimuth_quality: 0}, near: {azimuth: {from: 150, to: -150}}}}}
            """
        ).configuration
        let shelf = try #require(configuration.zones.first { $0.name == "shelf" })
        #expect(shelf.options.sector == Sector(from: -30, to: 30, hysteresis: 15, quality: 80))
        let lamp = try #require(configuration.accessories.first)
        let atLamp = shelf.options.overridden(by: lamp.zones["shelf"])
        #expect(atLamp.sector == Sector(from: -30, to: 45, hysteresis: 15, quality: 80))
        let alice = try #require(lamp.peers.first)
        #expect(atLamp.overridden(by: alice.zones["shelf"]).sector?.quality == 0)
        let near = try #require(configuration.zones.first { $0.name == "near" })
        #expect(near.options.sector == nil)
        #expect(near.options.overridden(by: alice.zones["near"]).sector == Sector(from: 150, to: -150))
    }

    @Test(arguments: [
        ("zones: {shelf: {radius: 2, azimuth: {from: -30}}}", "zones.shelf.azimuth.from"),
        ("zones: {shelf: {radius: 2, azimuth: {to: 30}}}", "zones.shelf.azimuth.to"),
        ("zones: {shelf: {radius: 2, azimuth: {from: 30, to: 30}}}", "zones.shelf.azimuth.from"),
        ("zones: {shelf: {radius: 2, azimuth: {from: -190, to: 30}}}", "zones.shelf.azimuth.from"),
        ("zones: {shelf: {radius: 2, azimuth: {from: -30, to: left}}}", "zones.shelf.azimuth.to"),
        ("zones: {shelf: {radius: 2, azimuth: {from: -30, too: 30, to: 30}}}", "zones.shelf.azimuth.too"),
        ("zones: {shelf: {radius: 2, azimuth: 30}}", "zones.shelf.azimuth"),
        (
            "zones: {shelf: {radius: 2, azimuth: {from: -30, to: 30}, azimuth_hysteresis: -1}}",
            "zones.shelf.azimuth_hysteresis"
        ),
        (
            "zones: {shelf: {radius: 2, azimuth: {from: -30, to: 30}, azimuth_quality: 101}}",
            "zones.shelf.azimuth_quality"
        ),
        (
            "{zones: {near: {}}, accessories: {a: {zones: {near: {azimuth: {from: 1}}}}}}",
            "accessories.a.zones.near.azimuth.from"
        ),
        (
            "{zones: {near: {}}, accessories: {a: {peers: {b: {zones: {near: {azimuth: {to: 1}}}}}}}}",
            "accessories.a.peers.b.zones.near.azimuth.to"
        ),
    ])
    func `half a sector, and an empty one, is one problem`(_ text: String, _ key: String) {
        #expect(problems(text).map(\.key) == [key])
    }

    @Test(arguments: [
        ("zones: {near: {azimuth_quality: 30}}", "zones.near.azimuth_quality"),
        ("zones: {near: {azimuth: {from: -175, to: 175}}}", "zones.near.azimuth.from"),
    ])
    func `a sector without sense is warned of`(_ text: String, _ key: String) throws {
        #expect(try load(text).warnings.map(\.key) == [key])
    }

    @Test(arguments: [
        "zones: {near: {azimuth: {from: -180, to: 180}}}", "zones: {near: {azimuth: {from: 150, to: -150}}}",
        "{zones: {near: {azimuth: {from: -30, to: 30}}}, accessories: {a: {zones: {near: {azimuth_hysteresis: 0}}}}}",
    ])
    func `others are not`(_ text: String) throws {
        #expect(try load(text).warnings.isEmpty)
    }
}
