// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyCore

@Suite struct ReportClockTests {
    private static let interval: Int64 = 100_000_000
    private static let origin: Int64 = 1_764_511_312_000_000_000

    private var clock = ReportClock()

    /// A report measured in a step of 0.1 s, each with a distance of its own.
    private func report(
        _ step: Int64,
        origin: Int64 = Self.origin,
        sequence: Int64? = nil,
        distance: Double? = nil
    ) -> RangeReport {
        var report = RangeReport()
        report.distance = distance ?? 1 + Double(step) / 100
        report.timestamp = origin + step * Self.interval
        report.sequence = sequence
        return report
    }

    private func sequenced(_ sequence: Int64, distance: Double? = nil) -> RangeReport {
        var report = RangeReport()
        report.distance = distance ?? 1 + Double(sequence % 1000) / 100
        report.sequence = sequence
        return report
    }

    private mutating func observe(_ report: RangeReport, at receive: Int64) -> ReportClock.Verdict {
        clock.observe(report, at: Instant(nanoseconds: receive))
    }

    /// The filter time that passes over reports of the given steps, received at the given times in milliseconds.
    private mutating func elapsed(_ arrivals: [(step: Int64, milliseconds: Int64)]) -> Int64 {
        var sum: Int64 = 0
        for arrival in arrivals {
            guard case .advanced(let step) = observe(report(arrival.step), at: arrival.milliseconds * 1_000_000) else {
                continue
            }
            sum += step
        }
        return sum
    }

    // MARK: Devices with a clock

    @Test mutating func `the first report begins at zero`() {
        #expect(observe(report(0), at: 77) == .advanced(0))
    }

    @Test mutating func `reports in bursts keep the device's spacing`() {
        for step in Int64(0)..<50 {
            let receive = (step / 5 * 5 + 4) * Self.interval
            #expect(observe(report(step), at: receive) == .advanced(step == 0 ? 0 : Self.interval))
        }
    }

    @Test mutating func `a stall of the link does not stretch filter time`() {
        for step in Int64(0)..<100 {
            let receive = 20..<60 ~= step ? 60 * Self.interval : step * Self.interval
            #expect(observe(report(step), at: receive) == .advanced(step == 0 ? 0 : Self.interval))
        }
    }

    @Test mutating func `what the link lost still took its time`() {
        #expect(elapsed([(0, 0), (1, 100), (30, 3000), (31, 3100)]) == 31 * Self.interval)
    }

    @Test mutating func `a report that took long does not make the next one look like a jump`() {
        #expect(elapsed([(0, 0), (1, 100), (2, 3200), (33, 3300)]) == 33 * Self.interval)
    }

    @Test mutating func `the same report twice is a duplicate`() {
        _ = observe(report(0), at: 0)
        _ = observe(report(1), at: Self.interval)
        #expect(observe(report(1), at: Self.interval + 5_000_000) == .duplicate)
        #expect(observe(report(2), at: 2 * Self.interval) == .advanced(Self.interval))
    }

    @Test mutating func `a report that was overtaken is late, and time goes on from the newest`() {
        _ = observe(report(0), at: 0)
        _ = observe(report(2), at: 2 * Self.interval)
        #expect(observe(report(1), at: 2 * Self.interval + 1) == .late)
        #expect(observe(report(3), at: 3 * Self.interval) == .advanced(Self.interval))
    }

    @Test(arguments: [Int64(-3_000_000_000), -60_000_000_000, -Self.origin])
    mutating func `a device that reboots is followed by receive time within three reports`(shift: Int64) {
        for step in Int64(0)..<40 { _ = observe(report(step), at: step * Self.interval) }
        var sum: Int64 = 0
        var unused = 0
        for step in Int64(40)..<60 {
            switch observe(report(step, origin: Self.origin + shift), at: step * Self.interval) {
            case .advanced(let time): sum += time
            case .late, .duplicate: unused += 1
            }
        }
        #expect(unused <= 2)
        #expect(sum == 20 * Self.interval)
    }

    @Test mutating func `a jump to the future is one step of receive time`() {
        for step in Int64(0)..<20 { _ = observe(report(step), at: step * Self.interval) }
        let jumped = Self.origin + 3_600_000_000_000
        #expect(observe(report(20, origin: jumped), at: 20 * Self.interval) == .advanced(Self.interval))
        #expect(observe(report(21, origin: jumped), at: 21 * Self.interval + 9) == .advanced(Self.interval))
    }

    @Test mutating func `stamps of whole seconds give way to receive time`() {
        var sum: Int64 = 0
        for step in Int64(0)..<50 {
            var report = report(0, distance: 1 + Double(step) / 100)
            report.timestamp = Self.origin + step / 10 * 1_000_000_000
            if case .advanced(let time) = observe(report, at: step * Self.interval) { sum += time }
        }
        #expect(sum == 49 * Self.interval)
    }

    @Test mutating func `a device with whole seconds that restarts with fine stamps is trusted again`() {
        for step in Int64(0)..<3 {
            var report = report(0, distance: 1 + Double(step) / 100)
            report.timestamp = Self.origin
            _ = observe(report, at: step * Self.interval)
        }
        for step in Int64(0)..<3 { _ = observe(report(step, origin: Self.origin - 1_000_000_000), at: 1_000_000_000) }
        #expect(observe(report(3, origin: Self.origin - 1_000_000_000), at: 1_000_000_000) == .advanced(Self.interval))
    }

    @Test(arguments: [0.9997, 1.0, 1.0003])
    mutating func `a crystal that drifts is followed for an hour`(rate: Double) {
        var sum = 0.0
        for step in Int64(0)..<36_000 {
            var report = report(step)
            report.timestamp = Self.origin + Int64(Double(step * Self.interval) * rate)
            guard case .advanced(let time) = observe(report, at: step * Self.interval) else {
                Issue.record("step \(step) was not used")
                return
            }
            sum += Double(time)
        }
        #expect(abs(sum / Double(35_999 * Self.interval) - rate) < 1e-6)
    }

    @Test mutating func `a slow crystal does not hide a jump after hours`() {
        let second: Int64 = 1_000_000_000
        var stamp = Self.origin
        for step in Int64(0)..<10_800 {
            var report = report(0, distance: Double(step))
            report.timestamp = stamp
            _ = observe(report, at: step * second)
            stamp += second - 300_000
        }
        var jumped = report(0, distance: 0.5)
        jumped.timestamp = stamp + 3 * second
        #expect(observe(jumped, at: 10_800 * second) == .advanced(second))
    }

    @Test mutating func `a report without a stamp counts by receive time, and so does the next with one`() {
        _ = observe(report(0), at: 0)
        var bare = report(0, distance: 9)
        bare.timestamp = nil
        #expect(observe(bare, at: 130) == .advanced(130))
        #expect(observe(report(9), at: 200) == .advanced(70))
        #expect(observe(report(10), at: 300) == .advanced(Self.interval))
    }

    // MARK: Devices without a clock

    @Test mutating func `without stamp and counter only the same at the same moment is a duplicate`() {
        var bare = RangeReport()
        bare.distance = 2
        var other = RangeReport()
        other.distance = 2.01
        #expect(observe(bare, at: 10) == .advanced(0))
        #expect(observe(bare, at: 10) == .duplicate)
        #expect(observe(other, at: 1_000_010) == .advanced(1_000_000))
        #expect(observe(bare, at: 1_000_020) == .advanced(10))
        #expect(observe(bare, at: 3_000_020) == .advanced(2_000_000))
        #expect(observe(bare, at: 20) == .duplicate)
        #expect(observe(other, at: 20) == .advanced(0))
    }

    @Test mutating func `a counter tells duplicates and late reports apart`() {
        #expect(observe(sequenced(7), at: 0) == .advanced(0))
        #expect(observe(sequenced(9), at: 10) == .advanced(10))
        #expect(observe(sequenced(9), at: 11) == .duplicate)
        #expect(observe(sequenced(8), at: 12) == .late)
        #expect(observe(sequenced(9, distance: 5), at: 20) == .advanced(10))
    }

    @Test mutating func `a counter of eight bits wraps`() {
        for sequence in Int64(250)..<256 { _ = observe(sequenced(sequence), at: sequence) }
        #expect(observe(sequenced(0), at: 256) == .advanced(1))
        #expect(observe(sequenced(1), at: 257) == .advanced(1))
    }

    @Test mutating func `a counter that begins anew nearby is believed at the third report`() {
        for sequence in Int64(0)..<8 { _ = observe(sequenced(sequence), at: sequence) }
        #expect(observe(sequenced(0), at: 10) == .late)
        #expect(observe(sequenced(1), at: 20) == .late)
        #expect(observe(sequenced(2), at: 30) == .advanced(23))
        #expect(observe(sequenced(3), at: 40) == .advanced(10))
    }

    @Test mutating func `late reports in falling order prove no restart`() {
        for sequence in Int64(0)..<12 { _ = observe(sequenced(sequence), at: sequence) }
        for sequence in stride(from: Int64(9), to: 3, by: -1) {
            #expect(observe(sequenced(sequence), at: 20) == .late)
        }
    }

    @Test mutating func `stamp and counter must both repeat for a duplicate`() {
        _ = observe(report(0, sequence: 1, distance: 2), at: 0)
        #expect(observe(report(0, sequence: 2, distance: 2), at: 10) == .advanced(10))
        #expect(observe(report(0, sequence: 2, distance: 2), at: 11) == .duplicate)
    }

    // MARK: Anything at all

    @Test(arguments: UInt64(1)...50)
    mutating func `no stamps, counters or instants can trap or turn time back`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let extremes: [Int64] = [.min, .min + 1, -1, 0, 1, .max - 1, .max, Self.origin]
        for _ in 0..<500 {
            var report = RangeReport()
            report.distance = Bool.random(using: &random) ? 1 : Double.random(in: 0..<9, using: &random)
            if Bool.random(using: &random) { report.timestamp = extremes.randomElement(using: &random) }
            if Bool.random(using: &random) { report.sequence = extremes.randomElement(using: &random) }
            let receive = extremes.randomElement(using: &random) ?? 0
            if case .advanced(let step) = observe(report, at: receive) { #expect(step >= 0) }
        }
    }
}
