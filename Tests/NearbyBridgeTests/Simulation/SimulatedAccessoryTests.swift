// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import TestSupport
import Testing

@testable import NearbyBridge

struct SimulatedAccessoryTests {
    private struct Report: Equatable {
        var due: Double
        var distance: Double
        var sequence: Int
        var timestamp: Double
    }

    /// The reports that are due before a time.
    private func reports(_ accessory: SimulatedAccessory, until end: Double, clock: Double = 0) throws -> [Report] {
        var accessory = accessory
        var reports: [Report] = []
        while accessory.due < end {
            let due = accessory.due
            let json = OwnEncoder.encode(EncodedMeasurement(accessory.nextReport(), clockAtZero: clock, interval: 0))
            #expect(JSONText.fault(json) == nil)
            let object = try #require(JSONText.object(json))
            #expect(object.count == 3)
            reports.append(
                Report(
                    due: due,
                    distance: try #require(object["distance"] as? Double),
                    sequence: try #require(object["seq"] as? Int),
                    timestamp: try #require(object["timestamp"] as? Double)
                )
            )
        }
        return reports
    }

    private func invented(
        rate: Double = 10,
        noise: Double = 0.05,
        seed: UInt64 = 1,
        phase: Double = 0
    )
        -> SimulatedAccessory
    {
        SimulatedAccessory(identifier: "sim", rate: rate, noise: noise, seed: seed, phase: phase)
    }

    @Test(arguments: [0.5, 1, 10, 100])
    func `reports come at the rate that was asked for`(_ rate: Double) throws {
        let reports = try reports(invented(rate: rate), until: 100)
        #expect(abs(reports.count - Int(100 * rate)) <= 1)
        for (index, report) in reports.enumerated() {
            #expect(abs(report.due - Double(index) / rate) < 1e-6)
            #expect(report.sequence == index)
        }
    }

    @Test func `accessories are spread over the interval`() {
        let dues = (0..<10).map { invented(phase: Double($0) / 10).due }
        for (index, due) in dues.enumerated() { #expect(abs(due - Double(index) / 100) < 1e-9) }
    }

    @Test func `timestamps are the device's clock at the time that was due`() throws {
        let clock = 1_764_511_312.25
        for report in try reports(invented(rate: 7), until: 10, clock: clock) {
            #expect(abs(report.timestamp - clock - report.due) <= 0.000_501)
        }
    }

    @Test func `the same seed gives the same walk, another seed another`() throws {
        let first = try reports(invented(seed: 7), until: 60)
        #expect(try reports(invented(seed: 7), until: 60) == first)
        #expect(try reports(invented(seed: 8), until: 60).map(\.distance) != first.map(\.distance))
    }

    @Test func `an invented peer walks at walking speed between 0.3 and 8 m, and rests`() throws {
        let distances = try reports(invented(noise: 0), until: 600).map(\.distance)
        #expect(distances.allSatisfy { $0 >= 0.299 && $0 <= 8.001 })
        let steps = zip(distances, distances.dropFirst()).map { abs($1 - $0) }
        #expect(steps.allSatisfy { $0 < 0.122 })
        #expect(steps.count { $0 == 0 } > 600)
        #expect(steps.count { $0 > 0.1 } > 600)
    }

    @Test func `noise has the deviation that was asked for, and distances are never negative`() throws {
        let quiet = try reports(invented(noise: 0, seed: 3), until: 1000)
        // The generator also draws the walk, so the noise is seen while the peer rests.
        let noisy = try reports(invented(noise: 0.1, seed: 3), until: 1000)
        #expect(quiet.count == noisy.count)
        var squares: [Double] = []
        for window in stride(from: 0, to: noisy.count - 10, by: 10) {
            let values = noisy[window..<window + 10].map(\.distance)
            let mean = values.reduce(0, +) / 10
            let spread = (values.max() ?? 0) - (values.min() ?? 0)
            if spread < 0.6 { squares.append(values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 9) }
        }
        #expect(squares.count > 200)
        squares.sort()
        // The median variance of windows that are mostly rest.
        #expect(abs(squares[squares.count / 2].squareRoot() - 0.1) < 0.02)
        #expect(try reports(invented(noise: 5), until: 100).allSatisfy { $0.distance >= 0 })
    }

    // MARK: Recorded walks

    private let walk = Walk(
        name: "walk",
        samples: [(0.25, 3.0), (0.35, 2.5), (0.75, 2.0)].map {
            Walk.Sample(time: $0.0, measured: $0.1, truth: nil)
        }
    )

    @Test func `a recorded walk comes at its own times, and again after a rest`() throws {
        let reports = try reports(SimulatedAccessory(identifier: "a", walk: walk, startingAt: 2), until: 30)
        let dues = [2.25, 2.35, 2.75, 15, 15.1, 15.5, 27.75, 27.85, 28.25]
        #expect(reports.count == dues.count)
        for (report, due) in zip(reports, dues) { #expect(abs(report.due - due) < 1e-9) }
        #expect(reports.map(\.distance) == [3, 2.5, 2, 3, 2.5, 2, 3, 2.5, 2])
        #expect(reports.map(\.sequence) == Array(0..<9))
    }

    @Test func `the rest is longer than a peer takes to be lost`() throws {
        let reports = try reports(SimulatedAccessory(identifier: "a", walk: walk, startingAt: 0), until: 14)
        let gaps = zip(reports, reports.dropFirst()).map { $1.due - $0.due }
        #expect((gaps.max() ?? 0) > 10)
    }

    @Test func `the walks of the demo are pieces of the recorded ones`() throws {
        let recorded = Dictionary(uniqueKeysWithValues: try Walk.recorded().map { ($0.name, $0) })
        #expect(RecordedWalks.all.count == 3)
        for piece in RecordedWalks.all {
            let whole = try #require(recorded[piece.name])
            let distances = whole.samples.map { Int(($0.measured * 1000).rounded()) }
            let cut = piece.samples.map { Int(($0.measured * 1000).rounded()) }
            #expect(cut.count > 300)
            let start = distances.indices.first { distances[$0...].starts(with: cut) }
            let found = try #require(start, "\(piece.name)")
            let begin = whole.samples[found].time - piece.samples[0].time
            for (index, sample) in piece.samples.enumerated() {
                #expect(abs(whole.samples[found + index].time - begin - sample.time) < 0.01)
            }
        }
    }

    @Test func `the walks of the demo pass through both zones, and out again`() {
        var zones: Set<String> = []
        for walk in RecordedWalks.all {
            var replay = Replay(options: EngineOptions(), name: walk.name)
            let events = replay.events(of: walk)
            zones.formUnion(events.map(\.zone))
            #expect(events.count >= 4)
            #expect(events.count { $0.kind == .enter } * 2 == events.count)
        }
        #expect(zones == ["immediate", "near"])
    }
}
