// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyCore

@Suite struct DeadlineTableTests {
    @Test func `slots come out earliest first and ties in the order of slots`() {
        var table = DeadlineTable()
        for (slot, due) in [(4, 20), (0, 30), (7, 10), (2, 20), (9, 40)] {
            table.set(Instant(nanoseconds: Int64(due)), for: slot)
        }
        #expect(table.popDue(at: Instant(nanoseconds: 9)) == nil)
        let order = (0..<4).map { _ in table.popDue(at: Instant(nanoseconds: 30)) }
        #expect(order == [7, 2, 4, 0])
        #expect(table.popDue(at: Instant(nanoseconds: 30)) == nil)
        #expect(table.count == 1)
    }

    @Test func `bringing forward never puts off`() {
        var table = DeadlineTable()
        table.bringForward(Instant(nanoseconds: 5), for: 1)
        table.bringForward(Instant(nanoseconds: 9), for: 1)
        #expect(table.deadline(of: 1) == Instant(nanoseconds: 5))
        table.bringForward(Instant(nanoseconds: 2), for: 1)
        #expect(table.earliest == Instant(nanoseconds: 2))
    }

    @Test func `a slot that never had a deadline has none and can lose it`() {
        var table = DeadlineTable()
        table.set(nil, for: 12)
        #expect(table.deadline(of: 12) == nil)
        #expect(table.earliest == nil)
        #expect(table.count == 0)
    }

    @Test(arguments: UInt64(1)...20)
    func `random operations agree with a dictionary`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var table = DeadlineTable()
        var model: [Int: Instant] = [:]
        for _ in 0..<3000 {
            let slot = Int.random(in: 0..<60, using: &random)
            let instant = Instant(nanoseconds: Int64.random(in: 0..<100, using: &random))
            switch Int.random(in: 0..<6, using: &random) {
            case 0, 1, 2:
                table.set(instant, for: slot)
                model[slot] = instant
            case 3:
                table.set(nil, for: slot)
                model[slot] = nil
            case 4:
                table.bringForward(instant, for: slot)
                model[slot] = min(model[slot] ?? instant, instant)
            default:
                let first = model.min { ($0.value, $0.key) < ($1.value, $1.key) }
                let expected = first.flatMap { $0.value <= instant ? $0.key : nil }
                #expect(table.popDue(at: instant) == expected)
                if let expected { model[expected] = nil }
            }
            #expect(table.count == model.count)
            #expect(table.earliest == model.values.min())
            #expect(table.deadline(of: slot) == model[slot])
        }
    }
}
