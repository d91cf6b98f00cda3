// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NearbyBridge

struct WalkConditionTests {
    private let walk = Walk.simulated([(0, 5), (180, 1)], [], seed: 0)

    @Test func `a recording is heard as it is`() {
        #expect(WalkCondition.recorded.heard(walk, seed: 1) == walk)
        #expect(WalkCondition.recorded.stretches(of: walk, heard: walk) == [walk])
    }

    @Test(arguments: [5.0, 2, 1])
    func `a slow source tells so many a second of the same truth`(_ rate: Double) {
        let heard = WalkCondition.rate(rate).heard(walk, seed: 1)
        // A tenth of a step too early is still in time.
        #expect((1...1.12).contains(Double(heard.samples.count) / (180 * rate)))
        #expect(WalkCondition.rate(rate).stretches(of: walk, heard: heard) == [walk])
    }

    @Test func `a share is missing, the same for the same seed`() {
        let condition = WalkCondition.missing(0.2)
        let heard = condition.heard(walk, seed: 1)
        #expect(abs(Double(heard.samples.count) / 1800 - 0.8) < 0.04)
        #expect(condition.heard(walk, seed: 1) == heard)
        #expect(condition.heard(walk, seed: 2) != heard)
        #expect(condition.stretches(of: walk, heard: heard) == [walk])
    }

    @Test(arguments: 0..<20)
    func `holes part a walk into stretches that are judged each for itself`(_ seed: UInt64) {
        let condition = WalkCondition.holes(20)
        let heard = condition.heard(walk, seed: seed)
        let stretches = condition.stretches(of: walk, heard: heard)
        #expect(stretches.flatMap(\.samples) == heard.samples)
        #expect((3...5).contains(stretches.count))
        for (before, after) in zip(stretches, stretches.dropFirst()) {
            let pause = (after.samples.first?.time ?? 0) - (before.samples.last?.time ?? 0)
            #expect(pause > 19.9 && pause < 20.3)
        }
        #expect(condition.heard(Walk(name: "", samples: []), seed: seed).samples.isEmpty)
    }

    @Test func `every condition has a name of its own`() {
        let names = WalkCondition.all.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(names.first == "as recorded")
    }
}
