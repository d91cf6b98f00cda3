// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyCore

struct BridgeEngineMembershipTests {
    private static func approving() -> Scenario {
        var options = EngineOptions.plain()
        options.join = .approve
        return Scenario(options)
    }

    /// Notices so far, in short.
    private func notices(_ scenario: Scenario) -> [String] {
        scenario.records.compactMap { record in
            guard case .notice(let notice) = record.effect else { return nil }
            return switch notice.kind {
            case .accessoryJoined: "\(notice.accessory) joined"
            case .accessoryApproved: "\(notice.accessory) approved"
            case .accessoryRemoved: "\(notice.accessory) removed"
            case .accessoryRefused(let refusal): "\(notice.accessory) \(refusal)"
            }
        }
    }

    // MARK: Approval

    @Test func `a stranger waits for approval, listed and silent, and joins once it is given`() {
        var scenario = Self.approving()
        scenario.stay(at: 1, from: 0, to: 2)
        scenario.run(to: 2)
        #expect(notices(scenario) == ["lamp notApproved"])
        #expect(scenario.engine.candidates.map(\.identifier) == ["lamp"])
        #expect(scenario.wholeStory().isEmpty && scenario.engine.joinedAccessories == 0)
        scenario.input(.approve("lamp"))
        #expect(scenario.engine.candidates.isEmpty)
        scenario.stay(at: 1, from: 2.1, to: 3)
        scenario.run(to: 3)
        #expect(notices(scenario) == ["lamp notApproved", "lamp approved", "lamp joined"])
        #expect(scenario.wholeStory() == ["- enter near", "- enter immediate"])
        #expect(scenario.violations == [])
    }

    @Test func `while joining is permitted anybody joins and stays approved, afterwards nobody new`() {
        var scenario = Self.approving()
        scenario.input(.permitJoin(until: scenario.now.advanced(by: .seconds(10))))
        scenario.stay(at: 5, from: 0.1, to: 1, accessory: "lamp")
        scenario.run(to: 11)
        scenario.stay(at: 5, from: 11, to: 12, accessory: "fan")
        scenario.stay(at: 5, from: 11, to: 12, accessory: "lamp")
        scenario.run(to: 12)
        #expect(notices(scenario) == ["lamp joined", "fan notApproved"])
        #expect(scenario.engine.membership.approved == ["lamp"])
        scenario.input(.permitJoin(until: scenario.now.advanced(by: .seconds(10))))
        scenario.input(.permitJoin(until: nil))
        scenario.stay(at: 5, from: 12.1, to: 13, accessory: "fan")
        scenario.run(to: 13)
        #expect(scenario.engine.joinedAccessories == 1)
    }

    @Test func `a flood of strangers lists a hundred`() {
        var scenario = Self.approving()
        for number in 0..<1000 { scenario.send(5, at: Double(number) * 0.001, from: "stranger-\(number)") }
        scenario.run(to: 2)
        #expect(scenario.engine.candidates.count == 100)
        #expect(scenario.engine.joinedAccessories == 0)
        #expect(scenario.engine.counters.refusedAccessories == 1000)
    }

    @Test func `who was approved in an earlier life needs no approval, who was blocked is not let in`() {
        var membership = Membership()
        membership.approved = ["lamp"]
        membership.blocked = ["fan"]
        for join in [EngineOptions.Join.open, .approve] {
            var options = EngineOptions.plain()
            options.join = join
            var scenario = Scenario(options)
            scenario.input(.members(membership))
            scenario.send(5, at: 0, from: "lamp")
            scenario.send(5, at: 0, from: "fan")
            scenario.run(to: 1)
            #expect(notices(scenario).sorted() == ["fan blocked", "lamp joined"])
        }
    }

    // MARK: Removal

    @Test func `whoever is removed while inside leaves, inner zone first, peers before the accessory, and is stopped`()
    {
        var scenario = Scenario(.plain())
        scenario.ask(.start, peer: "bob")
        scenario.configure(BridgeEngineSessionsTests.data)
        scenario.stay(at: 1, from: 0.1, to: 1, peer: "alice")
        scenario.stay(at: 2, from: 0.15, to: 1, peer: "bob")
        scenario.run(to: 1)
        let before = scenario.wholeStory().count
        scenario.input(.remove("lamp", isBlocked: false))
        #expect(
            scenario.wholeStory().dropFirst(before) == [
                "bob ended 1 requested", "bob exit near accessoryRemoved", "alice exit immediate accessoryRemoved",
                "alice exit near accessoryRemoved", "- exit immediate accessoryRemoved", "- exit near accessoryRemoved",
            ]
        )
        #expect(scenario.commandNames().last == "stop" && scenario.commands().last?.peer == "bob")
        #expect(scenario.engine.joinedAccessories == 0 && scenario.engine.accessory(named: "lamp") == nil)
        #expect(scenario.engine.nextDeadline == nil)
        // Nothing more comes of it.
        scenario.run(to: 100)
        #expect(scenario.wholeStory().count == before + 6)
        #expect(scenario.violations == [])
    }

    @Test func `a removed accessory may come again, with greater numbers and nothing of its past`() {
        var scenario = Scenario(.plain())
        scenario.stay(at: 1, from: 0, to: 1)
        scenario.run(to: 1)
        scenario.input(.remove("lamp", isBlocked: false))
        scenario.stay(at: 1, from: 1.5, to: 3)
        scenario.run(to: 3)
        #expect(notices(scenario) == ["lamp joined", "lamp removed", "lamp joined"])
        #expect(scenario.wholeStory().suffix(2) == ["- enter near", "- enter immediate"])
        let numbers = scenario.records.compactMap { record -> Int64? in
            guard case .event(let event) = record.effect else { return nil }
            return event.sequence
        }
        #expect(numbers.count == 6 && numbers == numbers.sorted() && Set(numbers).count == 6)
        #expect(scenario.violations == [])
    }

    @Test func `a blocked accessory does not come again until it is approved`() {
        var scenario = Scenario(.plain())
        scenario.stay(at: 1, from: 0, to: 1)
        scenario.run(to: 1)
        scenario.input(.remove("lamp", isBlocked: true))
        scenario.stay(at: 1, from: 1.5, to: 3)
        scenario.run(to: 3)
        #expect(notices(scenario) == ["lamp joined", "lamp removed", "lamp blocked"])
        scenario.input(.approve("lamp"))
        scenario.stay(at: 1, from: 3.5, to: 5)
        scenario.run(to: 5)
        #expect(notices(scenario).suffix(2) == ["lamp approved", "lamp joined"])
    }

    @Test func `the place of a removed accessory is used again, whoever else there is`() {
        var options = EngineOptions.plain()
        options.limits.accessories = 3
        var scenario = Scenario(options)
        for round in 0..<20 {
            let time = Double(round) * 10
            for name in ["a", "b", "c\(round)"] { scenario.stay(at: 1, from: time, to: time + 2, accessory: name) }
            scenario.run(to: time + 3)
            #expect(scenario.engine.joinedAccessories == 3)
            scenario.input(.remove("c\(round)", isBlocked: round % 2 == 0))
        }
        #expect(scenario.engine.accessoryCount == 3)
        #expect(scenario.engine.streams(of: AccessoryIndex(2)).isEmpty)
        #expect(scenario.violations == [])
    }

    @Test func `options and blindness pass over places that are empty`() {
        var scenario = Scenario(.plain())
        for name in ["a", "b"] { scenario.stay(at: 1, from: 0, to: 1, accessory: name) }
        scenario.run(to: 1)
        scenario.input(.remove("a", isBlocked: false))
        scenario.disconnect()
        scenario.subscribe()
        var options = EngineOptions.plain()
        options.zones.removeFirst()
        scenario.input(.options(options))
        scenario.stay(at: 5, from: 1.5, to: 3, accessory: "b")
        scenario.run(to: 3)
        #expect(scenario.wholeStory().suffix(1) == ["- exit near left"])
        #expect(scenario.violations == [])
    }

    @Test func `numbers do not go back when a stream that was ahead of the clock is removed`() {
        var scenario = Scenario(.plain())
        let ahead: Int64 = 1 << 50
        scenario.input(.restore(RestoredStream(accessory: "lamp", peer: nil, lastSequence: ahead, zones: [])))
        scenario.stay(at: 1, from: 0, to: 1)
        scenario.run(to: 1)
        scenario.input(.remove("lamp", isBlocked: false))
        scenario.stay(at: 1, from: 1.5, to: 3)
        scenario.run(to: 3)
        let numbers = scenario.records.compactMap { record -> Int64? in
            guard case .event(let event) = record.effect else { return nil }
            return event.sequence
        }
        #expect(numbers.count == 6 && numbers == numbers.sorted() && Set(numbers).count == 6)
        #expect(numbers.allSatisfy { $0 > ahead })
    }
}
