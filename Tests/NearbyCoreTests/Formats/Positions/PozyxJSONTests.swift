// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NearbyCore

@Suite struct PozyxJSONTests {
    private let update =
        #"{"version":"2.0","tagId":"200000297","timestamp":1776879440.1924548,"data":{"metrics":{"latency":20,"rates":{"success":9.96,"update":9.96,"packetLoss":0.1}},"tagData":{"blinkIndex":43986926},"anchorData":[{"tagId":"200000297","anchorId":"5816","rss":-80.5}],"coordinates":{"x":-606,"y":1186,"z":500},"position_score":89.99,"zones":[],"type":1},"gateway_name":"hall","success":true}"#
    private let failed =
        #"{"version":"1","alive":true,"tagId":"26449","success":false,"timestamp":1524496105.895,"data":{"metrics":{"latency":2},"tagData":{}}}"#

    private func decode(_ text: String) -> JSONDecoding { JSONDecoding(text, format: .pozyx) }

    private func located(_ coordinates: String, _ tag: String = "7") -> String {
        #"{"tagId":\#(tag),"success":true,"data":{"coordinates":\#(coordinates)}}"#
    }

    @Test func `An update is the position of its tag`() throws {
        for text in ["[\(update)]", update] {
            let decoding = decode(text)
            let report = try #require(decoding.report)
            #expect(report.position == [-0.606, 1.186, 0.5] && report.distance == nil && report.status == .ok)
            #expect(decoding.reporters == ["200000297"] && report.peer == .unnamed && !report.isReportedByAnchor)
            #expect(report.timestamp == 1_776_879_440_192_454_800 && report.sequence == nil)
        }
    }

    @Test func `A failed update has no position, whatever stands in it`() throws {
        for text in [
            failed, update.replacing(#""success":true"#, with: #""success":false"#),
            update.replacing(#","success":true"#, with: ""),
        ] {
            let decoding = decode(text)
            let report = try #require(decoding.report)
            #expect(report.status == .error && report.position == nil && report.distance == nil)
            #expect(decoding.reporters != [""])
        }
    }

    @Test(arguments: [
        "null", "{}", #"{"x":1,"y":2}"#, #"{"x":null,"y":2,"z":3}"#, #"{"x":1,"y":"nan","z":3}"#,
        #"{"x":1,"y":2,"z":NaN}"#,
    ])
    func `Coordinates that are not whole are a failure`(_ coordinates: String) {
        let report = decode(located(coordinates)).report
        #expect(report?.status == .error && report?.position == nil)
    }

    @Test(arguments: [#"{"tagId":7,"success":true}"#, #"{"tagId":7,"success":true,"data":null}"#])
    func `An update without data is a failure`(_ text: String) {
        #expect(decode(text).report?.status == .error)
    }

    @Test func `The tag may be a number`() {
        let decoding = decode(
            "[\(located(#"{"x":1,"y":2,"z":3}"#, "26449")),\(located(#"{"x":"1","y":2,"z":3}"#, #""a-b""#))]"
        )
        #expect(decoding.reporters == ["26449", "a-b"] && decoding.errors.isEmpty)
        #expect(decoding.reports.map(\.position) == [[0.001, 0.002, 0.003], [0.001, 0.002, 0.003]])
    }

    @Test(arguments: [
        (#"{"success":true}"#, ReportError.Reason.invalidValue), (#"{"tagId":null,"success":true}"#, .invalidValue),
        (#"{"tagId":"a/b","success":true}"#, .invalidPeer), (#"{"tagId":"\u0061","success":true}"#, .invalidPeer),
        (#"{"tagId":-7,"success":true}"#, .invalidPeer), (#"{"tagId":7.5,"success":true}"#, .invalidPeer),
        (#"{"tagId":true,"success":true}"#, .invalidValue), (#"{"tagId":7,"success":"true"}"#, .invalidValue),
        (#"{"tagId":7,"tagId":7,"success":true}"#, .duplicateField), (#"{"tagId":7,"data":[]}"#, .invalidValue),
        (#"{"tagId":7,"success":true,"data":{"coordinates":{"x":1e12,"y":2,"z":3}}}"#, .invalidValue),
        (#"{"tagId":7,"success":true,"data":{"coordinates":{},"coordinates":{}}}"#, .duplicateField),
        (#"[{"tagId":7,"success":true}"#, .truncated), ("5", .unknownFormat),
    ])
    func `What cannot be used is a fault`(_ text: String, _ reason: ReportError.Reason) {
        #expect(decode(text).reason == reason)
    }

    @Test(arguments: [
        ("1524496105.895", 1_524_496_105_895_000_000 as Int64?), (#""1524496105.895""#, 1_524_496_105_895_000_000),
        ("null", nil), (#""""#, nil), ("1e30", nil),
    ])
    func `Time is in seconds`(_ time: String, _ nanoseconds: Int64?) {
        let report = decode(#"{"tagId":7,"success":true,"timestamp":\#(time)}"#).report
        #expect(report?.timestamp == nanoseconds && report != nil)
    }

    @Test func `One bad update leaves the others alone`() {
        let decoding = decode(#"[\#(update),{"success":true},\#(failed),7,\#(update)]"#)
        #expect(decoding.reports.map(\.status) == [.ok, .error, .ok])
        #expect(decoding.reporters == ["200000297", "26449", "200000297"])
        #expect(decoding.errors.map(\.reason) == [.invalidValue, .invalidValue])
        #expect(decode("[]").reports.isEmpty && decode("[]").errors.isEmpty)
    }

    @Test func `A cut payload is a fault`() {
        for text in ["[\(update)]", failed] {
            let payload = [UInt8](text.utf8)
            for length in payload.indices {
                let decoding = JSONDecoding(Array(payload[..<length]), format: .pozyx)
                #expect(decoding.reports.isEmpty && decoding.errors.count == 1, "\(length)")
            }
        }
    }

    @Test func `A flipped bit makes no position out of a failure, and no distance out of anything`() {
        for text in [failed, update.replacing(#""success":true"#, with: #""success":false"#), located("null")] {
            for (offset, flipped) in FormatStream.flips(of: [UInt8](text.utf8)) {
                let reports = JSONDecoding(flipped, format: .pozyx).reports
                #expect(reports.allSatisfy { $0.position == nil && $0.distance == nil }, "\(offset) of \(text)")
            }
        }
        for (offset, flipped) in FormatStream.flips(of: [UInt8](update.utf8)) {
            let decoding = JSONDecoding(flipped, format: .pozyx)
            #expect(decoding.isWellFormed && decoding.reports.allSatisfy { $0.distance == nil }, "\(offset)")
        }
    }

    @Test func `The keys tell the format`() {
        for text in [update, "[\(update)]", failed, " [ \(failed)]", #"{"tagId":"1","success":false}"#] {
            #expect(RangeFormat.recognised(text) == .pozyx, "\(text)")
        }
        for text in [
            #"{"tagId":"1","distance":2}"#, #"{"tagId":"1","data":{},"distance":2}"#, #"{"tagId":"1"}"#, "[{", "[[", "",
            #"{"id":1,"range":[0,53]}"#, #"{"data":{"tagId":"1"}}"#,
        ] {
            #expect(RangeFormat.recognised(text) != .pozyx, "\(text)")
        }
    }
}
