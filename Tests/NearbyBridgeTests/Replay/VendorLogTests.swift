// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import TestSupport
import Testing

@testable import NearbyBridge

struct VendorLogTests {
    private func parse(_ text: String, _ format: RangeFormat = .auto, rate: Double? = nil) throws -> VendorLog {
        try VendorLog.parse(Array(text.utf8), file: "a.log", format: format, rate: rate)
    }

    private func distances(_ log: VendorLog) -> [Double?] {
        log.entries.flatMap { entry in
            var cursor = ReportCursor()
            var report = RangeReport()
            var distances: [Double?] = []
            while (try? RangeFormat.next(in: entry.payload.span, format: log.format, at: &cursor, into: &report))
                == true
            {
                distances.append(report.distance)
            }
            return distances
        }
    }

    @Test(arguments: RangeFormatRow.table.map(\.sample))
    func `a log of any format is found out`(_ sample: String) throws {
        let row = try #require(RangeFormatRow.table.first { $0.looksLike(Array(sample.utf8).span) })
        // Binary frames have no lines.
        let lines = row.format == .linktrack ? sample + sample : "\(sample.trimmed)\n\(sample.trimmed)\n"
        let log = try parse(lines)
        #expect(log.format == row.format && log.entries.count == 2 && log.faults == 0)
        #expect(try parse(lines, row.format).entries == log.entries)
        let stamped = "[00:00:01.000] \(sample.trimmed)\n[00:00:03.500] \(sample.trimmed)\n"
        guard row.format != .linktrack else { return }
        #expect(try parse(stamped).entries.map(\.time) == [0, 2.5])
        #expect(try parse(stamped).clock == .lines)
        #expect(try distances(parse(stamped)) == distances(log))
    }

    @Test func `a record of several lines is one entry, between whatever else was printed`() throws {
        let record = """
            boot ok\r
            [00:00:10.000,000] <info> app: SESSION_INFO_NTF: {session_handle=1, sequence_number=0, n_measurements=1\r
            \r [mac_address=0x0001, status="SUCCESS", distance[cm]=210]}\r
            minicom says hello
            [00:00:10.200,000] <info> app: SESSION_INFO_NTF: {session_handle=1, sequence_number=1, n_measurements=1\r
            \r [mac_address=0x0001, status="RX_TIMEOUT"]}\r

            """
        let log = try parse(record)
        #expect(log.format == .qorvo && distances(log) == [2.1, nil])
        #expect(log.entries.map { ($0.time * 1000).rounded() } == [0, 200])
    }

    @Test func `binary packets are cut wherever the file was read`() throws {
        var bytes: [UInt8] = [1, 2, 3]
        for index in 0..<300 {
            var measurement = EncodedMeasurement(distance: Double(index) / 100)
            measurement.sequence = Int64(index)
            measurement.interval = 200
            bytes += UCIEncoder.encode(measurement)
        }
        let log = try VendorLog.parse(bytes, file: "a.bin")
        #expect(log.format == .uci && log.clock == .device && log.entries.count == 300)
        #expect(distances(log) == (0..<300).map { Double($0) / 100 })
        #expect(abs(log.entries[299].time - 59.8) < 1e-6)
        #expect(log.entries.allSatisfy { $0.payload.count == 60 })
    }

    @Test func `the time comes from the lines, else the rate, else the device, else it is ten a second`() throws {
        let line = #"{"distance":1,"timestamp":1764511312}"# + "\n" + #"{"distance":1,"timestamp":1764511315}"# + "\n"
        #expect(try parse(line).entries.map(\.time) == [0, 3])
        #expect(try parse(line, rate: 2).entries.map(\.time) == [0, 0.5])
        #expect(try parse(line, rate: 2).clock == .rate(2))
        let plain = try parse("DIST: 3.21 m\nDIST: 3.22 m\nDIST: 3.23 m\n")
        #expect(plain.entries.map(\.time) == [0, 0.1, 0.2] && plain.clock == .rate(10))
        let midnight = try parse("23:59:59.5 DIST: 3.21 m\n00:00:00.5 DIST: 3.22 m\n00:00:01 DIST: 3.23 m\n")
        #expect(midnight.entries.map(\.time) == [0, 1, 1.5])
        let restarted = (0..<20).map { "[00:00:\($0 < 10 ? "1\($0)" : "0\($0 - 10)").0] DIST: 3.21 m\n" }.joined()
        let times = try parse(restarted).entries.map(\.time)
        #expect(times[9] == 9 && abs(times[10] - 9.1) < 1e-9 && abs(times[19] - 18.1) < 1e-9)
        // Two devices, each with its own clock.
        let two = (0..<10).map { #"{"distance":1,"timestamp":\#($0 % 2 == 0 ? 2_000_000_000 : 1_000_000_000)}"# + "\n" }
        #expect(try parse(two.joined()).clock == .rate(10))
    }

    @Test func `one document of many reports is one entry`() throws {
        let log = try parse("[\n {\"distance\":1},\n {\"distance\":2}\n]\n")
        #expect(log.format == .json && log.entries.count == 1 && distances(log) == [1, 2])
        let tagged = try parse("[INFO] [{\"distance\":1}]\n[INFO] {\"distance\":2}\n[WARN] nothing\n")
        #expect(distances(tagged) == [1, 2] && tagged.faults == 0)
    }

    @Test func `faults are counted, and the rest is used`() throws {
        let log = try parse("from: 1782\t Range: 1.23 m\nfrom: 1782\t Range: x m\nfrom: 1782\t Range: 1.25 m\n")
        #expect(log.faults == 1 && log.entries.count == 2)
    }

    @Test(arguments: [
        ("", RangeFormat.auto, "a.log: the file is empty"),
        (
            "hello\nworld\n", .auto,
            "a.log:1: no report in any format (\(RangeFormatRow.table.map(\.format.rawValue).joined(separator: ", "))) "
                + "from here to the end; a walk's first line names the columns t_s and measured_m"
        ),
        (
            "\n\nmc 0f zz\n", .trek,
            "a.log:3: not what its format has there, no report in the format trek from here to the end; "
                + "a walk's first line names the columns t_s and measured_m"
        ),
        (
            "\u{1}\u{2}\u{3}\u{0}", .linktrack,
            "a.log: byte 0: not what its format has there, no report in the format linktrack from here to the end"
        ),
    ])
    func `a file without a report says what was tried`(_ text: String, _ format: RangeFormat, _ message: String) {
        let failure = #expect(throws: CommandFailure.self) { try parse(text, format) }
        #expect(failure == CommandFailure(.badData, message))
    }

    @Test func `a log plays through the zones, and its accessory is called after it`() throws {
        let lines = (0..<80).map { step in
            "from: 1782\t Range: \(step < 20 || step >= 50 ? "4.00" : "1.00") m\t RX power: -75.20 dBm\n"
        }
        let log = try parse(lines.joined())
        var replay = Replay(options: EngineOptions(), name: "kit.log", format: log.format)
        let events = replay.events(of: log)
        #expect(events.map(\.zone) == ["near", "immediate", "immediate", "near"])
        #expect(events.allSatisfy { $0.accessory == "kit.log" })
    }

    @Test func `whatever a file holds, reading it ends`() throws {
        var generator = SeededGenerator(seed: 9)
        let samples = RangeFormatRow.table.map { Array($0.sample.utf8) }
        for _ in 0..<300 {
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 0...6, using: &generator) {
                var part = samples[Int.random(in: 0..<samples.count, using: &generator)] + [UInt8(ascii: "\n")]
                part[Int.random(in: 0..<part.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
                bytes += part
            }
            let format = RangeFormat.allCases[Int.random(in: 0..<RangeFormat.allCases.count, using: &generator)]
            guard let log = try? VendorLog.parse(bytes, file: "a", format: format) else { continue }
            #expect(zip(log.entries, log.entries.dropFirst()).allSatisfy { $0.time <= $1.time })
            #expect(log.entries.allSatisfy { !$0.payload.isEmpty })
        }
    }
}

extension String {
    /// Without the end of the line.
    fileprivate var trimmed: String { String(decoding: utf8.reversed().drop { $0 <= 0x20 }.reversed(), as: UTF8.self) }
}
