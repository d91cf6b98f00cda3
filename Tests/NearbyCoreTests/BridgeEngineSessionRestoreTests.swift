// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyCore

@Suite struct BridgeEngineSessionRestoreTests {
    private static let data = BridgeEngineSessionsTests.data
    private static let other = AccessoryFixtures.bytes(AccessoryFixtures.a1, 33, 0x12)
    private let before = ["- started 1", "- enter near", "- enter immediate"]

    private func restarted(
        _ change: (inout Scenario) -> Void = { _ in }
    ) -> Scenario {
        var scenario = BridgeEngineSessionsTests.ranging()
        change(&scenario)
        scenario.restart()
        scenario.subscribe()
        return scenario
    }

    @Test func `after blindness every deadline of a session begins anew, in full`() {
        var scenario = BridgeEngineSessionsTests.ranging()
        scenario.disconnect()
        scenario.run(to: 60)
        scenario.subscribe()
        scenario.run(to: 64.9)
        #expect(scenario.wholeStory() == before)
        scenario.run(to: 65.1)
        #expect(scenario.wholeStory() == before + ["- timeout 1 ranging", "- retry 1 rerun"])
        #expect(scenario.violations == [])
    }

    @Test func `a ranging session goes on after a restart without a word`() {
        var scenario = restarted()
        scenario.stay(at: 1, from: 2.1, to: 30)
        scenario.run(to: 29.9)
        #expect(scenario.wholeStory() == before)
        #expect(scenario.commandNames() == ["start 1"])
        #expect(scenario.session()?.state == .ranging)
        #expect(scenario.violations == [])
    }

    @Test func `a ranging session that does not go on climbs the ladder, and is spoken to as before`() {
        var scenario = restarted()
        scenario.run(to: 8.9)
        #expect(scenario.wholeStory() == before + ["- timeout 1 ranging", "- retry 1 rerun"])
        #expect(scenario.commandNames() == ["start 1", "start 2"])
        #expect(scenario.commands().map(\.isBinary) == [true, true])
    }

    @Test func `a slow session is not taken for silent after a restart`() {
        var scenario = Scenario(.plain())
        // Infrequent: 770 ms, so twelve intervals are more than the five seconds of the default.
        scenario.configure(AccessoryFixtures.bytes(AccessoryFixtures.a1, 4, 10))
        scenario.send(1, at: 0.1)
        scenario.run(to: 0.1)
        scenario.restart()
        scenario.subscribe()
        scenario.run(to: 9)
        #expect(scenario.session()?.state == .ranging)
        scenario.run(to: 10)
        #expect(scenario.session()?.state == .silent)
    }

    @Test func `a run that was not proved before a restart is proved after it`() {
        var scenario = Scenario(.plain())
        scenario.configure(Self.data)
        scenario.restart()
        scenario.subscribe()
        scenario.send(5, at: 0.1)
        scenario.run(to: 0.1)
        #expect(scenario.wholeStory() == ["- started 1"])
    }

    @Test func `an external session stays external after a restart`() {
        var scenario = Scenario(.plain())
        scenario.send(5, at: 0.1)
        scenario.run(to: 0.1)
        scenario.restart()
        scenario.subscribe()
        #expect(scenario.session()?.state == .external)
        #expect(scenario.commands() == [])
    }

    @Test func `retained configuration data that is known does nothing, even after a run has ended`() {
        var scenario = restarted { $0.ask(.stop) }
        scenario.configure(Self.data, isRetained: true)
        scenario.run(to: 100)
        #expect(scenario.session()?.state == .ended)
        #expect(scenario.commandNames() == ["start 1", "stop"])
    }

    @Test(arguments: [false, true])
    func `retained configuration data that is new starts one run, and climbs only if online`(_ isOnline: Bool) {
        var scenario = restarted { $0.ask(.stop) }
        scenario.configure(Self.other, isRetained: true)
        // The broker may tell the retained availability after it.
        if isOnline { scenario.availability(true) }
        scenario.run(to: 6)
        let retries = scenario.wholeStory().filter { $0.contains("retry") }
        #expect(retries == (isOnline ? ["- retry 1 rerun"] : []))
        if !isOnline { #expect(scenario.session()?.state == .ended) }
    }

    // MARK: Many at once

    @Test func `a thousand accessories are answered at once, and those that stay silent are tried again spread out`()
        throws
    {
        var generator = SeededGenerator(seed: 1)
        var engine = BridgeEngine(options: .plain { $0.limits.sessionStarts = 10_000 }, using: &generator)
        var effects = EffectBuffer()
        engine.handle(.subscribed, at: Instant(nanoseconds: 0), into: &effects)
        for number in 0..<1000 {
            let name = Array("a\(number)".utf8)
            let now = Instant(nanoseconds: Int64(number) * 1_000_000)
            let accessory = try #require(engine.accessory(name.span, at: now, into: &effects))
            engine.handle(.configuration(Self.data, of: accessory, isRetained: false), at: now, into: &effects)
        }
        var vectors: Set<[UInt8]> = []
        for case .command(let command) in effects.effects {
            guard case .configureAndStart(let data) = command.command else { continue }
            vectors.insert(data.parameters?.stsIV.bytes ?? [])
        }
        #expect(vectors.count == 1000)
        // Three to four seconds later all give up waiting; what follows is spread over a second and more.
        var buckets: [Int64: Int] = [:]
        var turns = 0
        let end = Instant(nanoseconds: 6_000_000_000)
        while let due = engine.nextDeadline, due <= end {
            turns += 1
            try #require(turns < 10_000)
            effects.removeAll()
            engine.advance(to: due, into: &effects)
            for case .command(let command) in effects.effects where command.run == 2 {
                buckets[due.nanoseconds / 100_000_000, default: 0] += 1
            }
        }
        // One turn for the time-out and one for the retry of each, at most.
        #expect(turns <= 2000)
        #expect(buckets.values.reduce(0, +) == 1000)
        #expect(buckets.values.allSatisfy { $0 < 667 }, "\(buckets)")
    }

    @Test func `retries whose time came while we were blind do not all happen when we see again`() {
        var scenario = Scenario(.plain(), isSubscribed: false)
        scenario.subscribe()
        for number in 0..<60 { scenario.configure(Self.data, of: "a\(number)") }
        scenario.run(to: 3.2)
        scenario.disconnect()
        scenario.run(to: 60)
        let count = scenario.commands(of: nil).count
        scenario.subscribe()
        scenario.run(to: 60.5)
        #expect(scenario.commands(of: nil).count == count)
        scenario.run(to: 61.3)
        #expect(scenario.commands(of: nil).count == count + 60)
    }
}
