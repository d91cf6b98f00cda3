// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyCore

/// What the radio tells of a run: `reference/uwb-reports.md` section 1.6.
@Suite struct `AccessorySession+SignalsTests` {
    private static let known = SessionInput.configuration(SessionScenario.known, isRetained: false)

    private let pause = ["suspended(peer_suspended)", "left(suspended)", "changed"]
    private let resumption = ["resumed(peer_resumed)", "changed"]

    /// A session that ranges.
    private func ranging() -> SessionScenario {
        var scenario = SessionScenario()
        scenario.send(Self.known, .range)
        return scenario
    }

    /// A session that the other end has paused, long enough ago for nothing to be on its way any more.
    private func paused() -> SessionScenario {
        var scenario = ranging()
        scenario.send(.signal(.suspended))
        scenario.wait(2)
        return scenario
    }

    // MARK: Pauses

    @Test func `The other end pauses a run and goes on with it, and the accessory is told nothing`() {
        var scenario = ranging()
        for _ in 0..<3 {
            #expect(scenario.send(.signal(.suspended)) == pause)
            #expect(scenario.session.state == .suspended && scenario.session.reason == .peerSuspended)
            #expect(scenario.send(.signal(.suspended), .signal(.exhausted)).isEmpty)
            #expect(scenario.wait(59).isEmpty)
            #expect(scenario.send(.signal(.resumed)) == resumption)
            #expect(scenario.session.state == .ranging && scenario.session.reason == nil && scenario.remaining == 5)
            #expect(scenario.send(.signal(.resumed), .range).isEmpty)
        }
        #expect(scenario.session.run == 1)
        #expect(scenario.wait(5) == ["timeout(1,ranging)", "retry(1/5,rerun)", "changed"])
        #expect(scenario.violations.isEmpty)
    }

    @Test func `A range shows that the other end goes on, unless it may be of the round before the pause`() {
        var scenario = ranging()
        scenario.send(.signal(.suspended))
        scenario.wait(1.9)
        #expect(scenario.send(.range).isEmpty)
        #expect(scenario.session.state == .suspended)
        scenario.wait(0.1)
        #expect(scenario.send(.range) == resumption)
        #expect(scenario.session.state == .ranging && scenario.session.run == 1 && scenario.remaining == 5)
        #expect(scenario.violations.isEmpty)
    }

    @Test func `A run that is paused before it was proved still has to be`() {
        var scenario = SessionScenario()
        scenario.send(Self.known, .signal(.suspended))
        #expect(scenario.send(.signal(.resumed)) == resumption)
        #expect(scenario.session.state == .starting && scenario.remaining == 3)
        #expect(scenario.send(.range) == ["started(1)", "changed"])
        scenario = SessionScenario()
        scenario.send(Self.known, .signal(.suspended))
        scenario.wait(2)
        #expect(scenario.send(.range) == ["resumed(peer_resumed)", "started(1)", "changed"])
        #expect(scenario.violations.isEmpty)
    }

    @Test func `Only a valid range resets the count, also after a pause`() {
        var scenario = ranging()
        scenario.wait(5)
        #expect(scenario.session.state == .silent)
        #expect(scenario.send(.signal(.suspended), .signal(.resumed)) == pause + resumption)
        #expect(scenario.session.state == .ranging && scenario.session.attempt == 1)
        #expect(scenario.wait(5) == ["timeout(1,ranging)", "retry(2/5,rerun)", "changed"])
        scenario.send(.signal(.suspended), .signal(.resumed))
        #expect(scenario.send(.range, .range) == ["changed"])
        #expect(scenario.session.attempt == 0)
        #expect(scenario.wait(5) == ["timeout(1,ranging)", "retry(1/5,rerun)", "changed"])
    }

    @Test func `A pause that lasts too long ends the run at the accessory too`() {
        var scenario = paused()
        #expect(scenario.wait(58) == [">stop", "invalidated(suspended_too_long,recoverable)", "changed"])
        // Neither what it had on its way nor a late word begins anything.
        #expect(scenario.send(.range, .signal(.resumed), .didStop).isEmpty)
        #expect(scenario.wait(1000).isEmpty)
        #expect(scenario.send(.start) == [">initialize", "changed"])
    }

    @Test(arguments: [SessionInput.resume, .start])
    func `Who does not want to wait for the other end gets a full start`(_ input: SessionInput) {
        var scenario = paused()
        #expect(scenario.send(input) == ["resumed(requested)", ">stop", "changed"])
        #expect(scenario.session.reason == .requested)
        #expect(scenario.send(.signal(.resumed), .range).isEmpty)
        #expect(scenario.send(.didStop) == [">initialize", "changed"])
        #expect(scenario.send(Self.known) == [">start", "changed"])
        #expect(scenario.send(.range) == ["started(2)", "changed"])
        #expect(scenario.violations.isEmpty)
    }

    @Test func `A pause that somebody wants outlasts the one of the other end`() {
        var scenario = paused()
        #expect(scenario.send(.suspend) == [">stop", "suspended(requested)", "left(suspended)", "changed"])
        scenario.wait(10)
        #expect(scenario.send(.signal(.resumed), .range).isEmpty)
        #expect(scenario.session.state == .suspended && scenario.remaining == 50)
    }

    @Test func `An accessory that says that it stopped while paused is not run again with what was cached`() {
        var scenario = paused()
        #expect(scenario.send(.didStop).isEmpty)
        #expect(scenario.send(.signal(.resumed)) == resumption)
        #expect(scenario.wait(5) == ["timeout(1,ranging)", "retry(4/5,reinitialize)", "changed"])
    }

    @Test func `A pause does not take a later stop of the accessory for the answer to an earlier one of ours`() {
        var scenario = ranging()
        scenario.send(.stop, Self.known, .range)
        scenario.wait(2.1)
        scenario.send(.range, .signal(.suspended), .signal(.resumed))
        #expect(scenario.send(.didStop) == ["ended(2,accessory_stopped)", "left(sessionEnded)", "changed"])
    }

    @Test func `A run that was told to stop is not paused`() {
        var scenario = ranging()
        scenario.send(.invalidate(code: -5887))
        #expect(scenario.session.state == .retrying)
        #expect(scenario.send(.signal(.suspended), .signal(.resumed), .signal(.exhausted)).isEmpty)
    }

    @Test func `A pause makes a start by retained configuration data alone a run like any other`() {
        var scenario = SessionScenario()
        scenario.send(.configuration(SessionScenario.known, isRetained: true), .signal(.suspended), .signal(.resumed))
        #expect(scenario.wait(3) == ["timeout(1,start)", "retry(1/5,rerun)", "changed"])
    }

    // MARK: Quiet starts

    @Test func `A quiet start stays quiet, whatever the radio tells`() {
        for signal in [RangeReport.Signal.suspended, .resumed, .exhausted] {
            var scenario = ranging()
            scenario.send(.availability(isOnline: true))
            while scenario.session.state != .ended { scenario.waitForDeadline() }
            scenario.waitForDeadline()
            #expect(scenario.send(Self.known) == [">start", "changed"])
            #expect(scenario.send(.signal(signal)) == (signal == .exhausted ? [">stop", "changed"] : []))
            if signal != .exhausted { #expect(scenario.waitForDeadline() == [">stop", "changed"]) }
            #expect(scenario.session.state == .ended && scenario.session.reason == .timeout(.start))
            #expect(scenario.violations.isEmpty)
        }
    }

    // MARK: Giving up

    @Test func `A radio that has given up spares the wait for the deadline`() {
        var scenario = ranging()
        #expect(scenario.send(.signal(.exhausted)) == ["timeout(1,ranging)", "retry(1/5,rerun)", "changed"])
        #expect(scenario.session.state == .silent)
        // It says so once for each run.
        #expect(scenario.send(.signal(.exhausted)).isEmpty)
        #expect(scenario.waitForDeadline() == [">start", "changed"])
        #expect(scenario.send(.signal(.exhausted)) == ["timeout(2,start)", "retry(2/5,rerun)", "changed"])
        #expect(scenario.session.reason == .timeout(.start))
        // A range that comes all the same shows that it goes on.
        #expect(scenario.send(.range) == ["started(2)", "changed"])
        #expect(scenario.session.attempt == 0 && scenario.violations.isEmpty)
    }
}
