// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import TestSupport
import Testing

@testable import NearbyBridge

struct ReportEncodingTests {
    /// What every decoder must make of an encoder's payload, whatever the format it takes it for.
    private func decode(_ payload: [UInt8]) throws -> [RangeReport] {
        var cursor = ReportCursor()
        var report = RangeReport()
        var reports: [RangeReport] = []
        while try RangeFormat.next(in: payload.span, at: &cursor, into: &report) { reports.append(report) }
        #expect(cursor.unfinishedTail == nil)
        return reports
    }

    private func format(of payload: [UInt8]) -> RangeFormat? {
        RangeFormatRow.table.first { $0.looksLike(payload.span) }?.format
    }

    /// Metres by which a distance may be off, and the least one that there is.
    private func limits(_ encoding: ReportEncoding) -> (resolution: Double, least: Double) {
        switch encoding {
        case .json, .trek, .linktrack: (0.000_501, -0.4)
        case .uci, .uciHexadecimal, .qorvo, .dw1000: (0.005_01, -0.4)
        case .pans, .makerfabs, .eliko: (0.005_01, 0.01)
        case .espresense: (0.005_01, -0.4)
        case .omlox: (0.000_501, 0)
        }
    }

    private func isPeer(
        _ peer: RangeReport.Peer,
        _ number: UInt16,
        in payload: [UInt8],
        _ encoding: ReportEncoding
    ) -> Bool {
        switch (encoding, peer) {
        case (.json, .unnamed): true
        case (.espresense, .name(let range)), (.omlox, .name(let range)):
            String(decoding: payload[range], as: UTF8.self) == "phone-\(number)"
        case (_, .address(let address)): address == RadioAddress(UInt64(number))
        default: false
        }
    }

    @Test(arguments: ReportEncoding.allCases)
    func `what is encoded is found out and decoded alike`(_ encoding: ReportEncoding) throws {
        var generator = SeededGenerator(seed: 11)
        let (resolution, least) = limits(encoding)
        for sequence in 0..<500 {
            var measurement = EncodedMeasurement(distance: Double.random(in: -0.4...200, using: &generator))
            if sequence < 3 { measurement.distance = [0, 0.004, -0.3][sequence] }
            measurement.peer = UInt16.random(in: 0...3, using: &generator)
            measurement.sequence = Int64(sequence) * 1000
            measurement.time = Double(sequence)
            measurement.unixTime = 1_764_511_312.5 + Double(sequence)
            measurement.interval = 100
            let payload = encoding.encode(measurement)
            let reports = try decode(payload)
            let report = try #require(reports.first)
            let distance = try #require(report.distance)
            let expected = max(least, measurement.distance ?? 0)
            #expect(reports.count == 1 && report.status == .ok)
            #expect(abs(distance - expected) <= resolution, "\(distance), not \(expected)")
            #expect(isPeer(report.peer, measurement.peer, in: payload, encoding))
        }
    }

    @Test(arguments: ReportEncoding.allCases)
    func `a failed round has no distance`(_ encoding: ReportEncoding) throws {
        let reports = try decode(encoding.encode(EncodedMeasurement(distance: nil)))
        #expect(reports.count == 1 && reports[0].distance == nil)
        #expect(encoding == .json || reports[0].status != .ok)
    }

    @Test func `every format but those of positions is there`() {
        let formats = ReportEncoding.allCases.compactMap { format(of: $0.encode(EncodedMeasurement(distance: 1))) }
        #expect(Set(formats).count == ReportEncoding.allCases.count - 1)
        for encoding in ReportEncoding.allCases where encoding != .uciHexadecimal {
            #expect(format(of: encoding.encode(EncodedMeasurement(distance: 1)))?.rawValue == encoding.rawValue)
        }
    }

    @Test(arguments: ReportEncoding.allCases)
    func `whatever a walk holds is encoded`(_ encoding: ReportEncoding) throws {
        for distance in [Double.nan, .infinity, -.infinity, 1e300, -1e300, 65_534] {
            var measurement = EncodedMeasurement(distance: distance)
            measurement.sequence = .max
            measurement.time = distance
            measurement.unixTime = distance
            #expect(!encoding.encode(measurement).isEmpty)
        }
    }

    @Test(arguments: ReportEncoding.allCases)
    func `a walk gives the same events in every format`(_ encoding: ReportEncoding) throws {
        let walk = try Walk.recorded()[0]
        func events(_ encoding: ReportEncoding) -> [ZoneEvent] {
            let entries = walk.samples.enumerated().map { index, sample in
                var measurement = EncodedMeasurement(distance: sample.measured)
                measurement.sequence = Int64(index)
                measurement.time = sample.time
                measurement.unixTime = 1_764_511_312 + sample.time
                return VendorLog.Entry(time: sample.time, payload: encoding.encode(measurement))
            }
            let log = VendorLog(format: .auto, clock: .lines, entries: entries, faults: 0)
            var replay = Replay(options: EngineOptions(), name: "walk")
            return replay.events(of: log).filter { $0.peer == nil }
        }
        let (own, encoded) = (events(.json), events(encoding))
        #expect(own.count > 4 && encoded.map(\.zone) == own.map(\.zone))
        for (here, there) in zip(own, encoded) {
            // A centimetre more or less is a step of the walk.
            #expect(abs(Replay.seconds(here.at) - Replay.seconds(there.at)) < 0.3)
        }
    }
}
