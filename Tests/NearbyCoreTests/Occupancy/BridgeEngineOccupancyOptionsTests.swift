// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import TestSupport
import Testing

@Suite struct BridgeEngineOccupancyOptionsTests {
    private let plain = EngineOptions.plain { $0.zones.removeFirst() }

    private func with(_ change: (inout EngineOptions) -> Void) -> EngineOptions {
        var options = plain
        change(&options)
        return options
    }

    private func inside(_ options: EngineOptions) -> Scenario {
        var scenario = Scenario(options)
        scenario.stay(at: 2, from: 0, to: 2, accessory: "lamp", peer: "phone")
        scenario.stay(at: 2, from: 0, to: 2, accessory: "fan", peer: "bob")
        scenario.run(to: 2)
        return scenario
    }

    @Test("A member that is taken out while inside ends the stay only if it was the last")
    func membersLeave() {
        func fleet(_ members: Set<String>) -> EngineOptions {
            with { $0.groups["fleet"] = GroupOptions(members: .listed(members)) }
        }
        var scenario = inside(fleet(["lamp", "fan"]))
        scenario.input(.options(fleet(["fan"])))
        #expect(scenario.story(ofGroup: "fleet") == ["enter near lamp"])
        scenario.input(.options(fleet(["door"])))
        #expect(scenario.story(ofGroup: "fleet") == ["enter near lamp", "exit near none memberRemoved"])
        scenario.input(.options(fleet(["door", "lamp"])))
        #expect(scenario.story(ofGroup: "fleet").last == "enter near none")
        #expect(scenario.violations == [])
    }

    @Test("A removed group ends its stays, and is cleared; one that comes back goes on with greater numbers")
    func groupRemoved() {
        let fleet = with { $0.groups["fleet"] = GroupOptions(members: .all, nearest: NearestOptions(hold: .zero)) }
        var scenario = inside(fleet)
        scenario.input(.options(plain))
        #expect(scenario.story(ofGroup: "fleet").last == "exit near none memberRemoved")
        #expect(scenario.records.contains { $0.effect == .groupGone("fleet", peers: ["bob", "phone"]) })
        #expect(scenario.engine.groups == [])
        scenario.input(.options(fleet))
        #expect(scenario.story(ofGroup: "fleet").contains("enter near none"))
        scenario.run(to: 5)
        #expect(scenario.violations == [])
    }

    @Test("What does not concern people and groups makes no news of them")
    func otherOptions() {
        let fleet = with { options in
            options.groups["fleet"] = GroupOptions(members: .all, nearest: NearestOptions(hold: .zero))
            options.people["ann"] = PersonOptions(peers: ["phone"])
        }
        var scenario = inside(fleet)
        let count = scenario.groupEvents.count
        var other = fleet
        other.zones[0].options.radius = 2.5
        other.accessories["lamp"] = AccessoryOptions()
        other.accessories["lamp"]?.name = "Lamp"
        scenario.input(.options(other))
        other.groups["other"] = GroupOptions(members: .listed(["door"]))
        scenario.input(.options(other))
        scenario.stay(at: 2, from: 2, to: 4, accessory: "lamp", peer: "phone")
        scenario.stay(at: 2, from: 2, to: 4, accessory: "fan", peer: "bob")
        scenario.run(to: 4)
        #expect(scenario.groupEvents.count == count)
        #expect(scenario.engine.nearest(of: "ann", inGroup: "fleet")?.accessory == "lamp")
        #expect(scenario.story(peer: "ann") == ["enter near"])
        #expect(scenario.violations == [])
    }

    @Test("A zone that is gone ends the group's stay with that reason, and its topic is cleared")
    func zoneGone() {
        var options = with { $0.groups["fleet"] = GroupOptions(members: .all) }
        options.zones.insert(.init(name: "far", options: ZoneOptions(radius: 8)), at: 0)
        var scenario = inside(options)
        #expect(scenario.story(ofGroup: "fleet") == ["enter far lamp", "enter near lamp"])
        options.zones.removeFirst()
        scenario.input(.options(options))
        #expect(scenario.story(ofGroup: "fleet").last == "exit far fan zoneDisabled")
        #expect(scenario.records.contains { $0.effect == .groupZoneGone(group: "fleet", zone: "far") })
        #expect(scenario.engine.state(ofGroup: "fleet")?.zones.map(\.name) == ["near"])
        #expect(scenario.violations == [])
    }

    @Test("A person who is new is inside at once if a device is; the accessory counts on without an event")
    func personAdded() {
        var scenario = inside(plain)
        scenario.input(.options(with { $0.people["ann"] = PersonOptions(peers: ["phone"]) }))
        #expect(scenario.story(peer: "ann") == ["enter near"])
        #expect(scenario.story() == ["enter near"])
        scenario.input(.options(plain))
        #expect(scenario.story(peer: "ann") == ["enter near", "exit near memberRemoved"])
        #expect(scenario.records.contains { $0.effect == .forgotten(accessory: "lamp", peer: "ann") })
        #expect(scenario.story() == ["enter near"])
        #expect(scenario.violations == [])
    }

    @Test("A device that is taken from a person while inside ends the stay if no other is inside")
    func deviceTaken() {
        func people(_ devices: [String], _ presence: PersonOptions.Presence = .any) -> EngineOptions {
            with { $0.people["ann"] = PersonOptions(peers: devices, presence: presence) }
        }
        var scenario = inside(people(["phone", "watch"]))
        scenario.input(.options(people(["watch"])))
        #expect(scenario.story(peer: "ann") == ["enter near", "exit near memberRemoved"])
        #expect(scenario.story() == ["enter near"])
        scenario.stay(at: 9, from: 2, to: 4, peer: "phone")
        scenario.run(to: 4)
        #expect(scenario.story() == ["enter near", "exit near left"])
        #expect(scenario.violations == [])
    }

    @Test("A peer that is renamed to what a person carries belongs to the person from then on")
    func renamed() {
        let people = with { $0.people["ann"] = PersonOptions(peers: ["ann-phone"]) }
        var scenario = inside(people)
        #expect(scenario.story(peer: "ann") == [])
        var renamed = people
        renamed.accessories["lamp"] = AccessoryOptions()
        renamed.accessories["lamp"]?.peers["phone"] = PeerOptions()
        renamed.accessories["lamp"]?.peers["phone"]?.name = "ann-phone"
        scenario.input(.options(renamed))
        #expect(scenario.story(peer: "ann") == ["enter near"])
        #expect(scenario.story() == ["enter near"])
        #expect(scenario.violations == [])
    }
}
