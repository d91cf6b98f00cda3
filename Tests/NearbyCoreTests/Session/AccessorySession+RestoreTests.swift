// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyCore

/// What a session makes of an earlier life of the bridge.
@Suite struct `AccessorySession+RestoreTests` {
    @Test(arguments: SessionState.allCases)
    func `What ranged before a restart is believed to range on`(_ state: SessionState) {
        var scenario = SessionScenario()
        let restored = RestoredSession(state: state, run: 7, configuration: SessionScenario.known.encoded)
        scenario.session.restore(restored, at: scenario.now)
        #expect(scenario.remaining == nil)
        scenario.send(.sighted)
        scenario.wait(1)
        let words = scenario.send(.range)
        switch state {
        case .ranging, .silent, .retrying:
            #expect(words.isEmpty && scenario.session.state == .ranging && scenario.remaining == 5)
            #expect(scenario.wait(5) == ["timeout(7,ranging)", "retry(1/5,rerun)", "changed"])
            #expect(scenario.send(.range) == ["changed"])
        case .starting, .awaitingConfiguration:
            #expect(words == ["started(7)", "changed"])
        case .configuring:
            // The phone was asked, and the accessory told nothing: it ranges for somebody else.
            scenario.wait(3)
            scenario.send(.range)
            #expect(words.isEmpty && scenario.waitForDeadline() == ["changed"])
            #expect(scenario.session.state == .external)
        case .suspended:
            #expect(words.isEmpty && scenario.session.state == .suspended && scenario.remaining == 59)
        case .awaitingAuthorization:
            #expect(words.isEmpty && scenario.session.state == .awaitingAuthorization)
        case .external, .idle, .ended, .invalidated:
            #expect(scenario.session.state == .external)
        }
        #expect(scenario.session.run == 7 && scenario.violations.isEmpty)
    }

    @Test(arguments: [true, false])
    func `a pause of the other end outlasts a restart`(_ isTold: Bool) {
        var scenario = SessionScenario()
        let known = SessionScenario.known.encoded
        let reason = SessionReason(word: "peer_suspended")
        let restored = RestoredSession(state: .suspended, reason: reason, run: 7, configuration: known)
        scenario.session.restore(restored, at: scenario.now)
        scenario.send(.sighted)
        #expect(scenario.remaining == 60)
        scenario.wait(10)
        #expect(scenario.send(isTold ? .signal(.resumed) : .range) == ["resumed(peer_resumed)", "changed"])
        #expect(scenario.session.state == .ranging && scenario.session.run == 7 && scenario.remaining == 5)
        // The run is one as any other again, its configuration too.
        #expect(scenario.wait(5) == ["timeout(7,ranging)", "retry(1/5,rerun)", "changed"])
        #expect(scenario.violations.isEmpty)
    }

    @Test func `an accessory that was given up before a restart is looked for quietly after it`() {
        var scenario = SessionScenario()
        let restored = RestoredSession(
            state: .ended,
            reason: .retriesExhausted,
            run: 7,
            configuration: SessionScenario.known.encoded
        )
        scenario.session.restore(restored, at: scenario.now)
        scenario.send(.sighted)
        // The broker tells the retained availability.
        #expect(scenario.send(.availability(isOnline: true)) == [])
        #expect(scenario.remaining.map { (48...72).contains($0) } == true)
        #expect(scenario.waitForDeadline() == [">initialize", "changed"])
        #expect(scenario.waitForDeadline() == [">stop", "changed"])
        #expect(scenario.session.state == .ended && scenario.remaining == 60)
        // Gone and back again is news.
        scenario.send(.availability(isOnline: false))
        #expect(scenario.send(.availability(isOnline: true)) == ["changed"])
        #expect(scenario.remaining == 0.5)
        #expect(scenario.violations.isEmpty)
    }

    @Test func `attempts are counted on after a restart`() {
        var scenario = SessionScenario()
        let known = SessionScenario.known.encoded
        let restored = RestoredSession(state: .retrying, attempt: 3, run: 7, configuration: known)
        scenario.session.restore(restored, at: scenario.now)
        scenario.send(.sighted)
        #expect(scenario.wait(5) == ["timeout(7,ranging)", "retry(4/5,reinitialize)", "changed"])
    }

    @Test(arguments: [Int.min, -1, 1_000_000, .max])
    func `an attempt that cannot be is none`(_ attempt: Int) {
        var session = AccessorySession()
        let restored = RestoredSession(state: .ended, attempt: attempt, run: .max, configuration: [])
        session.restore(restored, at: SessionScenario.beginning)
        #expect(session.attempt == 0 && session.run == 0)
    }

    @Test(arguments: [NearbyError.userDidNotAllow, .invalidConfiguration])
    func `what an error ended before a restart is not begun by the same configuration after it`(_ error: NearbyError) {
        var scenario = SessionScenario()
        let known = SessionScenario.known.encoded
        let restored = RestoredSession(state: .invalidated, reason: .error(error), run: 7, configuration: known)
        scenario.session.restore(restored, at: scenario.now)
        scenario.send(.sighted)
        let words = scenario.send(.configuration(SessionScenario.known, isRetained: false))
        #expect(!words.contains { $0.hasPrefix(">") } && scenario.session.state == .invalidated)
    }
}
