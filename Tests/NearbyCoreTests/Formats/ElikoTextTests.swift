// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyCore

@Suite struct ElikoTextTests {
    private let ranges =
        "$PEKIO,RR_L,227,0x000644,0x000454,559,0x000488,1901,0x000452,2452,0x000496,2087,0x000475,1482,0x000449,298,15578410,0x00,0x00,0x00,0x00,0x00,0x00,0x00"
    private let position = "$PEKIO,COORD,148,0x000810,18.78,4.10,0.91,,1607780734.22"

    private func decode(_ text: String) -> JSONDecoding { JSONDecoding(text, format: .eliko) }

    @Test(arguments: ["\r\n", "\n", ""])
    func `Every anchor of a list is a report`(_ end: String) {
        let decoding = decode(ranges + end)
        #expect(decoding.errors.isEmpty)
        #expect(decoding.reports.map(\.distance) == [5.59, 19.01, 24.52, 20.87, 14.82, 2.98])
        #expect(
            decoding.reports.map(\.peer)
                == [0x454, 0x488, 0x452, 0x496, 0x475, 0x449].map { .address(RadioAddress($0)) }
        )
        #expect(decoding.reports.allSatisfy { $0.sequence == 227 && $0.timestamp == 15_578_410_000_000 })
        #expect(decoding.reports.allSatisfy { $0.reporter == .address(RadioAddress(0x644)) && !$0.isReportedByAnchor })
    }

    @Test(arguments: ["\r\n", "\n", "", ",more\r\n"])
    func `A position is the tag's`(_ end: String) throws {
        for line in [position, position.replacing(",,", with: ",low battery,")] {
            let report = try #require(decode(line + end).report)
            #expect(report.position == [18.78, 4.1, 0.91] && report.distance == nil && report.status == .ok)
            #expect(report.reporter == .address(RadioAddress(0x810)) && report.peer == .unnamed)
            #expect(report.sequence == 148 && report.timestamp == 1_607_780_734_220_000_000)
        }
    }

    @Test(arguments: [",,,", ",18.78,4.10,", ",nan,nan,nan", ",18.78,inf,0.91"])
    func `A position without all its coordinates is a failure`(_ coordinates: String) {
        let report = decode("$PEKIO,COORD,148,0x000810\(coordinates),no fix,1607780734.22\r\n").report
        #expect(report?.status == .error && report?.position == nil && report?.distance == nil)
        #expect(report?.reporter == .address(RadioAddress(0x810)))
    }

    @Test(arguments: [
        "$PEKIO,SET_REPORT_LIST,OK\r\n", "hello\r\n",
        "$PEKIO,RR_L,1,0x1,5,0x00\r\n",
    ])
    func `What has neither distance nor position is passed over`(_ text: String) {
        let decoding = decode(text + ranges)
        #expect(decoding.errors.isEmpty && decoding.reports.count == 6)
        #expect(decode(text).reports.isEmpty && decode(text).errors.isEmpty)
    }

    @Test(arguments: ["0", "-1", "nan"])
    func `A distance that is none is a failure`(_ word: String) {
        let decoding = decode("$PEKIO,RR_L,1,0x000644,0x000454,\(word),0x000488,100,5\r\n")
        #expect(decoding.reports.map(\.distance) == [nil, 1])
        #expect(decoding.reports.map(\.status) == [.error, .ok])
    }

    @Test(arguments: [
        "$PEKIO,RR_L,x,0x000644,0x000454,559,5\r\n", "$PEKIO,RR_L,1,000644,0x000454,559,5\r\n", "$PEKIO,RR_L,\r\n",
        "$PEKIO,RR_L,1,0x000644,0x000454,559\r\n", "$PEKIO,RR_L,1,0x000644,0x,559,5\r\n",
        "$PEKIO,RR_L,1,0x000644,0x000454,5",
        "$PEKIO,RR_L,1,0x000644,0x000454,559,-5\r\n", "$PEKIO,RR_L,1,0x000644,0x000454,559,5.5\r\n",
        "$PEKIO,COORD,148,0x000810,18.78,4.10,0.91,,now\r\n", "$PEKIO,COORD,148,0x000810,18.78,4.10\r\n",
        "$PEKIO,COORD,148,000810,18.78,4.10,0.91,,1607780734.22\r\n", "$PEKIO,COORD,148,0x810,1,2,1e9,,1.22\r\n",
        "$PEKIO,COORD,148,0x810,1,2,3,,1.22x\r\n",
        "$PEKIO,RR_L,1,0x000644,0x000454,99999999999,5\r\n", "$PEKIO,RR_L,1,0x000644,0x000454,5;0x000488,6,5\r\n",
    ])
    func `A garbled line is one fault and the rest goes on`(_ bad: String) {
        let decoding = decode(bad + ranges)
        #expect(decoding.errors.count == 1)
        #expect(decoding.reports.count == 6)
    }

    @Test(arguments: ["\r\n", "\n", ""])
    func `A stream can be cut anywhere`(_ end: String) {
        let stream = [UInt8]((position + end + ranges + end + position + end + ranges + end).utf8)
        #expect(FormatStream.harmfulCuts(of: stream, .eliko).isEmpty)
        #expect(FormatStream.harmfulTruncations(of: stream, .eliko).isEmpty)
    }

    @Test func `A line without an end does not grow for ever`() {
        let endless = "$PEKIO,RR_L,1,0x1" + String(repeating: ",0x1,1", count: 1000)
        let stream = FormatStream([[UInt8](endless.utf8), [UInt8](ranges.utf8)], format: .eliko)
        #expect(stream.reports.count == 6 && stream.errors == 1)
    }

    @Test func `Any flipped bit leaves the rules and the next line intact`() {
        for (_, flipped) in FormatStream.flips(of: [UInt8](ranges.utf8)) {
            let decoding = JSONDecoding(flipped + [13, 10] + [UInt8](ranges.utf8), format: .eliko)
            #expect(decoding.isWellFormed && decoding.reports.count >= 6)
        }
        let failed = "$PEKIO,RR_L,1,0x000644,0x000454,0,5,0x00\r\n"
        let number = "$PEKIO,RR_L,1,0x000644,0x000454,".utf8.count
        for (offset, flipped) in FormatStream.flips(of: [UInt8](failed.utf8)) where offset != number {
            #expect(JSONDecoding(flipped, format: .eliko).reports.allSatisfy { $0.distance == nil }, "\(offset)")
        }
        for failed in [
            "$PEKIO,COORD,148,0x810,,,,no fix,1607780734.22\r\n", "$PEKIO,COORD,1,0x1,1.00,nan,3.00,,1.22\r\n",
        ] {
            for (offset, flipped) in FormatStream.flips(of: [UInt8](failed.utf8)) {
                let reports = JSONDecoding(flipped, format: .eliko).reports
                #expect(reports.allSatisfy { $0.distance == nil && $0.position == nil }, "\(offset)")
            }
        }
    }

    @Test func `Random bytes before and between are survived`() {
        var random = SeededGenerator(seed: 9)
        for _ in 0..<300 {
            let noise = (0..<Int.random(in: 0..<60, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            let payload = noise + [10] + [UInt8](ranges.utf8) + [10] + noise + [10] + [UInt8](ranges.utf8)
            #expect(JSONDecoding(payload, format: .eliko).reports.count == 12)
        }
    }

    @Test func `The first bytes tell the format`() {
        for text in [ranges, position, "\r\n" + ranges] { #expect(RangeFormat.recognised(text) == .eliko, "\(text)") }
        for text in ["$PEKIO", "$GPGGA,1", "$", "PEKIO,RR_L"] {
            #expect(RangeFormat.recognised(text) != .eliko, "\(text)")
        }
    }
}
