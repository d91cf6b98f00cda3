// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyCore

/// Time-outs, the ladder and the ends: `reference/nearby-interaction.md` sections 5, 6.1 and 6.2, CONTRACT section 6.
@Suite struct `AccessorySession+EndsTests` {
    private static let known = SessionInput.configuration(SessionScenario.known, isRetained: false)
    private static let different = SessionInput.configuration(SessionScenario.different, isRetained: false)

    /// A session that ranges.
    private func ranging(seed: UInt64 = 1, isOnline: Bool? = nil) -> SessionScenario {
        var scenario = SessionScenario(seed: seed)
        scenario.send(Self.known, .range)
        if let isOnline { scenario.send(.availability(isOnline: isOnline)) }
        return scenario
    }

    /// A session whose ladder has ended.
    private func exhausted(isOnline: Bool?) -> SessionScenario {
        var scenario = ranging(isOnline: isOnline)
        while scenario.session.state != .ended { scenario.waitForDeadline() }
        return scenario
    }

    // MARK: The ladder

    @Test(arguments: UInt64(1)...20)
    func `The ladder has five attempts, and then it ends`(seed: UInt64) throws {
        var scenario = ranging(seed: seed)
        #expect(scenario.wait(5) == ["timeout(1,ranging)", "retry(1/5,rerun)", "changed"])
        for (attempt, seconds) in [(1, 1.0), (2, 2), (3, 4)] {
            let delay = try #require(scenario.remaining)
            #expect(seconds * 0.8...seconds * 1.2 ~= delay)
            #expect(scenario.session.state == (attempt == 1 ? .silent : .retrying))
            #expect(scenario.session.attempt == attempt)
            #expect(scenario.waitForDeadline() == [">start", "changed"])
            #expect(scenario.session.run == Int64(attempt) + 1 && scenario.remaining == 3)
            let rung = attempt < 3 ? "rerun" : "reinitialize"
            let words = ["timeout(\(attempt + 1),start)", "retry(\(attempt + 1)/5,\(rung))", "changed"]
            #expect(scenario.waitForDeadline() == words)
        }
        #expect(4 * 0.8...4 * 1.2 ~= (scenario.remaining ?? 0))
        #expect(scenario.waitForDeadline() == [">stop", "changed"])
        #expect(scenario.remaining == 2)
        // Never acknowledged, so the wait is bounded.
        #expect(scenario.waitForDeadline() == [">initialize", "changed"])
        #expect(scenario.remaining == 5)
        #expect(scenario.send(Self.different) == [">start", "changed"])
        #expect(scenario.waitForDeadline() == ["timeout(5,start)", "retry(5/5,newSession)", "changed"])
        #expect(4 * 0.8...4 * 1.2 ~= (scenario.remaining ?? 0))
        #expect(scenario.waitForDeadline() == [">stop", "changed"])
        #expect(scenario.session.destination == nil && scenario.session.sessionID == nil)
        #expect(scenario.send(.didStop) == [">initialize", "changed"])
        #expect(
            scenario.waitForDeadline()
                == [
                    "timeout(5,configuration)", ">stop", "ended(5,retries_exhausted)", "left(sessionEnded)", "changed",
                ]
        )
        #expect(scenario.session.attempt == 5 && scenario.remaining == nil)
        #expect(scenario.violations.isEmpty)
    }

    @Test func `The wait that is told is the wait that is kept, and differs from accessory to accessory`() throws {
        var delays: Set<Duration> = []
        for seed in UInt64(1)...10 {
            var scenario = ranging(seed: seed)
            scenario.wait(5)
            for output in scenario.outputs {
                guard case .event(.retry(_, _, let delay, _)) = output else { continue }
                delays.insert(delay)
                #expect(scenario.remaining.map { abs($0 - delay / .seconds(1)) < 1e-6 } == true)
            }
        }
        #expect(delays.count == 10)
    }

    @Test func `Every run has shareable configuration data of its own`() {
        var scenario = exhausted(isOnline: nil)
        for _ in 0..<3 {
            scenario.send(.start)
            while scenario.session.state != .ended {
                if scenario.session.state == .awaitingConfiguration { scenario.send(Self.known) }
                scenario.waitForDeadline()
            }
        }
        let parameters = scenario.shareable.compactMap(\.parameters)
        #expect(parameters.count == Int(scenario.session.run) && parameters.count > 10)
        #expect(Set(parameters.map(\.sessionID)).count == parameters.count)
        #expect(Set(parameters.map(\.stsIV)).count == parameters.count)
        #expect(Set(parameters.map(\.destinationAddress)).count == parameters.count)
    }

    @Test func `Only a valid range resets the count`() {
        var scenario = ranging()
        scenario.wait(5 + 1.2 + 3)
        #expect(scenario.session.attempt == 2)
        scenario.send(.didStart, Self.known, .availability(isOnline: true), .sighted, .start)
        #expect(scenario.session.attempt == 2)
        #expect(scenario.waitForDeadline() == [">start", "changed"])
        #expect(scenario.send(.range) == ["started(3)", "changed"])
        #expect(scenario.session.attempt == 0)
        #expect(scenario.wait(5) == ["timeout(3,ranging)", "retry(1/5,rerun)", "changed"])
    }

    @Test func `A late valid range revives the run that was believed lost`() {
        var scenario = ranging()
        scenario.wait(5)
        #expect(scenario.send(.range) == ["changed"])
        #expect(scenario.session.state == .ranging && scenario.session.run == 1 && scenario.session.attempt == 0)
        #expect(scenario.remaining == 5)
        // A run that was never proved is proved by it.
        scenario = SessionScenario()
        scenario.send(Self.known)
        scenario.wait(3)
        #expect(scenario.send(.range) == ["started(1)", "changed"])
        #expect(scenario.session.state == .ranging)
    }

    @Test func `After didStop during a retry the cached configuration is not used`() {
        var scenario = ranging(isOnline: true)
        scenario.wait(5)
        #expect(scenario.send(.didStop) == ["ended(1,accessory_stopped)", "left(sessionEnded)", "changed"])
        #expect(scenario.wait(1000).isEmpty)
        #expect(scenario.send(.start) == [">initialize", "changed"])
        #expect(scenario.wait(5) == ["timeout(1,configuration)", "retry(4/5,reinitialize)", "changed"])
        #expect(scenario.shareable.count == 1)
    }

    @Test func `An accessory that goes offline during a retry is not run again with the cached configuration`() {
        var scenario = ranging()
        scenario.wait(5)
        scenario.send(.availability(isOnline: false), .availability(isOnline: true))
        #expect(scenario.wait(1.2) == [">stop", "changed"])
    }

    @Test func `An answer to initialize that comes too late is not asked for again`() {
        var scenario = SessionScenario()
        scenario.send(.start)
        scenario.wait(5)
        #expect(scenario.session.state == .retrying)
        #expect(scenario.send(Self.known) == [">start", "changed"])
        #expect(scenario.session.attempt == 4)
    }

    @Test func `Configuration data that was on its way before the stop is no answer to initialize`() {
        var scenario = AccessorySessionTests.Start.stopping.scenario
        #expect(scenario.send(Self.known).isEmpty)
        #expect(scenario.send(.didStop) == [">initialize", "changed"])
        #expect(scenario.send(Self.known) == [">start", "changed"])
    }

    // MARK: After the ladder

    @Test func `While it is online, an accessory is started quietly from time to time`() {
        var scenario = exhausted(isOnline: true)
        for _ in 0..<5 {
            #expect(scenario.remaining == 60)
            #expect(scenario.waitForDeadline() == [">initialize", "changed"])
            #expect(scenario.waitForDeadline() == [">stop", "changed"])
            #expect(scenario.session.state == .ended && scenario.session.reason == .timeout(.configuration))
        }
        // It answers, but starts nothing, says that it stopped, or has what nobody understands.
        scenario.waitForDeadline()
        #expect(scenario.send(Self.known) == [">start", "changed"])
        #expect(scenario.waitForDeadline() == [">stop", "changed"])
        // The stop made the cached configuration useless.
        #expect(scenario.waitForDeadline() == [">initialize", "changed"])
        #expect(scenario.send(Self.known) == [">start", "changed"])
        scenario.wait(1)
        #expect(scenario.send(.didStop) == ["changed"])
        #expect(scenario.remaining == 60 && scenario.session.reason == .accessoryStopped)
        scenario.waitForDeadline()
        scenario.send(Self.known)
        #expect(scenario.send(.invalidate(code: -5885)) == [">stop", "changed"])
        #expect(scenario.remaining == 60 && scenario.session.reason == .error(.activeSessionsLimitExceeded))
        scenario.waitForDeadline()
        if let unknown = SessionScenario.unknownVersion {
            #expect(scenario.send(.configuration(unknown, isRetained: false)) == ["changed"])
        }
        #expect(scenario.session.state == .invalidated && scenario.violations.isEmpty)
    }

    @Test func `A quiet start that is proved is told like any other`() {
        var scenario = exhausted(isOnline: true)
        scenario.waitForDeadline()
        scenario.send(Self.known)
        #expect(scenario.send(.range).first == "started(\(scenario.session.run))")
        #expect(scenario.wait(5).first == "timeout(\(scenario.session.run),ranging)")
    }

    @Test func `Somebody who waits for it makes a quiet start loud`() {
        var scenario = exhausted(isOnline: true)
        scenario.waitForDeadline()
        #expect(scenario.send(.start).isEmpty)
        #expect(scenario.waitForDeadline() == ["timeout(4,configuration)", "retry(4/5,reinitialize)", "changed"])
    }

    @Test func `Nothing is started quietly offline, unheard of, or after a stop`() {
        for isOnline in [nil, false] as [Bool?] {
            var scenario = exhausted(isOnline: isOnline)
            #expect(scenario.wait(1000).isEmpty)
        }
        var scenario = exhausted(isOnline: true)
        scenario.send(.availability(isOnline: false))
        #expect(scenario.wait(1000).isEmpty)
        scenario = exhausted(isOnline: true)
        #expect(scenario.send(.stop, .stop) == ["changed"])
        #expect(scenario.session.reason == .requested)
        #expect(scenario.wait(1000).isEmpty)
    }

    @Test func `An accessory that comes back, or is asked for, gets a whole ladder`() {
        for input in [SessionInput.availability(isOnline: true), .start] {
            var scenario = exhausted(isOnline: false)
            #expect(scenario.send(input).last == "changed")
            #expect(scenario.session.state == .awaitingConfiguration && scenario.session.attempt == 0)
            scenario.send(Self.different)
            #expect(scenario.wait(3).last == "changed")
            #expect(scenario.session.state == .retrying && scenario.session.attempt == 1)
        }
    }

    // MARK: Stops

    @Test func `What acknowledges an earlier stop does not end a later run`() {
        var scenario = ranging()
        scenario.send(.stop, Self.known)
        #expect(scenario.session.state == .starting && scenario.session.run == 2)
        #expect(scenario.send(.didStop).isEmpty)
        #expect(scenario.send(.didStop) == ["ended(2,accessory_stopped)", "left(sessionEnded)", "changed"])
        // Nor does it end the ladder of a session that failed.
        scenario = ranging()
        scenario.send(.invalidate(code: -5887))
        #expect(scenario.send(.didStop).isEmpty)
        #expect(scenario.session.state == .retrying)
    }

    @Test func `A stop that was never acknowledged excuses nothing for long`() {
        var scenario = ranging()
        scenario.send(.stop, Self.known)
        scenario.wait(2.1)
        #expect(scenario.send(.didStop) == ["ended(2,accessory_stopped)", "left(sessionEnded)", "changed"])
    }

    @Test func `After a stop the cached configuration is not used`() {
        var scenario = ranging()
        scenario.send(.stop)
        #expect(scenario.send(.start) == [">initialize", "changed"])
    }

    @Test func `The other side ended it: the accessory is told, nothing is tried again`() {
        var scenario = ranging(isOnline: true)
        #expect(scenario.send(.signal(.ended)) == [">stop", "ended(1,peer_ended)", "left(sessionEnded)", "changed"])
        #expect(scenario.send(.didStop).isEmpty)
        #expect(scenario.wait(1000).isEmpty)
    }

    // MARK: Suspension

    @Test func `A suspended session drops ranges, and resumes with a full start`() {
        var scenario = ranging()
        #expect(scenario.send(.suspend) == [">stop", "suspended(requested)", "left(suspended)", "changed"])
        #expect(scenario.send(.didStop, .range, .suspend).isEmpty)
        scenario.wait(59)
        #expect(scenario.send(.resume) == ["resumed(requested)", ">initialize", "changed"])
        #expect(scenario.send(Self.known) == [">start", "changed"])
        #expect(scenario.send(.range) == ["started(2)", "changed"])
        #expect(scenario.violations.isEmpty)
    }

    @Test func `What was cached before a suspension is not used after it`() {
        var scenario = ranging()
        scenario.send(.suspend)
        #expect(scenario.send(.start) == ["resumed(requested)", ">initialize", "changed"])
        #expect(scenario.wait(5) == ["timeout(1,configuration)", "retry(4/5,reinitialize)", "changed"])
    }

    @Test func `A suspension that lasts too long invalidates the session`() {
        var scenario = ranging(isOnline: true)
        scenario.send(.suspend)
        #expect(scenario.wait(60) == ["invalidated(suspended_too_long,recoverable)", "changed"])
        #expect(scenario.send(.resume).isEmpty)
        #expect(scenario.wait(1000).isEmpty)
        #expect(scenario.send(.start) == [">initialize", "changed"])
    }

    // MARK: Errors

    @Test(arguments: NearbyError.allCases)
    func `Every error takes the way of its recovery`(_ error: NearbyError) {
        var scenario = ranging(isOnline: true)
        let words = scenario.send(.invalidate(code: error.rawValue))
        let isFinal = error.recovery == .never ? "final" : "recoverable"
        #expect(words.prefix(3) == [">stop", "invalidated(\(error.rawValue),\(isFinal))", "left(sessionEnded)"])
        switch error.recovery {
        case .retry:
            #expect(words.dropFirst(3) == ["retry(4/5,reinitialize)", "changed"])
            #expect(3.2...4.8 ~= (scenario.remaining ?? 0))
            #expect(scenario.waitForDeadline() == [">stop", "changed"])
        case .newConfiguration:
            #expect(words.dropFirst(3) == ["required", "changed"])
            #expect(scenario.send(Self.known).isEmpty)
            #expect(scenario.wait(1000).isEmpty)
            #expect(scenario.send(Self.different) == [">start", "changed"])
        case .never:
            #expect(words.dropFirst(3) == ["changed"])
            #expect(scenario.wait(1000).isEmpty)
            #expect(scenario.send(.availability(isOnline: true), .resume, Self.known).isEmpty)
            #expect(scenario.send(Self.different) == ["changed"])
            #expect(scenario.session.state == .invalidated)
            #expect(scenario.send(.start) == [">start", "changed"])
        }
        #expect(scenario.violations.isEmpty)
    }

    @Test(arguments: [nil, 0, -5879, 42] as [Int?])
    func `An end by request or by an unknown error is final`(_ code: Int?) {
        var scenario = ranging(isOnline: true)
        let word = "invalidated(\(code.map { "\($0)" } ?? "requested"),final)"
        #expect(scenario.send(.invalidate(code: code)) == [">stop", word, "left(sessionEnded)", "changed"])
        #expect(scenario.wait(1000).isEmpty)
        #expect(scenario.send(.start) == [">initialize", "changed"])
    }

    @Test func `A session that fails again and again ends like any other ladder`() {
        var scenario = ranging(isOnline: true)
        scenario.send(.invalidate(code: -5887), .invalidate(code: -5887))
        #expect(scenario.session.state == .retrying && scenario.session.attempt == 5)
        #expect(
            scenario.send(.invalidate(code: -5887))
                == [
                    ">stop", "invalidated(-5887,recoverable)", "left(sessionEnded)", "ended(1,retries_exhausted)",
                    "changed",
                ]
        )
        #expect(scenario.session.state == .ended && scenario.remaining == 60)
        #expect(scenario.waitForDeadline() == [">initialize", "changed"])
    }

    @Test func `An error of a session that is over begins nothing`() {
        for start in [AccessorySessionTests.Start.idle, .ended, .external, .suspended] {
            var scenario = start.scenario
            scenario.send(.invalidate(code: -5887))
            #expect(!scenario.session.state.isLive, "\(start)")
        }
    }

    @Test func `A single start that fails by an error climbs no ladder`() {
        var scenario = SessionScenario()
        scenario.send(.configuration(SessionScenario.known, isRetained: true))
        scenario.send(.invalidate(code: -5886))
        #expect(scenario.session.state == .ended && scenario.session.reason == .error(.resourceUsageTimeout))
        #expect(scenario.remaining == nil)
    }
}
