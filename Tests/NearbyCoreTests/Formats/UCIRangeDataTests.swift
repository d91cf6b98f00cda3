// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyCore

struct UCIRangeDataTests {
    /// A range notification, made from the table of reference/uwb-reports.md section 1.
    struct Packet {
        struct Measurement {
            var address: UInt64 = 1
            var status: UInt8 = 0
            var sight: UInt8 = 0xFF
            var centimetres: UInt16 = 62
            var azimuth: Int16 = -1361
            var azimuthMerit: UInt8 = 92
            var rssi: UInt8 = 121
        }

        var sequence: UInt32 = 7
        var interval: UInt32 = 200
        var type: UInt8 = 1
        var isExtended = false
        var measurements = [Measurement()]

        var payload: [UInt8] {
            var bytes = Self.little(sequence) + [1, 0, 0, 0, 0] + Self.little(interval)
            bytes += [type, 0, isExtended ? 1 : 0] + Array(repeating: 0, count: 8) + [UInt8(measurements.count)]
            for measurement in measurements {
                bytes += isExtended ? Self.little(measurement.address) : Self.little(UInt16(measurement.address))
                bytes += [measurement.status, measurement.sight] + Self.little(measurement.centimetres)
                bytes += Self.little(UInt16(bitPattern: measurement.azimuth)) + [measurement.azimuthMerit]
                bytes += Array(repeating: 0, count: 10) + [measurement.rssi]
                bytes += Array(repeating: 0, count: isExtended ? 5 : 11)
            }
            return bytes
        }

        /// The packets: cut into segments of so many octets.
        func encoded(segments length: Int = 255) -> [UInt8] {
            var rest = payload[...]
            var packets: [UInt8] = []
            repeat {
                let segment = rest.prefix(length)
                rest = rest.dropFirst(length)
                packets += [rest.isEmpty ? 0x62 : 0x72, 0, 0, UInt8(segment.count)] + segment
            } while !rest.isEmpty
            return packets
        }

        private static func little<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
            (0..<Value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        }
    }

    /// A failed round of a DWM3001CDK (reference/uwb-reports.md section 1.5).
    private static let failed =
        "62 00 00 38 00 00 00 00 01 00 00 00 00 c8 00 00 00 01 00 00 00 00 00 00 00 00 00 00 01 01 00 21 ff ff ff "
        + "00 00 00 00 00 00 00 00 00 00 00 00 02 00 00 00 00 00 00 00 00 00 00 00 00"

    private func text(_ bytes: [UInt8], _ separator: String = "") -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: separator)
    }

    // MARK: One packet

    @Test func `a captured failed round is a time-out and no distance`() throws {
        let report = try #require(JSONDecoding(Self.failed, format: .auto).report)
        #expect(report.distance == nil && report.status == .timeout)
        #expect(report.peer == .address(RadioAddress(1)) && report.sequence == 0)
        #expect(report.isNonLineOfSight == nil && report.rssi == nil)
    }

    @Test(arguments: [false, true])
    func `a measurement has metres, degrees, sight and decibels`(_ isExtended: Bool) throws {
        var packet = Packet()
        packet.isExtended = isExtended
        packet.measurements[0].address = isExtended ? 0x0102_0304_0506_0708 : 0xBEEF
        packet.measurements[0].sight = 1
        for payload in [packet.encoded(), Array(text(packet.encoded()).utf8), Array(text(packet.encoded(), ":").utf8)] {
            let report = try #require(JSONDecoding(payload, format: .auto).report)
            #expect(report.distance == 0.62 && report.status == .ok)
            #expect(report.azimuth == -1361.0 / 128 && report.elevation == nil)
            #expect(report.isNonLineOfSight == true && report.rssi == -60.5)
            #expect(report.sequence == 7 && report.timestamp == 1_400_000_000)
            let address = isExtended ? RadioAddress(extended: 0x0102_0304_0506_0708) : RadioAddress(0xBEEF)
            #expect(report.peer == .address(address))
        }
    }

    @Test func `a status alone decides whether there is a distance`() {
        for status in UInt8.min...UInt8.max {
            var packet = Packet()
            packet.measurements[0].status = status
            let report = JSONDecoding(packet.encoded(), format: .uci).report
            switch status {
            case 0: #expect(report?.distance == 0.62)
            case 0x1B: #expect(report?.distance == -0.62)
            default:
                #expect(report?.distance == nil && report?.status == (status == 0x21 ? .timeout : .error), "\(status)")
            }
        }
        var packet = Packet()
        packet.measurements[0].centimetres = 0xFFFF
        #expect(JSONDecoding(packet.encoded(), format: .uci).report?.status == .error)
    }

    @Test(arguments: [UInt8(0), 2, 3, 9])
    func `other kinds of measurement are counted and have no distance`(_ type: UInt8) {
        var packet = Packet()
        packet.type = type
        let decoding = JSONDecoding(packet.encoded(), format: .uci)
        #expect(decoding.report == RangeReport())
    }

    // MARK: Many

    @Test func `packets back to back, with responses and other notifications between, are all read`() {
        var second = Packet()
        second.sequence = 8
        second.measurements = [.init(address: 2), .init(address: 3, status: 0x21), .init(address: 4)]
        let between: [UInt8] = [0x42, 0, 0, 1, 0] + [0x60, 1, 0, 1, 1] + [0x61, 2, 0, 6, 1, 0, 0, 0, 2, 0]
        let stream = [0x42, 0, 0, 1, 0] + Packet().encoded() + between + second.encoded() + between
        let decoding = JSONDecoding(stream, format: .auto)
        #expect(decoding.errors.isEmpty)
        #expect(decoding.reports.map(\.sequence) == [7, 8, 8, 8])
        #expect(decoding.reports.map(\.distance) == [0.62, 0.62, nil, 0.62])
        #expect(decoding.reports.map(\.peer) == [1, 2, 3, 4].map { .address(RadioAddress($0)) })
    }

    @Test(arguments: [1, 24, 25, 30, 31, 100, 254])
    func `a message in segments is the same message`(_ length: Int) {
        var packet = Packet()
        packet.measurements = (1...7).map { .init(address: $0) }
        let whole = JSONDecoding(packet.encoded(), format: .uci)
        let cut = JSONDecoding(packet.encoded(segments: length), format: .uci)
        #expect(whole.reports.count == 7)
        // Sixty-four segments are more than any firmware sends.
        if length > 4 { #expect(cut.reports == whole.reports && cut.errors.isEmpty) }
    }

    @Test func `trailing octets of a vendor are passed over`() {
        var bytes = Packet().encoded()
        bytes[3] += 5
        bytes += [1, 2, 3, 4, 5]
        let decoding = JSONDecoding(bytes + Packet().encoded(), format: .auto)
        #expect(decoding.reports.count == 2 && decoding.errors.isEmpty)
    }

    // MARK: Session status

    /// A session-status notification.
    static func status(_ state: UInt8, _ reason: UInt8) -> [UInt8] { [0x61, 2, 0, 6, 1, 0, 0, 0, state, reason] }

    @Test func `what a session-status notification says of the run is told`() {
        let over: [UInt8: RangeReport.Signal] = [1: .exhausted, 3: .suspended, 4: .resumed, 5: .ended]
        let other: [UInt8: RangeReport.Signal] = [3: .suspended, 4: .resumed]
        for state in UInt8.min...UInt8.max {
            for reason in UInt8.min...UInt8.max {
                let told =
                    switch state {
                    case 1, 3: over[reason]
                    case 0, 2: other[reason]
                    default: RangeReport.Signal?.none
                    }
                let decoding = JSONDecoding(Self.status(state, reason), format: .uci)
                #expect(decoding.errors.isEmpty && decoding.reports.map(\.signal) == (told.map { [$0] } ?? []))
            }
        }
        #expect(JSONDecoding(text(Self.status(3, 5), " "), format: .auto).report?.signal == .ended)
    }

    @Test func `a session-status notification of another length tells nothing`() {
        for length in 0...5 {
            let short = [0x61, 2, 0, UInt8(length)] + Self.status(3, 5).dropFirst(4).suffix(length)
            #expect(JSONDecoding(short + Packet().encoded(), format: .uci).reports.map(\.signal) == [nil])
        }
        let long = [0x61, 2, 0, 7, 1, 0, 0, 0, 3, 5, 0] + Packet().encoded()
        #expect(JSONDecoding(long, format: .uci).reports.map(\.signal) == [nil])
        // In segments it is the same notification.
        let cut: [UInt8] = [0x71, 2, 0, 4, 1, 0, 0, 0, 0x61, 2, 0, 2, 3, 5]
        #expect(JSONDecoding(cut, format: .uci).report?.signal == .ended)
        let stream = Packet().encoded() + cut + Packet().encoded() + Self.status(2, 4)
        #expect(FormatStream([stream], format: .uci).reports.map(\.signal) == [nil, .ended, nil, .resumed])
        #expect(FormatStream.harmfulCuts(of: stream, .uci).isEmpty)
    }

    @Test func `no flipped bit makes a signal of another packet`() {
        let others: [[UInt8]] = [
            Packet().encoded(), [0x60, 1, 0, 1, 1], [0x60, 7, 0, 1, 2], [0x41, 2, 0, 6, 1, 0, 0, 0, 3, 0],
            [0x62, 4, 0, 6, 1, 0, 0, 0, 3, 5], [0x62, 5, 0, 6, 1, 0, 0, 0, 1, 4], [0x41, 3, 0, 1, 5],
        ]
        for packet in others {
            for (offset, flipped) in FormatStream.flips(of: packet) {
                let decoding = JSONDecoding(flipped + Packet().encoded(), format: .uci)
                #expect(decoding.reports.allSatisfy { $0.signal == nil }, "\(packet), octet \(offset)")
            }
        }
    }

    // MARK: Cut and garbled

    @Test func `a stream that is cut anywhere is read as if it were whole`() {
        var second = Packet()
        second.sequence = 8
        second.measurements = (2...4).map { .init(address: $0) }
        let stream =
            [0x42, 0, 0, 1, 0] + Packet().encoded() + Self.status(3, 3) + second.encoded(segments: 40)
        for payload in [stream, Array(text(stream).utf8)] {
            let whole = StreamDecoding([payload])
            #expect(whole.distances == [0.62, 0.62, 0.62, 0.62])
            for cut in 1..<payload.count {
                let parts = StreamDecoding([Array(payload[..<cut]), Array(payload[cut...])])
                #expect(parts.distances == whole.distances, "cut at \(cut)")
            }
        }
    }

    @Test func `a payload that is cut gives whole measurements or none`() {
        var packet = Packet()
        packet.measurements = (1...3).map { .init(address: $0) }
        let payload = packet.encoded()
        let whole = JSONDecoding(payload, format: .uci).reports
        for length in 0..<payload.count {
            let decoding = JSONDecoding(Array(payload[..<length]), format: .uci)
            #expect(decoding.reports.isEmpty, "\(length)")
        }
        // A length that does not hold its measurements is a fault, and what follows is read.
        var short = payload
        short[3] -= 31
        short.removeLast(31)
        let decoding = JSONDecoding(short + Packet().encoded(), format: .uci)
        #expect(decoding.reports == Array(whole.prefix(2)) + JSONDecoding(Packet().encoded(), format: .uci).reports)
        #expect(decoding.errors.map(\.reason) == [.truncated])
    }

    @Test func `a flipped bit never traps, and only that of a status makes a distance of a failure`() {
        var packet = Packet()
        packet.measurements[0].status = 0x21
        packet.measurements[0].centimetres = 0xFFFF
        let payload = packet.encoded()
        let statusAt = 4 + 25 + 2
        for index in payload.indices where index != statusAt {
            for bit in 0..<8 {
                var flipped = payload
                flipped[index] ^= 1 << bit
                let decoding = JSONDecoding(flipped, format: .uci)
                // With the other size of addresses the status stands elsewhere.
                guard index != 4 + 15 else { continue }
                #expect(decoding.reports.allSatisfy { $0.distance == nil }, "octet \(index), bit \(bit)")
            }
        }
    }

    @Test func `garbage before and between is passed over`() {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<300 {
            // Without an octet that begins a packet.
            let garbage = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                UInt8.random(in: 0x80...0xFF, using: &generator)
            }
            let stream = Packet().encoded() + garbage + Packet().encoded()
            #expect(JSONDecoding(stream, format: .uci).reports.compactMap(\.distance) == [0.62, 0.62])
        }
        for _ in 0..<3000 {
            let noise = (0..<Int.random(in: 1...300, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            #expect(JSONDecoding(noise, format: .uci).isWellFormed)
            #expect(JSONDecoding(Array(text(noise).utf8), format: .uci).isWellFormed)
        }
    }
}
