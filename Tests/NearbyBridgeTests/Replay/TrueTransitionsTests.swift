// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NearbyBridge

struct TrueTransitionsTests {
    /// A truth that is told ten times a second.
    private func course(_ distances: [Double?]) -> TrueCourse {
        let samples = distances.enumerated().map { index, truth in
            Walk.Sample(time: Double(index) / 10, measured: 0, truth: truth)
        }
        return TrueCourse(Walk(name: "walk", samples: samples))
    }

    private func transitions(_ distances: [Double?]) -> TrueTransitions {
        TrueTransitions(course(distances), radius: 1.5, exitRadius: 1.8)
    }

    private let away = Array(repeating: 5.0, count: 50)

    @Test func `a course has the samples that know the truth`() {
        let course = course([1, nil, 3])
        #expect(course.times == [0, 0.2])
        #expect(course.distances == [1, 3])
    }

    @Test func `a zone is entered below the radius and left beyond the exit radius`() {
        let truth = transitions([2, 1.5, 1.49, 1.7, 1.8, 1.81, 1.6, 1.4])
        #expect(truth.opening?.isEnter == false)
        #expect(truth.changes.map(\.position) == [2, 5, 7])
        #expect(truth.changes.map(\.isEnter) == [true, false, true])
        #expect(truth.changes.map(\.before) == [0, 2, 5])
        #expect(truth.changes.map(\.after) == [5, 7, 8])
        #expect(transitions([1, 2]).opening?.isEnter == true)
        #expect(transitions([]).opening == nil)
    }

    @Test func `a deep stay is certain, and nothing else may have happened`() {
        let truth = transitions(away + [4, 3, 2, 1, 1, 1, 2, 3, 4] + away)
        #expect(truth.changes.count == 2)
        #expect((0..<2).allSatisfy { !truth.mayBeMissed($0) })
        #expect(truth.extras.joined().isEmpty)
    }

    @Test(arguments: [(1.42, true), (1.38, false)])
    func `a stay is certain if it goes deeper than the accuracy`(_ depth: Double, _ mayBeMissed: Bool) throws {
        let truth = transitions(away + [4, 3, 2, depth, depth, depth, 2, 3, 4] + away)
        #expect(truth.changes.count == 2)
        #expect((0..<2).allSatisfy { truth.mayBeMissed($0) == mayBeMissed })
        guard mayBeMissed else { return }
        let passes = truth.changes.map { truth.pass(of: $0) }
        #expect(passes.allSatisfy { $0 == Accuracy.Graze(time: 5.3, truth: depth, threshold: 1.5) })
    }

    @Test(arguments: [(1.58, true), (1.62, false)])
    func `a near miss may have been a stay`(_ depth: Double, _ mayHaveHappened: Bool) throws {
        let truth = transitions(away + [4, 3, 2, depth, depth, 2, 3, 4] + away)
        #expect(truth.changes.isEmpty)
        #expect(truth.extras.joined().isEmpty != mayHaveHappened)
        for extra in truth.extras.joined() {
            #expect(truth.pass(of: extra) == Accuracy.Graze(time: 5.3, truth: depth, threshold: 1.5))
        }
    }

    @Test func `a slow crossing is named by where it happens`() throws {
        // From 1.7 m to 1.2 m in 50 s.
        let truth = transitions(away + (0..<500).map { 1.7 - Double($0) / 1000 } + away)
        let enter = try #require(truth.changes.first)
        #expect(truth.mayBeMissed(0))
        #expect(!truth.mayBeMissed(1))
        let pass = truth.pass(of: enter)
        #expect(pass.threshold == 1.5)
        #expect(abs(pass.truth - 1.499) < 1e-9)
    }

    @Test func `a zone smaller than the accuracy is never certain`() {
        let truth = TrueTransitions(course(away + [4, 2, 0.05, 0.01, 2, 4] + away), radius: 0.1, exitRadius: 0.4)
        #expect(truth.changes.count == 2)
        #expect(truth.mayBeMissed(0) && truth.mayBeMissed(1))
    }
}
