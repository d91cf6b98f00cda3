// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What may happen to reports between a device and the bridge.
public struct LossyLink: Equatable, Sendable {
    /// The share of reports that never arrive.
    public var loss = 0.0
    /// The share of reports that arrive twice.
    public var duplication = 0.0
    /// The shortest way (nanoseconds).
    public var leastDelay: Int64 = 0
    /// The longest way (nanoseconds): when it exceeds the least by more than an interval, reports overtake each other.
    public var greatestDelay: Int64 = 0
    /// So many reports wait for each other and arrive at once.
    public var burst = 1

    /// Creates a link without faults.
    public init() {}

    /// Creates a link that delivers in bursts.
    public init(burst: Int) {
        self.burst = burst
    }

    /// Creates a link with faults; delays in milliseconds.
    public init(loss: Double, duplication: Double, milliseconds: ClosedRange<Int64>) {
        self.loss = loss
        self.duplication = duplication
        leastDelay = milliseconds.lowerBound * 1_000_000
        greatestDelay = milliseconds.upperBound * 1_000_000
    }

    /// How long each copy of a report takes: none is lost, two are a duplicate (nanoseconds).
    func delays(using generator: inout SeededGenerator) -> [Int64] {
        guard loss == 0 || Double.random(in: 0..<1, using: &generator) >= loss else { return [] }
        let copies = duplication > 0 && Double.random(in: 0..<1, using: &generator) < duplication ? 2 : 1
        return (0..<copies).map { _ in
            leastDelay == greatestDelay ? leastDelay : Int64.random(in: leastDelay...greatestDelay, using: &generator)
        }
    }
}
