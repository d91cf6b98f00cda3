// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyCore

@Suite struct RetryPolicyTests {
    @Test func `The defaults are those of the contract`() {
        let policy = RetryPolicy()
        #expect(policy.attempts == 3 && policy.maximumAttempts == 5 && policy.idle == .seconds(60))
        #expect(policy.backOff == [.seconds(1), .seconds(2), .seconds(4)])
    }

    @Test func `Reruns come first, then reinitialize, then a new session, then nothing`() {
        let rungs = (1...7).map { RetryPolicy().rung(of: $0) }
        #expect(rungs == [.rerun, .rerun, .rerun, .reinitialize, .newSession, nil, nil])
    }

    @Test(arguments: 0...6)
    func `The number of reruns is the policy's`(_ attempts: Int) {
        var policy = RetryPolicy()
        policy.attempts = attempts
        let rungs = (1...policy.maximumAttempts).map { policy.rung(of: $0) }
        #expect(rungs == Array(repeating: .rerun, count: attempts) + [.reinitialize, .newSession])
        #expect(policy.rung(of: policy.maximumAttempts + 1) == nil)
    }

    @Test(arguments: [(1, 1.0), (2, 2), (3, 4), (4, 4), (5, 4), (100, 4)])
    func `A wait is the back-off of its attempt within a fifth`(_ attempt: Int, _ seconds: Double) {
        var random = SeededGenerator(seed: 7)
        let delays = (0..<1000).map { _ in RetryPolicy().delay(before: attempt, using: &random) / .seconds(1) }
        #expect(delays.allSatisfy { seconds * 0.8...seconds * 1.2 ~= $0 })
        // The whole width is used, evenly enough.
        #expect((delays.min() ?? 9) < seconds * 0.81 && (delays.max() ?? 0) > seconds * 1.19)
        #expect(abs(delays.reduce(0, +) / 1000 - seconds) < seconds * 0.02)
    }

    @Test func `Without a back-off nothing is waited for`() {
        var policy = RetryPolicy()
        policy.backOff = []
        var random = SeededGenerator(seed: 7)
        #expect(policy.delay(before: 1, using: &random) == .zero)
    }
}
