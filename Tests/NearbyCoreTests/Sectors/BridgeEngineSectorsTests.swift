// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyCore

/// A shelf of 2 m, from −30° to 30°, beside `immediate` 1.5 m and `near` 3 m; it is left beyond 2.3 m or 40°.
@Suite struct BridgeEngineSectorsTests {
    private static func shelf(_ change: (inout ZoneOptions) -> Void = { _ in }) -> EngineOptions.NamedZone {
        var zone = ZoneOptions(radius: 2, enterHold: .zero, exitHold: .zero, azimuthFrom: -30, azimuthTo: 30)
        change(&zone)
        return EngineOptions.NamedZone(name: "shelf", options: zone)
    }

    private func scenario(
        _ change: (inout ZoneOptions) -> Void = { _ in },
        _ options: (inout EngineOptions) -> Void = { _ in }
    ) -> Scenario {
        Scenario(
            .plain {
                $0.zones.append(Self.shelf(change)); options(&$0)
            }
        )
    }

    /// Reports ten times a second, and moves time along.
    private func stay(
        _ scenario: inout Scenario,
        at distance: Double,
        _ azimuth: Double?,
        from start: Double,
        to end: Double,
        peer: String? = nil
    ) {
        for step in 0..<Int(((end - start) * 10).rounded()) {
            let fields = azimuth.map { #","azimuth":\#($0)"# } ?? ""
            scenario.send(distance, at: start + Double(step) / 10, peer: peer, fields: fields)
        }
        scenario.run(to: end)
    }

    private func inside() -> Scenario {
        var scenario = scenario()
        stay(&scenario, at: 1.8, 5, from: 0, to: 1)
        return scenario
    }

    @Test func `who stands in front of the shelf is in it, and the outer zone comes first`() {
        let scenario = inside()
        #expect(scenario.story() == ["enter near", "enter shelf"])
        #expect(scenario.events.map(\.azimuth) == [nil, 5])
        #expect(scenario.events.last?.radius == 2)
        #expect(scenario.violations == [])
    }

    @Test func `a person is in front of the shelf only if a device is, and leaves it by turning away`() {
        var scenario = scenario({ _ in }, { $0.people["ann"] = PersonOptions(peers: ["phone", "watch"]) })
        stay(&scenario, at: 1.2, 60, from: 0, to: 1, peer: "phone")
        #expect(scenario.story(peer: "ann") == ["enter near", "enter immediate"])
        #expect(scenario.story() == ["enter near", "enter immediate"])
        stay(&scenario, at: 1.2, 0, from: 1, to: 3, peer: "phone")
        stay(&scenario, at: 1.2, 60, from: 3, to: 5, peer: "phone")
        #expect(scenario.story(peer: "ann").suffix(2) == ["enter shelf", "exit shelf left"])
        #expect(scenario.story().suffix(2) == ["enter shelf", "exit shelf left"])
        let told = scenario.events.filter { $0.peer == nil }.suffix(2)
        #expect(told.allSatisfy { $0.azimuth != nil && $0.distance == 1.2 })
        #expect(scenario.violations == [])
    }

    @Test func `who stands beside it is not, and turning away leaves it without leaving anything else`() {
        var scenario = scenario()
        stay(&scenario, at: 1.2, 60, from: 0, to: 1)
        #expect(scenario.story() == ["enter near", "enter immediate"])
        #expect(scenario.retained()?.zones.first { $0.name == "shelf" }?.state == .outside)
        stay(&scenario, at: 1.2, 0, from: 1, to: 3)
        stay(&scenario, at: 1.2, 60, from: 3, to: 5)
        #expect(scenario.story() == ["enter near", "enter immediate", "enter shelf", "exit shelf left"])
        let exit = scenario.events.last
        #expect(exit?.azimuth.map { $0 > 40 && $0 < 60 } == true)
        #expect(exit?.distance == 1.2)
        #expect(scenario.violations == [])
    }

    @Test func `the band beside the sector keeps who is in, and lets nobody in`() {
        var scenario = inside()
        stay(&scenario, at: 1.8, 37, from: 1, to: 5)
        #expect(scenario.story() == ["enter near", "enter shelf"])
        stay(&scenario, at: 1.8, 44, from: 5, to: 8)
        stay(&scenario, at: 1.8, 37, from: 8, to: 12)
        #expect(scenario.story() == ["enter near", "enter shelf", "exit shelf left"])
    }

    @Test func `the distance side leaves it too, and an outer exit brings it along`() {
        var scenario = inside()
        stay(&scenario, at: 2.2, 5, from: 1, to: 2)
        #expect(scenario.story() == ["enter near", "enter shelf"])
        stay(&scenario, at: 2.4, 5, from: 2, to: 3)
        #expect(scenario.story() == ["enter near", "enter shelf", "exit shelf left"])
        stay(&scenario, at: 1.8, 5, from: 3, to: 4)
        stay(&scenario, at: 4, 5, from: 4, to: 5)
        #expect(scenario.story().suffix(3) == ["enter shelf", "exit shelf left", "exit near left"])
        #expect(scenario.violations == [])
    }

    @Test func `a sector behind goes on beyond 180 degrees`() {
        var scenario = scenario { ($0.azimuthFrom, $0.azimuthTo) = (150, -150) }
        stay(&scenario, at: 1.8, 170, from: 0, to: 2)
        stay(&scenario, at: 1.8, -170, from: 2, to: 4)
        #expect(scenario.story() == ["enter near", "enter shelf"])
        stay(&scenario, at: 1.8, -130, from: 4, to: 6)
        #expect(scenario.story() == ["enter near", "enter shelf", "exit shelf left"])
    }

    // MARK: Holds

    @Test func `a hold takes its time, goes on over missing angles, and ends with a wrong one`() {
        var scenario = scenario { $0.enterHold = .seconds(1) }
        stay(&scenario, at: 1.8, 0, from: 0, to: 0.8)
        stay(&scenario, at: 1.8, nil, from: 0.8, to: 3)
        #expect(scenario.story() == ["enter near"])
        stay(&scenario, at: 1.8, 0, from: 3, to: 3.1)
        #expect(scenario.story() == ["enter near", "enter shelf"])

        scenario = self.scenario { $0.enterHold = .seconds(1) }
        stay(&scenario, at: 1.8, 0, from: 0, to: 0.8)
        stay(&scenario, at: 1.8, 90, from: 0.8, to: 1.2)
        stay(&scenario, at: 1.8, 0, from: 1.2, to: 2)
        #expect(scenario.story() == ["enter near"])
    }

    @Test func `no outer zone is entered before its own hold, so the sector waits for it`() {
        var scenario = scenario({ _ in }, { $0.zones[1].options.enterHold = .seconds(2) })
        stay(&scenario, at: 1.8, 0, from: 0, to: 1.9)
        #expect(scenario.story() == [])
        stay(&scenario, at: 1.8, 0, from: 1.9, to: 2.5)
        #expect(scenario.story() == ["enter near", "enter shelf"])
        #expect(scenario.violations == [])
    }

    @Test func `of a source that speaks on change only a hold ends by itself, if it had an angle`() {
        for (azimuth, story) in [
            (",\"azimuth\":0", ["enter near", "enter shelf"]), ("", ["enter near"]),
            (",\"azimuth\":90", ["enter near"]),
        ] {
            var scenario = Scenario(
                .byException {
                    $0.zones.append(Self.shelf { $0.enterHold = .seconds(3) })
                    $0.zones[1].options.enterHold = .seconds(5)
                }
            )
            scenario.send(1.8, at: 0, fields: azimuth)
            scenario.run(to: 4)
            #expect(scenario.story() == [])
            scenario.run(to: 1000)
            #expect(scenario.story() == story)
            #expect(scenario.violations == [])
        }
    }

    // MARK: Without an angle

    @Test func `nobody is in it without an angle, and nobody knows`() {
        var scenario = scenario()
        stay(&scenario, at: 1.2, nil, from: 0, to: 30)
        #expect(scenario.story() == ["enter near", "enter immediate"])
        #expect(scenario.retained()?.zones.first { $0.name == "shelf" }?.state == .unknown)
        #expect(scenario.retained()?.zone == "immediate")
        stay(&scenario, at: 8, nil, from: 30, to: 32)
        #expect(scenario.retained()?.zones.first { $0.name == "shelf" }?.state == .outside)
        #expect(scenario.retained()?.zone == "outside")
    }

    @Test func `a stay goes on without angles for lost_after, and is lost by a timer then`() {
        var scenario = inside()
        stay(&scenario, at: 1.8, nil, from: 1, to: 10.8)
        #expect(scenario.story() == ["enter near", "enter shelf"])
        // The last angle came at 0.9 s; reports without one come every 0.1 s, and none is needed.
        scenario.run(to: 10.85)
        stay(&scenario, at: 1.8, nil, from: 10.95, to: 20)
        #expect(scenario.story() == ["enter near", "enter shelf", "exit shelf lost"])
        let exit = scenario.events.last
        #expect(exit?.at == Instant(nanoseconds: 10_900_000_000))
        #expect(exit?.azimuth == nil && exit?.distance == nil)
        #expect(scenario.retained()?.zones.first { $0.name == "shelf" }?.state == .unknown)
        #expect(scenario.retained()?.zone == "near" && scenario.retained()?.distance != nil)
        stay(&scenario, at: 1.8, 0, from: 20, to: 20.2)
        #expect(scenario.story().last == "enter shelf")
        #expect(scenario.violations == [])
    }

    @Test func `without angles the distance still leaves it`() {
        var scenario = inside()
        stay(&scenario, at: 2.5, nil, from: 1, to: 2)
        #expect(scenario.story() == ["enter near", "enter shelf", "exit shelf left"])
    }

    @Test func `a stay that nothing can lose outlasts every lack of angles`() {
        var scenario = scenario { $0.lostAfter = .never }
        stay(&scenario, at: 1.8, 0, from: 0, to: 1)
        stay(&scenario, at: 1.8, nil, from: 1, to: 100)
        #expect(scenario.story() == ["enter near", "enter shelf"])
    }

    @Test func `our own blindness is no lack of angles`() {
        var scenario = inside()
        scenario.disconnect()
        scenario.run(to: 300)
        scenario.subscribe()
        stay(&scenario, at: 1.8, nil, from: 300, to: 309.9)
        #expect(scenario.story() == ["enter near", "enter shelf"])
        stay(&scenario, at: 1.8, nil, from: 309.9, to: 312)
        #expect(scenario.story() == ["enter near", "enter shelf", "exit shelf lost"])
        #expect(scenario.violations == [])
    }

    @Test func `silence loses sector and zones together, innermost first`() {
        var scenario = inside()
        scenario.run(to: 20)
        #expect(scenario.story().suffix(2) == ["exit shelf lost", "exit near lost"])
        #expect(scenario.violations == [])
    }

    @Test func `an angle of too little merit is none`() {
        for (merit, story) in [(49, ["enter near"]), (50, ["enter near", "enter shelf"])] {
            var scenario = scenario()
            for step in 0..<10 {
                let result = #"{"Addr":"0x0001","Status":"Ok","D_cm":180,"LAoA_deg":5.00,"LFoM":\#(merit)}"#
                scenario.deliver(#"{"Block":\#(step), "results":[\#(result)]}"#, at: Int64(step) * 100_000_000)
            }
            scenario.run(to: 2)
            #expect(scenario.story() == story, "\(merit)")
        }
    }

    @Test func `sectors that ask for different merit know different angles`() {
        var scenario = Scenario(
            .plain {
                $0.zones.append(Self.shelf { $0.azimuthQuality = 90 })
                $0.zones.append(.init(name: "table", options: Self.shelf { $0.azimuthQuality = 10 }.options))
            }
        )
        for step in 0..<10 {
            let result = #"{"Addr":"0x0001","Status":"Ok","D_cm":180,"LAoA_deg":5.00,"LFoM":40}"#
            scenario.deliver(#"{"Block":\#(step), "results":[\#(result)]}"#, at: Int64(step) * 100_000_000)
        }
        scenario.run(to: 2)
        #expect(scenario.story() == ["enter near", "enter table"])
    }

    // MARK: Ends, restores and options

    @Test func `a suspension ends a stay in it like any other`() {
        var scenario = scenario()
        scenario.configure(Array(AccessoryFixtures.a1.utf8))
        stay(&scenario, at: 1.8, 5, from: 0, to: 2)
        scenario.ask(.suspend)
        let suspended = ["enter near", "enter shelf", "exit shelf suspended", "exit near suspended"]
        #expect(scenario.story() == suspended)
        #expect(scenario.retained()?.zones.first { $0.name == "shelf" }?.state == .unknown)
        scenario = inside()
        scenario.input(.remove("lamp", isBlocked: false))
        #expect(scenario.story().suffix(2) == ["exit shelf accessoryRemoved", "exit near accessoryRemoved"])
        #expect(scenario.violations == [])
    }

    @Test func `a restored stay goes on with the next angle, and is lost without one`() {
        for (azimuth, story) in [(5.0, []), (nil, ["exit shelf lost"]), (90.0, ["exit shelf left"])]
            as [(Double?, [String])]
        {
            var scenario = inside()
            scenario.restart()
            scenario.run(to: 50)
            scenario.subscribe()
            stay(&scenario, at: 1.8, azimuth, from: 50, to: 70)
            #expect(scenario.story() == ["enter near", "enter shelf"] + story)
            #expect(scenario.violations == [])
        }
    }

    @Test func `a zone that is switched off is left, and one that becomes a sector is judged by the next report`() {
        var scenario = inside()
        var options = scenario.engine.options
        options.zones[2].options.isEnabled = false
        scenario.input(.options(options))
        #expect(scenario.story().last == "exit shelf zoneDisabled")

        options.zones[1].options.azimuthFrom = 100
        options.zones[1].options.azimuthTo = 120
        scenario.run(to: 9)
        scenario.input(.options(options))
        #expect(scenario.story().last == "exit shelf zoneDisabled")
        // Patience begins with the change: the last angle came long ago.
        stay(&scenario, at: 1.8, nil, from: 9, to: 18.9)
        #expect(scenario.story().last == "exit shelf zoneDisabled")
        stay(&scenario, at: 1.8, nil, from: 18.9, to: 20)
        #expect(scenario.story().last == "exit near lost")
        #expect(scenario.violations == [])
    }

    @Test func `a peer may have a sector of its own`() {
        var scenario = scenario({ _ in }) { options in
            var lamp = AccessoryOptions()
            lamp.peers["alice"] = PeerOptions()
            lamp.peers["alice"]?.zones["shelf"] = ZoneOptions(azimuthFrom: 60, azimuthTo: 120)
            options.accessories["lamp"] = lamp
        }
        for step in 0..<20 {
            for peer in ["alice", "bob"] {
                scenario.send(1.8, at: Double(step) / 10, peer: peer, fields: #","azimuth":90"#)
            }
        }
        scenario.run(to: 2)
        #expect(scenario.story(peer: "alice") == ["enter near", "enter shelf"])
        #expect(scenario.story(peer: "bob") == ["enter near"])
    }

    // MARK: Several peers

    @Test func `the accessory's event tells of whoever is in the sector, not of somebody nearer`() throws {
        var scenario = scenario()
        for step in 0..<20 {
            scenario.send(0.5, at: Double(step) / 10, peer: "bob", fields: #","azimuth":90"#)
            scenario.send(1.8, at: Double(step) / 10, peer: "alice", fields: #","azimuth":-10"#)
        }
        scenario.run(to: 2)
        let enter = try #require(scenario.events.first { $0.peer == nil && $0.zone == "shelf" })
        #expect(enter.azimuth == -10 && enter.distance == 1.8)
        #expect(scenario.retained()?.peers.map(\.zone) == ["near", "immediate"])
        for step in 20..<40 {
            scenario.send(0.5, at: Double(step) / 10, peer: "bob", fields: #","azimuth":90"#)
            scenario.send(2.5, at: Double(step) / 10, peer: "alice", fields: #","azimuth":-10"#)
        }
        scenario.run(to: 4)
        let exit = try #require(scenario.events.last { $0.peer == nil && $0.zone == "shelf" })
        #expect(exit.summary == "exit shelf left" && exit.azimuth == -10 && exit.distance == 2.5)
        #expect(scenario.violations == [])
    }

    @Test func `somebody who walks past the shelf visits it once`() throws {
        var scenario = Scenario()
        var options = scenario.engine.options
        options.zones.append(.init(name: "shelf", options: ZoneOptions(radius: 2, azimuthFrom: -35, azimuthTo: 35)))
        scenario.input(.options(options))
        var random = SeededGenerator(seed: 7)
        // Along a line 1.2 m in front, 1 m/s, ten reports a second; every fourth angle is missing.
        for step in 0..<120 {
            let x = -6 + Double(step) / 10
            let distance = (x * x + 1.44).squareRoot() + Double.random(in: -0.08...0.08, using: &random)
            let slope = Double.random(in: -0.1...0.1, using: &random)
            let direction = step % 4 == 0 ? "null" : "[\(x + slope),0.1,-1.2]"
            scenario.send(distance, at: Double(step) / 10, fields: #","direction":\#(direction)"#)
        }
        scenario.run(to: 12)
        let shelf = scenario.events.filter { $0.zone == "shelf" }
        #expect(shelf.map(\.summary) == ["enter shelf", "exit shelf left"])
        let (enter, exit) = (try #require(shelf.first), try #require(shelf.last))
        // In front of it from x = -0.84 to 0.84; left 10° further, at x = 1.2.
        #expect((5.0...5.7).contains(Double(enter.at.nanoseconds) / 1e9))
        #expect((6.9...8.1).contains(Double(exit.at.nanoseconds) / 1e9))
        #expect(scenario.violations == [])
    }
}
