// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyCore

/// The way to proven ranging: `reference/nearby-interaction.md` sections 1.3 and 6.1, CONTRACT sections 2.1 and 5.
@Suite struct `AccessorySession+StateTests` {
    private static let known = SessionInput.configuration(SessionScenario.known, isRetained: false)
    private static let different = SessionInput.configuration(SessionScenario.different, isRetained: false)
    private static let knownRetained = SessionInput.configuration(SessionScenario.known, isRetained: true)
    private static let differentRetained = SessionInput.configuration(SessionScenario.different, isRetained: true)

    /// A session that ranges.
    private func ranging(seed: UInt64 = 1) -> SessionScenario {
        var scenario = SessionScenario(seed: seed)
        scenario.send(Self.known, .range)
        return scenario
    }

    // MARK: The handshake

    @Test func `The handshake goes from initialize to the first valid range`() {
        var scenario = SessionScenario()
        #expect(scenario.send(.availability(isOnline: true)) == ["changed"])
        #expect(scenario.wait(0.5) == [">initialize", "changed"])
        #expect(scenario.send(Self.known) == [">start", "changed"])
        #expect(scenario.session.run == 1 && scenario.session.reason == nil)
        scenario.wait(0.5)
        #expect(scenario.send(.range) == ["started(1)", "changed"])
        #expect(scenario.session.state == .ranging)
        #expect(scenario.violations.isEmpty)
    }

    @Test(arguments: [[], [0], [1], [2], [0, 1, 2, 2]] as [[Int]])
    func `What the accessory says of its start changes nothing`(_ hints: [Int]) {
        var scenario = SessionScenario()
        var words = scenario.send(.start)
        if hints.contains(0) { words += scenario.send(.didStart) }
        words += scenario.send(Self.known)
        if hints.contains(1) { words += scenario.send(.didStart) }
        words += scenario.send(.range)
        for _ in hints.filter({ $0 == 2 }) { words += scenario.send(.didStart) }
        #expect(words == [">initialize", "changed", ">start", "changed", "started(1)", "changed"])
        #expect(scenario.session.state == .ranging && scenario.violations.isEmpty)
    }

    @Test func `The word of the accessory is no proof`() {
        var scenario = SessionScenario()
        scenario.send(Self.known, .didStart)
        #expect(scenario.wait(3) == ["timeout(1,start)", "retry(1/5,rerun)", "changed"])
        #expect(scenario.session.reason == .timeout(.start))
    }

    @Test func `A run knows the interval, the address and the session of its shareable configuration data`() throws {
        let scenario = ranging()
        let parameters = try #require(scenario.shareable.first?.parameters)
        #expect(scenario.session.destination == parameters.destinationAddress)
        #expect(scenario.session.sessionID == parameters.sessionID)
        #expect(scenario.session.interval == .milliseconds(Int64(parameters.timing.interval)))
        #expect(scenario.session.configuration == SessionScenario.known)
    }

    @Test func `Every valid range begins the silence anew`() {
        var scenario = ranging()
        for _ in 0..<20 {
            #expect(scenario.wait(4.9).isEmpty)
            scenario.send(.range)
        }
        #expect(scenario.wait(5).first == "timeout(1,ranging)")
    }

    @Test func `A slow accessory has more time`() {
        var scenario = SessionScenario()
        let slow = AccessoryConfigurationData(
            preferredUpdateRate: .infrequent,
            UWBConfigurationData(layout: .v11, role: .initiator, sourceAddress: ShortAddress(7))
        )
        scenario.send(.configuration(slow, isRetained: false))
        #expect(scenario.session.interval == .milliseconds(774))
        #expect(scenario.remaining == 8 * 0.774)
        scenario.send(.range)
        #expect(scenario.remaining == 12 * 0.774)
    }

    @Test func `Configuration data that cannot be answered ends in invalidated until another comes`() throws {
        let unknown = SessionInput.configuration(try #require(SessionScenario.unknownVersion), isRetained: false)
        var scenario = SessionScenario()
        #expect(scenario.send(unknown) == ["required", "changed"])
        #expect(scenario.session.state == .invalidated && scenario.session.reason == .error(.invalidConfiguration))
        #expect(scenario.send(unknown, unknown).isEmpty)
        #expect(scenario.wait(1000).isEmpty)
        // Asked for by somebody, the same answer says the same again instead of running into a time-out.
        #expect(scenario.send(.start, unknown) == [">initialize", "changed", "required", "changed"])
        #expect(scenario.session.state == .invalidated && scenario.remaining == nil)
        #expect(scenario.send(Self.known) == [">start", "changed"])
        #expect(scenario.violations.isEmpty)
    }

    @Test func `Configuration data that cannot be answered ends the run that went on`() throws {
        let unknown = SessionInput.configuration(try #require(SessionScenario.unknownVersion), isRetained: false)
        var scenario = ranging()
        #expect(
            scenario.send(unknown)
                == ["ended(1,new_configuration)", "left(sessionEnded)", "changed", "required", "changed"]
        )
        #expect(scenario.session.state == .invalidated && scenario.session.run == 1)
        // Inside of the ladder it is the answer to initialize.
        scenario = ranging()
        scenario.context.retry.attempts = 0
        scenario.wait(5 + 4.8 + 2)
        #expect(scenario.session.state == .awaitingConfiguration)
        #expect(
            scenario.send(unknown)
                == ["invalidated(-5888,recoverable)", "left(sessionEnded)", "required", "changed"]
        )
    }

    // MARK: Configuration data again

    @Test func `Identical configuration data does not restart a live run`() {
        var scenario = ranging()
        #expect(scenario.send(Self.known, Self.knownRetained, Self.known).isEmpty)
        #expect(scenario.session.run == 1)
        scenario.wait(5)
        #expect(scenario.session.state == .silent)
        #expect(scenario.send(Self.known, Self.knownRetained).isEmpty)
    }

    @Test func `Different configuration data ends a live run and begins another`() {
        var scenario = ranging()
        let words = ["ended(1,new_configuration)", "left(sessionEnded)", "changed", ">start", "changed"]
        #expect(scenario.send(Self.different) == words)
        #expect(scenario.session.run == 2 && scenario.session.state == .starting)
        #expect(scenario.send(.range) == ["started(2)", "changed"])
        #expect(scenario.send(Self.known).first == "ended(2,new_configuration)")
        #expect(scenario.violations.isEmpty)
    }

    @Test func `Different configuration data does not reset the count of attempts`() {
        var scenario = ranging()
        scenario.wait(5 + 1.2 + 3)
        #expect(scenario.session.attempt == 2)
        scenario.send(Self.different)
        #expect(scenario.session.attempt == 2)
        #expect(scenario.wait(3) == ["timeout(3,start)", "retry(3/5,rerun)", "changed"])
    }

    @Test(arguments: [AccessorySessionTests.Start.ended, .invalidated])
    func `An accessory that speaks begins a session that was over, with a new count`(
        _ start: AccessorySessionTests.Start
    ) {
        var scenario = start.scenario
        scenario.session.attempt = 5
        #expect(scenario.send(Self.known) == [">start", "changed"])
        #expect(scenario.wait(3) == ["timeout(2,start)", "retry(1/5,rerun)", "changed"])
    }

    // MARK: Retained configuration data

    @Test func `Retained configuration data that is known does nothing`() {
        for start in AccessorySessionTests.Start.allCases where start.scenario.session.configuration != nil {
            var scenario = start.scenario
            #expect(scenario.send(Self.knownRetained).isEmpty, "\(start)")
        }
    }

    @Test func `Retained configuration data that is new starts once, without the ladder`() {
        var scenario = SessionScenario()
        #expect(scenario.send(Self.knownRetained) == [">start", "changed"])
        #expect(
            scenario.wait(1000)
                == ["timeout(1,start)", ">stop", "ended(1,timeout_start)", "left(sessionEnded)", "changed"]
        )
        #expect(scenario.send(Self.differentRetained) == [">start", "changed"])
        // A proof makes it a run like any other.
        #expect(scenario.send(.range) == ["started(2)", "changed"])
        #expect(scenario.wait(5) == ["timeout(2,ranging)", "retry(1/5,rerun)", "changed"])
    }

    @Test(arguments: [true, false])
    func `Retained configuration data of an accessory that is online climbs the ladder`(_ isOnlineFirst: Bool) {
        var scenario = SessionScenario()
        // A broker delivers what it kept in any order.
        if isOnlineFirst {
            scenario.send(.availability(isOnline: true), Self.knownRetained)
        } else {
            scenario.send(Self.knownRetained, .availability(isOnline: true))
        }
        #expect(scenario.session.state == .starting)
        #expect(scenario.wait(3) == ["timeout(1,start)", "retry(1/5,rerun)", "changed"])
    }

    @Test func `Retained configuration data of an accessory that is offline starts once`() {
        var scenario = SessionScenario()
        scenario.send(.availability(isOnline: false), Self.knownRetained)
        #expect(scenario.wait(3).dropFirst() == [">stop", "ended(1,timeout_start)", "left(sessionEnded)", "changed"])
    }

    // MARK: Availability

    @Test func `An accessory that goes offline has a grace, then its run is over and its zones stay`() {
        var scenario = ranging()
        scenario.send(.availability(isOnline: true), .availability(isOnline: false))
        for _ in 0..<4 {
            #expect(scenario.wait(1).isEmpty)
            scenario.send(.range, .availability(isOnline: false))
        }
        #expect(scenario.wait(1) == ["ended(1,accessory_offline)", "changed"])
        #expect(scenario.session.state == .ended && scenario.remaining == nil)
        #expect(!scenario.outputs.contains { $0 == .leaveZones(.sessionEnded) })
        #expect(scenario.send(.availability(isOnline: true)) == ["changed"])
        #expect(scenario.wait(0.5) == [">initialize", "changed"])
    }

    @Test func `An accessory that sends its configuration data when it comes online is not asked for it`() {
        for data in [Self.known, Self.different] {
            var scenario = ranging()
            scenario.send(.availability(isOnline: false))
            scenario.wait(10)
            #expect(scenario.send(.availability(isOnline: true), .didStop, data) == ["changed", ">start", "changed"])
            #expect(scenario.send(.range) == ["started(2)", "changed"])
        }
    }

    @Test func `An accessory that comes back within the grace ranges on`() {
        var scenario = ranging()
        scenario.send(.availability(isOnline: false))
        scenario.wait(4.9)
        #expect(scenario.send(.range, .availability(isOnline: true)).isEmpty)
        #expect(scenario.wait(4.9).isEmpty)
        #expect(scenario.session.state == .ranging)
        // Its firmware may have forgotten the session with the link: the cached configuration is not used again.
        #expect(scenario.wait(0.1) == ["timeout(1,ranging)", "retry(4/5,reinitialize)", "changed"])
    }

    @Test func `An accessory that comes back and sends its configuration data again can be started with it`() {
        var scenario = ranging()
        scenario.send(.availability(isOnline: false), .availability(isOnline: true), Self.known)
        #expect(scenario.wait(5) == ["timeout(1,ranging)", "retry(1/5,rerun)", "changed"])
    }

    @Test func `An accessory that speaks during the grace is not cut off at its end`() {
        var scenario = ranging()
        scenario.send(.availability(isOnline: false))
        scenario.wait(4)
        #expect(scenario.send(Self.different).last == "changed")
        scenario.send(.range)
        #expect(scenario.wait(4).isEmpty)
        #expect(scenario.session.state == .ranging)
    }

    @Test func `Availability that is only said again does nothing`() {
        var scenario = SessionScenario()
        scenario.send(.availability(isOnline: true), Self.known)
        scenario.context.retry.attempts = 0
        scenario.wait(60)
        #expect(scenario.session.state == .ended && scenario.session.reason == .retriesExhausted)
        #expect(scenario.send(.availability(isOnline: true)).isEmpty)
    }

    // MARK: External sessions

    @Test func `Reports without a handshake make a session external, whatever availability says`() {
        var scenario = SessionScenario()
        #expect(scenario.send(.range, .availability(isOnline: true), .range) == ["changed"])
        #expect(scenario.session.state == .external)
        scenario = SessionScenario()
        #expect(scenario.send(.availability(isOnline: true)) == ["changed"])
        #expect(scenario.wait(4.5) == [">initialize", "changed"])
        #expect(scenario.send(.range).isEmpty)
        #expect(scenario.wait(60) == ["changed"])
        #expect(scenario.session.state == .external && scenario.session.reason == nil)
        #expect(scenario.send(Self.known) == [">start", "changed"])
        #expect(scenario.violations.isEmpty)
    }

    @Test func `Reports that stopped with initialize do not excuse the answer`() {
        var scenario = SessionScenario()
        scenario.send(.availability(isOnline: true))
        scenario.wait(0.5)
        scenario.send(.range)
        #expect(scenario.wait(5) == ["timeout(0,configuration)", "retry(4/5,reinitialize)", "changed"])
        // There is no run that a range could revive.
        #expect(scenario.send(.range) == ["changed"])
        #expect(scenario.session.state == .external)
    }

    @Test(arguments: [SessionInput.stop, .didStop, .signal(.ended), .invalidate(code: -5888)])
    func `What a run has on its way when it ends does not make the session external`(_ end: SessionInput) {
        var scenario = ranging()
        scenario.send(end)
        let state = scenario.session.state
        scenario.wait(1.9)
        #expect(scenario.send(.range).isEmpty)
        #expect(scenario.session.state == state)
        scenario.wait(0.1)
        #expect(scenario.send(.range) == ["changed"])
        #expect(scenario.session.state == .external)
    }

    // MARK: Blindness

    @Test(arguments: AccessorySessionTests.Start.allCases)
    func `Sight begins every deadline anew, in full, and starts nothing`(_ start: AccessorySessionTests.Start) throws {
        var scenario = start.scenario
        let entered = scenario.remaining
        scenario.wait((entered ?? 1) * 0.75)
        let before = scenario.session
        #expect(scenario.send(.sighted).isEmpty)
        #expect(scenario.session.state == before.state && scenario.session.run == before.run)
        guard let entered else { return #expect(scenario.remaining == nil) }
        let remaining = try #require(scenario.remaining)
        #expect(start == .retrying || start == .silent ? 0.8...1.2 ~= remaining : remaining == entered)
    }

    @Test func `Sight begins the grace and the quiet starts anew too`() {
        var scenario = ranging()
        scenario.send(.availability(isOnline: false))
        scenario.wait(4)
        scenario.send(.sighted, .range)
        #expect(scenario.wait(4.9).isEmpty)
        #expect(scenario.wait(0.1) == ["ended(1,accessory_offline)", "changed"])

        scenario = ranging()
        scenario.send(.availability(isOnline: true))
        scenario.wait(60)
        #expect(scenario.session.state == .ended)
        scenario.send(.sighted)
        // By chance anew, so that a thousand accessories do not all begin when we see again.
        #expect(scenario.remaining.map { (48...72).contains($0) } == true)
    }
}
