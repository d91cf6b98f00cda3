// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import LinuxSystem
import TestSupport
import Testing

@Suite(.onItsOwnThread)
struct RandomRestartTests {
    @Test("A bridge that is killed twenty times at random moments of its start believes what it knew")
    func comingUp() throws {
        let text = ProcessInfo.processInfo.environment["SEED"] ?? ""
        var random = SeededGenerator(seed: UInt64(text) ?? UInt64.random(in: 0...UInt64.max))
        print("random restarts: \(random), repeat with SEED=\(random.seed)")
        let site = try Site(keepingState: true)
        try site.enterBoth()
        let before = site.events()
        site.bridge.kill()
        for _ in 0..<20 {
            try site.restartBridgeUnseen()
            let end = MonotonicClock.now() + Int64.random(in: 0...1_200_000_000, using: &random)
            while MonotonicClock.now() < end {
                try site.report(1.0)
                Waiting.sleep(milliseconds: 30)
            }
            site.bridge.kill()
        }
        try site.restartBridgeUnseen()
        _ = Waiting.until {
            try? site.report(4.0, for: 0.1)
            return site.events().count >= 4
        }
        let events = site.waitForEvents(4)
        let summaries = ["enter near", "enter immediate", "exit immediate left", "exit near left"]
        #expect(events.map(\.summary) == summaries, "\(random)\n\(site.bridge.log)")
        #expect(events.map(\.seq) == (0..<4).map { before[0].seq + $0 })
        #expect(events.map(\.visit) == [before[0].seq, before[1].seq, before[1].seq, before[0].seq])
    }
}
