// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import TestSupport
import Testing

@Suite struct BridgeEngineOccupancyRestoreTests {
    private func options(_ presence: PersonOptions.Presence = .any) -> EngineOptions {
        .plain { options in
            options.zones.removeFirst()
            options.people["ann"] = PersonOptions(peers: ["phone", "watch"], presence: presence)
            options.groups["home"] = GroupOptions(members: .all, nearest: NearestOptions())
        }
    }

    private func settled(_ options: EngineOptions) -> Scenario {
        var scenario = Scenario(options)
        scenario.stay(at: 2, from: 0, to: 4, accessory: "lamp", peer: "phone")
        scenario.stay(at: 9, from: 0, to: 4, accessory: "lamp", peer: "watch")
        scenario.stay(at: 6, from: 0, to: 4, accessory: "fan", peer: "phone")
        scenario.stay(at: 2, from: 0, to: 4, accessory: "fan", peer: "bob")
        scenario.stay(at: 2, from: 0, to: 0.5, accessory: "door")
        scenario.stay(at: 9, from: 0.5, to: 4, accessory: "door")
        scenario.run(to: 4)
        return scenario
    }

    @Test(
        "A restart makes no event of people, groups or nearest accessories",
        arguments: PersonOptions.Presence.allCases
    )
    func silent(presence: PersonOptions.Presence) {
        var scenario = settled(options(presence))
        let before = scenario.checker.groups.restored
        #expect(before.first?.nearest.count == 2)
        let count = scenario.records.count
        let words = scenario.checker.groups.retained["home"]
        scenario.restart()
        // Told on connecting, before anything is settled.
        #expect(scenario.engine.state(ofGroup: "home") == scenario.checker.groups.retained["home"])
        #expect(scenario.engine.nearest(of: "ann", inGroup: "home") == scenario.checker.groups.nearest["home"]?["ann"])
        scenario.subscribe()
        #expect(scenario.records.dropFirst(count).map(\.effect) == [.groupState("home")])
        #expect(scenario.checker.groups.retained["home"] == words)
        #expect(scenario.engine.state(ofGroup: "home") == scenario.checker.groups.retained["home"])
        // With all, the farthest device says how far the person is: the watch is not at the lamp.
        let expected = presence == .all ? "fan" : "lamp"
        #expect(scenario.engine.nearest(of: "ann", inGroup: "home")?.accessory == expected)
        // Everybody goes on as before: still nothing is news.
        scenario.stay(at: 2, from: 4, to: 9, accessory: "lamp", peer: "phone")
        scenario.stay(at: 9, from: 4, to: 9, accessory: "lamp", peer: "watch")
        scenario.stay(at: 6, from: 4, to: 9, accessory: "fan", peer: "phone")
        scenario.stay(at: 2, from: 4, to: 9, accessory: "fan", peer: "bob")
        scenario.run(to: 9)
        #expect(
            !scenario.records.dropFirst(count).contains { record in
                switch record.effect {
                case .event, .groupEvent: true
                default: false
                }
            }
        )
        #expect(scenario.violations == [])
    }

    @Test("Peers without a name are counted again as soon as reports may come")
    func unnamed() {
        let options = EngineOptions.plain { $0.groups["home"] = GroupOptions(members: .all) }
        var scenario = Scenario(options)
        scenario.stay(at: 2, from: 0, to: 2, accessory: "lamp")
        scenario.stay(at: 2, from: 0, to: 2, accessory: "fan")
        scenario.run(to: 2)
        let before = scenario.engine.state(ofGroup: "home")
        scenario.restart()
        scenario.subscribe()
        #expect(scenario.checker.groups.retained["home"] == before)
        #expect(before?.zones.last?.count == 2)
        #expect(scenario.violations == [])
    }

    @Test("The visit goes on over a restart, and ends with its number, reason and dwell time")
    func visit() {
        var scenario = settled(options())
        scenario.restart()
        scenario.subscribe()
        scenario.stay(at: 9, from: 4, to: 6, accessory: "lamp", peer: "phone")
        scenario.stay(at: 9, from: 4, to: 6, accessory: "lamp", peer: "watch")
        scenario.stay(at: 9, from: 5, to: 6, accessory: "fan", peer: "bob")
        scenario.run(to: 6)
        let stays = scenario.groupEvents.filter { !$0.summary.contains(" to ") }
        #expect(stays.map(\.summary) == ["enter near lamp", "exit near fan left"])
        guard case .exit(_, _, let visit, _, let dwell)? = stays.last?.kind else {
            Issue.record("no exit")
            return
        }
        #expect(visit == stays.first?.sequence)
        #expect(dwell > .seconds(4))
        #expect(scenario.story(peer: "ann") == ["enter near", "exit near left"])
        #expect(scenario.violations == [])
    }

    @Test("Whoever does not return is lost, first the peers, then the person, then the group")
    func lost() {
        var scenario = settled(options())
        scenario.restart()
        scenario.subscribe()
        scenario.run(to: 30)
        #expect(scenario.story(peer: "ann") == ["enter near", "exit near lost"])
        let stays = scenario.story(ofGroup: "home").filter { $0.contains("near ") }
        #expect(stays.count == 2)
        #expect(stays.last?.hasSuffix("lost") == true)
        #expect(scenario.engine.nearest(of: "ann", inGroup: "home")?.accessory == nil)
        #expect(scenario.story(ofGroup: "home").contains("ann lamp to none"))
        #expect(scenario.violations == [])
    }

    @Test("A device that is outside and silent after a restart hinders nobody for ever")
    func awaited() {
        var scenario = settled(options(.all))
        #expect(scenario.story(peer: "ann") == [])
        scenario.restart()
        scenario.subscribe()
        scenario.stay(at: 2, from: 4, to: 20, accessory: "lamp", peer: "phone")
        scenario.run(to: 13)
        #expect(scenario.story(peer: "ann") == [])
        scenario.run(to: 20)
        #expect(scenario.story(peer: "ann") == ["enter near"])
        #expect(scenario.violations == [])
    }

    @Test("An incumbent of an earlier life is not thrown out by whoever speaks first")
    func incumbent() {
        var scenario = settled(options())
        scenario.restart()
        scenario.subscribe()
        // The fan is heard for longer than the hold before the lamp is heard again.
        scenario.stay(at: 6, from: 4, to: 20, accessory: "fan", peer: "phone")
        scenario.stay(at: 2, from: 8, to: 20, accessory: "lamp", peer: "phone")
        scenario.run(to: 20)
        #expect(!scenario.story(ofGroup: "home").contains { $0.hasPrefix("ann lamp to") })
        #expect(scenario.violations == [])
    }

    @Test("People and groups that are not configured any more are cleared, without an event")
    func removed() {
        var scenario = settled(options())
        let count = scenario.records.count
        scenario.restart(.plain { $0.zones.removeFirst() })
        scenario.subscribe()
        let effects = scenario.records.dropFirst(count).map(\.effect)
        #expect(effects.contains(.forgotten(accessory: "lamp", peer: "ann")))
        #expect(effects.contains(.groupGone("home", peers: ["ann", "bob"])))
        #expect(!effects.contains { if case .groupEvent = $0 { true } else { false } })
    }

    @Test("Numbers of others' making do not run over")
    func greatNumbers() {
        var scenario = Scenario(options(), isSubscribed: false)
        scenario.input(.restoreGroup(RestoredGroup(group: "home", lastSequence: .max)))
        scenario.input(.restoreGroup(RestoredGroup(group: "gone", lastSequence: .max)))
        scenario.subscribe()
        scenario.stay(at: 2, from: 0, to: 1, peer: "bob")
        scenario.run(to: 1)
        #expect(scenario.groupEvents.first.map { $0.sequence < BridgeEngine.greatestSequence } == true)
    }
}
