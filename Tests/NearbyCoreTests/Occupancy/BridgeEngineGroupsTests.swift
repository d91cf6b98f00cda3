// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import TestSupport
import Testing

@Suite struct BridgeEngineGroupsTests {
    private let fleet = EngineOptions.plain { options in
        options.groups["fleet"] = GroupOptions(name: "Fleet", members: .listed(["lamp", "fan"]))
    }

    private func zone(_ name: String, _ scenario: Scenario) -> GroupState.Zone? {
        scenario.engine.state(ofGroup: "fleet")?.zones.first { $0.name == name }
    }

    @Test("A group is entered with the first and left with the last, whoever it is")
    func firstInLastOut() {
        var scenario = Scenario(fleet)
        scenario.stay(at: 2, from: 0, to: 8, accessory: "lamp", peer: "alice")
        scenario.stay(at: 9, from: 8, to: 9, accessory: "lamp", peer: "alice")
        scenario.stay(at: 2, from: 4, to: 12, accessory: "fan", peer: "bob")
        scenario.stay(at: 9, from: 12, to: 13, accessory: "fan", peer: "bob")
        scenario.run(to: 13)
        #expect(scenario.story(ofGroup: "fleet") == ["enter near lamp", "exit near fan left"])
        guard case .exit(_, _, let visit, _, let dwell)? = scenario.groupEvents.last?.kind else {
            Issue.record("no exit")
            return
        }
        #expect(visit == scenario.groupEvents.first?.sequence)
        #expect(dwell.inSeconds > 11 && dwell.inSeconds < 13)
        #expect(scenario.violations == [])
    }

    @Test("Peer, then accessory, then group; inner zones leave first and enter last")
    func order() {
        var scenario = Scenario(fleet)
        scenario.stay(at: 1, from: 0, to: 1, peer: "alice")
        scenario.stay(at: 9, from: 1, to: 2, peer: "alice")
        scenario.run(to: 2)
        let order = scenario.records.compactMap { record -> String? in
            switch record.effect {
            case .event(let event): "\(event.peer ?? event.accessory) \(event.summary)"
            case .groupEvent(let event): "\(event.group) \(event.summary)"
            default: nil
            }
        }
        #expect(
            order == [
                "alice enter near", "alice enter immediate", "lamp enter near", "lamp enter immediate",
                "fleet enter near lamp", "fleet enter immediate lamp", "alice exit immediate left",
                "alice exit near left", "lamp exit immediate left", "lamp exit near left",
                "fleet exit immediate lamp left", "fleet exit near lamp left",
            ]
        )
    }

    @Test("A reason that not all accessories of a visit share is lost")
    func reasons() {
        var scenario = Scenario(fleet)
        scenario.stay(at: 2, from: 0, to: 1, accessory: "lamp")
        scenario.stay(at: 2, from: 0, to: 20, accessory: "fan")
        scenario.stay(at: 9, from: 20, to: 21, accessory: "fan")
        scenario.run(to: 21)
        #expect(scenario.story(ofGroup: "fleet") == ["enter near lamp", "exit near fan lost"])
        #expect(zone("near", scenario)?.state == .unknown)
        // Seen outside, the loss is explained.
        scenario.stay(at: 9, from: 21, to: 22, accessory: "lamp")
        scenario.run(to: 22)
        #expect(zone("near", scenario)?.state == .outside)
        #expect(scenario.groupEvents.count == 2)
        #expect(scenario.violations == [])
    }

    @Test("Who was lost and came back has left, if the last stay ended so")
    func returned() {
        var scenario = Scenario(fleet)
        scenario.stay(at: 2, from: 0, to: 1, accessory: "lamp")
        scenario.stay(at: 2, from: 0, to: 40, accessory: "fan")
        scenario.stay(at: 2, from: 20, to: 30, accessory: "lamp")
        scenario.stay(at: 9, from: 30, to: 31, accessory: "lamp")
        scenario.stay(at: 9, from: 40, to: 41, accessory: "fan")
        scenario.run(to: 41)
        #expect(scenario.story(ofGroup: "fleet") == ["enter near lamp", "exit near fan left"])
        #expect(scenario.violations == [])
    }

    @Test("A peer inside at two accessories counts once, peers without a name each for itself")
    func counts() {
        var scenario = Scenario(fleet)
        scenario.stay(at: 2, from: 0, to: 2, accessory: "lamp", peer: "alice")
        scenario.stay(at: 2, from: 0, to: 2, accessory: "fan", peer: "alice")
        scenario.stay(at: 2, from: 0, to: 2, accessory: "fan", peer: "bob")
        scenario.stay(at: 2, from: 0, to: 2, accessory: "fan")
        scenario.stay(at: 2, from: 0, to: 2, accessory: "stranger", peer: "carol")
        scenario.run(to: 2)
        #expect(zone("near", scenario)?.count == 3)
        #expect(zone("near", scenario)?.occupants == ["alice", "bob"])
        #expect(zone("near", scenario)?.accessories == ["fan", "lamp"])
        #expect(zone("immediate", scenario)?.count == 0)
        #expect(scenario.engine.state(ofGroup: "fleet")?.name == "Fleet")
        #expect(scenario.violations == [])
    }

    @Test("Comings and goings that change no zone are told four times a second at most, and the last one always")
    func newsAreSpaced() {
        var scenario = Scenario(fleet)
        scenario.stay(at: 2, from: 0, to: 3, peer: "p0")
        for peer in 1..<40 { scenario.stay(at: 2, from: 1 + Double(peer) * 0.01, to: 3, peer: "p\(peer)") }
        scenario.run(to: 3)
        let told = scenario.records.filter { $0.effect == .groupState("fleet") && $0.at.nanoseconds > 500_000_000 }
        #expect((1...4).contains(told.count), "\(told.count)")
        let retained = scenario.checker.groups.retained["fleet"]?.zones.first { $0.name == "near" }
        #expect(retained?.count == 40)
    }

    @Test("No more names are listed than a topic can bear; the counts are complete")
    func bounds() {
        let options = EngineOptions.plain { $0.groups["fleet"] = GroupOptions(members: .all) }
        var scenario = Scenario(options)
        for number in 0..<70 {
            scenario.stay(at: 2, from: 0, to: 1, accessory: "a\(number)", peer: "p\(number)")
        }
        scenario.run(to: 1)
        #expect(zone("near", scenario)?.count == 70)
        #expect(zone("near", scenario)?.occupants.count == 64)
        #expect(zone("near", scenario)?.accessories.count == 64)
        #expect(scenario.violations == [])
    }

    @Test("A removed accessory leaves its groups, with its reason if it was the last")
    func removal() {
        var scenario = Scenario(fleet)
        scenario.stay(at: 2, from: 0, to: 2, accessory: "lamp", peer: "alice")
        scenario.stay(at: 2, from: 0, to: 2, accessory: "fan", peer: "alice")
        scenario.run(to: 2)
        scenario.input(.remove("lamp", isBlocked: false))
        #expect(scenario.story(ofGroup: "fleet") == ["enter near lamp"])
        #expect(zone("near", scenario)?.accessories == ["fan"])
        scenario.input(.remove("fan", isBlocked: false))
        #expect(scenario.story(ofGroup: "fleet").last == "exit near fan accessoryRemoved")
        #expect(zone("near", scenario)?.count == 0)
        #expect(scenario.violations == [])
    }

    @Test("How a removed accessory was lost still decides why the visit ends")
    func removalOfLost() {
        var scenario = Scenario(fleet)
        scenario.stay(at: 2, from: 0, to: 1, accessory: "lamp")
        scenario.stay(at: 2, from: 0, to: 20, accessory: "fan")
        scenario.run(to: 19)
        scenario.input(.remove("lamp", isBlocked: false))
        scenario.stay(at: 9, from: 20, to: 21, accessory: "fan")
        scenario.run(to: 21)
        #expect(scenario.story(ofGroup: "fleet") == ["enter near lamp", "exit near fan lost"])
        #expect(scenario.violations == [])
    }
}

extension Duration {
    fileprivate var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) * 1e-18
    }
}
