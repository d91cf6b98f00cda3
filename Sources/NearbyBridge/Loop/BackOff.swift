// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// How long to wait before the next attempt to connect: full jitter under a doubling bound.
///
/// | attempt | 1 | 2 | 3 | 4 | 5 | 6 and on |
/// |---|---|---|---|---|---|---|
/// | longest wait, network trouble | 0.25 s | 0.5 s | 1 s | 2 s | 4 s | 4 s |
/// | longest wait, refused by the broker | 2 s | 4 s | 8 s | 16 s | 32 s | 60 s |
///
/// A broker that is merely down is met again within seconds; one that does not want us is left in peace.
struct BackOff: Equatable, Sendable {
    private(set) var attempts = 0

    /// The wait after another failure.
    mutating func next(isRefusal: Bool, using generator: inout some RandomNumberGenerator) -> Duration {
        attempts += 1
        let doubled = Double(1 << min(attempts - 1, 10))
        let longest = isRefusal ? min(60, 2 * doubled) : min(4, 0.25 * doubled)
        return .milliseconds(Int64(Double.random(in: 0.05...longest, using: &generator) * 1000))
    }

    /// A connection stood for a while.
    mutating func reset() {
        attempts = 0
    }
}
