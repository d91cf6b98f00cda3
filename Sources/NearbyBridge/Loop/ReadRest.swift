// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// How long the loop lets messages gather before it reads again.
///
/// Under load, most of a message's cost is waking up for it. A short rest after each drain turns many wake-ups into one; below
/// `busyRate` there is none, so that a quiet bridge answers at once.
struct ReadRest: Sendable {
    /// Nanoseconds over which the load is judged.
    static let window: Int64 = 10_000_000
    /// Messages a second from which resting pays.
    static let busyRate = 4000
    /// Nanoseconds of a rest.
    static let length: Int64 = 150_000

    private var windowBegan: Int64 = 0
    private var count = 0
    private var isBusy = false

    /// Takes note of a drain that found so many messages; returns the nanoseconds to rest.
    mutating func drained(_ messages: Int, at now: Int64) -> Int64 {
        count += messages
        let passed = now &- windowBegan
        if passed >= Self.window {
            isBusy = Double(count) * 1e9 > Double(Self.busyRate) * Double(passed)
            windowBegan = now
            count = 0
        }
        return isBusy && messages > 0 ? Self.length : 0
    }
}
