// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// A small random generator with a seed, for simulations and replays that must repeat.
///
/// Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (OOPSLA 2014).
struct SplitMix64: RandomNumberGenerator, Equatable, Sendable {
    private var state: UInt64

    /// The same seed gives the same numbers.
    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A normally distributed number, by the sum of twelve even ones (Irwin–Hall), good to a few standard deviations.
    mutating func gaussian() -> Double {
        var sum = -6.0
        for _ in 0..<12 { sum += Double.random(in: 0..<1, using: &self) }
        return sum
    }

    /// Whether something happens that has this probability.
    mutating func happens(_ probability: Double) -> Bool {
        Double.random(in: 0..<1, using: &self) < probability
    }
}
