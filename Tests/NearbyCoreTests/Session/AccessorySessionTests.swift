// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyCore

/// Every state with every input and every deadline.
@Suite struct AccessorySessionTests {
    /// A state to start from: the twelve of the contract, two of them in all of their ways: the waits before `initialize`, and
    /// the pause that the other end makes.
    enum Start: String, CaseIterable {
        case idle, ended, invalidated, awaitingAuthorization, external, suspended, paused, silent, retrying, stopping
        case announcing, awaitingConfiguration, configuring, starting, ranging

        /// A session that stands there, in the way that it gets there where there is one.
        var scenario: SessionScenario {
            var scenario = SessionScenario()
            let known = SessionInput.configuration(SessionScenario.known, isRetained: false)
            switch self {
            case .idle: break
            case .ended:
                scenario.send(known, .range, .stop, .didStop)
                scenario.wait(10)
            case .invalidated:
                scenario.send(known, .range, .suspend)
                scenario.wait(60)
            case .awaitingAuthorization: scenario.session.state = .awaitingAuthorization
            case .external: scenario.send(.range)
            case .suspended: scenario.send(known, .range, .suspend)
            case .paused:
                scenario.send(known, .range, .signal(.suspended))
                scenario.wait(2)
                scenario.send(.sighted)
            case .silent:
                scenario.send(known, .range)
                scenario.wait(5)
            case .retrying:
                scenario.send(known)
                scenario.wait(3)
            case .stopping:
                scenario.context.retry.attempts = 0
                scenario.send(known, .range)
                scenario.waitForDeadline()
                scenario.waitForDeadline()
                scenario.context.retry.attempts = 3
            case .announcing: scenario.send(.availability(isOnline: true))
            case .awaitingConfiguration: scenario.send(.start)
            case .configuring:
                scenario.send(known)
                scenario.session.state = .configuring
                scenario.send(.sighted)
            case .starting: scenario.send(known)
            case .ranging: scenario.send(known, .range)
            }
            return scenario
        }

        var state: SessionState {
            switch self {
            case .idle: .idle
            case .ended: .ended
            case .invalidated: .invalidated
            case .awaitingAuthorization: .awaitingAuthorization
            case .external: .external
            case .suspended, .paused: .suspended
            case .silent: .silent
            case .retrying: .retrying
            case .stopping, .announcing, .awaitingConfiguration: .awaitingConfiguration
            case .configuring: .configuring
            case .starting: .starting
            case .ranging: .ranging
            }
        }
    }

    /// What happens there.
    enum Step: String, CaseIterable {
        case known, knownRetained, different, differentRetained, didStart, didStop, range, online, offline, gone
        case start, stop, suspend, resume, invalidate, sessionFailed, invalidConfiguration, userDidNotAllow, peerEnded
        case exhausted, peerSuspended, peerResumed, sighted, deadline

        func happen(in scenario: inout SessionScenario) -> [String] {
            switch self {
            case .known: scenario.send(.configuration(SessionScenario.known, isRetained: false))
            case .knownRetained: scenario.send(.configuration(SessionScenario.known, isRetained: true))
            case .different: scenario.send(.configuration(SessionScenario.different, isRetained: false))
            case .differentRetained: scenario.send(.configuration(SessionScenario.different, isRetained: true))
            case .didStart: scenario.send(.didStart)
            case .didStop: scenario.send(.didStop)
            case .range: scenario.send(.range)
            case .online: scenario.send(.availability(isOnline: true))
            case .offline: scenario.send(.availability(isOnline: false))
            case .gone: Self.gone(&scenario)
            case .start: scenario.send(.start)
            case .stop: scenario.send(.stop)
            case .suspend: scenario.send(.suspend)
            case .resume: scenario.send(.resume)
            case .invalidate: scenario.send(.invalidate(code: nil))
            case .sessionFailed: scenario.send(.invalidate(code: -5887))
            case .invalidConfiguration: scenario.send(.invalidate(code: -5888))
            case .userDidNotAllow: scenario.send(.invalidate(code: -5884))
            case .peerEnded: scenario.send(.signal(.ended))
            case .exhausted: scenario.send(.signal(.exhausted))
            case .peerSuspended: scenario.send(.signal(.suspended))
            case .peerResumed: scenario.send(.signal(.resumed))
            case .sighted: scenario.send(.sighted)
            case .deadline: scenario.waitForDeadline()
            }
        }

        /// Offline for longer than the grace, which is over before anything else is.
        private static func gone(_ scenario: inout SessionScenario) -> [String] {
            scenario.context.timeouts.offlineGrace = .milliseconds(1)
            return scenario.send(.availability(isOnline: false)) + scenario.wait(0.001)
        }
    }

    @Test(arguments: AccessorySessionTable.rows)
    func `In every state every input and every deadline does what the table says`(_ row: AccessorySessionTable.Row) {
        var scenario = row.start.scenario
        #expect(scenario.session.state == row.start.state)
        #expect(row.step.happen(in: &scenario) == row.words)
        #expect("\(scenario.session.state)" == row.state)
        #expect(row.accepts(scenario.remaining), "\(scenario.remaining ?? .nan) s, not \(row.seconds)")
        #expect(scenario.violations.isEmpty)
    }

    @Test func `The table has every state and every step once`() {
        let cells = Set(AccessorySessionTable.rows.map(\.description))
        #expect(cells.count == AccessorySessionTable.rows.count)
        #expect(cells.count == Start.allCases.count * Step.allCases.count)
        #expect(Set(Start.allCases.map(\.state)).count == SessionState.allCases.count)
    }
}
