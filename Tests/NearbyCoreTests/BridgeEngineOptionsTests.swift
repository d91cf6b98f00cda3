// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import TestSupport
import Testing

@Suite struct BridgeEngineOptionsTests {
    /// Someone who stands for five seconds at a distance, seen by a named peer.
    private func standing(at distance: Double, peer: String? = "p", _ options: EngineOptions = .plain()) -> Scenario {
        var scenario = Scenario(options)
        scenario.stay(at: distance, from: 0, to: 5, peer: peer)
        scenario.run(to: 5)
        return scenario
    }

    private func change(_ scenario: inout Scenario, _ edit: (inout EngineOptions) -> Void) {
        var options = scenario.engine.options
        edit(&options)
        scenario.input(.options(options))
    }

    @Test func `the same options again do nothing at all`() {
        var scenario = standing(at: 1)
        let count = scenario.records.count
        change(&scenario) { _ in }
        #expect(scenario.records.count == count)
    }

    @Test func `a changed radius makes no event before the next report`() {
        var scenario = standing(at: 2)
        #expect(scenario.story() == ["enter near"])
        change(&scenario) { options in
            options.zones[0].options.radius = 2.5
            options.zones[1].options.radius = 1.0
        }
        scenario.run(to: 6)
        #expect(scenario.story() == ["enter near"])
        scenario.stay(at: 2, from: 6, to: 7, peer: "p")
        scenario.run(to: 7)
        // Inner and outer have changed their places: what is beyond its radius is left, what is within is entered.
        #expect(Set(scenario.story().dropFirst()) == ["exit near left", "enter immediate"])
        #expect(scenario.violations.isEmpty, "\(scenario.violations)")
    }

    @Test func `a wider radius enters and a narrower one leaves by the next reports`() {
        var scenario = standing(at: 4)
        #expect(scenario.story().isEmpty)
        change(&scenario) { $0.zones[1].options.radius = 5 }
        scenario.stay(at: 4, from: 5, to: 7, peer: "p")
        scenario.run(to: 7)
        #expect(scenario.story() == ["enter near"])
        #expect(scenario.events.allSatisfy { $0.radius == 5 })
        change(&scenario) { $0.zones[1].options.radius = 3 }
        scenario.stay(at: 4, from: 7, to: 9, peer: "p")
        scenario.run(to: 9)
        #expect(scenario.story() == ["enter near", "exit near left"])
        #expect(scenario.story(of: "lamp", peer: "p") == scenario.story())
        #expect(scenario.violations.isEmpty, "\(scenario.violations)")
    }

    @Test func `a hold that ran under another radius begins anew`() {
        var scenario = Scenario(.plain { $0.zones[1].options.exitHold = .seconds(2) })
        scenario.stay(at: 1, from: 0, to: 2)
        scenario.stay(at: 4, from: 2, to: 3.9)
        scenario.run(to: 3.9)
        change(&scenario) { $0.zones[1].options.radius = 2 }
        scenario.stay(at: 4, from: 3.9, to: 5.5)
        scenario.run(to: 5.5)
        #expect(!scenario.story().contains("exit near left"))
        scenario.stay(at: 4, from: 5.5, to: 7)
        scenario.run(to: 7)
        #expect(scenario.story().last == "exit near left")
        #expect(scenario.violations.isEmpty, "\(scenario.violations)")
    }

    @Test(arguments: [false, true])
    func `a zone that is removed or disabled is left with that reason, peer first, and its topics are cleared`(
        _ isRemoved: Bool
    ) {
        var scenario = standing(at: 1)
        #expect(scenario.story() == ["enter near", "enter immediate"])
        change(&scenario) { options in
            if isRemoved { options.zones.remove(at: 0) } else { options.zones[0].options.isEnabled = false }
        }
        #expect(scenario.story() == ["enter near", "enter immediate", "exit immediate zoneDisabled"])
        #expect(scenario.events.suffix(2).map(\.peer) == ["p", nil])
        let gone = scenario.records.compactMap { record -> String? in
            guard case .zoneGone(let accessory, let peer, let zone) = record.effect else { return nil }
            return "\(accessory)/\(peer ?? "-")/\(zone)"
        }
        #expect(Set(gone) == ["lamp/p/immediate", "lamp/-/immediate"])
        #expect(scenario.retained()?.zones.map(\.name) == ["near"])
        #expect(scenario.retained()?.zone == "near")
        // The stay in the other zone goes on as the same visit.
        scenario.stay(at: 5, from: 5, to: 7, peer: "p")
        scenario.run(to: 7)
        #expect(scenario.story().last == "exit near left")
        #expect(scenario.violations.isEmpty, "\(scenario.violations)")
    }

    @Test func `an outer zone that goes leaves the inner one alone`() {
        var scenario = standing(at: 1)
        change(&scenario) { $0.zones.remove(at: 1) }
        #expect(scenario.story() == ["enter near", "enter immediate", "exit near zoneDisabled"])
        scenario.stay(at: 5, from: 5, to: 7, peer: "p")
        scenario.run(to: 7)
        #expect(scenario.story().last == "exit immediate left")
        #expect(scenario.violations.isEmpty, "\(scenario.violations)")
    }

    @Test func `a zone that is added knows nothing until the next report, wherever it stands`() {
        var scenario = standing(at: 4)
        change(&scenario) { options in
            options.zones.insert(.init(name: "far", options: ZoneOptions(radius: 6)), at: 0)
        }
        #expect(scenario.retained()?.zones.map(\.name) == ["immediate", "near", "far"])
        #expect(scenario.retained()?.zones.last?.state == .unknown)
        #expect(scenario.retained()?.zones.first?.state == .outside)
        #expect(scenario.story().isEmpty)
        scenario.stay(at: 4, from: 5, to: 6, peer: "p")
        scenario.run(to: 6)
        #expect(scenario.story() == ["enter far"])
        #expect(scenario.violations.isEmpty, "\(scenario.violations)")
    }

    @Test func `zones that change their order keep their visits`() {
        var scenario = standing(at: 1)
        let visits = Set(scenario.events.map(\.visit))
        change(&scenario) { $0.zones.reverse() }
        #expect(scenario.events.count == 4)
        scenario.stay(at: 5, from: 5, to: 7, peer: "p")
        scenario.run(to: 7)
        #expect(scenario.story().suffix(2) == ["exit immediate left", "exit near left"])
        #expect(Set(scenario.events.map(\.visit)) == visits)
        #expect(scenario.violations.isEmpty, "\(scenario.violations)")
    }

    @Test func `a zone enabled again is entered again`() {
        var scenario = standing(at: 1)
        change(&scenario) { $0.zones[0].options.isEnabled = false }
        change(&scenario) { $0.zones[0].options.isEnabled = true }
        #expect(scenario.retained()?.zones.first?.state == .unknown)
        scenario.stay(at: 1, from: 5, to: 6, peer: "p")
        scenario.run(to: 6)
        #expect(scenario.story().suffix(2) == ["exit immediate zoneDisabled", "enter immediate"])
        #expect(scenario.violations.isEmpty, "\(scenario.violations)")
    }

    @Test func `a zone disabled for the accessory goes on for a peer that has it enabled`() {
        var scenario = standing(at: 1)
        change(&scenario) { options in
            var accessory = AccessoryOptions()
            accessory.zones["near"] = ZoneOptions(isEnabled: false)
            accessory.peers["p"] = PeerOptions()
            accessory.peers["p"]?.zones["near"] = ZoneOptions(isEnabled: true)
            options.accessories["lamp"] = accessory
        }
        #expect(scenario.story(peer: "p") == ["enter near", "enter immediate"])
        #expect(scenario.events.count == 4)
        scenario.stay(at: 5, from: 5, to: 7, peer: "p")
        scenario.run(to: 7)
        #expect(Set(scenario.story().suffix(2)) == ["exit immediate left", "exit near left"])
    }

    @Test func `a shorter lost_after counts from the last report, a longer one too`() {
        var scenario = standing(at: 1)
        change(&scenario) { $0.lostAfter = .after(.seconds(3)) }
        scenario.run(to: 7.8)
        #expect(scenario.events.count == 4)
        scenario.run(to: 8)
        #expect(scenario.story().suffix(2) == ["exit immediate lost", "exit near lost"])
        #expect(scenario.violations.isEmpty, "\(scenario.violations)")

        scenario = standing(at: 1)
        change(&scenario) { $0.lostAfter = .after(.seconds(30)) }
        scenario.run(to: 34.8)
        #expect(scenario.events.count == 4)
        scenario.run(to: 35)
        #expect(scenario.events.count == 8)
    }

    @Test func `a corrected distance counts from the next report, without a jump that the gate holds back`() {
        var scenario = standing(at: 1.2)
        #expect(scenario.story() == ["enter near", "enter immediate"])
        change(&scenario) { options in
            options.accessories["lamp"] = AccessoryOptions()
            options.accessories["lamp"]?.distanceOffset = 3
        }
        #expect(scenario.events.count == 4)
        scenario.stay(at: 1.2, from: 5, to: 6, peer: "p")
        scenario.run(to: 5.6)
        #expect(scenario.story().suffix(2) == ["exit immediate left", "exit near left"])
        #expect(scenario.violations.isEmpty, "\(scenario.violations)")
    }

    @Test func `a peer that gets another name keeps its stay and its numbers`() {
        var scenario = standing(at: 1, peer: "0x0001")
        let last = scenario.events.last { $0.peer != nil }?.sequence
        change(&scenario) { options in
            options.accessories["lamp"] = AccessoryOptions()
            options.accessories["lamp"]?.peers["0x0001"] = PeerOptions()
            options.accessories["lamp"]?.peers["0x0001"]?.name = "gate-1"
        }
        #expect(scenario.events.count == 4)
        #expect(
            scenario.records.contains {
                $0.effect == .peerRenamed(accessory: "lamp", from: "0x0001", to: "gate-1")
            }
        )
        scenario.stay(at: 5, from: 5, to: 7, peer: "0x0001")
        scenario.run(to: 7)
        #expect(scenario.story(peer: "gate-1") == ["exit immediate left", "exit near left"])
        #expect(scenario.events.first { $0.peer == "gate-1" }?.sequence == last.map { $0 + 1 })
        // And once more, from a name that the configuration gave.
        change(&scenario) { $0.accessories["lamp"]?.peers["0x0001"]?.name = "gate-2" }
        scenario.stay(at: 1, from: 7, to: 9, peer: "0x0001")
        scenario.run(to: 9)
        #expect(scenario.story(peer: "gate-2") == ["enter near", "enter immediate"])
        #expect(scenario.engine.streams(of: AccessoryIndex(0)).count == 2)
        #expect(scenario.violations.isEmpty, "\(scenario.violations)")
    }

    @Test func `two peers may exchange their names`() {
        var scenario = Scenario(
            .plain { options in
                options.accessories["lamp"] = AccessoryOptions()
                for (id, name) in [("1", "a"), ("2", "b")] {
                    options.accessories["lamp"]?.peers[id] = PeerOptions()
                    options.accessories["lamp"]?.peers[id]?.name = name
                }
            }
        )
        scenario.stay(at: 1, from: 0, to: 2, peer: "1")
        scenario.stay(at: 5, from: 0, to: 2, peer: "2")
        scenario.run(to: 2)
        #expect(scenario.story(peer: "a").count == 2)
        change(&scenario) { options in
            options.accessories["lamp"]?.peers["1"]?.name = "b"
            options.accessories["lamp"]?.peers["2"]?.name = "a"
        }
        scenario.stay(at: 5, from: 2, to: 4, peer: "1")
        scenario.stay(at: 5, from: 2, to: 4, peer: "2")
        scenario.run(to: 4)
        #expect(scenario.story(peer: "b") == ["exit immediate left", "exit near left"])
        #expect(scenario.story(peer: "a").count == 2)
        #expect(scenario.story().count == 4)
    }

    @Test func `a dwell time that is given to a running stay is told once, by a report that proves it`() {
        var scenario = standing(at: 1)
        change(&scenario) { $0.zones[1].options.dwell = .after(.seconds(2)) }
        #expect(!scenario.story().contains("dwell near"))
        scenario.stay(at: 1, from: 5, to: 8, peer: "p")
        scenario.run(to: 8)
        #expect(scenario.story().count { $0 == "dwell near" } == 1)
        #expect(scenario.violations.isEmpty, "\(scenario.violations)")
    }

    @Test func `the smoothing may change in the middle of a walk`() {
        var scenario = standing(at: 1)
        change(&scenario) { $0.smoothing = FilterOptions(kind: .none) }
        #expect(scenario.events.count == 4)
        scenario.stay(at: 5, from: 5, to: 6, peer: "p")
        scenario.run(to: 6)
        #expect(scenario.story().suffix(2) == ["exit immediate left", "exit near left"])
        #expect(scenario.violations.isEmpty, "\(scenario.violations)")
    }

    @Test func `options that come while the broker is away take effect there`() {
        var scenario = standing(at: 1)
        scenario.disconnect()
        change(&scenario) { $0.zones.remove(at: 0) }
        #expect(scenario.story().last == "exit immediate zoneDisabled")
        scenario.subscribe()
        #expect(scenario.retained()?.zones.map(\.name) == ["near"])
    }

    @Test func `who may join changes for newcomers`() {
        var scenario = standing(at: 1)
        change(&scenario) { $0.join = .allowlist }
        scenario.stay(at: 1, from: 5, to: 6, accessory: "stranger")
        scenario.stay(at: 1, from: 5, to: 6, peer: "p")
        scenario.run(to: 6)
        #expect(scenario.engine.accessoryCount == 1)
        change(&scenario) { $0.accessories["stranger"] = AccessoryOptions() }
        scenario.stay(at: 1, from: 6, to: 7, accessory: "stranger")
        scenario.run(to: 7)
        #expect(scenario.story(of: "stranger") == ["enter near", "enter immediate"])
    }

    @Test func `changes of every kind in any order lose no stay and invent none`() {
        for seed in 1...40 as ClosedRange<UInt64> {
            var random = SeededGenerator(seed: seed)
            var scenario = Scenario(.plain(), seed: seed)
            for step in 0..<30 {
                let start = Double(step) * 2
                let distance = Double.random(in: 0.5...6, using: &random)
                for peer in ["p", "q"] { scenario.stay(at: distance, from: start, to: start + 2, peer: peer) }
                scenario.run(to: start + Double.random(in: 0...2, using: &random))
                let before = scenario.events.count
                change(&scenario) { Self.scramble(&$0, &random) }
                let invented = scenario.events.dropFirst(before).filter { event in
                    if case .exit(reason: .zoneDisabled, dwell: _) = event.kind { return false }
                    return true
                }
                #expect(invented.isEmpty, "seed \(seed): \(invented.map(\.summary))")
                scenario.run(to: start + 2)
            }
            #expect(scenario.violations.isEmpty, "seed \(seed): \(scenario.violations)")
        }
    }

    private static func scramble(_ options: inout EngineOptions, _ random: inout SeededGenerator) {
        switch Int.random(in: 0..<6, using: &random) {
        case 0:
            options.zones.shuffle(using: &random)
        case 1:
            let radius = Double.random(in: 1...6, using: &random)
            if !options.zones.isEmpty { options.zones[0].options.radius = radius }
        case 2:
            if options.zones.count > 1 { options.zones.removeLast() }
        case 3:
            let names = ["immediate", "near", "far", "gate"].filter { name in
                !options.zones.contains { $0.name == name }
            }
            let radius = Double.random(in: 1...6, using: &random)
            names.first.map { options.zones.append(.init(name: $0, options: ZoneOptions(radius: radius))) }
        case 4:
            let isEnabled = options.zones.first?.options.isEnabled ?? true
            if !options.zones.isEmpty { options.zones[0].options.isEnabled = !isEnabled }
        default:
            options.smoothing = FilterOptions(kind: Bool.random(using: &random) ? .none : .standard)
        }
    }
}
