// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyCore

@Suite struct MakerfabsTextTests {
    private let first =
        "AT+RANGE=tid:1,mask:04,seq:63,range:(0,0,30,0,0,0,0,0),"
        + "rssi:(0.00,0.00,-77.93,0.00,0.00,0.00,0.00,0.00)"
    private let second =
        "AT+RANGE=tid:2,timer:1166463,timerSys:753058,mask:12,seq:11,range:(0,105,0,0,71,0,0,0),"
        + "rssi:(0.00,-81.50,0.00,0.00,-80.70,0.00,0.00,0.00),ancid:(0,25,0,0,28,0,0,0)"
    private let third = "AT+RANGE=tid:0,mask:01,seq:205,range:(90,0,0,0,0,0,0,0),ancid:(0,-1,-1,-1,-1,-1,-1,- 1)"
    private let multi = "T1,mask:F,seq:12,beacon:7,range:(120,98,0,45),ancid:(0,1,-1,3)"

    private func measured(
        _ distance: Double,
        _ anchor: UInt64,
        _ sequence: Int64,
        _ rssi: Float? = nil,
        by tag: UInt64 = 1
    ) -> RangeReport {
        var report = RangeReport()
        report.reporter = .address(RadioAddress(tag))
        report.distance = distance
        report.peer = .address(RadioAddress(anchor))
        report.sequence = sequence
        report.rssi = rssi
        return report
    }

    private func failed(_ anchor: UInt64?, _ sequence: Int64?, by tag: UInt64 = 1) -> RangeReport {
        var report = RangeReport()
        report.reporter = .address(RadioAddress(tag))
        report.status = .timeout
        report.peer = anchor.map { .address(RadioAddress($0)) } ?? .unnamed
        report.sequence = sequence
        return report
    }

    private func decode(_ text: String) -> JSONDecoding { JSONDecoding(text, format: .makerfabs) }

    @Test(arguments: ["", "\r\n"])
    func `The three generations of AT+RANGE give a report for each slot of the mask`(_ end: String) {
        #expect(decode(first + end).reports == [measured(0.3, 2, 63, -77.93)])
        #expect(
            decode(second + end).reports == [
                measured(1.05, 25, 11, -81.5, by: 2), measured(0.71, 28, 11, -80.7, by: 2),
            ]
        )
        #expect(decode(third + end).reports == [measured(0.9, 0, 205, by: 0)])
    }

    @Test func `A line of the DW3000 sketch has failures where range or anchor say so`() {
        #expect(
            decode(multi).reports
                == [measured(1.2, 0, 12), measured(0.98, 1, 12), failed(nil, 12), measured(0.45, 3, 12)]
        )
        let negative = decode("T12,mask:3,seq:1,beacon:7,range:(-4,0),ancid:(5,6)\n")
        #expect(negative.reports == [failed(5, 1, by: 12), failed(6, 1, by: 12)] && negative.errors.isEmpty)
    }

    @Test func `The mask decides, whatever stands in the slots`() {
        let stale = "AT+RANGE=tid:1,mask:02,seq:1,range:(90,100,80),ancid:(0,1,2)"
        #expect(decode(stale).reports == [measured(1, 1, 1)])
        #expect(decode("AT+RANGE=tid:1,mask:02,seq:1,range:(90,100,80),ancid:(0,-1,2)").reports == [failed(nil, 1)])
        #expect(decode("AT+RANGE=tid:1,mask:05,seq:1,range:(0,100,80),ancid:(0,1,2)").reports.first == failed(0, 1))
        #expect(decode("AT+RANGE=tid:1,mask:00,seq:1,range:(90,100,80),ancid:(0,1,2)").reports == [failed(nil, 1)])
        #expect(decode("AT+RANGE=tid:1,mask:10,seq:1,range:(90),rssi:(0)").reports == [failed(4, 1)])
    }

    @Test func `A single distance in metres has no peer`() {
        let decoding = decode("DIST: 3.21 m\r\nDIST: nan m\r\nDIST: -0.20 m\r\n")
        #expect(decoding.reports.map(\.distance) == [3.21, nil, -0.2])
        #expect(decoding.reports.map(\.status) == [.ok, .error, .ok])
        #expect(decoding.reports.allSatisfy { $0.peer == .unnamed })
    }

    @Test func `Several lines, prompts and other lines come as they will`() {
        let text =
            "\r\n>>AT+SETRPT=1\r\nOK\r\n\(first)\r\n[info] (1,2)\r\n\(second)\n\n\(multi)\r\nDIST: 2.00 m\r\n\(third)"
        let decoding = decode(text)
        #expect(decoding.errors.isEmpty)
        #expect(decoding.reports.count == 1 + 2 + 4 + 1 + 1)
    }

    @Test func `A garbled line is one fault and the rest goes on`() {
        let cut = String(first.prefix(40))
        for bad in [
            cut + "\r\n", cut, "AT+RANGE=\r\n", "AT+RANGE=tid:1,mask:zz,range:(1)\n", "T1,mask:,\n",
            "AT+RANGE=tid:1,seq:1,range:(90),ancid:(0)\n", "AT+RANGE=tid:1,mask:1,seq:1,ancid:(0)\n",
            "AT+RANGE=tid:1,mask:1,mask:2,range:(90),ancid:(0)\n", "DIST: x m\n", "DIST: 3.21 cm\n", "DIST: 3.21 mm\n",
            "AT+RANGE=tid:1,mask:1,range:(90);ancid:(7)\n", "AT+RANGE=tid:1,mask:1,range:(90),anxid:(7)\n",
            "AT+RANGE=tid:1,mask:1,range:(90000000000),ancid:(7)\n", "AT+RANGE=tid:1,mask:1,range:(9),ancid:(70000)\n",
        ] {
            let decoding = decode(bad + third + "\r\n")
            #expect(decoding.errors.count == 1, "\(bad)")
            #expect(decoding.reports == [measured(0.9, 0, 205, by: 0)], "\(bad)")
        }
    }

    @Test func `A slot that cannot be used leaves the others alone`() {
        let decoding = decode("AT+RANGE=tid:1,mask:7,seq:1,range:(90,91,92),ancid:(0,70000,2)")
        #expect(decoding.reports == [measured(0.9, 0, 1), measured(0.92, 2, 1)])
        #expect(decoding.errors.map(\.reason) == [.invalidValue])
    }

    @Test func `A stream can be cut anywhere`() {
        for text in [first, second, third, multi] {
            let stream = [UInt8](
                "boot\r\n\(text)\r\n\(third)\r\nDIST: 3.21 m\r\n{\"id\":1,\"range\":[0,53]}\n\(text)\r\n".utf8
            )
            #expect(FormatStream.harmfulCuts(of: stream, .makerfabs).isEmpty)
            #expect(FormatStream.harmfulTruncations(of: stream, .makerfabs).isEmpty)
        }
    }

    @Test func `A line without an end does not grow for ever`() {
        let endless = "AT+RANGE=tid:1,mask:01,range:(" + String(repeating: "1,", count: 4000)
        let stream = FormatStream([[UInt8](endless.utf8), [UInt8](third.utf8)], format: .makerfabs)
        #expect(stream.reports == [measured(0.9, 0, 205, by: 0)] && stream.errors == 1)
    }

    @Test func `A flipped bit makes no distance out of a failure`() {
        let lines = [
            "AT+RANGE=tid:0,mask:00,seq:205,range:(0,0,0,0),ancid:(-1,-1,-1,-1)\r\n",
            "T1,mask:3,seq:12,beacon:7,range:(-1,-1),ancid:(-1,-1)\r\n",
        ]
        for line in lines {
            for (offset, payload) in FormatStream.flips(of: [UInt8](line.utf8)) {
                let decoding = JSONDecoding(payload, format: .makerfabs)
                #expect(decoding.isWellFormed)
                #expect(decoding.reports.allSatisfy { $0.distance == nil }, "\(offset)")
            }
        }
        for line in [first, second, third, multi] {
            for (_, payload) in FormatStream.flips(of: [UInt8](line.utf8)) {
                #expect(JSONDecoding(payload, format: .makerfabs).isWellFormed)
            }
        }
    }

    @Test(arguments: [0, 1])
    func `A flipped bit before the anchors' ids gives a distance to no other anchor`(_ index: Int) throws {
        let line = [second, third][index]
        let ids = try #require(line.firstRange(of: "ancid:("))
        let mask = try #require(line.firstRange(of: "mask:"))
        let end = line.utf8.distance(from: line.startIndex, to: ids.upperBound)
        let digits = line.utf8.distance(from: line.startIndex, to: mask.upperBound)
        let known = Set(decode(line).reports.map { "\($0.peer)" } + ["unnamed"])
        for (offset, flipped) in FormatStream.flips(of: [UInt8](line.utf8)) {
            guard offset < end, !(digits..<digits + 2).contains(offset) else { continue }
            let found = JSONDecoding(flipped, format: .makerfabs).reports.map { "\($0.peer)" }
            #expect(known.isSuperset(of: found), "\(offset)")
        }
    }

    @Test func `Random bytes before and between are survived`() {
        var random = SeededGenerator(seed: 41)
        for _ in 0..<300 {
            let noise = (0..<Int.random(in: 0..<60, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            let payload = noise + [10] + [UInt8](third.utf8) + [10] + noise + [10] + [UInt8](multi.utf8) + [10]
            let decoding = JSONDecoding(payload, format: .makerfabs)
            #expect(decoding.reports.count == 5 && decoding.isWellFormed)
        }
    }
}
