// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyCore

@Suite struct NearestChoiceTests {
    private func at(_ seconds: Double) -> Instant { Instant(nanoseconds: Int64((seconds * 1e9).rounded())) }

    /// Two candidates, `1` at slot 0 and `2` at slot 1.
    private func pair(hold: Duration = .seconds(2), takesFirstAtOnce: Bool = false) -> NearestChoice {
        var choice = NearestChoice(margin: 0.5, hold: hold, takesFirstAtOnce: takesFirstAtOnce)
        let result1 = choice.add(1)
        #expect(result1 == 0)
        let result2 = choice.add(2)
        #expect(result2 == 1)
        return choice
    }

    @Test("The first is chosen after the hold, and it is the one that is nearest by then")
    func first() {
        var choice = pair()
        let result3 = choice.observe(0, 3, at: at(0))
        #expect(!result3)
        let result4 = choice.observe(1, 2, at: at(1))
        #expect(!result4)
        #expect(choice.incumbent == nil)
        #expect(choice.due == at(2))
        let result5 = choice.advance(to: at(2))
        #expect(result5)
        #expect(choice.incumbent == 2)
        #expect(choice.distance == 2)
        #expect(choice.due == nil)
    }

    @Test("Where nobody may wait, the first is chosen at once, but not those after it")
    func firstAtOnce() {
        var choice = pair(takesFirstAtOnce: true)
        let isChosen = choice.observe(0, 3, at: at(0))
        #expect(isChosen)
        #expect(choice.incumbent == 1)
        let isReplaced = choice.observe(1, 1, at: at(0.1))
        #expect(!isReplaced)
        #expect(choice.due == at(2.1))
    }

    @Test("A challenger must be nearer by the margin, and for the hold without a break")
    func marginAndHold() {
        var choice = pair()
        _ = choice.observe(0, 2, at: at(0))
        _ = choice.advance(to: at(2))
        #expect(choice.incumbent == 1)
        _ = choice.observe(1, 1.6, at: at(3))
        #expect(choice.due == nil, "0.4 m are not enough")
        _ = choice.observe(1, 1.4, at: at(4))
        #expect(choice.due == at(6))
        _ = choice.observe(0, 1.8, at: at(5))
        #expect(choice.due == nil, "the incumbent came nearer")
        _ = choice.observe(1, 1.2, at: at(5.5))
        #expect(choice.due == at(7.5))
        let isEarly = choice.advance(to: at(7.4))
        #expect(!isEarly)
        let isReplaced = choice.advance(to: at(7.5))
        #expect(isReplaced)
        #expect(choice.incumbent == 2)
    }

    @Test("An incumbent that is lost gives way at once to the best one, or to nobody")
    func lost() {
        var choice = pair()
        _ = choice.observe(0, 2, at: at(0))
        _ = choice.advance(to: at(2))
        _ = choice.observe(1, 9, at: at(3))
        let isReplaced = choice.observe(0, nil, at: at(3.1))
        #expect(isReplaced)
        #expect(choice.incumbent == 2)
        let isGone = choice.observe(1, nil, at: at(3.2))
        #expect(isGone)
        #expect(choice.incumbent == nil)
        let isAgain = choice.observe(1, nil, at: at(3.3))
        #expect(!isAgain)
    }

    @Test("A hold goes on while challengers take turns, and the nearest wins")
    func turns() {
        var choice = pair()
        let third = choice.add(3)
        _ = choice.observe(0, 5, at: at(0))
        _ = choice.advance(to: at(2))
        _ = choice.observe(1, 3, at: at(3))
        _ = choice.observe(third, 2, at: at(4))
        // The second falls back, the third is still nearer.
        _ = choice.observe(1, 6, at: at(4.5))
        #expect(choice.due == at(5))
        let isReplaced = choice.advance(to: at(5))
        #expect(isReplaced)
        #expect(choice.incumbent == 3)
    }

    @Test("A silent one is seen when the incumbent moves away from it")
    func byException() {
        var choice = pair()
        _ = choice.observe(0, 1, at: at(0))
        _ = choice.advance(to: at(2))
        _ = choice.observe(1, 2, at: at(3))
        for second in 4...9 { _ = choice.observe(0, Double(second) - 2, at: at(Double(second))) }
        #expect(choice.incumbent == 2)
    }

    @Test("Noise around equal distances changes nothing")
    func noise() {
        var choice = pair()
        var random = SeededGenerator(seed: 3)
        var changes = 0
        for step in 0..<20_000 {
            let noise = Double.random(in: -0.3...0.3, using: &random)
            if choice.observe(step % 2, 2 + noise, at: at(Double(step) * 0.05)) { changes += 1 }
        }
        #expect(changes == 1, "the first choice alone")
    }

    @Test("What an earlier life chose stays until it speaks or is given up")
    func restored() {
        var choice = pair()
        choice.restore(0)
        #expect(choice.incumbent == 1)
        let isReplaced = choice.observe(1, 1, at: at(0))
        #expect(!isReplaced)
        #expect(choice.due == nil)
        let isGone = choice.giveUpWaiting(at: at(10))
        #expect(isGone)
        #expect(choice.incumbent == 2)
        let isAgain = choice.giveUpWaiting(at: at(11))
        #expect(!isAgain)
    }

    @Test("Who is taken away frees its slot, and the place if it had it")
    func removed() {
        var choice = pair()
        choice.restore(0)
        let isGone = choice.remove(0, at: at(0))
        #expect(isGone)
        #expect(choice.incumbent == nil)
        #expect(!choice.isEmpty)
        let result6 = choice.add(7)
        #expect(result6 == 0)
        _ = choice.remove(0, at: at(1))
        _ = choice.remove(1, at: at(1))
        #expect(choice.isEmpty)
    }

    @Test("A hold that ran while we were blind proves nothing")
    func blind() {
        var choice = pair()
        _ = choice.observe(0, 2, at: at(0))
        choice.cancelHold()
        let isChosen = choice.advance(to: at(100))
        #expect(!isChosen)
        _ = choice.observe(0, 2, at: at(100))
        #expect(choice.due == at(102))
    }
}
