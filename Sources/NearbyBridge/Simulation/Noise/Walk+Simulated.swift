// nearby-bridge · SPDX-License-Identifier: Apache-2.0

extension Walk {
    /// Seconds and metres.
    typealias Corner = (time: Double, distance: Double)

    /// Somebody who is not there and goes in straight lines from corner to corner, measured ten times a second.
    static func simulated(_ corners: [Corner], _ models: [NoiseModel], seed: UInt64) -> Walk {
        var noise = Noise(models, seed: seed)
        var samples: [Sample] = []
        for (from, to) in zip(corners, corners.dropFirst()) {
            let count = Int(((to.time - from.time) * 10).rounded())
            for step in 0..<count {
                let share = Double(step) / Double(count)
                let time = from.time + (to.time - from.time) * share
                let truth = from.distance + (to.distance - from.distance) * share
                guard case .distance(let measured) = noise.measure(truth, at: time) else { continue }
                samples.append(Sample(time: time, measured: measured, truth: truth))
            }
        }
        return Walk(name: "simulated", samples: samples)
    }
}
