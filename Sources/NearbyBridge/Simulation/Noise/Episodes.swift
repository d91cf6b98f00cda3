// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Something that begins by chance, so often an hour, and lasts for a while.
struct Episodes: Equatable, Sendable {
    /// How many begin in an hour.
    var perHour: Double
    /// Seconds that one lasts in the mean; each lasts between half and one and a half times as long.
    var seconds: Double

    private var end = -Double.infinity
    private var lastTime: Double?

    init(perHour: Double, seconds: Double) {
        self.perHour = perHour
        self.seconds = seconds
    }

    /// Whether one is running at a time; times must not run backwards.
    mutating func isRunning(at time: Double, using generator: inout SplitMix64) -> Bool {
        let step = time - (lastTime ?? time)
        lastTime = time
        if time < end { return true }
        guard generator.happens(perHour / 3600 * step) else { return false }
        end = time + seconds * Double.random(in: 0.5..<1.5, using: &generator)
        return true
    }
}
