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
                offset  text     place     field     value    meaning
                    12  2.31     distance  distance  2.310 m
                    24  "alice"  peer      peer      alice
                    42  12.5     azimuth   azimuth   12.50°
                    54  true     nlos      nlos      true     whether the path was obstructed
                    65  7        seq       seq       7
                no warnings

                """
        )
    }

    @Test(arguments: [
        (
            #"{"position":{"x":1.5,"y":-2,"z":0.25,"quality":21},"superFrameNumber":1}"#,
            "position 1.500 -2.000 0.250 m, status ok, quality 0.21"
        ),
        (
            #"{"position":{"x":1.5,"y":"nan","z":0.25},"superFrameNumber":1}"#,
            "distance none, status error"
        ),
        (
            #"{"configuration":{"nodeType":"ANCHOR","anchor":{"position":{"x":1,"y":2,"z":3}}}}"#,
            "position 1.000 2.000 3.000 m, anchor_position yes, status ok"
        ),
        (#"{"configuration":{"nodeType":"ANCHOR","anchor":{}}}"#, "anchor_position none, status error"),
        (
            #"{"source":"gate-1","provider_type":"virtual","provider_id":"tag-7","accuracy":1.25}"#,
            "distance 1.250 m, peer tag-7, reporter gate-1, reported_by anchor, status ok"
        ),
        ("T1,mask:1,seq:12,range:(120),ancid:(4)", "distance 1.200 m, peer 0x0004, reporter 0x0001, status ok, seq 12"),
        (
            "POS,0,022E,7.10,5.24,-2.03,53\r\n",
            "position 7.100 5.240 -2.030 m, reporter 0x022E, status ok, quality 0.53"
        ),
    ])
    func `who measured is told, and a place instead of a distance`(_ payload: String, _ line: String) throws {
        #expect(try text(["report", "-"], input: payload).contains("1  byte 0  \(line)\n"))
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
        let failure = #expect(throws: CommandFailure.self) { try text(["report", String(uci.prefix(60))]) }
        #expect(failure?.exitCode == .badData)
        #expect(failure?.message.contains("unfinished from byte 0") == true)
    }

    @Test(arguments: [
        ("610200060100000003 01", "exhausted"), ("610200060100000003 03", "suspended"),
        ("610200060100000002 04", "resumed"), ("610200060100000001 05", "ended"),
        (#"{"Session Stopped":"Max attempts"}"#, "exhausted"), (#"{"Session Stopped":"Inband Stop"}"#, "ended"),
    ])
    func `what the radio tells of the session is told instead of a measurement`(
        _ payload: String,
        _ word: String
    ) throws {
        #expect(try text(["report", "-"], input: payload).contains("1  byte 0  status \(word): the "))
        let json = try text(["report", "--json", "-"], input: payload)
        let object = try #require(JSONText.object(Array(json.utf8.dropLast())))
        let report = try #require((object["reports"] as? [[String: Any]])?.first)
        #expect(report["status"] as? String == word && report["distance"] is NSNull)
    }

    @Test func `what is no report is said`() throws {
        let failure = #expect(throws: CommandFailure.self) { try text(["report", "-"], input: "hello") }
        #expect(failure?.exitCode == .badData && failure?.message.contains("makerfabs") == true)
    }
}
