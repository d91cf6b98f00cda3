// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyCore

@Suite struct PANSShellTests {
    private let lec =
        "DIST,4,AN0,022E,7.94,8.03,0.00,3.44,AN1,9280,7.95,0.00,0.00,5.68,AN2,0487,0.00,8.00,0.00,6.01,AN3,15BA,0.00,0.00,0.00,8.12"
    private let position = ",POS,6.95,5.37,-1.97,52"
    private let les = "022E[7.94,8.03,0.00]=3.38 9280[7.95,0.00,0.00]=5.49 le_us=3082 est[6.97,5.17,-1.77,53]"
    private let millimetres =
        "DIST,2;[AN0,C584,160,0,-1510]=[1176,100];[AN1,0D91,0,0,0]=[3500,57];POS=[502,827,803,58];"

    private func decode(_ text: String) -> JSONDecoding { JSONDecoding(text, format: .pans) }

    private func addresses(_ values: [UInt64]) -> [RangeReport.Peer] { values.map { .address(RadioAddress($0)) } }

    @Test(arguments: ["\r\n", "\n", ""])
    func `Every anchor of a line is a report, with a position in it or not`(_ end: String) {
        for line in [lec + end, lec + position + end, "dwm> lec\r\n" + lec + position + end] {
            let decoding = decode(line)
            #expect(decoding.errors.isEmpty)
            #expect(decoding.reports.map(\.distance) == [3.44, 5.68, 6.01, 8.12])
            #expect(decoding.reports.map(\.peer) == addresses([0x022E, 0x9280, 0x0487, 0x15BA]))
        }
        let short = decode(les + end)
        #expect(short.errors.isEmpty)
        #expect(short.reports.map(\.distance) == [3.38, 5.49])
        #expect(short.reports.map(\.peer) == addresses([0x022E, 0x9280]))
        #expect(decode("022E[7.94,8.03,0.00]=3.38" + end).report?.distance == 3.38)
    }

    @Test func `A custom firmware prints millimetres and a quality`() {
        let decoding = decode(millimetres)
        #expect(decoding.errors.isEmpty)
        #expect(decoding.reports.map(\.distance) == [1.176, 3.5])
        #expect(decoding.reports.map(\.quality) == [1, 0.57])
        #expect(decoding.reports.map(\.peer) == addresses([0xC584, 0x0D91]))
    }

    @Test(arguments: [
        "dwm> ", "dwm> lec\r\n", "DIST,0\r\n", "est[6.97,5.17,-1.77,53]\r\n",
        " DWM1001 TWR Real Time Location System\r\n", "POS", "garbled,POS,6.95,5.37,-1.97,52\r\n",
    ])
    func `What has neither distance nor position is passed over`(_ text: String) {
        let decoding = decode(text + les)
        #expect(decoding.errors.isEmpty)
        #expect(decoding.reports.map(\.distance) == [3.38, 5.49])
        #expect(decode(text).reports.isEmpty && decode(text).errors.isEmpty)
    }

    @Test func `A group that the shell stammers is dropped, and no distance is no zero`() {
        let decoding = decode(
            "DIST,4,AN0,0090,0.00,0.00,0.00,3.25,AN1,D91E,0.00,0.00,0.00,3.33,AN2,0487,0.00,0.00,0.00,0.18,"
                + "AN3,15BA,0.00,0,AN3,15BA,0.00,0.00,0.00,0.00\r\n"
        )
        #expect(decoding.errors.isEmpty)
        #expect(decoding.reports.map(\.distance) == [3.25, 3.33, 0.18, nil])
        #expect(decoding.reports.map(\.status) == [.ok, .ok, .ok, .error])
        let twice = decode(
            "DIST,2,AN0,0090,0.00,0.00,0.00,3.25,AN0,0090,0.00,0.00,0.00,3.25,AN1,D91E,0.00,0.00,0.00,3.33\n"
        )
        #expect(twice.errors.isEmpty && twice.reports.map(\.distance) == [3.25, 3.33])
    }

    @Test(arguments: ["0.00", "nan", "-nan", "inf", "-0.00"])
    func `A distance that is none is a failure`(_ word: String) {
        for text in [
            "022E[7.94,8.03,0.00]=\(word) \r\n", "DIST,1,AN0,022E,7.94,8.03,0.00,\(word)\r\n",
            "DIST,1;[AN0,C584,160,0,-1510]=[\(word),0];\r\n",
        ] {
            let report = decode(text).report
            #expect(report?.status == .error && report?.distance == nil, "\(text)")
        }
    }

    @Test(arguments: [
        "DIST,1,AN0,022E,7.94,8.03,0.00,3.4x\r\n", "DIST,1,AN0,zz,7.94,8.03,0.00,3.44\r\n", "DIST,x\r\n", "DIST,\r\n",
        "DIST,1,AN0,022E,7.94\r\n", "DIST,1,AX0,022E,7.94,8.03,0.00,3.44\r\n", "DIST,99,AN0\r\n",
        "DIST,1,AN0,022E,7.94,8.03,0.00,344444444\r\n", "DIST,1;[AN0,C584,160,0,-1510]=[1176,101];\r\n",
        "022E[7.94,8.03,0.00]=3.38;\r\n", "022E[7.94,8.03]=3.38\r\n", "022E[\r\n",
        "022E[7.94,8.03,0.00]=999999.00 \r\n",
        "DIST,4,AN0,022E",
    ])
    func `A garbled line is one fault and the rest goes on`(_ bad: String) {
        let decoding = decode(bad + lec)
        #expect(decoding.errors.count == 1)
        #expect(decoding.reports.map(\.distance) == [3.44, 5.68, 6.01, 8.12])
    }

    @Test func `A stream can be cut anywhere`() {
        for text in [lec, lec + position, les, millimetres] {
            for end in ["\r\n", "\n"] {
                let stream = [UInt8](
                    "dwm> lec\r\n\(text)\(end)POS,7.10,5.24,-2.03,53\(end)\(les)\(end)\(text)\(end)".utf8
                )
                #expect(FormatStream.harmfulCuts(of: stream, .pans).isEmpty)
                #expect(FormatStream.harmfulTruncations(of: stream, .pans).isEmpty)
            }
        }
    }

    @Test func `Lines that have lost their newlines are told apart, one a message or several`() {
        let lines = [lec + position, "POS,7.10,5.24,-2.03,53", les, lec].map { [UInt8]($0.utf8) }
        let stream = FormatStream(lines, format: .pans)
        #expect(stream.errors == 0)
        #expect(stream.reports.count == 4 + 1 + 2 + 4)
        #expect(decode(lec + position + lec).reports.count == 8)
        #expect(decode("POS,7.10,5.24,-2.03,53" + lec).reports.count == 5)
    }

    @Test func `A line without an end does not grow for ever`() {
        let endless = "DIST,64," + String(repeating: "1,", count: 4000)
        let stream = FormatStream([[UInt8](endless.utf8), [UInt8](lec.utf8)], format: .pans)
        #expect(stream.reports.count == 4 && stream.errors == 1)
    }

    @Test func `A flipped bit makes no distance out of a failure unless it hits the number`() {
        for text in ["022E[7.94,8.03,0.00]=0.00 \r\n", "DIST,1,AN0,022E,7.94,8.03,0.00,0.00\r\n"] {
            let number = text.utf8.count - (text.hasPrefix("D") ? 6 : 7)
            for (offset, flipped) in FormatStream.flips(of: [UInt8](text.utf8)) where offset < number {
                #expect(JSONDecoding(flipped, format: .pans).reports.allSatisfy { $0.distance == nil }, "\(offset)")
            }
        }
        for text in [lec + position, les, millimetres] {
            for (_, flipped) in FormatStream.flips(of: [UInt8]((text + "\r\n").utf8)) {
                let decoding = JSONDecoding(flipped + [UInt8](lec.utf8), format: .pans)
                #expect(
                    decoding.isWellFormed && decoding.reports.suffix(4).map(\.distance) == [3.44, 5.68, 6.01, 8.12]
                )
            }
        }
    }

    @Test func `Random bytes before and between are survived`() {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<300 {
            let noise = (0..<Int.random(in: 0..<60, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            let payload = noise + [10] + [UInt8](lec.utf8) + [10] + noise + [10] + [UInt8](lec.utf8)
            let decoding = JSONDecoding(payload, format: .pans)
            #expect(decoding.reports.count == 8 && decoding.isWellFormed)
        }
    }

    @Test func `The first bytes tell the format`() {
        for text in [lec, les, millimetres, "POS,7.10,5.24,-2.03,53", "\r\ndwm> lec", " \n" + les] {
            #expect(RangeFormat.recognised(text) == .pans, "\(text)")
        }
        for text in ["DIST: 3.21 m", "DIST", "POS", "022E", "022E{", "dwm", #"{"distance":1}"#, "[1.0]", ""] {
            #expect(RangeFormat.recognised(text) != .pans, "\(text)")
        }
    }
}
