// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import TestSupport
import Testing

@Suite struct BridgeEnginePeopleTests {
    private func options(_ presence: PersonOptions.Presence) -> EngineOptions {
        .plain { options in
            options.zones.removeFirst()
            options.people["ann"] = PersonOptions(name: "Ann", peers: ["phone", "watch"], presence: presence)
            options.groups["home"] = GroupOptions(members: .all)
        }
    }

    private func aggregate(_ scenario: Scenario) -> StreamState? {
        scenario.engine.state(of: StreamID(accessory: AccessoryIndex(0)))
    }

    @Test("Any: inside with the first device, outside with the last; the accessory counts one")
    func any() {
        var scenario = Scenario(options(.any))
        scenario.stay(at: 2, from: 0, to: 4, peer: "phone")
        scenario.stay(at: 9, from: 4, to: 9, peer: "phone")
        scenario.stay(at: 2, from: 2, to: 6, peer: "watch")
        scenario.run(to: 3)
        #expect(aggregate(scenario)?.zones.first?.count == 1)
        #expect(aggregate(scenario)?.peers.map(\.identifier) == ["ann", "phone", "watch"])
        #expect(aggregate(scenario)?.peers.map(\.person) == [nil, "ann", "ann"])
        scenario.stay(at: 9, from: 6, to: 9, peer: "watch")
        scenario.run(to: 9)
        #expect(scenario.story(peer: "ann") == ["enter near", "exit near left"])
        #expect(scenario.story() == ["enter near", "exit near left"])
        #expect(scenario.story(peer: "phone") == ["enter near", "exit near left"])
        #expect(scenario.retained(peer: "ann")?.isPerson == true)
        #expect(scenario.retained(peer: "ann")?.devices == ["phone", "watch"])
        #expect(scenario.violations == [])
    }

    @Test("Any: a reason that not all devices share is lost")
    func anyReason() {
        var scenario = Scenario(options(.any))
        scenario.stay(at: 2, from: 0, to: 1, peer: "phone")
        scenario.stay(at: 2, from: 0, to: 20, peer: "watch")
        scenario.stay(at: 9, from: 20, to: 21, peer: "watch")
        scenario.run(to: 21)
        #expect(scenario.story(peer: "ann") == ["enter near", "exit near lost"])
        #expect(scenario.violations == [])
    }

    @Test("All: inside with the last device that is heard, outside with the first")
    func all() {
        var scenario = Scenario(options(.all))
        scenario.stay(at: 9, from: 0, to: 1, peer: "watch")
        scenario.stay(at: 2, from: 0.5, to: 9, peer: "phone")
        scenario.stay(at: 2, from: 3, to: 6, peer: "watch")
        scenario.stay(at: 9, from: 6, to: 9, peer: "watch")
        scenario.run(to: 9)
        #expect(scenario.story(peer: "ann") == ["enter near", "exit near left"])
        let enter = scenario.events.first { $0.peer == "ann" }
        #expect(enter.map { $0.at.nanoseconds >= 3_000_000_000 } == true)
        // The one that decides is the farther one.
        #expect(enter?.distance == 2)
        #expect(scenario.retained(peer: "ann")?.distance == 9)
        #expect(scenario.violations == [])
    }

    @Test("All: a device that is lost is absent; it ends no stay and hinders none")
    func allWithLoss() {
        var scenario = Scenario(options(.all))
        scenario.stay(at: 2, from: 0, to: 30, peer: "phone")
        scenario.stay(at: 2, from: 0, to: 2, peer: "watch")
        scenario.run(to: 30)
        #expect(scenario.story(peer: "watch") == ["enter near", "exit near lost"])
        #expect(scenario.story(peer: "ann") == ["enter near"])
        // Outside and then silent: the phone alone decides again.
        scenario.stay(at: 2, from: 30, to: 60, peer: "phone")
        scenario.stay(at: 9, from: 30, to: 32, peer: "watch")
        scenario.run(to: 59)
        #expect(scenario.story(peer: "ann") == ["enter near", "exit near left", "enter near"])
        scenario.run(to: 90)
        #expect(scenario.story(peer: "ann").last == "exit near lost")
        #expect(scenario.violations == [])
    }

    @Test("Nearest: the device that is nearer speaks, and gives way only to one that is clearly so")
    func nearest() {
        var scenario = Scenario(options(.nearest))
        // The watch stays on the desk, the phone goes.
        scenario.stay(at: 2.0, from: 0, to: 40, peer: "watch")
        scenario.stay(at: 1.8, from: 0, to: 10, peer: "phone")
        scenario.stay(at: 9, from: 10, to: 20, peer: "phone")
        scenario.run(to: 20)
        #expect(scenario.story(peer: "ann").prefix(1) == ["enter near"])
        #expect(scenario.retained(peer: "ann")?.distance == 2.0)
        #expect(scenario.retained(peer: "ann")?.zone == "near")
        #expect(scenario.violations == [])
    }

    @Test("Nearest: two devices at the same distance do not make a person flicker")
    func noise() {
        var scenario = Scenario(options(.nearest))
        var random = SeededGenerator(seed: 5)
        // The phone may stay longer by its hysteresis: both are inside or outside a zone at their own times.
        for step in 0..<6000 {
            let noise = Double.random(in: -0.2...0.2, using: &random)
            scenario.send(2.7 + noise, at: Double(step) * 0.05, peer: step % 2 == 0 ? "phone" : "watch")
        }
        scenario.run(to: 300)
        #expect(scenario.story(peer: "ann") == ["enter near"])
        #expect(scenario.violations == [])
    }

    @Test("Nearest: a lost device gives way at once, without an exit")
    func nearestLost() {
        var scenario = Scenario(options(.nearest))
        scenario.stay(at: 1, from: 0, to: 2, peer: "phone")
        scenario.stay(at: 2, from: 0, to: 30, peer: "watch")
        scenario.run(to: 30)
        #expect(scenario.story(peer: "phone") == ["enter near", "exit near lost"])
        #expect(scenario.story(peer: "ann") == ["enter near"])
        scenario.run(to: 50)
        #expect(scenario.story(peer: "ann") == ["enter near", "exit near lost"])
        #expect(scenario.violations == [])
    }

    @Test("A person counts once in a group, wherever the devices are")
    func inGroup() {
        var scenario = Scenario(options(.any))
        scenario.stay(at: 2, from: 0, to: 2, accessory: "lamp", peer: "phone")
        scenario.stay(at: 2, from: 0, to: 2, accessory: "fan", peer: "watch")
        scenario.stay(at: 2, from: 0, to: 2, accessory: "fan", peer: "bob")
        scenario.run(to: 2)
        let zone = scenario.engine.state(ofGroup: "home")?.zones.first
        #expect(zone?.count == 2)
        #expect(zone?.occupants == ["ann", "bob"])
        #expect(scenario.violations == [])
    }

    @Test("A report that names a person is refused, and says why")
    func namedAsPeer() {
        var scenario = Scenario(options(.any))
        scenario.stay(at: 2, from: 0, to: 1, peer: "ann")
        scenario.run(to: 1)
        #expect(scenario.events.isEmpty)
        #expect(scenario.engine.counters.refusedPeers == 10)
        let kinds = scenario.records.compactMap { record -> Complaint.Kind? in
            guard case .complaint(let complaint) = record.effect else { return nil }
            return complaint.kind
        }
        #expect(kinds == [.peerIsPerson])
    }

    @Test("A person is forgotten with the last device, and comes back with greater numbers")
    func forgotten() {
        var options = options(.any)
        options.peerForget = .seconds(30)
        var scenario = Scenario(options)
        scenario.stay(at: 2, from: 0, to: 2, peer: "phone")
        scenario.stay(at: 9, from: 2, to: 3, peer: "phone")
        scenario.run(to: 60)
        #expect(scenario.records.contains { $0.effect == .forgotten(accessory: "lamp", peer: "ann") })
        #expect(scenario.retained(peer: "ann") == nil)
        scenario.stay(at: 2, from: 60, to: 62, peer: "phone")
        scenario.run(to: 62)
        #expect(scenario.story(peer: "ann") == ["enter near", "exit near left", "enter near"])
        #expect(scenario.violations == [])
    }

    @Test("A person dwells once, however often the devices change")
    func dwell() {
        var options = options(.any)
        options.zones[0].options.dwell = .after(.seconds(5))
        var scenario = Scenario(options)
        scenario.stay(at: 2, from: 0, to: 4, peer: "phone")
        scenario.stay(at: 9, from: 4, to: 9, peer: "phone")
        scenario.stay(at: 2, from: 3, to: 12, peer: "watch")
        scenario.run(to: 12)
        #expect(scenario.story(peer: "ann") == ["enter near", "dwell near"])
        let dwell = scenario.events.first { $0.peer == "ann" && $0.summary == "dwell near" }
        #expect(dwell.map { $0.kind == .dwell(.seconds(5)) } == true)
        #expect(scenario.violations == [])
    }

    @Test("A removed accessory ends a person's stay with that reason", arguments: PersonOptions.Presence.allCases)
    func removal(presence: PersonOptions.Presence) {
        var scenario = Scenario(options(presence))
        scenario.stay(at: 2, from: 0, to: 2, peer: "phone")
        scenario.stay(at: 2, from: 0, to: 2, peer: "watch")
        scenario.run(to: 2)
        scenario.input(.remove("lamp", isBlocked: false))
        #expect(scenario.story(peer: "ann") == ["enter near", "exit near accessoryRemoved"])
        #expect(scenario.story(ofGroup: "home").last == "exit near lamp accessoryRemoved")
        #expect(
            scenario.records.contains { $0.effect == .removed(accessory: "lamp", peers: ["phone", "watch", "ann"]) }
        )
        #expect(scenario.violations == [])
    }
}
