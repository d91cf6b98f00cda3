// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyCore

@Suite struct BridgeEngineSessionsTests {
    static let data = AccessoryFixtures.bytes(AccessoryFixtures.a1)

    /// A lamp with a proved run and one peer, or none, inside both zones since second 0.
    static func ranging(_ options: EngineOptions = .plain(), peer: String? = nil) -> Scenario {
        var scenario = Scenario(options)
        scenario.configure(data)
        scenario.stay(at: 1, from: 0, to: 2, peer: peer)
        scenario.run(to: 2)
        return scenario
    }

    private let enters = ["- started 1", "- enter near", "- enter immediate"]

    // MARK: Configuration in, command out

    @Test(arguments: [
        (data, true),
        ([1] + data, true),
        (Array(AccessoryFixtures.a1.utf8), false),
        (Array(AccessoryFixtures.base64(data).utf8), false),
        (Array(#"{"data":"\#(AccessoryFixtures.a1)"}"#.utf8), false),
    ])
    func `configuration data in any spelling is answered at once and alike`(_ payload: [UInt8], _ isBinary: Bool) {
        var scenario = Scenario(.plain())
        scenario.configure(payload)
        #expect(scenario.commandNames() == ["start 1"])
        #expect(scenario.commands().map(\.isBinary) == [isBinary])
        #expect(scenario.session()?.state == .starting)
        #expect(scenario.session()?.configuration?.encoded == Self.data)
        #expect(scenario.violations == [])
    }

    @Test func `configuration data as a message is answered in bytes`() {
        var scenario = Scenario(.plain())
        scenario.message([1] + Self.data)
        #expect(scenario.commandNames() == ["start 1"])
        #expect(scenario.commands().map(\.isBinary) == [true])
    }

    @Test func `configuration data that was cut is rejected, and clearing a retained one is no fault`() {
        var scenario = Scenario(.plain())
        scenario.configure([])
        #expect(scenario.wholeStory() == [])
        scenario.configure(Array(Self.data.prefix(20)))
        #expect(scenario.wholeStory() == ["- rejected"])
        #expect(scenario.commands() == [])
        #expect(scenario.engine.counters.malformedMessages == 1)
    }

    // MARK: Ends

    @Test func `the cause comes before the exits, inner before outer, the peer before the aggregate`() {
        var scenario = Self.ranging(peer: "alice")
        let before = scenario.wholeStory().count
        scenario.message([3])
        #expect(
            Array(scenario.wholeStory().dropFirst(before)) == [
                "- ended 1 accessory_stopped", "alice exit immediate sessionEnded", "alice exit near sessionEnded",
                "- exit immediate sessionEnded", "- exit near sessionEnded",
            ]
        )
        #expect(scenario.retained()?.zone == "unknown")
        #expect(scenario.retained()?.distance == nil)
        #expect(scenario.retained()?.session == .ended)
        #expect(scenario.violations == [])
    }

    @Test func `while suspended reports are dropped and counted, and a resume is a full start`() {
        var scenario = Self.ranging()
        scenario.ask(.suspend)
        #expect(
            scenario.wholeStory()
                == enters + ["- suspended requested", "- exit immediate suspended", "- exit near suspended"]
        )
        scenario.stay(at: 1, from: 2.1, to: 3.1)
        scenario.run(to: 3.2)
        #expect(scenario.engine.counters.suspended == 10)
        #expect(scenario.retained()?.distance == nil)
        #expect(scenario.retained()?.zone == "unknown")
        scenario.ask(.resume)
        #expect(scenario.commandNames() == ["start 1", "stop", "initialize"])
        scenario.configure(Self.data)
        scenario.stay(at: 1, from: 3.3, to: 4)
        scenario.run(to: 4)
        #expect(scenario.wholeStory().suffix(3) == ["- started 2", "- enter near", "- enter immediate"])
        #expect(scenario.violations == [])
    }

    @Test func `what was under way when a run ended makes no new stay, what comes later is run elsewhere`() {
        var scenario = Self.ranging()
        scenario.ask(.stop)
        scenario.stay(at: 1, from: 2.1, to: 3.1)
        scenario.run(to: 3.5)
        #expect(
            scenario.wholeStory()
                == enters + ["- ended 1 requested", "- exit immediate sessionEnded", "- exit near sessionEnded"]
        )
        #expect(scenario.engine.counters.oldRun == 10)
        #expect(scenario.session()?.state == .ended)
        scenario.send(1, at: 4.5)
        scenario.run(to: 4.5)
        #expect(scenario.session()?.state == .external)
        #expect(scenario.violations == [])
    }

    @Test func `a report of an old run proves nothing`() {
        var scenario = Self.ranging()
        scenario.ask(.stop)
        scenario.ask(.start)
        // What was stopped wants to be asked for its configuration anew.
        scenario.configure(Self.data)
        #expect(scenario.session()?.run == 2)
        scenario.send(1, at: 2.1, fields: #","run":1"#)
        scenario.run(to: 2.1)
        #expect(scenario.session()?.state == .starting)
        #expect(scenario.engine.counters.oldRun == 1)
        scenario.send(1, at: 2.2, fields: #","run":2"#)
        scenario.run(to: 2.2)
        #expect(scenario.session()?.state == .ranging)
    }

    @Test func `an accessory without configuration data is external, or refused where a session is required`() {
        var free = Scenario(.plain())
        free.send(1, at: 0)
        free.run(to: 0)
        #expect(free.session()?.state == .external)
        #expect(free.commands() == [])
        var strict = Scenario(.plain { $0.session.isRequired = true })
        strict.stay(at: 1, from: 0, to: 1)
        strict.run(to: 1)
        #expect(strict.engine.counters.outsideSession == 10)
        #expect(strict.wholeStory() == [])
        strict.configure(Self.data)
        strict.stay(at: 1, from: 1, to: 2)
        strict.run(to: 2)
        #expect(strict.wholeStory() == enters)
    }

    @Test func `silence climbs the ladder with new key material each time, and ends`() {
        var scenario = Self.ranging()
        scenario.run(to: 200)
        #expect(
            scenario.wholeStory().filter { !$0.contains("exit") } == enters + [
                "- timeout 1 ranging", "- retry 1 rerun", "- timeout 2 start", "- retry 2 rerun", "- timeout 3 start",
                "- retry 3 rerun", "- timeout 4 start", "- retry 4 reinitialize", "- timeout 4 configuration",
                "- retry 5 newSession", "- timeout 4 configuration", "- ended 4 retries_exhausted",
            ]
        )
        let vectors = scenario.shareables().compactMap { $0.parameters?.stsIV.bytes }
        #expect(vectors.count == 4)
        #expect(Set(vectors).count == 4)
        #expect(scenario.violations == [])
    }

    @Test func `offline ends the run after its grace and leaves the zones to lost_after`() {
        var scenario = Self.ranging(.plain { $0.session.timeouts.silence = .seconds(60) })
        scenario.availability(false)
        scenario.run(to: 6.9)
        #expect(scenario.wholeStory() == enters)
        scenario.run(to: 7.1)
        #expect(scenario.wholeStory() == enters + ["- ended 1 accessory_offline"])
        scenario.run(to: 12)
        #expect(scenario.wholeStory().suffix(2) == ["- exit immediate lost", "- exit near lost"])
        scenario.availability(true)
        scenario.run(to: 13)
        #expect(scenario.commandNames() == ["start 1", "initialize"])
        #expect(scenario.violations == [])
    }

    @Test func `an accessory that is back within its grace goes on`() {
        var scenario = Self.ranging()
        scenario.availability(false)
        scenario.stay(at: 1, from: 2, to: 30)
        scenario.run(to: 4)
        scenario.availability(true)
        scenario.run(to: 29.5)
        #expect(scenario.wholeStory() == enters)
        #expect(scenario.commandNames() == ["start 1"])
    }
}
