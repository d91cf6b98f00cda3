// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import Testing

@testable import NearbyBridge

struct LineBudgetTests {
    private func at(_ seconds: Int64) -> Instant { Instant(nanoseconds: seconds * 1_000_000_000) }

    @Test func `a few lines at once, then one for each turn of its clock`() {
        var budget = LineBudget(burst: 3, perSecond: 0.5)
        let answers = [0, 0, 0, 0, 1, 2, 2, 1000, 1000, 1000, 1000].map { budget.spend(at: at($0)) }
        #expect(answers == [true, true, true, false, false, true, false, true, true, true, false])
    }

    @Test func `what was left out is told once`() {
        var budget = LineBudget(burst: 1, perSecond: 1)
        let answers = [0, 0, 0, 0, 0, 1].map { budget.spend(at: at($0)) }
        #expect(answers == [true, false, false, false, false, true])
        let remarks = [budget.remark(), budget.remark()]
        #expect(remarks == [" (and 4 more such lines were left out)", ""])
    }

    @Test func `a day of a thousand troubles a second is bounded`() {
        var budget = LineBudget()
        var lines = 0
        for second: Int64 in 0..<86_400 where budget.spend(at: at(second)) { lines += 1 }
        #expect(lines <= 20 + 86_400 / 5)
    }

    @Test(arguments: [Int64.min / 1_000_000_000, -1, 0, Int64.max / 1_000_000_000])
    func `any instant is one to write at`(_ second: Int64) {
        var budget = LineBudget()
        let answers = [second, 0].map { budget.spend(at: at($0)) }
        #expect(answers == [true, true])
    }
}
