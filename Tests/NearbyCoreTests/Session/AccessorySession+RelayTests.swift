// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyCore

/// Runs whose shareable configuration data a phone makes: CONTRACT sections 2.1 and 6.
@Suite struct `AccessorySession+RelayTests` {
    private static let known = SessionInput.configuration(SessionScenario.known, isRetained: false)

    private func relayed() -> SessionScenario {
        var scenario = SessionScenario()
        scenario.context.isRelayed = true
        return scenario
    }

    /// A capture of a real phone.
    private func captured(_ text: String) throws -> ShareableConfigurationData {
        try .decode(AccessoryFixtures.bytes(text).span)
    }

    @Test(arguments: AccessoryFixtures.shareable)
    func `what the phone gave goes to the accessory bit for bit, and the first range proves it`(_ text: String) throws {
        var scenario = relayed()
        #expect(scenario.send(Self.known) == [">ask", "changed"])
        #expect(scenario.session.state == .configuring && scenario.session.run == 1)
        let data = try captured(text)
        #expect(scenario.send(.shareable(data)) == [">start", "changed"])
        #expect(scenario.shareable.map(\.encoded) == [AccessoryFixtures.bytes(text)])
        #expect(scenario.session.destination == data.parameters?.destinationAddress)
        #expect(scenario.session.interval == .milliseconds(Int64(data.parameters?.timing.interval ?? 0)))
        #expect(scenario.send(.range) == ["started(1)", "changed"])
        #expect(scenario.violations == [])
    }

    @Test func `an accessory of a version that nobody knows is the phone's to understand`() throws {
        var scenario = relayed()
        let unknown = try #require(SessionScenario.unknownVersion)
        #expect(scenario.send(.configuration(unknown, isRetained: false)) == [">ask", "changed"])
        #expect(scenario.send(.shareable(try captured(AccessoryFixtures.s1))) == [">start", "changed"])
    }

    @Test func `a phone that gives nothing is a time-out of its own stage, and is asked again`() throws {
        var scenario = relayed()
        scenario.send(Self.known)
        #expect(scenario.waitForDeadline() == ["timeout(1,shareable)", "retry(1/5,rerun)", "changed"])
        #expect(scenario.session.reason == .timeout(.shareable))
        #expect(scenario.waitForDeadline() == [">ask", "changed"])
        #expect(scenario.session.run == 2)
        scenario.send(.shareable(try captured(AccessoryFixtures.s2)), .range)
        #expect(scenario.session.state == .ranging && scenario.session.attempt == 0)
    }

    @Test func `the ladder has the same rungs as ever`() {
        var scenario = relayed()
        scenario.send(Self.known)
        var words: [String] = []
        for _ in 0..<12 { words += scenario.waitForDeadline().filter { $0 != "changed" } }
        #expect(
            words == [
                "timeout(1,shareable)", "retry(1/5,rerun)", ">ask", "timeout(2,shareable)", "retry(2/5,rerun)", ">ask",
                "timeout(3,shareable)", "retry(3/5,rerun)", ">ask", "timeout(4,shareable)", "retry(4/5,reinitialize)",
                ">stop", ">initialize", "timeout(4,configuration)", "retry(5/5,newSession)", ">stop", ">initialize",
            ]
        )
    }

    @Test func `what no run awaits does nothing, nor does the data of an earlier run`() throws {
        var scenario = relayed()
        let first = try captured(AccessoryFixtures.s1)
        #expect(scenario.send(.shareable(first)) == [])
        scenario.send(Self.known, .shareable(first))
        #expect(scenario.send(.shareable(try captured(AccessoryFixtures.s2))) == [])
        scenario.waitForDeadline()
        #expect(scenario.send(.shareable(first)) == [])
        scenario.waitForDeadline()
        #expect(scenario.session.state == .configuring)
        #expect(scenario.send(.shareable(first)) == [])
        #expect(scenario.send(.shareable(try captured(AccessoryFixtures.s2))) == [">start", "changed"])
    }

    @Test func `a run that was believed lost goes on though the phone is silent`() throws {
        var scenario = relayed()
        scenario.send(Self.known, .shareable(try captured(AccessoryFixtures.s1)), .range)
        scenario.waitForDeadline()
        scenario.waitForDeadline()
        #expect(scenario.session.state == .configuring)
        scenario.wait(4)
        scenario.send(.range)
        #expect(scenario.waitForDeadline() == ["changed"])
        #expect(scenario.session.state == .ranging && scenario.session.attempt == 0)
    }

    @Test func `ranging that nobody here began needs no phone`() {
        var scenario = relayed()
        scenario.send(Self.known)
        scenario.wait(4)
        scenario.send(.range)
        #expect(scenario.waitForDeadline() == ["changed"])
        #expect(scenario.session.state == .external)
    }

    @Test func `an accessory that stops while the phone is asked is left in peace`() {
        var scenario = relayed()
        scenario.send(Self.known)
        #expect(scenario.send(.didStop) == ["ended(1,accessory_stopped)", "left(sessionEnded)", "changed"])
        #expect(scenario.wait(100) == [])
    }

    @Test func `after a restart the phone's answer is still awaited, in full once we see`() throws {
        var scenario = relayed()
        scenario.session.restore(
            RestoredSession(state: .configuring, run: 3, configuration: SessionScenario.known.encoded),
            at: scenario.now
        )
        scenario.send(.sighted)
        #expect(scenario.session.state == .configuring && scenario.remaining == 5)
        #expect(scenario.send(.shareable(try captured(AccessoryFixtures.s3))) == [">start", "changed"])
        #expect(scenario.session.run == 3)
    }
}
