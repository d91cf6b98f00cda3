// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NearbyBridge

struct EpisodesTests {
    /// The share of an hour that episodes take, and how many begin.
    private func hour(_ episodes: Episodes, rate: Double) -> (share: Double, begins: Int) {
        var episodes = episodes
        var generator = SplitMix64(seed: 3)
        let running = (0..<Int(36_000 * rate)).map { episodes.isRunning(at: Double($0) / rate, using: &generator) }
        let begins = zip([false] + running, running).count { !$0 && $1 }
        return (Double(running.count { $0 }) / Double(running.count), begins)
    }

    @Test(arguments: [1.0, 5, 20])
    func `they begin so often an hour at any rate of reports`(_ rate: Double) {
        let (share, begins) = hour(Episodes(perHour: 30, seconds: 4), rate: rate)
        // Ten hours.
        #expect((235...345).contains(begins))
        #expect(abs(share - Double(begins) * 4 / 36_000) < 0.006)
    }

    @Test func `none begin if none are to`() {
        #expect(hour(Episodes(perHour: 0, seconds: 4), rate: 1).begins == 0)
    }
}
