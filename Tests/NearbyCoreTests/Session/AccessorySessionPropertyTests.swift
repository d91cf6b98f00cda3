// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyCore

/// What holds for every sequence of inputs, whatever comes when.
@Suite struct AccessorySessionPropertyTests {
    /// What stands out of the outputs of a session as they come.
    private struct Watch {
        var seen = 0
        var lastStarted: Int64 = 0
        var sessionIDs: Set<UInt32> = []
        var violations: [String] = []

        /// Looks at what was added.
        mutating func look(at scenario: SessionScenario, after cause: String, before: AccessorySession) {
            for output in scenario.outputs[seen...] { look(output, scenario.session, cause, before) }
            seen = scenario.outputs.count
            let session = scenario.session
            if session.state == .ranging || session.state == .starting, session.deadline == nil {
                violations.append("\(session.state) for ever after \(cause)")
            }
            if session.state == .retrying || session.state == .awaitingConfiguration, session.deadline == nil {
                violations.append("\(session.state) for ever after \(cause)")
            }
            if session.prelude != nil, let due = session.deadline, scenario.now.duration(to: due) > .seconds(2) {
                violations.append("initialize is put off for too long after \(cause)")
            }
        }

        private mutating func look(
            _ output: SessionOutput,
            _ session: AccessorySession,
            _ cause: String,
            _ before: AccessorySession
        ) {
            switch output {
            case .send(.configureAndStart(let data)):
                // A run begins in the call that took its configuration, or with one that still lived.
                if !session.isAlive { violations.append("a start without a living configuration after \(cause)") }
                if cause == "time", !before.isAlive { violations.append("a start with a dead configuration") }
                if session.run != before.run + 1 { violations.append("run \(session.run) after \(before.run)") }
                if let id = data.parameters?.sessionID, !sessionIDs.insert(id).inserted {
                    violations.append("shareable configuration data sent twice")
                }
                if session.sessionID != data.parameters?.sessionID { violations.append("another run's data is live") }
            case .event(.started(let run)):
                if run <= lastStarted { violations.append("run \(run) started after run \(lastStarted)") }
                if run != session.run { violations.append("run \(run) started while \(session.run) is the run") }
                lastStarted = run
            case .event(.retry(let attempt, let maximum, let delay, _)):
                if attempt > maximum || attempt < 1 { violations.append("attempt \(attempt) of \(maximum)") }
                if delay <= .zero { violations.append("attempt \(attempt) at once") }
                if before.isQuiet { violations.append("a quiet start told a retry") }
            case .event(.timeout):
                if before.isQuiet { violations.append("a quiet start told a time-out") }
            case .send, .ask, .exchange, .forgetTokens, .event, .leaveZones, .changed:
                break
            }
        }
    }

    private func input(_ random: inout SeededGenerator) -> SessionInput {
        let accessories = [SessionScenario.known, SessionScenario.different, SessionScenario.accessory(9)]
        switch Int.random(in: 0..<34, using: &random) {
        case 0..<6:
            let isUnknown = Int.random(in: 0..<8, using: &random) == 0
            let data = accessories.randomElement(using: &random) ?? SessionScenario.known
            let isRetained = Int.random(in: 0..<5, using: &random) == 0
            return .configuration(isUnknown ? SessionScenario.unknownVersion ?? data : data, isRetained: isRetained)
        case 6, 7: return .didStart
        case 8, 9: return .didStop
        case 10..<16: return .range
        case 16, 17: return .availability(isOnline: true)
        case 18: return .availability(isOnline: false)
        case 19, 20, 21: return .start
        case 22: return .stop
        case 23: return .suspend
        case 24: return .resume
        case 25, 26:
            let codes = NearbyError.allCases.map(\.rawValue) + [0, 7]
            return .invalidate(code: Bool.random(using: &random) ? codes.randomElement(using: &random) : nil)
        case 27: return .signal(.ended)
        case 28: return .signal(.exhausted)
        case 29, 30: return .signal(.suspended)
        case 31: return .signal(.resumed)
        default: return .sighted
        }
    }

    /// Lets something come, or time pass; says what was the cause.
    private func step(_ scenario: inout SessionScenario, _ random: inout SeededGenerator, _ watch: inout Watch) {
        if Int.random(in: 0..<3, using: &random) == 0 {
            var rest = Int.random(in: 0...40, using: &random) == 0 ? 200.0 : Double.random(in: 0...6, using: &random)
            while let due = scenario.remaining, due <= rest {
                rest -= max(0, due)
                let before = scenario.session
                scenario.waitForDeadline()
                watch.look(at: scenario, after: "time", before: before)
            }
            scenario.wait(rest)
        } else {
            let before = scenario.session
            let input = input(&random)
            scenario.send(input)
            watch.look(at: scenario, after: "\(input)", before: before)
        }
    }

    /// A session to which many things happened.
    private func life(_ seed: UInt64) -> (SessionScenario, Watch) {
        var random = SeededGenerator(seed: seed)
        var scenario = SessionScenario(seed: seed)
        var watch = Watch()
        if Bool.random(using: &random) { scenario.context.retry.attempts = Int.random(in: 0...4, using: &random) }
        for _ in 0..<80 { step(&scenario, &random, &watch) }
        return (scenario, watch)
    }

    @Test func `Nothing that comes at any time brings a session into disorder`() {
        var states: Set<SessionState> = []
        var runs: Int64 = 0
        for seed in UInt64(1)...2000 {
            let (scenario, watch) = life(seed)
            #expect(scenario.violations + watch.violations == [], "seed \(seed)")
            states.insert(scenario.session.state)
            runs += scenario.session.run
        }
        // The sequences do lead everywhere that a session can get to by itself.
        #expect(states.isSuperset(of: [.ended, .invalidated, .external, .suspended, .retrying, .starting, .ranging]))
        #expect(states.contains(.awaitingConfiguration))
        #expect(runs > 10_000)
    }

    @Test func `Without inputs every run ends, and only an accessory that is online is started again, quietly`() {
        var quiet = 0
        for seed in UInt64(1)...2000 {
            var (scenario, watch) = life(seed)
            // The longest that can go on: a suspension, or all attempts with all of their waits.
            for _ in 0..<60 where scenario.session.state.isLive || scenario.session.state == .suspended {
                let before = scenario.session
                scenario.waitForDeadline()
                watch.look(at: scenario, after: "time", before: before)
            }
            #expect(!scenario.session.state.isLive && scenario.session.state != .suspended, "seed \(seed)")
            if scenario.session.nextDeadline == nil || scenario.session.isOnline != true {
                // A grace, or a quiet start that is not made, may still pass; nothing comes of it.
                #expect(scenario.wait(1000).isEmpty, "seed \(seed)")
                #expect(scenario.session.nextDeadline == nil, "seed \(seed)")
            } else {
                quiet += 1
                let words = Set(scenario.wait(1000))
                #expect(words.isSubset(of: [">initialize", ">stop", "changed"]), "seed \(seed): \(words)")
                #expect(words.contains(">initialize"), "seed \(seed)")
            }
            #expect(scenario.violations + watch.violations == [], "seed \(seed)")
        }
        #expect(quiet > 50)
    }

    @Test func `The same inputs have the same outputs`() {
        for seed in UInt64(1)...50 {
            let (first, second) = (life(seed).0, life(seed).0)
            #expect(first.outputs == second.outputs && first.session == second.session)
        }
    }
}
