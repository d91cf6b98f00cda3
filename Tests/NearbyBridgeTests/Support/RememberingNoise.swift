// nearby-bridge · SPDX-License-Identifier: Apache-2.0

@testable import NearbyBridge

/// Normally distributed numbers with a standard deviation of 1 that may remember the one before.
struct RememberingNoise {
    private var generator: SplitMix64
    private let memory: Double
    private var last: Double?

    /// `memory` is the correlation of one number to the next: 0…1.
    init(seed: UInt64, memory: Double = 0) {
        generator = SplitMix64(seed: seed)
        self.memory = memory
    }

    /// The next number.
    mutating func next() -> Double {
        let normal = generator.gaussian()
        let value = last.map { memory * $0 + (1 - memory * memory).squareRoot() * normal } ?? normal
        last = value
        return value
    }
}
