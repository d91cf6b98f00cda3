// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyCore

@Suite struct ZoneOptionsTests {
    private let full = ZoneOptions(
        radius: 1,
        hysteresis: 2,
        enterHold: .seconds(3),
        exitHold: .seconds(4),
        lostAfter: .never,
        dwell: .after(.seconds(6)),
        isEnabled: false
    )

    @Test func `the more specific level wins where it says something`() {
        let other = ZoneOptions(
            radius: 11,
            hysteresis: 12,
            enterHold: .seconds(13),
            exitHold: .seconds(14),
            lostAfter: .after(.seconds(15)),
            dwell: .after(.seconds(16)),
            isEnabled: true
        )
        #expect(full.overridden(by: other) == other)
        #expect(full.overridden(by: ZoneOptions(radius: 11)).radius == 11)
        #expect(full.overridden(by: ZoneOptions(radius: 11)).hysteresis == 2)
    }

    @Test func `a level that says nothing changes nothing`() {
        #expect(full.overridden(by: ZoneOptions()) == full)
        #expect(full.overridden(by: nil) == full)
        #expect(ZoneOptions().overridden(by: full) == full)
    }
}

/// The chain defaults < zone < accessory < peer, for every option.
@Suite struct OverrideChainTests {
    enum Level: Int, CaseIterable {
        case zone, accessory, peer
    }

    /// An option, how to say something different at each level, and what is in effect.
    struct Option: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var at: @Sendable (Int) -> ZoneOptions
        var effect: @Sendable (Zone?) -> String
    }

    static let options = [
        Option(
            testDescription: "radius",
            at: { ZoneOptions(radius: 4 + Double($0)) },
            effect: { "\($0?.radius ?? 0)" }
        ),
        Option(
            testDescription: "hysteresis",
            at: { ZoneOptions(hysteresis: 1 + Double($0)) },
            effect: { "\($0?.exitRadius ?? 0)" }
        ),
        Option(
            testDescription: "enter_hold",
            at: { ZoneOptions(enterHold: .seconds($0 + 1)) },
            effect: { "\($0?.enterHold ?? 0)" }
        ),
        Option(
            testDescription: "exit_hold",
            at: { ZoneOptions(exitHold: .seconds($0 + 1)) },
            effect: { "\($0?.exitHold ?? 0)" }
        ),
        Option(
            testDescription: "lost_after",
            at: { ZoneOptions(lostAfter: $0 == 1 ? .never : .after(.seconds($0 + 1))) },
            effect: { "\($0?.lostAfter ?? 0)" }
        ),
        Option(
            testDescription: "dwell",
            at: { ZoneOptions(dwell: $0 == 1 ? .never : .after(.seconds($0 + 1))) },
            effect: { "\($0?.dwell ?? 0)" }
        ),
        Option(
            testDescription: "enabled",
            at: { ZoneOptions(isEnabled: $0 == 1) },
            effect: { $0 == nil ? "off" : "on" }
        ),
    ]

    /// The zone in effect when these levels say something.
    private func zone(_ option: Option, _ levels: Set<Level>) -> Zone? {
        var engine = EngineOptions()
        var accessory = AccessoryOptions()
        var peer = PeerOptions()
        engine.zones = [.init(name: "near", options: ZoneOptions(radius: 3))]
        if levels.contains(.zone) { engine.zones[0].options = engine.zones[0].options.overridden(by: option.at(0)) }
        if levels.contains(.accessory) { accessory.zones["near"] = option.at(1) }
        if levels.contains(.peer) { peer.zones["near"] = option.at(2) }
        return engine.zoneSet(accessory, peer).zones.first
    }

    @Test(arguments: options)
    func `the most specific level that says something wins`(_ option: Option) {
        let alone = Level.allCases.map { option.effect(zone(option, [$0])) }
        #expect(option.effect(zone(option, [.zone, .accessory])) == alone[1])
        #expect(option.effect(zone(option, [.zone, .peer])) == alone[2])
        #expect(option.effect(zone(option, [.accessory, .peer])) == alone[2])
        #expect(option.effect(zone(option, [.zone, .accessory, .peer])) == alone[2])
        #expect(alone[0] != alone[1] && alone[1] != alone[2])
    }

    @Test func `lost_after for all zones of an accessory or a peer wins over what less specific levels say of one`() {
        var engine = EngineOptions()
        engine.zones[0].options.lostAfter = .after(.seconds(1))
        var accessory = AccessoryOptions()
        accessory.lostAfter = .after(.seconds(2))
        accessory.zones["near"] = ZoneOptions(lostAfter: .after(.seconds(3)))
        func seconds(_ peer: PeerOptions?) -> [Int64] {
            engine.zoneSet(accessory, peer).zones.map { $0.lostAfter / 1_000_000_000 }
        }
        #expect(seconds(nil) == [2, 3])
        var peer = PeerOptions()
        peer.lostAfter = .after(.seconds(4))
        #expect(seconds(peer) == [4, 4])
        peer.zones["immediate"] = ZoneOptions(lostAfter: .after(.seconds(5)))
        #expect(seconds(peer) == [5, 4])
        #expect(engine.zoneSet(AccessoryOptions(), nil).zones.map { $0.lostAfter / 1_000_000_000 } == [1, 10])
    }

    @Test func `offset and scale are the peer's, else the accessory's, else none`() {
        var options = EngineOptions.plain()
        options.accessories["lamp"] = AccessoryOptions()
        options.accessories["lamp"]?.distanceOffset = 1
        options.accessories["lamp"]?.distanceScale = 2
        for (name, offset, scale) in [("a", 5.0, nil), ("b", nil, 3.0)] as [(String, Double?, Double?)] {
            options.accessories["lamp"]?.peers[name] = PeerOptions()
            options.accessories["lamp"]?.peers[name]?.distanceOffset = offset
            options.accessories["lamp"]?.peers[name]?.distanceScale = scale
        }
        var scenario = Scenario(options)
        for peer in ["a", "b", "c"] { scenario.stay(at: 10, from: 0, to: 1, peer: peer) }
        scenario.stay(at: 10, from: 0, to: 1, accessory: "door")
        scenario.run(to: 2)
        let raw = ["a", "b", "c"].map { scenario.retained(peer: $0)?.rawDistance }
        #expect(raw == [25, 31, 21])
        #expect(scenario.retained("door")?.rawDistance == 10)
    }
}
