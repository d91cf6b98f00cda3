// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyCore

/// The life cycle (`reference/nearby-interaction.md` section 6.1) of two phones.
@Suite struct AccessorySessionPeersTests {
    private static let token = SessionInput.token(isNew: true)

    private var waiting: SessionScenario {
        var scenario = SessionScenario()
        scenario.session.kind = .peer
        scenario.send(Self.token)
        return scenario
    }

    private var starting: SessionScenario {
        var scenario = waiting
        scenario.context.hasBothTokens = true
        scenario.send(Self.token)
        return scenario
    }

    private var ranging: SessionScenario {
        var scenario = starting
        scenario.send(.range)
        return scenario
    }

    private func expect(_ scenario: SessionScenario, _ state: SessionState, in seconds: Double? = nil) {
        #expect(scenario.session.state == state)
        #expect(scenario.remaining == seconds)
        #expect(scenario.violations == [])
    }

    @Test func `run: the first token waits quietly, the second begins, and a range proves`() {
        var scenario = waiting
        expect(scenario, .awaitingConfiguration)
        #expect(scenario.wait(10_000) == [])
        scenario.context.hasBothTokens = true
        #expect(scenario.send(Self.token) == [">exchange", "changed"])
        expect(scenario, .starting, in: 3)
        #expect(scenario.send(.range) == ["started(1)", "changed"])
        expect(scenario, .ranging, in: 5)
        #expect(scenario.send(.range, .token(isNew: false)) == [])
    }

    @Test func `removal by timeout: the same tokens are sent again, three times, and then it ends`() {
        var scenario = ranging
        #expect(scenario.wait(5) == ["timeout(1,ranging)", "retry(1/3,rerun)", "changed"])
        #expect(scenario.session.state == .silent)
        #expect(scenario.waitForDeadline() == [">exchange", "changed"])
        expect(scenario, .starting, in: 3)
        #expect(scenario.session.run == 2)
        #expect(scenario.wait(3) == ["timeout(2,start)", "retry(2/3,rerun)", "changed"])
        #expect(scenario.session.state == .retrying)
        #expect(scenario.waitForDeadline() == [">exchange", "changed"])
        #expect(scenario.wait(3) == ["timeout(3,start)", "retry(3/3,rerun)", "changed"])
        scenario.waitForDeadline()
        #expect(
            scenario.wait(3) == ["timeout(4,start)", "ended(4,retries_exhausted)", "left(sessionEnded)", "changed"]
        )
        expect(scenario, .ended)
        scenario.wait(3)
        #expect(scenario.send(.range) == ["started(5)", "changed"])
    }

    @Test func `a range ends the waiting at every step of the ladder`() {
        var silent = ranging
        silent.wait(5)
        #expect(silent.send(.range) == ["changed"])
        expect(silent, .ranging, in: 5)
        #expect(silent.session.attempt == 0 && silent.session.run == 1)
        var retrying = starting
        retrying.wait(3)
        #expect(retrying.send(.range) == ["started(1)", "changed"])
    }

    @Test func `phones that are both online are asked quietly once a minute`() {
        var scenario = ranging
        scenario.send(.availability(isOnline: true))
        scenario.context.retry.attempts = 0
        scenario.wait(5)
        expect(scenario, .ended, in: 60)
        #expect(scenario.wait(60) == [">exchange", "changed"])
        #expect(scenario.wait(3) == ["changed"])
        expect(scenario, .ended, in: 60)
        scenario.wait(60)
        #expect(scenario.send(.range) == ["started(3)", "changed"])
    }

    @Test func `removal by peerEnded: over without a retry, until a phone gives another token`() {
        var scenario = ranging
        #expect(scenario.send(.signal(.ended)) == ["ended(1,peer_ended)", "left(sessionEnded)", "changed"])
        #expect(scenario.wait(100) == [])
        #expect(scenario.send(.range, .token(isNew: false)) == [])
        #expect(scenario.send(Self.token) == [">exchange", "changed"])
    }

    @Test func `pause and run again: no new exchange`() {
        var scenario = ranging
        #expect(scenario.send(.suspend) == ["suspended(requested)", "left(suspended)", "changed"])
        expect(scenario, .suspended, in: 60)
        #expect(scenario.send(.range) == [])
        #expect(scenario.send(.resume) == ["resumed(requested)", "changed"])
        expect(scenario, .starting, in: 3)
        #expect(scenario.send(.range) == ["changed"])
        #expect(scenario.session.run == 1)
    }

    @Test func `a token that came during a pause is exchanged after it`() {
        var scenario = ranging
        scenario.send(.suspend)
        #expect(scenario.send(.token(isNew: false)) == [])
        #expect(scenario.send(Self.token) == ["changed"])
        #expect(scenario.send(.resume) == ["resumed(requested)", ">exchange", "changed"])
        var waiting = waiting
        waiting.send(.suspend)
        #expect(waiting.send(.start) == ["resumed(requested)", "changed"])
        expect(waiting, .awaitingConfiguration)
    }

    @Test func `suspended too long: invalidated, and both must give tokens anew`() {
        var scenario = ranging
        scenario.send(.suspend)
        #expect(
            scenario.wait(60)
                == ["invalidated(suspended_too_long,recoverable)", "changed", "forget", "required", "changed"]
        )
        expect(scenario, .invalidated)
    }

    @Test(arguments: [nil] + NearbyError.allCases.map { Int?.some($0.rawValue) })
    func `invalidated: the tokens are dead, and both must give new ones`(_ code: Int?) {
        var scenario = ranging
        let words = scenario.send(.invalidate(code: code))
        #expect(words.first?.hasPrefix("invalidated(") == true)
        #expect(words.dropFirst() == ["left(sessionEnded)", "forget", "required", "changed"])
        scenario.wait(10)
        #expect(scenario.send(.range) == [])
        scenario.context.hasBothTokens = false
        #expect(scenario.send(Self.token) == ["changed"])
        expect(scenario, .awaitingConfiguration)
        scenario.context.hasBothTokens = true
        #expect(scenario.send(Self.token) == [">exchange", "changed"])
    }

    @Test func `a new token while they range is a new session of that phone`() {
        var scenario = ranging
        #expect(
            scenario.send(Self.token)
                == ["ended(1,new_configuration)", "left(sessionEnded)", "changed", ">exchange", "changed"]
        )
        #expect(scenario.session.run == 2)
    }

    @Test func `stopped is stopped, and a start needs no new exchange of the phones`() {
        var scenario = ranging
        #expect(scenario.send(.stop) == ["ended(1,requested)", "left(sessionEnded)", "changed"])
        scenario.wait(10)
        #expect(scenario.send(.range) == [])
        #expect(scenario.send(.start) == [">exchange", "changed"])
        var waiting = waiting
        #expect(waiting.send(.stop) == ["changed"])
        #expect(waiting.send(.start) == ["changed"])
        expect(waiting, .awaitingConfiguration)
    }

    @Test func `a phone that was away for too long is started again when it comes back`() {
        var scenario = ranging
        scenario.send(.availability(isOnline: true))
        scenario.send(.availability(isOnline: false))
        scenario.wait(4)
        scenario.send(.range)
        #expect(scenario.wait(1) == ["ended(1,accessory_offline)", "changed"])
        #expect(scenario.send(.availability(isOnline: true)) == [">exchange", "changed"])
    }

    // MARK: Restarts

    @Test func `after a restart it ranges on without tokens, and asks for them when it must`() {
        var scenario = SessionScenario()
        var restored = RestoredSession(state: .ranging, run: 7, configuration: [])
        restored.kind = .peer
        scenario.session.restore(restored, at: scenario.now)
        scenario.send(.sighted)
        expect(scenario, .ranging, in: 5)
        #expect(scenario.send(.range) == [])
        #expect(scenario.wait(5) == ["timeout(7,ranging)", "forget", "required", "changed"])
        expect(scenario, .awaitingConfiguration)
        #expect(scenario.session.reason == .tokensNeeded)
        #expect(scenario.send(.range) == ["changed"])
        expect(scenario, .ranging, in: 5)
        scenario.wait(5)
        scenario.send(Self.token)
        scenario.context.hasBothTokens = true
        #expect(scenario.send(Self.token) == [">exchange", "changed"])
        #expect(scenario.session.run == 8)
    }

    @Test(arguments: [
        (SessionState.silent, SessionState.awaitingConfiguration), (.retrying, .awaitingConfiguration),
        (.starting, .awaitingConfiguration), (.awaitingConfiguration, .awaitingConfiguration),
        (.suspended, .invalidated), (.ended, .ended), (.invalidated, .invalidated),
    ])
    func `every state of an earlier life leads to a question for tokens, or stays`(
        _ told: SessionState,
        _ state: SessionState
    ) {
        var scenario = SessionScenario()
        var restored = RestoredSession(state: told, run: 7, configuration: [])
        restored.kind = .peer
        scenario.session.restore(restored, at: scenario.now)
        scenario.send(.sighted)
        #expect(scenario.session.state == told)
        let words = scenario.wait(100)
        #expect(scenario.session.state == state)
        #expect(words.contains("required") == (told != state))
        #expect(scenario.violations == [])
    }
}
