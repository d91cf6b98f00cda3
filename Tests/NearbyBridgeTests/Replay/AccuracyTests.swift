// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NearbyBridge

struct AccuracyTests {
    private typealias Transition = Accuracy.Transition

    /// A walk with a truth that goes in straight lines through `(seconds, metres)`, ten samples a second.
    private func walk(_ corners: [Walk.Corner]) -> Walk { Walk.simulated(corners, [], seed: 0) }

    private func enter(_ time: Double) -> Transition { Transition(time: time, isEnter: true) }
    private func exit(_ time: Double) -> Transition { Transition(time: time, isEnter: false) }

    /// Judges a zone of 3 m that is left at 3.3 m.
    private func judge(_ events: [Transition], _ walk: Walk) -> Accuracy {
        Accuracy(of: events, in: walk, radius: 3, exitRadius: 3.3)
    }

    /// In at 10.1 s, out at 23.1 s or so, with a deep stay.
    private var pass: Walk { walk([(0, 8), (5, 5.5), (10, 3.0), (12, 1), (20, 1), (25, 5), (40, 8)]) }
    private var trueEnter: Double { 10.1 }
    private var trueExit: Double { 22.9 }

    @Test func `the truth makes its own transitions with hysteresis`() {
        let accuracy = judge([], pass)
        #expect(accuracy.total == 2)
        #expect(accuracy.missed == 2)
        #expect(accuracy.wrong == 0)
        #expect(accuracy.ambiguous == 0)
        #expect(judge([enter(trueEnter), exit(trueExit)], pass).delays.allSatisfy { abs($0) < 1e-9 })
    }

    @Test func `right events have their delays`() {
        let accuracy = judge([enter(trueEnter + 0.2), exit(trueExit + 0.6)], pass)
        #expect(accuracy.missed == 0)
        #expect(accuracy.wrong == 0)
        #expect(accuracy.delays.map { ($0 * 10).rounded() } == [2, 6])
    }

    @Test(arguments: [
        (-1.51, false), (-1.49, true), (0, true), (2.99, true), (3.01, false),
    ])
    func `an event counts from 1.5 s before to 3 s after its transition`(_ delay: Double, _ isRight: Bool) {
        let accuracy = judge([enter(trueEnter + delay), exit(trueExit)], pass)
        #expect(accuracy.missed == (isRight ? 0 : 1))
        // So near the threshold in time, but not in the truth's distance: it walks at half a metre a second.
        #expect(accuracy.wrong + accuracy.ambiguous == (isRight ? 0 : 1))
        #expect(accuracy.delays.count == (isRight ? 2 : 1))
    }

    @Test func `an event of the other kind is none`() {
        let accuracy = judge([exit(trueEnter)], pass)
        #expect(accuracy.missed == 2)
        #expect(accuracy.delays.isEmpty)
    }

    @Test func `an event explains one transition only`() {
        let twice = walk([(0, 5), (2, 1), (3, 1), (5, 5), (6, 5), (8, 1), (20, 1)])
        #expect(judge([], twice).total == 3)
        let accuracy = judge([enter(1.2), exit(4.3)], twice)
        #expect(accuracy.missed == 1)
        #expect(accuracy.delays.count == 2)
    }

    @Test func `flapping far from any threshold is false`() {
        let accuracy = judge([enter(trueEnter), exit(16), enter(16.5), exit(trueExit), enter(35), exit(36)], pass)
        #expect(accuracy.missed == 0)
        #expect(accuracy.wrong == 4)
        #expect(accuracy.ambiguous == 0)
    }

    @Test func `flapping while the truth goes straight through the threshold is false`() {
        let events = [enter(trueEnter), exit(trueEnter + 0.4), enter(trueEnter + 0.8), exit(trueExit)]
        let accuracy = judge(events, pass)
        #expect(accuracy.wrong == 2)
        #expect(accuracy.ambiguous == 0)
        let late = judge([enter(trueEnter), exit(trueExit), enter(trueExit + 0.3), exit(trueExit + 0.9)], pass)
        #expect(late.wrong == 2)
    }

    // MARK: Grazes

    @Test func `a stay that only grazes the radius may be missed`() throws {
        let graze = walk([(0, 8), (10, 2.95), (12, 2.95), (30, 8)])
        let accuracy = judge([], graze)
        #expect(accuracy.total == 2)
        #expect(accuracy.missed == 0)
        #expect(accuracy.ambiguous == 2)
        #expect(accuracy.grazes.count == 1)
        let named = try #require(accuracy.grazes.first)
        #expect(abs(named.truth - 2.95) < 1e-9)
        #expect(named.threshold == 3)
        #expect(named.time >= 10 && named.time <= 12)
        #expect(judge([enter(10.2), exit(13.5)], graze).ambiguous == 0)
    }

    @Test func `a step outside that only grazes the exit may be missed`() {
        let graze = walk([(0, 8), (10, 1), (15, 1), (20, 3.35), (21, 3.35), (25, 1), (30, 1), (40, 8)])
        let all = judge([], graze)
        #expect(all.total == 4)
        #expect(all.missed == 2)
        #expect(all.ambiguous == 2)
        #expect(all.grazes.map(\.threshold) == [3.3])
    }

    @Test func `a near miss may be taken for a stay`() {
        let miss = walk([(0, 8), (10, 3.05), (12, 3.05), (30, 8)])
        #expect(judge([], miss).total == 0)
        let accuracy = judge([enter(11), exit(13)], miss)
        #expect(accuracy.wrong == 0)
        #expect(accuracy.ambiguous == 2)
        #expect(accuracy.grazes.map(\.threshold) == [3])
        let far = judge([enter(20), exit(22)], miss)
        #expect(far.wrong == 2)
        #expect(far.ambiguous == 0)
    }

    @Test func `a deep miss or a deep stay is no graze`() {
        #expect(judge([enter(11), exit(13)], walk([(0, 8), (10, 3.15), (12, 3.15), (30, 8)])).wrong == 2)
        #expect(judge([], walk([(0, 8), (10, 2.85), (12, 2.85), (30, 8)])).missed == 2)
    }

    @Test func `only the very next event is the way back from an ambiguous one`() {
        // A near miss at 10 s that runs straight on into a stay: its exit is the true one, what flaps later is false.
        let miss = walk([(0, 8), (10, 3.05), (12, 3.05), (14, 3.25), (16, 1), (25, 1), (30, 8), (60, 8)])
        let events = [enter(11), exit(27), enter(50), exit(51)]
        let accuracy = judge(events, miss)
        #expect(accuracy.total == 2)
        #expect(accuracy.wrong == 2)
    }

    // MARK: Beginnings

    @Test func `a recording that begins inside makes an event without a transition`() {
        let inside = walk([(0, 1), (10, 1), (15, 8), (30, 8)])
        let accuracy = judge([enter(0.1), exit(trueExitOf(inside))], inside)
        #expect(accuracy.total == 1)
        #expect(accuracy.missed == 0)
        #expect(accuracy.wrong == 0)
        #expect(judge([enter(7), exit(trueExitOf(inside))], inside).wrong == 1)
        let outside = walk([(0, 6), (10, 6), (15, 8)])
        #expect(judge([enter(0.1)], outside).wrong == 1)
    }

    private func trueExitOf(_ walk: Walk) -> Double {
        walk.samples.first { ($0.truth ?? 0) > 3.3 }?.time ?? 0
    }

    @Test func `samples without truth are passed over`() {
        var holed = pass
        for index in holed.samples.indices where index % 3 != 0 { holed.samples[index].truth = nil }
        let accuracy = judge([enter(trueEnter + 0.2), exit(trueExit + 0.2)], holed)
        #expect(accuracy.total == 2)
        #expect(accuracy.missed == 0)
        #expect(accuracy.wrong == 0)
        #expect(judge([], Walk(name: "", samples: [])) == Accuracy())
    }

    // MARK: The moved truths

    @Test func `a crossing so slow that the truth's accuracy moves it out of the window is ambiguous`() {
        // A centimetre a second: the radius is passed ten seconds earlier or later than it seems.
        let slow = walk([(0, 8), (10, 3.2), (60, 2.7), (70, 1), (80, 1), (90, 8), (120, 8)])
        let early = judge([enter(22), exit(82.9 + 0.4)], slow)
        #expect(early.total == 2)
        #expect(early.missed == 0)
        #expect(early.wrong == 0)
        // The true enter that was not found, and the event that another threshold explains.
        #expect(early.ambiguous == 2)
        #expect(judge([enter(30.1), exit(83.3)], slow).ambiguous == 0)
        // Beyond what 0.1 m explains.
        #expect(judge([enter(13), exit(83.3)], slow).wrong == 1)
    }

    @Test func `an ambiguous stay has an ambiguous end, at its time only`() {
        let miss = walk([(0, 8), (10, 3.05), (12, 3.05), (30, 8), (60, 8)])
        #expect(judge([enter(11), exit(13)], miss).wrong == 0)
        let late = judge([enter(11), exit(50)], miss)
        #expect(late.ambiguous == 1)
        #expect(late.wrong == 1)
    }

    @Test func `one pass excuses one event of a kind`() {
        let miss = walk([(0, 8), (10, 3.05), (12, 3.05), (30, 8)])
        let flapping = judge([enter(10.5), exit(11), enter(11.5), exit(12.5), enter(12.8), exit(13)], miss)
        #expect(flapping.ambiguous == 2)
        #expect(flapping.wrong == 4)
    }

    @Test func `a beginning within the accuracy of the radius may be told or not`() {
        let outside = walk([(0, 3.05), (10, 3.05), (20, 8), (40, 8)])
        #expect(judge([], outside) == Accuracy())
        let told = judge([enter(0.1), exit(11)], outside)
        #expect(told.wrong == 0)
        #expect(told.ambiguous == 2)
        #expect(told.grazes.map(\.threshold) == [3])
        let inside = walk([(0, 2.95), (10, 2.95), (20, 8), (40, 8)])
        #expect(judge([], inside).total == 1)
        #expect(judge([], inside).missed == 0)
        #expect(judge([], inside).ambiguous == 1)
        #expect(judge([enter(0.1), exit(11.5)], inside).delays.count == 1)
        // Told as late as this, it is about something else.
        #expect(judge([enter(6), exit(11.5)], walk([(0, 4), (10, 4), (20, 8), (40, 8)])).wrong == 2)
    }

    @Test func `a last stay that only grazes the radius may be missed`() {
        let graze = walk([(0, 8), (10, 2.95), (30, 2.95)])
        let accuracy = judge([], graze)
        #expect(accuracy.total == 1)
        #expect(accuracy.ambiguous == 1)
        #expect(accuracy.grazes.map(\.threshold) == [3])
        #expect(judge([], walk([(0, 8), (10, 2.85), (30, 2.85)])).missed == 1)
        let miss = walk([(0, 8), (10, 3.05), (30, 3.05)])
        #expect(judge([enter(11)], miss).ambiguous == 1)
    }

    @Test func `what a recording ends too soon to see may be missed`() {
        let cut = walk([(0, 8), (7, 1), (9, 1)])
        let time = cut.samples.first { ($0.truth ?? 9) < 3 }?.time ?? 0
        #expect(judge([], cut).missed == 1)
        let sooner = Walk(name: "", samples: cut.samples.filter { $0.time < time + 2.5 })
        #expect(judge([], sooner).missed == 0)
        #expect(judge([], sooner).ambiguous == 1)
        #expect(judge([enter(time + 0.5)], sooner).delays.count == 1)
    }

    @Test func `only the first event can be about the beginning`() {
        let outside = walk([(0, 8), (30, 8)])
        // A tracker that was inside before a hole in the reports leaves at its end.
        #expect(judge([exit(0.2)], outside).wrong == 0)
        #expect(judge([enter(0.1), exit(0.2)], outside).wrong == 2)
    }

    // MARK: Figures

    @Test func `percentiles lie between the delays`() throws {
        var accuracy = Accuracy()
        #expect(accuracy.delay(percentile: 50) == nil)
        accuracy.delays = [3]
        #expect(accuracy.delay(percentile: 95) == 3)
        accuracy.delays = [4, 1, 3, 2]
        #expect(accuracy.delay(percentile: 0) == 1)
        #expect(accuracy.delay(percentile: 50) == 2.5)
        #expect(accuracy.delay(percentile: 100) == 4)
        accuracy.delays = Array(stride(from: 0.0, through: 100, by: 1))
        #expect(abs(try #require(accuracy.delay(percentile: 95)) - 95) < 1e-9)
    }

    @Test func `figures of files add up`() {
        var sum = judge([enter(trueEnter)], pass)
        sum.add(judge([], walk([(0, 8), (10, 2.95), (12, 2.95), (30, 8)])))
        sum.add(judge([enter(16)], walk([(0, 8), (30, 8)])))
        #expect(sum.total == 4)
        #expect(sum.missed == 1)
        #expect(sum.ambiguous == 2)
        #expect(sum.wrong == 1)
        #expect(sum.delays.count == 1)
        #expect(sum.grazes.count == 1)
    }
}
