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

    /// Locks the gate at a distance; the last report comes at 0.
    private mutating func lock(at distance: Double, interval: Double = 0.1) {
        for step in -3...0 { _ = judge(distance, at: Double(step) * interval, interval: interval) }
    }

    @Test mutating func `four distances that agree are a beginning`() {
        #expect(judge(2, at: 0) == .seeded(isConfirmed: false))
        #expect(judge(2.1, at: 0.1) == .passed(isConfirmed: false))
        #expect(judge(2.2, at: 0.2) == .passed(isConfirmed: false))
        #expect(judge(2.3, at: 0.3) == .passed(isConfirmed: true))
    }

    @Test mutating func `two that agree for half a second are one too`() {
        #expect(judge(2, at: 0, interval: 0) == .seeded(isConfirmed: false))
        #expect(judge(2.1, at: 0.499, interval: 0.5) == .passed(isConfirmed: false))
        gate = ReportGate()
        #expect(judge(2, at: 0, interval: 0) == .seeded(isConfirmed: false))
        #expect(judge(2.1, at: 0.5, interval: 0.5) == .passed(isConfirmed: true))
    }

    @Test mutating func `an error that is smeared over the first three reports is no beginning`() {
        #expect(judge(0.4, at: 0) == .seeded(isConfirmed: false))
        #expect(judge(0.4, at: 0.1) == .passed(isConfirmed: false))
        #expect(judge(0.4, at: 0.2) == .passed(isConfirmed: false))
        #expect(judge(5, at: 0.3) == .seeded(isConfirmed: false))
        for step in 4...5 { #expect(judge(5, at: Double(step) * 0.1) == .passed(isConfirmed: false)) }
        #expect(judge(5, at: 0.6) == .passed(isConfirmed: true))
    }

    @Test mutating func `a beginning of two distances waits for time, one of one distance for another`() {
        #expect(gate.provedAt == nil)
        _ = judge(2, at: 1)
        #expect(gate.provedAt == nil)
        gate.settle()
        #expect(judge(2, at: 1.1) == .passed(isConfirmed: false))
        #expect(gate.provedAt == 1_700_000_000)
        gate.settle()
        #expect(gate.provedAt == nil)
        #expect(judge(2, at: 1.2) == .passed(isConfirmed: true))
    }

    @Test mutating func `a seed that the second distance contradicts is replaced`() {
        #expect(judge(2, at: 0) == .seeded(isConfirmed: false))
        #expect(judge(9, at: 0.1) == .seeded(isConfirmed: false))
        #expect(judge(2, at: 0.2) == .seeded(isConfirmed: false))
        #expect(judge(2, at: 0.3) == .passed(isConfirmed: false))
    }

    @Test mutating func `a distance passes up to slack and walking speed times the time since the last`() {
        lock(at: 2)
        #expect(judge(2.424, at: 0.1) == .passed(isConfirmed: true))
        #expect(judge(1.998, at: 0.2) == .rejected)
        #expect(judge(2.0, at: 0.3) == .passed(isConfirmed: true))
    }

    @Test mutating func `a lone spike is held back and forgotten`() {
        lock(at: 4)
        #expect(judge(0.5, at: 0.2) == .rejected)
        #expect(judge(4, at: 0.3) == .passed(isConfirmed: true))
        // Another one much later does not continue the series of the first.
        #expect(judge(0.5, at: 1.2) == .rejected)
    }

    @Test mutating func `a rejected series that agrees with itself takes over`() {
        lock(at: 9)
        var taken: Double?
        for step in 0..<10 where taken == nil {
            let time = 0.2 + Double(step) * 0.1
            if judge(1, at: time) == .seeded(isConfirmed: true) { taken = time }
        }
        #expect(taken.map { abs($0 - 0.2 - Double(ReportGate.relock) * 1e-9) < 0.101 } == true)
        #expect(judge(1.1, at: 1.1) == .passed(isConfirmed: true))
    }

    @Test mutating func `a rejected series that contradicts itself never takes over`() {
        lock(at: 20)
        for step in 0..<30 {
            #expect(judge(step % 2 == 0 ? 1 : 8, at: 0.2 + Double(step) * 0.1) == .rejected)
        }
    }

    @Test mutating func `a gap is not bridged`() {
        lock(at: 2)
        #expect(judge(2, at: 5) == .passed(isConfirmed: true))
        #expect(judge(2, at: 10.001) == .seeded(isConfirmed: false))
    }

    @Test mutating func `rejected distances do not bridge a gap either`() {
        lock(at: 100)
        for step in 1...5 { #expect(judge(step % 2 == 0 ? 1 : 40, at: Double(step)) == .rejected) }
        #expect(judge(100, at: 5.2) == .seeded(isConfirmed: false))
    }

    @Test mutating func `a slow source may pause for four of its intervals`() {
        lock(at: 2, interval: 10)
        #expect(judge(2, at: 40, interval: 10) == .passed(isConfirmed: true))
        #expect(judge(2, at: 80.001, interval: 10) == .seeded(isConfirmed: false))
    }

    @Test mutating func `without a speed everything passes after the seed was confirmed`() {
        #expect(judge(2, at: 0, speed: .infinity) == .seeded(isConfirmed: false))
        #expect(judge(90, at: 0.1, speed: .infinity) == .passed(isConfirmed: true))
        #expect(judge(0, at: 0.1, speed: .infinity) == .passed(isConfirmed: true))
    }

    @Test mutating func `what could only be run to is believed after a moment, and goes on from there`() {
        lock(at: 3)
        #expect(judge(2.46, at: 0.1) == .rejected)
        #expect(judge(2.3, at: 0.2) == .rejected)
        #expect(judge(2.1, at: 0.3) == .rejected)
        #expect(judge(1.9, at: 0.4) == .passed(isConfirmed: true))
        #expect(judge(1.7, at: 0.5) == .passed(isConfirmed: true))
    }

    @Test mutating func `an error that is smeared over three reports is forgotten when the truth comes back`() {
        lock(at: 3)
        // Two lost reports make it reachable.
        for step in 3...5 { #expect(judge(2, at: Double(step) * 0.1) == .rejected) }
        #expect(judge(3.2, at: 0.6) == .passed(isConfirmed: true))
        #expect(judge(2, at: 0.7) == .rejected)
    }

    @Test mutating func `of a slow source the next distance is enough`() {
        lock(at: 6, interval: 1)
        #expect(judge(4, at: 1, interval: 1) == .rejected)
        #expect(judge(2.5, at: 2, interval: 1) == .passed(isConfirmed: true))
    }

    @Test mutating func `who runs at top speed is followed`() {
        lock(at: 20)
        var passed: [Double] = []
        for step in 1...50 {
            let time = Double(step) * 0.1
            if judge(20 - 2.4 * time, at: time) == .passed(isConfirmed: true) { passed.append(time) }
        }
        #expect(passed.count == 50)
    }

    @Test mutating func `a pause does not make a seed agree with anything`() {
        _ = judge(6, at: 0)
        #expect(judge(2, at: 3) == .seeded(isConfirmed: false))
        #expect(judge(2, at: 3.1) == .passed(isConfirmed: false))
    }

    private func state(at seconds: Double) -> GateState {
        gate.state(at: Int64((seconds * 1e9).rounded()), speed: 2.5, slack: 0.3)
    }

    @Test mutating func `the gate tells what it knows, and knowing that changes nothing`() throws {
        #expect(state(at: 0).stage == .empty)
        #expect(state(at: 0).passed == nil && state(at: 0).rival == nil)
        _ = judge(6, at: -0.4)
        #expect(state(at: 0).stage == .seeking)
        gate = ReportGate()
        lock(at: 6)
        _ = judge(1, at: 0.2)
        _ = judge(1.1, at: 0.4)
        let before = gate
        let held = state(at: 0.4)
        #expect(gate == before)
        #expect(held.stage == .locked && held.passed == 6 && held.since == .milliseconds(400))
        #expect(held.rival == 1.1 && held.rivalFor == .milliseconds(200) && held.takeover == .milliseconds(700))
        #expect(abs(held.reach - 1.3) < 1e-9)
        _ = judge(6, at: 0.5)
        #expect(state(at: 0.5).rival == nil && state(at: 0.5).rivalFor == nil)
        _ = judge(6.5, at: 0.6)
        #expect(state(at: 0.6).takeover == .milliseconds(300))
        // A time before the last report is no reason to reach back.
        #expect(state(at: 0).since == .zero)
    }

    @Test mutating func `no interval traps`() {
        for interval in [0, -1, 1e300, Double.infinity] { _ = judge(1, at: 1, interval: interval) }
    }
}
