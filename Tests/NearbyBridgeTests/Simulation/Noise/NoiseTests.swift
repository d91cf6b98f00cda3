// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NearbyBridge

struct NoiseTests {
    /// What becomes of ten measurements a second of 10 m.
    private func outcomes(_ models: [NoiseModel], count: Int = 20_000, rate: Double = 10) -> [Noise.Outcome] {
        var noise = Noise(models, seed: 7)
        return (0..<count).map { noise.measure(10, at: Double($0) / rate) }
    }

    private func errors(_ model: NoiseModel, count: Int = 20_000, rate: Double = 10) -> [Double] {
        outcomes([model], count: count, rate: rate).compactMap { outcome in
            guard case .distance(let distance) = outcome else { return nil }
            return distance - 10
        }
    }

    private func deviation(_ errors: [Double]) -> Double {
        (errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)).squareRoot()
    }

    /// How much of an error is still in the one so many measurements later.
    private func memory(_ errors: [Double], after steps: Int) -> Double {
        let products = zip(errors, errors.dropFirst(steps)).map { $0 * $1 }
        return products.reduce(0, +) / Double(products.count) / (deviation(errors) * deviation(errors))
    }

    @Test func `without a model nothing is changed`() {
        var noise = Noise([], seed: 1)
        #expect(noise.measure(2.5, at: 0) == .distance(2.5))
        #expect(noise.measure(-0.2, at: 1) == .distance(-0.2))
    }

    @Test func `the same seed gives the same noise, another seed another`() {
        var first = Noise(NoiseModel.worst, seed: 1)
        var same = Noise(NoiseModel.worst, seed: 1)
        var other = Noise(NoiseModel.worst, seed: 2)
        let times = (0..<200).map { Double($0) / 10 }
        let outcomes = times.map { first.measure(3, at: $0) }
        #expect(times.map { same.measure(3, at: $0) } == outcomes)
        #expect(times.map { other.measure(3, at: $0) } != outcomes)
    }

    @Test func `one more model does not change what the others do`() {
        let spikes = errors(.spikes(share: 0.05))
        var both = Noise([.spikes(share: 0.05), .offset(metres: 1)], seed: 7)
        for (step, error) in spikes.enumerated() {
            guard case .distance(let distance) = both.measure(10, at: Double(step) / 10) else { continue }
            // A spike of more than 10 m ends at 0.
            #expect(abs(distance - 11 - error) < 1e-9 || error == -10)
        }
    }

    @Test func `independent noise has its deviation and no memory`() {
        let errors = errors(.gaussian(deviation: 0.12))
        #expect(abs(deviation(errors) - 0.12) < 0.003)
        #expect(abs(memory(errors, after: 1)) < 0.03)
    }

    @Test(arguments: [5.0, 10, 50])
    func `correlated noise has its deviation and forgets to 1/e in a second, at any rate`(_ rate: Double) {
        let errors = errors(.correlated(deviation: 0.12), count: 100_000, rate: rate)
        #expect(abs(deviation(errors) - 0.12) < 0.008)
        #expect(abs(memory(errors, after: Int(rate)) - 0.37) < 0.06)
        #expect(abs(memory(errors, after: Int(rate) * 4)) < 0.08)
    }

    @Test func `reports slower than the memory are independent`() {
        #expect(abs(memory(errors(.correlated(deviation: 0.12), rate: 0.25), after: 1)) < 0.03)
    }

    @Test func `gross errors have their share, come in threes and are nearly all short`() {
        let errors = errors(.spikes(share: 0.03), count: 100_000)
        let wrong = errors.filter { $0 != 0 }
        #expect(abs(Double(wrong.count) / 100_000 - 0.03) < 0.003)
        #expect(wrong.allSatisfy { $0.magnitude >= 0.5 && $0.magnitude < 19.7 })
        #expect(wrong.count { $0 < 0 } > wrong.count * 9 / 10)
        #expect(wrong.contains { $0 > 0 })
        var runs: [Int] = []
        for (before, error) in zip([0] + errors, errors) where error != 0 {
            if error == before { runs[runs.count - 1] += 1 } else { runs.append(1) }
        }
        // Two runs that end at 0 m look like one.
        #expect(runs.dropLast().count { $0 == 3 } > runs.count * 95 / 100)
    }

    @Test func `a body makes distances longer so often and for so long`() {
        let errors = errors(.shadow(Episodes(perHour: 60, seconds: 3), metres: 0.6), count: 360_000)
        let shadowed = errors.count { abs($0 - 0.6) < 1e-9 }
        #expect(errors.allSatisfy { $0 == 0 || abs($0 - 0.6) < 1e-9 })
        let begins = zip(errors, errors.dropFirst()).count { $0 == 0 && $1 != 0 }
        // Ten hours; 60 an hour of the time that is free of one.
        #expect((510...630).contains(begins))
        #expect(abs(Double(shadowed) / Double(begins) / 10 - 3) < 0.2)
    }

    @Test func `a lost report is missing, and a failed round says so`() {
        let lost = outcomes([.loss(share: 0.2)])
        #expect(abs(Double(lost.count { $0 == .missing }) / 20_000 - 0.2) < 0.01)
        let failed = outcomes([.failed(share: 0.1)])
        #expect(abs(Double(failed.count { $0 == .failed }) / 20_000 - 0.1) < 0.01)
        #expect(outcomes([.loss(share: 1), .failed(share: 1)]).allSatisfy { $0 == .missing })
    }

    @Test func `a hole lasts from half to one and a half times its length`() {
        let all = outcomes([.holes(Episodes(perHour: 60, seconds: 10))], count: 100_000)
        var lengths: [Int] = []
        var isInside = false
        for outcome in all {
            if outcome == .missing {
                if isInside { lengths[lengths.count - 1] += 1 } else { lengths.append(1) }
            }
            isInside = outcome == .missing
        }
        #expect(lengths.count > 50)
        #expect(lengths.dropLast().allSatisfy { (50...151).contains($0) })
    }

    @Test func `an offset moves everything, and nothing lies behind the accessory`() {
        #expect(errors(.offset(metres: 0.36)).allSatisfy { abs($0 - 0.36) < 1e-9 })
        #expect(outcomes([.offset(metres: -11)]).allSatisfy { $0 == .distance(0) })
    }
}
