// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyCore

@Suite struct TREKTextTests {
    private let corrected = "mc 0f 00000663 000005a3 00000512 000004cb 095f c1 00024c24 a0:0"
    private let raw = "mr 0f 00000670 000005b0 00000520 000004d0 095f c1 40384038 a0:0"
    private let eight =
        "mc 91 00000663 ffffffff ffffffff ffffffff 00000001 ffffffff ffffffff 00010000 0960 c2 00024c88 t3:0"

    private func decode(_ text: String) -> JSONDecoding { JSONDecoding(text, format: .trek) }

    private func slots(_ decoding: JSONDecoding) -> [UInt64?] {
        decoding.reports.map { if case .address(let address) = $0.peer { address.value } else { nil } }
    }

    @Test(arguments: ["", "\r\n", "\n", " \n", " 1f40\r\n", "\r\n$KT0,1.00,2.00,NULL,LO=[0.1,0.2]\r\n"])
    func `Four anchors give four ranges`(_ end: String) {
        let decoding = decode(corrected + end)
        #expect(decoding.errors.isEmpty)
        #expect(decoding.reports.map(\.distance) == [1.635, 1.443, 1.298, 1.227])
        #expect(slots(decoding) == [0, 1, 2, 3])
        #expect(
            decoding.reports.allSatisfy {
                $0.timestamp == 150_564_000_000 && $0.sequence == 0x095f << 9 | 0xC1 << 1 | 1
            }
        )
    }

    @Test(arguments: ["", "\r\n", " 0000\r\n"])
    func `Eight anchors give those of the mask`(_ end: String) {
        let decoding = decode(eight + end)
        #expect(decoding.errors.isEmpty)
        #expect(decoding.reports.map(\.distance) == [1.635, 0.001, 65.536])
        #expect(slots(decoding) == [0, 4, 7])
    }

    @Test(arguments: [("a0:0", 0), ("a3:0", 3), ("t3:0", 3), ("t12:7", 12), ("a70000:1", 70_000)])
    func `The tag measured, whoever prints`(_ ids: String, _ tag: UInt64) {
        for line in [corrected, corrected.replacing("mc 0f", with: "mc 00"), raw] {
            let decoding = decode(line.replacing("a0:0", with: ids) + "\n")
            #expect(!decoding.reports.isEmpty && decoding.errors.isEmpty)
            #expect(
                decoding.reports.allSatisfy {
                    $0.reporter == .address(RadioAddress(tag)) && !$0.isReportedByAnchor
                }
            )
        }
        #expect(decode(corrected.replacing("a0:0", with: "a99999999999999999999:0\n")).reason == .invalidValue)
    }

    @Test func `Neither mask nor value alone makes a distance`() {
        let decoding = decode("mc 07 ffffffff 00000000 ffffff38 00000663 0000 00 00000000 a0:0\n")
        #expect(decoding.reports.map(\.distance) == [nil, 0, -0.2])
        #expect(decoding.reports.map(\.status) == [.timeout, .ok, .ok])
        #expect(decoding.reports.allSatisfy { $0.timestamp == nil })
        let silent = decode("mc 00 00000663 00000663 00000663 00000663 0000 00 00000000 a0:0\n")
        #expect(silent.reports.map(\.status) == [.timeout] && silent.reports.map(\.distance) == [nil])
        #expect(
            decode("mc f0 00000663 00000663 00000663 00000663 0000 00 00000000 a0:0\n").reports.map(\.distance) == [nil]
        )
    }

    @Test func `A slot beyond all reason leaves the others alone`() {
        let decoding = decode("mc 03 7fffffff 00000663 00000663 00000663 0000 00 00000000 a0:0\n")
        #expect(decoding.errors.map(\.reason) == [.invalidValue])
        #expect(decoding.reports.map(\.distance) == [1.635] && slots(decoding) == [1])
    }

    @Test func `A raw line is older than the corrected one of its round and newer than the last`() {
        var clock = ReportClock()
        var verdicts: [ReportClock.Verdict] = []
        for (index, line) in [
            corrected, raw,
            corrected.replacing("095f c1 00024c24", with: "0960 c2 00024c88"),
            raw.replacing("095f c1", with: "0960 c2"),
        ].enumerated() {
            guard let report = decode(line).reports.first else { continue }
            verdicts.append(clock.observe(report, at: Instant(nanoseconds: 50_000_000 * Int64(index))))
        }
        #expect(verdicts == [.advanced(0), .late, .advanced(100_000_000), .late])
        var alone = ReportClock()
        for index in 0..<3 as Range<Int64> {
            guard let report = decode(raw.replacing("095f c1", with: "096\(index) c\(index)")).reports.first else {
                continue
            }
            let verdict = alone.observe(report, at: Instant(nanoseconds: 100_000_000 * index))
            #expect(verdict == .advanced(index == 0 ? 0 : 100_000_000))
        }
    }

    @Test func `Lines between anchors and all others are passed over`() {
        let between = corrected.replacing("mc", with: "ma")
        let decoding = decode("TREK1000 v2.10\r\n\(between)\r\n\(corrected)\r\n\(raw)\r\nmp 1\r\n\r\n\(eight)\r\n")
        #expect(decoding.errors.isEmpty && decoding.reports.count == 4 + 4 + 3)
        let isPlausible = TREKText.isPlausible([UInt8](between.utf8).span)
        #expect(isPlausible)
    }

    @Test(arguments: [
        "mc 0f 00000663 000005a3 00000512\r\n", "mc 0f 00000663 000005a3 0000", "mc zz\n", "mc \n",
        "mc 0f 00000663 000005a3 00000512 000004c 095f c1 00024c24 a0:0\n",
        "mc 0f 00000663 000005a3 00000512 000004cb 000004cb 095f c1 00024c24 a0:0\n",
        "mc 0f 00000663 000005a3 00000512 000004cb 095f c1 00024c24 x0:0\n",
        "mc 0f 00000663 000005a3 00000512 000004cb 095f c1 00024c24 a:0\n",
        "mc 0f 00000663 000005a3 00000512 000004cb 095f c1 00024c24\n",
        "mc 0f 00000663000005a3 00000512 000004cb 095f c1 00024c24 a0:0\n",
        "mc 0f 00000663 000005a3 00000512 000004cb 5f c1 00024c24 a0:0\n",
    ])
    func `A garbled line is one fault and the rest goes on`(_ bad: String) {
        let decoding = decode(bad + corrected + "\r\n")
        #expect(decoding.errors.count == 1)
        #expect(decoding.reports.map(\.distance) == [1.635, 1.443, 1.298, 1.227])
    }

    @Test func `Lost newlines lose no line`() {
        let glued = String(repeating: corrected + " ", count: 100) + "mc mc mc " + corrected
        let decoding = decode(glued)
        #expect(decoding.reports.count == 404 && decoding.errors.count == 3)
    }

    @Test func `A stream can be cut anywhere`() {
        let stream = [UInt8]("hum\r\n\(corrected)\r\n\(raw)\r\n\(eight) 1f40\r\n$KT0,1.0,2.0\r\n\(corrected)\r\n".utf8)
        #expect(FormatStream.harmfulCuts(of: stream, .trek).isEmpty)
        #expect(FormatStream.harmfulTruncations(of: stream, .trek).isEmpty)
    }

    @Test func `A flipped bit outside of the mask makes no distance out of a failure`() {
        let line = [UInt8]("mc 00 00000663 ffffffff 00000512 000004cb 095f c1 00024c24 a0:0\r\n".utf8)
        for (offset, payload) in FormatStream.flips(of: line) {
            let decoding = JSONDecoding(payload, format: .trek)
            #expect(decoding.isWellFormed)
            #expect(3..<5 ~= offset || decoding.reports.allSatisfy { $0.distance == nil }, "\(offset)")
        }
    }

    @Test func `A flipped bit moves no range to another slot`() {
        let whole = decode(corrected).reports.map(\.distance)
        for (offset, payload) in FormatStream.flips(of: [UInt8](corrected.utf8)) where !(3..<5 ~= offset) {
            let decoding = JSONDecoding(payload, format: .trek)
            let same = zip(decoding.reports, slots(decoding)).filter { report, slot in
                slot.map { report.distance == whole[Int($0)] } ?? false
            }
            #expect(decoding.reports.isEmpty || same.count >= 3, "\(offset)")
        }
    }

    @Test func `Random bytes before and between are survived`() {
        var random = SeededGenerator(seed: 47)
        for _ in 0..<300 {
            let noise = (0..<Int.random(in: 0..<60, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            let payload = noise + [10] + [UInt8](corrected.utf8) + [10] + noise + [10] + [UInt8](eight.utf8)
            #expect(JSONDecoding(payload, format: .trek).reports.count == 7)
        }
    }
}
