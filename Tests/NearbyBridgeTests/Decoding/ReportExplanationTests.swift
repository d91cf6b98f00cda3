// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Foundation
import NearbyCore
import TestSupport
import Testing

@testable import NearbyBridge

struct ReportExplanationTests {
    private func text(_ words: [String], input: String? = nil) throws -> String {
        guard case .command(let arguments) = try ArgumentParser.parse(["decode"] + words) else { return "" }
        return try DecodeCommand.text(arguments) { () throws(CommandFailure) in Array((input ?? "").utf8) }
    }

    @Test func `a report is told with units`() throws {
        let line = #"{"distance":2.31,"peer":"alice","azimuth":12.5,"nlos":true,"seq":7}"#
        #expect(
            try text(["report", "-"], input: line) == """
                report: nearby-bridge JSON, 67 bytes, 1 report; metres; degrees, horizontal_angle in radians
                1  byte 0  distance 2.310 m, peer alice, status ok, azimuth 12.5°, line_of_sight no, seq 7

                """
        )
    }

    @Test(arguments: RangeFormatRow.table.map(\.sample))
    func `every format's sample is known, as text and as JSON`(_ sample: String) throws {
        let explanation = try #require(ReportExplanation(Array(sample.utf8)))
        #expect(explanation.isSound)
        #expect(try text(["report", "-"], input: sample).contains("status ok"))
        let json = Array(try text(["report", "--json", "-"], input: sample).utf8)
        #expect(JSONText.fault(json.dropLast()) == nil)
        let object = try #require(JSONText.object(Array(json.dropLast())))
        #expect(object["format"] as? String == explanation.row.format.rawValue)
        #expect((object["reports"] as? [Any])?.isEmpty == false)
    }

    @Test func `as JSON numbers are numbers, and what is not told is null`() throws {
        let line =
            #"{"distance":2.31,"azimuth":12.5,"nlos":true,"seq":7,"timestamp":1764511312.345,"direction":[0,0,-1]}"#
        let object = try #require(
            JSONText.object(Array(try text(["report", "--json", "-"], input: line).utf8.dropLast()))
        )
        let report = try #require((object["reports"] as? [[String: Any]])?.first)
        #expect(report["distance"] as? Double == 2.31 && report["azimuth"] as? Double == 12.5)
        #expect(report["seq"] as? Int == 7 && report["nlos"] as? Bool == true && report["offset"] as? Int == 0)
        #expect(report["timestamp"] as? Double == 1_764_511_312.345 && report["direction"] as? [Int] == [0, 0, -1])
        for key in ["elevation", "quality", "rssi", "peer"] { #expect(report[key] is NSNull, "\(key)") }
    }

    @Test func `each report says where its line, packet or object begins`() throws {
        func offsets(_ payload: String) throws -> [Int] {
            let json = try text(["report", "--json", "-"], input: payload)
            let object = try #require(JSONText.object(Array(json.utf8.dropLast())))
            return try #require(object["reports"] as? [[String: Any]]).compactMap { $0["offset"] as? Int }
        }
        for row in RangeFormatRow.table where row.isStream && row.format != .uci && row.format != .qorvo {
            let count = try offsets(row.sample).count
            let length = row.sample.utf8.count
            let expected = Array(repeating: 0, count: count) + Array(repeating: length, count: count)
            #expect(try offsets(row.sample + row.sample) == expected, "\(row.format)")
        }
        let uci = try #require(RangeFormatRow.table.first { $0.format == .uci }).sample
        #expect(try offsets(uci + uci) == [0, uci.utf8.count])
        let qorvo =
            #"{"Block":7,"results":[{"Addr":"0x0001","Status":"Ok","D_cm":9},{"Addr":"0x0002","Status":"Err"}]}"#
        #expect(
            try offsets("\(qorvo)\n\(qorvo)") == [
                0, 0, qorvo.utf8.count + 1, qorvo.utf8.count + 1,
            ]
        )
        #expect(try offsets(#"[{"distance":1}, {"distance":2}]"#) == [1, 17])
        #expect(try offsets(#"{"reports":[{"distance":1}]}"#) == [12])
    }

    @Test func `without a kind reports are found out too`() throws {
        #expect(try text(["-"], input: #"{"distance":1}"#).hasPrefix("report: nearby-bridge JSON"))
        let sample = try #require(RangeFormatRow.table.first { $0.format == .makerfabs }).sample
        #expect(try text(["-"], input: sample).hasPrefix("report: "))
    }

    @Test func `a fault is told with its place, and what is not finished`() throws {
        let faulty = try text(["report", "-"], input: #"[{"distance":1},{"distance":"far"}]"#)
        #expect(faulty.contains("1  byte 1  distance 1.000 m") && faulty.contains("fault at byte "))
        let uci = try #require(RangeFormatRow.table.first { $0.format == .uci }).sample
        #expect(try text(["report", String(uci.prefix(60))]).contains("unfinished from byte 0"))
    }

    @Test func `what is no report is said`() throws {
        let failure = #expect(throws: CommandFailure.self) { try text(["report", "-"], input: "hello") }
        #expect(failure?.exitCode == .badData && failure?.message.contains("makerfabs") == true)
    }
}
