// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NearbyCore

@Suite struct PANSPositionTests {
    private let own = "POS,7.10,5.24,-2.03,53"
    private let heard = "POS,0,022E,7.10,5.24,-2.03,53,x0A"

    private func decode(_ text: String) -> JSONDecoding { JSONDecoding(text, format: .pans) }

    @Test(arguments: ["", "\r\n", "\n"])
    func `A position is the node's own, or that of the tag which a listener heard`(_ end: String) throws {
        let report = try #require(decode(own + end).report)
        #expect(report.position == [7.1, 5.24, -2.03] && report.distance == nil && report.status == .ok)
        #expect(report.reporter == .unnamed && report.peer == .unnamed && report.quality == 0.53)
        let other = try #require(decode(heard + end).report)
        #expect(other.position == [7.1, 5.24, -2.03] && other.quality == 0.53)
        #expect(other.reporter == .address(RadioAddress(0x022E)) && !other.isReportedByAnchor)
    }

    @Test(arguments: ["nan,nan,nan,0", "7.10,nan,-2.03,53", "7.10,5.24,-nan,53", "inf,5.24,0.00,0"])
    func `A coordinate that is no number is a failure`(_ text: String) {
        for line in ["POS,\(text)\r\n", "POS,3,022E,\(text),x00\r\n"] {
            let report = decode(line).report
            #expect(report?.status == .error && report?.position == nil && report?.distance == nil, "\(line)")
        }
    }

    @Test(arguments: [
        "POS,7.10,5.24,-2.03,101", "POS,7.10,5.24,-2.03,-1", "POS,7.10,5.24,-2.03,nan", "POS,7.10,5.24,-2.03",
        "POS,7.10,5.24,-2.03,53,x0A", "POS,7.10,5.24,x,53", "POS,7.10,5.24,999999999.00,53", "POS,7,10,5.24,2.03,53",
        "POS,0,022E,7.10,5.24,-2.03,53x", "POS,",
    ])
    func `A garbled line is one fault and the rest goes on`(_ bad: String) {
        let decoding = decode(bad + "\r\n" + own + "\r\n")
        #expect(decoding.errors.count == 1 && decoding.reports.count == 1)
    }

    @Test func `A stream can be cut anywhere`() {
        for end in ["\r\n", "\n"] {
            let stream = [UInt8]((own + end + heard + end + "POS,nan,nan,nan,0" + end + own + end).utf8)
            #expect(FormatStream.harmfulCuts(of: stream, .pans).isEmpty)
            #expect(FormatStream.harmfulTruncations(of: stream, .pans).isEmpty)
        }
    }

    @Test func `A position of little worth is kept until the payload can be trusted to have ended`() {
        let stream = FormatStream(Array(repeating: [UInt8]("POS,7.10,5.24,-2.03,5".utf8), count: 3), format: .pans)
        #expect(stream.errors == 0 && stream.reports.count == 2)
        #expect(stream.reports.allSatisfy { $0.quality == 0.05 })
    }

    @Test func `A flipped bit makes no position out of a failure, and no distance out of anything`() {
        for text in ["POS,nan,nan,nan,0\r\n", "POS,7.10,nan,0.00,0\r\n", "POS,3,022E,nan,nan,nan,0,x0A\r\n"] {
            for (offset, flipped) in FormatStream.flips(of: [UInt8](text.utf8)) {
                let reports = JSONDecoding(flipped, format: .pans).reports
                #expect(reports.allSatisfy { $0.position == nil && $0.distance == nil }, "\(offset)")
            }
        }
        for text in [own, heard] {
            for (offset, flipped) in FormatStream.flips(of: [UInt8]((text + "\r\n").utf8)) {
                let decoding = JSONDecoding(flipped, format: .pans)
                #expect(decoding.isWellFormed && decoding.reports.allSatisfy { $0.distance == nil }, "\(offset)")
            }
        }
    }
}
