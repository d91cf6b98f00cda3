// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// A random number generator that repeats itself: SplitMix64.
///
/// It prints its seed when a test says that it failed: the next run can then be given the same numbers.
public struct SeededGenerator: RandomNumberGenerator, CustomStringConvertible, Sendable {
    /// What it was created with.
    public let seed: UInt64
    private var state: UInt64

    /// Creates a generator; equal seeds give equal numbers.
    public init(seed: UInt64) {
        self.seed = seed
        state = seed
    }

    /// The seed, for the comment of an expectation.
    public var description: String { "seed \(seed)" }

    /// The next number of Steele, Lea and Flood's SplitMix64.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    /// Runs a body with a generator and prints the seed if the body throws or says that it failed.
    @discardableResult
    public static func run<Failure: Error>(
        seed: UInt64,
        _ body: (inout SeededGenerator) throws(Failure) -> Bool
    ) throws(Failure) -> Bool {
        var generator = SeededGenerator(seed: seed)
        var hasPassed = false
        defer { if !hasPassed { print("failed with \(generator.description)") } }
        hasPassed = try body(&generator)
        return hasPassed
    }
}
