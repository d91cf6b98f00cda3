// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import TestSupport
import Testing

@Suite struct BridgeEngineNearestTests {
    private func options(_ nearest: NearestOptions = NearestOptions()) -> EngineOptions {
        .plain { $0.groups["shop"] = GroupOptions(members: .all, nearest: nearest) }
    }

    /// Shelves every 3 metres, and a walk along them at a distance of 1 m with noise.
    private func walk(_ scenario: inout Scenario, from start: Double, to end: Double, speed: Double, at begin: Double) {
        var random = SeededGenerator(seed: 11)
        let duration = abs(end - start) / speed
        for step in 0..<Int(duration * 10) {
            let time = Double(step) * 0.1
            let place = start + (end - start) * time / duration
            for shelf in 0..<3 {
                let away = place - Double(shelf) * 3
                let noise = Double.random(in: -0.15...0.15, using: &random)
                let distance = (away * away + 1).squareRoot() + noise
                scenario.send(distance, at: begin + time, from: "shelf-\(shelf)", peer: "ann")
            }
        }
    }

    @Test("Who stands at a shelf and walks to the next changes exactly once")
    func walkToNext() {
        var scenario = Scenario(options())
        walk(&scenario, from: 0, to: 0.001, speed: 0.0001, at: 0)
        walk(&scenario, from: 0, to: 3, speed: 0.7, at: 10)
        walk(&scenario, from: 3, to: 3.001, speed: 0.0001, at: 15)
        scenario.run(to: 25)
        #expect(
            scenario.story(ofGroup: "shop").filter { $0.hasPrefix("ann") } == [
                "ann none to shelf-0", "ann shelf-0 to shelf-1",
            ]
        )
        #expect(scenario.engine.nearest(of: "ann", inGroup: "shop")?.accessory == "shelf-1")
        #expect(scenario.checker.groups.nearest["shop"]?["ann"]?.accessory == "shelf-1")
        #expect(scenario.violations == [])
    }

    @Test("Who stands in the middle of two shelves stays with the first")
    func middle() {
        var scenario = Scenario(options())
        walk(&scenario, from: 1.4, to: 1.6, speed: 0.002, at: 0)
        scenario.run(to: 100)
        #expect(scenario.story(ofGroup: "shop").count { $0.hasPrefix("ann") } == 1)
    }

    @Test("A lost accessory gives way at once, and nobody is nearest when all are lost")
    func lost() {
        var scenario = Scenario(options())
        scenario.stay(at: 4, from: 0, to: 5, accessory: "a", peer: "ann")
        scenario.stay(at: 8, from: 0, to: 20, accessory: "b", peer: "ann")
        scenario.run(to: 60)
        #expect(scenario.story(ofGroup: "shop") == ["ann none to a", "ann a to b", "ann b to none"])
        let times = scenario.groupEvents.map { Double($0.at.nanoseconds) / 1e9 }
        #expect(abs(times[1] - 14.9) < 0.2 && abs(times[2] - 29.9) < 0.2, "\(times)")
        #expect(scenario.engine.nearest(of: "ann", inGroup: "shop")?.accessory == nil)
        #expect(scenario.violations == [])
    }

    @Test("Within so many metres: beyond it, and the margin, nothing is near")
    func withinMetres() {
        var scenario = Scenario(options(NearestOptions(reach: .metres(4))))
        scenario.stay(at: 5, from: 0, to: 5, accessory: "a", peer: "ann")
        scenario.stay(at: 3.8, from: 5, to: 10, accessory: "a", peer: "ann")
        scenario.stay(at: 4.4, from: 10, to: 15, accessory: "a", peer: "ann")
        scenario.run(to: 15)
        #expect(scenario.story(ofGroup: "shop") == ["ann none to a"])
        scenario.stay(at: 4.6, from: 15, to: 16, accessory: "a", peer: "ann")
        scenario.run(to: 16)
        #expect(scenario.story(ofGroup: "shop") == ["ann none to a", "ann a to none"])
        #expect(scenario.violations == [])
    }

    @Test("Within a zone: near is who is inside it")
    func withinZone() {
        var scenario = Scenario(options(NearestOptions(hold: .zero, reach: .zone("near"))))
        scenario.stay(at: 3.2, from: 0, to: 5, accessory: "a", peer: "ann")
        scenario.stay(at: 2.8, from: 5, to: 10, accessory: "a", peer: "ann")
        scenario.stay(at: 9, from: 10, to: 12, accessory: "a", peer: "ann")
        scenario.run(to: 12)
        #expect(
            scenario.story(ofGroup: "shop") == ["enter near a", "ann none to a", "exit near a left", "ann a to none"]
        )
        #expect(scenario.violations == [])
    }

    @Test("Of a person the person is told, not the devices; peers without a name are nobody's business")
    func person() {
        var options = options()
        options.people["ann"] = PersonOptions(peers: ["phone", "watch"])
        var scenario = Scenario(options)
        scenario.stay(at: 4, from: 0, to: 5, accessory: "a", peer: "phone")
        scenario.stay(at: 5, from: 0, to: 5, accessory: "b", peer: "watch")
        scenario.stay(at: 5, from: 0, to: 5, accessory: "b")
        scenario.run(to: 5)
        #expect(scenario.engine.peers(ofGroup: "shop") == ["ann"])
        #expect(scenario.story(ofGroup: "shop") == ["ann none to a"])
        #expect(scenario.violations == [])
    }

    @Test("Who is forgotten everywhere has no topic any more")
    func forgotten() {
        var options = options()
        options.peerForget = .seconds(30)
        var scenario = Scenario(options)
        scenario.stay(at: 4, from: 0, to: 5, accessory: "a", peer: "ann")
        scenario.run(to: 60)
        #expect(scenario.records.contains { $0.effect == .nearestGone(group: "shop", peer: "ann") })
        #expect(scenario.engine.peers(ofGroup: "shop") == [])
        #expect(scenario.violations == [])
    }

    @Test("A removed accessory is nobody's nearest")
    func removed() {
        var scenario = Scenario(options())
        scenario.stay(at: 4, from: 0, to: 5, accessory: "a", peer: "ann")
        scenario.stay(at: 7, from: 0, to: 5, accessory: "b", peer: "ann")
        scenario.run(to: 5)
        scenario.input(.remove("a", isBlocked: false))
        #expect(scenario.story(ofGroup: "shop") == ["ann none to a", "ann a to b"])
        scenario.input(.remove("b", isBlocked: false))
        #expect(scenario.story(ofGroup: "shop").last == "ann b to none")
        #expect(scenario.checker.groups.nearest["shop"]?["ann"] == nil)
        #expect(scenario.violations == [])
    }

    @Test("While we are blind no hold runs")
    func blind() {
        var scenario = Scenario(options())
        scenario.stay(at: 4, from: 0, to: 1, accessory: "a", peer: "ann")
        scenario.run(to: 1)
        scenario.disconnect()
        scenario.run(to: 5)
        scenario.subscribe()
        scenario.run(to: 9)
        #expect(scenario.groupEvents.isEmpty)
        scenario.stay(at: 4, from: 9, to: 12, accessory: "a", peer: "ann")
        scenario.run(to: 12)
        #expect(scenario.story(ofGroup: "shop") == ["ann none to a"])
    }
}
