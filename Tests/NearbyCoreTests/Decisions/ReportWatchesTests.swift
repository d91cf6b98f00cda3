// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NearbyCore

@Suite struct ReportWatchesTests {
    private var watches = ReportWatches()

    private func at(_ seconds: Int64) -> Instant { Instant(nanoseconds: seconds * 1_000_000_000) }

    private func sample(_ seconds: Int64, _ measured: Double = 1) -> ReportSample {
        ReportSample(at: at(seconds), measured: measured, corrected: measured, verdict: .passed)
    }

    @Test mutating func `nothing is kept of whom nobody asked about`() {
        watches.keep(sample(1), at: 1, of: 7)
        #expect(watches.samples(of: 7).isEmpty)
        #expect(watches.decisions(of: 7) == nil)
        #expect(!watches.isActive && watches.count == 0)
    }

    @Test mutating func `thirty-two reports are kept, and how far apart they were`() {
        let isNew = watches.begin(7, knowing: [], at: at(0))
        #expect(isNew)
        for index in 0..<100 {
            watches.keep(sample(1, Double(index)), at: Int64(index) * 100_000_000, of: 7)
        }
        let samples = watches.samples(of: 7)
        #expect(samples.map(\.measured) == (68..<100).map(Double.init))
        #expect(samples.allSatisfy { $0.step == .milliseconds(100) })
    }

    @Test mutating func `a report without a place in time does not count as a step`() {
        _ = watches.begin(7, knowing: [], at: at(0))
        watches.keep(sample(1), at: 0, of: 7)
        watches.keep(sample(1), at: nil, of: 7)
        watches.keep(sample(1), at: 300, of: 7)
        #expect(watches.samples(of: 7).map(\.step) == [nil, nil, .nanoseconds(300)])
    }

    @Test mutating func `what was decided before somebody asked is taken along`() {
        let before = (Int64(0)..<4).map { ZoneDecision(.entered, zone: 0, at: at($0)) }
        _ = watches.begin(7, knowing: before, at: at(5))
        for second in Int64(6)..<50 { watches.keep(ZoneDecision(.entered, zone: 0, at: at(second)), of: 7) }
        #expect(watches.decisions(of: 7)?.map(\.at) == (Int64(18)..<50).map { at($0) })
    }

    @Test mutating func `a minute after the last question the next report ends it`() {
        _ = watches.begin(7, knowing: [], at: at(0))
        watches.keep(sample(59), at: 0, of: 7)
        let isNew = watches.begin(7, knowing: [], at: at(59))
        #expect(!isNew)
        watches.keep(sample(118), at: 1, of: 7)
        #expect(watches.samples(of: 7).count == 2)
        watches.keep(sample(119), at: 2, of: 7)
        #expect(watches.samples(of: 7).isEmpty)
        #expect(!watches.isActive && watches.count == 0)
    }

    @Test mutating func `whoever asks about another ends what has run out`() {
        _ = watches.begin(7, knowing: [], at: at(0))
        _ = watches.begin(8, knowing: [], at: at(60))
        #expect(watches.count == 1)
        #expect(watches.decisions(of: 7) == nil)
        #expect(watches.decisions(of: 8) == [])
    }

    @Test mutating func `no more than sixty-four are watched, and the one asked about longest ago gives way`() {
        for track in 0..<ReportWatches.most {
            _ = watches.begin(track, knowing: [], at: Instant(nanoseconds: Int64(track)))
        }
        _ = watches.begin(0, knowing: [], at: at(1))
        _ = watches.begin(1000, knowing: [], at: at(1))
        #expect(watches.count == ReportWatches.most)
        #expect(watches.decisions(of: 0) != nil)
        #expect(watches.decisions(of: 1) == nil)
        #expect(watches.decisions(of: 1000) != nil)
    }

    @Test mutating func `a replay watches everybody for ever`() {
        watches.watchEverything()
        watches.keep(sample(1), at: 0, of: 3)
        watches.keep(sample(1_000_000), at: 1, of: 3)
        watches.keep(ZoneDecision(.entered, zone: 0, at: at(1)), of: 4)
        #expect(watches.samples(of: 3).count == 2)
        #expect(watches.decisions(of: 4)?.count == 1)
        watches.end(3)
        #expect(watches.samples(of: 3).isEmpty)
        #expect(watches.isActive)
    }
}
