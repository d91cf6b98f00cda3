// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NearbyCore

@Suite struct ReportGateTests {
    private var gate = ReportGate()

    private mutating func judge(
        _ distance: Double,
        at seconds: Double,
        speed: Double = 2.5,
        slack: Double = 0.3,
        interval: Double = 0.1
    ) -> ReportGate.Verdict {
        gate.judge(distance, at: Int64((seconds * 1e9).rounded()), speed: speed, slack: slack, interval: interval)
    }

    @Test mutating func `the first distance is a seed and the second confirms it`() {
        #expect(judge(2, at: 0) == .seeded(isConfirmed: false))
        #expect(judge(2.1, at: 0.1) == .passed(isConfirmed: true))
        #expect(judge(2.2, at: 0.2) == .passed(isConfirmed: true))
    }

    @Test mutating func `a seed that the second distance contradicts is replaced`() {
        #expect(judge(2, at: 0) == .seeded(isConfirmed: false))
        #expect(judge(9, at: 0.1) == .seeded(isConfirmed: false))
        #expect(judge(2, at: 0.2) == .seeded(isConfirmed: false))
        #expect(judge(2, at: 0.3) == .passed(isConfirmed: true))
    }

    @Test mutating func `a distance passes up to slack and speed times the time since the last`() {
        _ = judge(2, at: 0)
        _ = judge(2, at: 0.1)
        #expect(judge(2.549, at: 0.2) == .passed(isConfirmed: false))
        #expect(judge(1.998, at: 0.3) == .rejected)
        #expect(judge(2.0, at: 0.4) == .passed(isConfirmed: true))
    }

    @Test mutating func `a lone spike is held back and forgotten`() {
        _ = judge(4, at: 0)
        _ = judge(4, at: 0.1)
        #expect(judge(0.5, at: 0.2) == .rejected)
        #expect(judge(4, at: 0.3) == .passed(isConfirmed: true))
        // Another one much later does not continue the series of the first.
        #expect(judge(0.5, at: 1.2) == .rejected)
    }

    @Test mutating func `a rejected series that agrees with itself takes over`() {
        _ = judge(9, at: 0)
        _ = judge(9, at: 0.1)
        var taken: Double?
        for step in 0..<10 where taken == nil {
            let time = 0.2 + Double(step) * 0.1
            if judge(1, at: time) == .seeded(isConfirmed: true) { taken = time }
        }
        #expect(taken.map { abs($0 - 0.2 - Double(ReportGate.relock) * 1e-9) < 0.101 } == true)
        #expect(judge(1.1, at: 1.1) == .passed(isConfirmed: true))
    }

    @Test mutating func `a rejected series that contradicts itself never takes over`() {
        _ = judge(20, at: 0)
        _ = judge(20, at: 0.1)
        for step in 0..<30 {
            #expect(judge(step % 2 == 0 ? 1 : 8, at: 0.2 + Double(step) * 0.1) == .rejected)
        }
    }

    @Test mutating func `a gap is not bridged`() {
        _ = judge(2, at: 0)
        _ = judge(2, at: 0.1)
        #expect(judge(2, at: 5.1) == .passed(isConfirmed: true))
        #expect(judge(2, at: 10.101) == .seeded(isConfirmed: false))
    }

    @Test mutating func `rejected distances do not bridge a gap either`() {
        _ = judge(100, at: 0)
        _ = judge(100, at: 0.1)
        for step in 1...5 { #expect(judge(step % 2 == 0 ? 1 : 40, at: Double(step)) == .rejected) }
        #expect(judge(100, at: 5.2) == .seeded(isConfirmed: false))
    }

    @Test mutating func `a slow source may pause for four of its intervals`() {
        _ = judge(2, at: 0, interval: 10)
        _ = judge(2, at: 10, interval: 10)
        #expect(judge(2, at: 50, interval: 10) == .passed(isConfirmed: true))
        #expect(judge(2, at: 90.001, interval: 10) == .seeded(isConfirmed: false))
    }

    @Test mutating func `without a speed everything passes after the seed was confirmed`() {
        #expect(judge(2, at: 0, speed: .infinity) == .seeded(isConfirmed: false))
        #expect(judge(90, at: 0.1, speed: .infinity) == .passed(isConfirmed: true))
        #expect(judge(0, at: 0.1, speed: .infinity) == .passed(isConfirmed: true))
    }

    @Test mutating func `what nobody walks passes and waits for the next distance`() {
        _ = judge(3.4, at: 0)
        _ = judge(3.4, at: 0.2)
        #expect(judge(2.9, at: 0.4) == .passed(isConfirmed: false))
        #expect(judge(3.5, at: 0.6) == .passed(isConfirmed: true))
        // A fast approach waits once at most for each distance that it is told of.
        #expect(judge(2.8, at: 0.8) == .passed(isConfirmed: false))
        #expect(judge(2.1, at: 1.0) == .passed(isConfirmed: true))
        // Walking waits for nothing.
        #expect(judge(1.75, at: 1.2) == .passed(isConfirmed: true))
        #expect(judge(1.4, at: 1.4) == .passed(isConfirmed: true))
    }

    @Test mutating func `a pause does not make a seed agree with anything`() {
        _ = judge(6, at: 0)
        #expect(judge(2, at: 3) == .seeded(isConfirmed: false))
        #expect(judge(2, at: 3.1) == .passed(isConfirmed: true))
    }

    private func state(at seconds: Double) -> GateState {
        gate.state(at: Int64((seconds * 1e9).rounded()), speed: 2.5, slack: 0.3)
    }

    @Test mutating func `the gate tells what it knows, and knowing that changes nothing`() throws {
        #expect(state(at: 0).stage == .empty)
        #expect(state(at: 0).passed == nil && state(at: 0).rival == nil)
        _ = judge(6, at: 0)
        #expect(state(at: 0).stage == .seeking)
        _ = judge(6, at: 0.1)
        _ = judge(1, at: 0.3)
        _ = judge(1.1, at: 0.5)
        let before = gate
        let held = state(at: 0.5)
        #expect(gate == before)
        #expect(held.stage == .locked && held.passed == 6 && held.since == .milliseconds(400))
        #expect(held.rival == 1.1 && held.rivalFor == .milliseconds(200))
        #expect(abs(held.reach - 1.3) < 1e-9)
        _ = judge(6, at: 0.6)
        #expect(state(at: 0.6).rival == nil && state(at: 0.6).rivalFor == nil)
        _ = judge(6.5, at: 0.7)
        #expect(state(at: 0.7).isSuspecting)
        // A time before the last report is no reason to reach back.
        #expect(state(at: 0).since == .zero)
    }

    @Test mutating func `no interval traps`() {
        for interval in [0, -1, 1e300, Double.infinity] { _ = judge(1, at: 1, interval: interval) }
    }
}
