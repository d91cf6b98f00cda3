// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyCore

@Suite struct DW1000TextTests {
    private let tag = "from: 1782\t Range: 1.23 m\t RX power: -75.20 dBm"
    private let anchor = "Range: 0.16 m\t RX power: -70.59 dBm\t Sampling: 2.09 Hz"

    private func decode(_ text: String) -> JSONDecoding { JSONDecoding(text, format: .dw1000) }

    private func report(_ distance: Double?, _ peer: UInt64?, _ rssi: Float?) -> RangeReport {
        var report = RangeReport()
        report.distance = distance
        report.status = distance == nil ? .error : .ok
        report.peer = peer.map { .address(RadioAddress($0)) } ?? .unnamed
        report.rssi = rssi
        return report
    }

    @Test(arguments: ["", "\n", "\r\n"])
    func `The lines of tag and anchor are read`(_ end: String) {
        #expect(decode(tag + end).reports == [report(1.23, 0x1782, -75.2)])
        #expect(decode(anchor + end).reports == [report(0.16, nil, -70.59)])
        #expect(decode("from: 7D Range: 12.00 m" + end).reports == [report(12, 0x7D, nil)])
        #expect(decode("Range: -12.00 m\t RX power: -inf dBm" + end).reports == [report(-12, nil, nil)])
    }

    @Test(arguments: ["nan", "inf", "-inf", "ovf", "NaN"])
    func `What is no number is no distance`(_ value: String) {
        let decoding = decode("from: 1782\t Range: \(value) m\t RX power: -75.20 dBm\n")
        #expect(decoding.reports == [report(nil, 0x1782, -75.2)] && decoding.errors.isEmpty)
    }

    @Test func `What else the sketches print is passed over`() {
        let text = """
            ### DW1000-arduino-ranging-tag ###\r
            Network ID & Device Address ... PAN: 0A, Short Address: 17:82\r
            ranging init; 1 device added ! ->  short:1782\r
            \(tag)\r
            delete inactive device: 1782\r
            \r
            \(anchor)\r

            """
        let decoding = decode(text)
        #expect(decoding.errors.isEmpty)
        #expect(decoding.reports == [report(1.23, 0x1782, -75.2), report(0.16, nil, -70.59)])
    }

    @Test(arguments: [
        "from: 17z2\t Range: 1.23 m\t RX power: -75.20 dBm\r\n", "from: \t Range: 9.99 m\r\n",
        "from: 1782\t Range: \r\n",
        "from: 1782\t Range: 1.2", "from: 1782\t Range: 1.2\r\n", "from: 1782\t Range: 1.23 cm\r\n",
        "Range: 1.23 mm\r\n",
        "from: 1782\t Rxnge: 1.23 m\r\n", "Range: 123456789 m\n", "from: 00000000000001782 Range: 1.00 m\n",
        "Range: 1.2.3 m\n", "Range: --1 m\n",
    ])
    func `A garbled line is one fault and gives nobody a distance`(_ bad: String) {
        let decoding = decode(bad + tag + "\r\n")
        #expect(decoding.errors.count == 1)
        #expect(decoding.reports == [report(1.23, 0x1782, -75.2)])
    }

    @Test func `A power that is garbled costs only the power`() {
        #expect(decode("from: 1782\t Range: 1.23 m\t RX pow\r\n").reports == [report(1.23, 0x1782, nil)])
        #expect(decode("from: 1782\t Range: 1.23 m\t RX power: x dBm\r\n").reports == [report(1.23, 0x1782, nil)])
    }

    @Test func `A stream can be cut anywhere`() throws {
        let stream = [UInt8]("boot\r\n\(anchor)\r\n\(tag)\r\nranging init; 1\r\n\(tag)\r\n".utf8)
        var whole = FormatStream([stream], format: .dw1000)
        // Directly behind the unit the line is complete for the forks that print no power: then it is not waited for.
        let units = stream.indices.dropFirst(2).filter { stream[($0 - 2)..<$0].elementsEqual(" m".utf8) }
        let cuts = FormatStream.harmfulCuts(of: stream, .dw1000)
        #expect(!units.isEmpty && Set(units).isSuperset(of: cuts))
        for index in whole.reports.indices { whole.reports[index].rssi = nil }
        for cut in units {
            var halves = FormatStream([Array(stream[..<cut]), Array(stream[cut...])], format: .dw1000)
            for index in halves.reports.indices { halves.reports[index].rssi = nil }
            #expect(halves == whole)
        }
    }

    @Test func `What is cut off gives whole distances or none`() {
        let stream = [UInt8]("\(anchor)\r\n\(tag)\r\n\(tag)\r\n".utf8)
        for length in 1..<stream.count {
            let stream = FormatStream([Array(stream[..<length])], format: .dw1000)
            #expect([0.16, 1.23, 1.23].starts(with: stream.reports.map(\.distance)) && stream.errors == 0)
        }
    }

    @Test func `A flipped bit makes no distance out of a failure`() {
        for (offset, payload) in FormatStream.flips(
            of: [UInt8]("from: 1782\t Range: nan m\t RX power: -75.20 dBm\n".utf8)
        ) {
            let decoding = JSONDecoding(payload, format: .dw1000)
            #expect(decoding.isWellFormed && decoding.reports.allSatisfy { $0.distance == nil }, "\(offset)")
        }
        for line in [tag, anchor] {
            for (_, payload) in FormatStream.flips(of: [UInt8](line.utf8)) {
                #expect(JSONDecoding(payload, format: .dw1000).isWellFormed)
            }
        }
    }

    @Test func `Random bytes before and between are survived`() {
        var random = SeededGenerator(seed: 43)
        for _ in 0..<300 {
            let noise = (0..<Int.random(in: 0..<60, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            let decoding = JSONDecoding(
                noise + [10] + [UInt8](tag.utf8) + [10] + noise + [10] + [UInt8](anchor.utf8),
                format: .dw1000
            )
            #expect(decoding.reports == [report(1.23, 0x1782, -75.2), report(0.16, nil, -70.59)])
        }
    }

    @Test func `A line without an end does not grow for ever`() {
        let endless = [UInt8](("from: 1782" + String(repeating: " ", count: 3000)).utf8)
        let stream = FormatStream([endless, [UInt8](tag.utf8)], format: .dw1000)
        #expect(stream.reports == [report(1.23, 0x1782, -75.2)] && stream.errors == 1)
    }
}
