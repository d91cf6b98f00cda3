// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyCore

/// How many sessions run at once, and how many begin in a second.
@Suite struct BridgeEngineAdmissionTests {
    private static let data = BridgeEngineSessionsTests.data

    private func names(_ scenario: Scenario) -> [String] { scenario.commands(of: nil).map(\.accessory) }

    @Test func `over the limit of the bridge sessions wait in the order they came, told once`() {
        var scenario = Scenario(.plain { $0.limits.sessions = 2 })
        for name in ["a", "b", "c", "d"] { scenario.configure(Self.data, of: name) }
        #expect(names(scenario) == ["a", "b"])
        for name in ["c", "d"] {
            let session = scenario.session(of: name)
            #expect(session?.state == .retrying && session?.deadline == nil && session?.attempt == 0)
            #expect(session?.reason == .error(.activeSessionsLimitExceeded))
        }
        let told = scenario.wholeStory().filter { $0.contains("active_sessions_limit_exceeded") }
        #expect(told.count == 2)
        scenario.ask(.stop, of: "b")
        #expect(names(scenario) == ["a", "b", "b", "c"])
        scenario.ask(.stop, of: "a")
        #expect(names(scenario).last == "d")
        #expect(scenario.session(of: "d")?.run == 1)
        #expect(scenario.wholeStory().filter { $0.contains("active_sessions_limit_exceeded") } == told)
        #expect(scenario.violations == [])
    }

    @Test func `who waits for a place may give up, and keeps nobody behind him`() {
        var scenario = Scenario(.plain { $0.limits.sessions = 1 })
        for name in ["a", "b", "c"] { scenario.configure(Self.data, of: name) }
        scenario.ask(.stop, of: "b")
        scenario.ask(.stop, of: "a")
        #expect(scenario.commands(of: "c").count == 1)
        #expect(scenario.engine.admission.places == 1)
    }

    @Test func `an accessory has its own limit, and one that is full keeps no other from beginning`() {
        var scenario = Scenario(.plain { $0.limits.accessorySessions = 2 })
        scenario.configure(Self.data)
        for peer in ["p1", "p2", "p3"] { scenario.ask(.start, peer: peer) }
        #expect(scenario.session(peer: "p1")?.state != .retrying)
        #expect(scenario.session(peer: "p2")?.state == .retrying && scenario.session(peer: "p3")?.state == .retrying)
        scenario.configure(Self.data, of: "other")
        #expect(scenario.commandNames().count == 2 && scenario.commands(of: "other").count == 1)
        scenario.ask(.stop)
        #expect(scenario.session(peer: "p2")?.state != .retrying && scenario.session(peer: "p3")?.state == .retrying)
    }

    @Test func `a peer has its own limit over all accessories`() {
        var scenario = Scenario(.plain { $0.limits.peerSessions = 1 })
        for name in ["a", "b"] { scenario.ask(.start, of: name, peer: "phone") }
        #expect(scenario.session(of: "a", peer: "phone")?.state == .awaitingConfiguration)
        #expect(scenario.session(of: "b", peer: "phone")?.state == .retrying)
        scenario.ask(.stop, of: "a", peer: "phone")
        #expect(scenario.session(of: "b", peer: "phone")?.state == .awaitingConfiguration)
    }

    @Test func `a run that is tried again keeps its place`() {
        var scenario = Scenario(.plain { $0.limits.sessions = 1 })
        scenario.configure(Self.data, of: "a")
        scenario.configure(Self.data, of: "b")
        scenario.run(to: 6)
        #expect(scenario.session(of: "a")?.run == 2)
        #expect(scenario.session(of: "b")?.state == .retrying && scenario.session(of: "b")?.run == 0)
    }

    @Test func `an external session takes no place`() {
        var scenario = Scenario(.plain { $0.limits.sessions = 1 })
        scenario.send(2, at: 0, from: "reporter")
        scenario.run(to: 0)
        scenario.configure(Self.data)
        #expect(scenario.commandNames() == ["start 1"])
    }

    @Test func `when everybody comes at once, no second has more starts than may be, and everybody gets one in turn`() {
        let limit = 100
        var scenario = Scenario(.plain { $0.limits.sessionStarts = limit })
        scenario.availabilityOfMany(1000)
        for index in 0..<1000 { scenario.configure(Self.data, of: "n\(index)") }
        scenario.run(to: 30)
        var first: [String: Double] = [:]
        var times: [Double] = []
        for record in scenario.records {
            guard case .command(let command) = record.effect else { continue }
            times.append(scenario.second(record))
            if first[command.accessory] == nil { first[command.accessory] = scenario.second(record) }
        }
        #expect(first.count == 1000)
        for index in times.indices where index + limit < times.count {
            #expect(times[index + limit] - times[index] >= 0.99, "\(index)")
        }
        let order = (0..<1000).compactMap { first["n\($0)"] }
        #expect(order == order.sorted())
        #expect(scenario.violations == [])
    }

    @Test func `one start alone does not wait`() {
        var scenario = Scenario(.plain { $0.limits.sessionStarts = 1 })
        scenario.configure(Self.data)
        #expect(scenario.commandNames() == ["start 1"])
        scenario.configure(Self.data, of: "other")
        #expect(scenario.session(of: "other")?.reason == .waitsForTurn)
        scenario.run(to: 1.1)
        #expect(scenario.commands(of: "other").count == 1)
    }

    @Test func `who waited before a restart waits after it, and nothing is invented`() {
        var scenario = Scenario(.plain { $0.limits.sessions = 1 })
        scenario.configure(Self.data, of: "a")
        scenario.configure(Self.data, of: "b")
        let before = scenario.wholeStory()
        scenario.restart()
        scenario.input(.subscribed)
        #expect(scenario.session(of: "b")?.state == .retrying && scenario.session(of: "b")?.deadline == nil)
        #expect(scenario.wholeStory() == before)
        scenario.ask(.stop, of: "a")
        #expect(scenario.commands(of: "b").count == 1)
    }
}

extension Scenario {
    /// Lets so many accessories be known, all offline.
    fileprivate mutating func availabilityOfMany(_ count: Int) {
        for index in 0..<count { availability(false, of: "n\(index)") }
    }

    /// Seconds on the clock of the scenario.
    fileprivate func second(_ record: Record) -> Double { Double(record.at.nanoseconds) * 1e-9 }
}
