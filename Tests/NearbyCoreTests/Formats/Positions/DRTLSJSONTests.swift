// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NearbyCore

@Suite struct DRTLSJSONTests {
    private let location =
        #"{"position":{"x":3.25238609,"y":-0.00895162672,"z":0.42510426,"quality":21},"superFrameNumber":1144,"timestamp":"1679495047880989"}"#
    private let anchor =
        #"{"configuration":{"label":"DW0F07","nodeType":"ANCHOR","ble":true,"leds":true,"uwbFirmwareUpdate":true,"anchor":{"initiator":true,"position":{"x":1.5,"y":0,"z":2.25,"quality":0},"routingConfig":"ROUTING_CFG_OFF","routingStatus":"ROUTING_STAT_INACTIVE"}}}"#
    private let tag =
        #"{"configuration":{"label":"DW1234","nodeType":"TAG","ble":true,"tag":{"stationaryDetection":true,"responsive":true,"locationEngine":true,"nomUpdateRate":100,"statUpdateRate":5000}}}"#

    private func decode(_ text: String) -> JSONDecoding { JSONDecoding(text, format: .drtls) }

    private func located(_ x: String, _ y: String = "2", _ z: String = "3", _ more: String = "") -> String {
        #"{"position":{"x":\#(x),"y":\#(y),"z":\#(z)\#(more)}}"#
    }

    @Test func `A location is a position with a quality and the node's time`() throws {
        let report = try #require(decode(location).report)
        #expect(report.position == [3.25238609, -0.00895162672, 0.42510426] && report.distance == nil)
        #expect(report.status == .ok && report.quality == 0.21)
        #expect(report.timestamp == 1_679_495_047_880_989_000 && report.sequence == nil)
        #expect(report.reporter == .unnamed && report.peer == .unnamed)
        #expect(!report.isAnchorPosition && !report.isGone)
    }

    @Test(arguments: [#""1.5""#, #"" 1.5 ""#, "1.5", "15e-1"])
    func `A number may stand in a string`(_ number: String) {
        #expect(decode(located(number)).report?.position == [1.5, 2, 3])
    }

    @Test(arguments: [
        "NaN", "null", #""NaN""#, #""nan""#, #""-nan""#, #""""#, "Infinity", "-Infinity", #""inf""#, #""1,5""#, "1e999",
    ])
    func `Any coordinate that is no number is a failure`(_ word: String) {
        for text in [
            located(word), located("1", word), located("1", "2", word), located(word, word, word, #","quality":0"#),
        ] {
            let report = decode(text).report
            #expect(report?.status == .error && report?.position == nil && report?.distance == nil, "\(text)")
        }
    }

    @Test(arguments: [#"{"position":null}"#, #"{"position":{}}"#, #"{"position":{"x":1,"y":2,"quality":50}}"#])
    func `A location without its coordinates is a failure`(_ text: String) {
        let report = decode(text).report
        #expect(report?.status == .error && report?.position == nil)
    }

    @Test(arguments: [
        (",\"quality\":0", 0 as Float?), (",\"quality\":100", 1), (",\"quality\":\"50\"", 0.5), ("", nil),
        (",\"quality\":null", nil),
    ])
    func `Quality is a percentage, and 0 is one too`(_ field: String, _ quality: Float?) {
        let report = decode(located("1", "2", "3", field)).report
        #expect(report?.quality == quality && report?.position == [1, 2, 3])
    }

    @Test(arguments: [
        (#""1679495047880989""#, 1_679_495_047_880_989_000 as Int64?), ("1679495047880989", 1_679_495_047_880_989_000),
        ("12.5", 12_500), ("null", nil), (#""""#, nil), (#""soon""#, nil), ("1e30", nil), ("-1", -1000),
    ])
    func `Time is in microseconds`(_ time: String, _ nanoseconds: Int64?) {
        let report = decode(#"{"timestamp":\#(time),"position":{"x":1,"y":2,"z":3}}"#).report
        #expect(report?.timestamp == nanoseconds && report?.position == [1, 2, 3])
    }

    @Test func `An anchor's configuration is its place, a tag's says nothing`() throws {
        let report = try #require(decode(anchor).report)
        #expect(report.isAnchorPosition && report.position == [1.5, 0, 2.25] && report.status == .ok)
        #expect(report.quality == nil && report.distance == nil && !report.isReportedByAnchor)
        #expect(decode(tag).reports.isEmpty && decode(tag).errors.isEmpty)
        for text in [
            #"{"configuration":{"nodeType":"ANCHOR"}}"#, #"{"configuration":{"nodeType":"ANCHOR","anchor":{}}}"#,
            anchor.replacing("1.5", with: "null"), anchor.replacing("2.25", with: #""nan""#),
        ] {
            let failed = try #require(decode(text).report)
            #expect(failed.isAnchorPosition && failed.position == nil && failed.status == .error)
        }
    }

    @Test func `A node that is not there says so, one that is says nothing`() throws {
        let report = try #require(decode(#"{"present":false,"batt":70,"timestamp":"5"}"#).report)
        #expect(report.isGone && report.position == nil && report.distance == nil && report.timestamp == 5000)
        for text in [
            #"{"present":true}"#, #"{"present":true,"batt":70}"#, #"{"data":"q80=","superFrameNumber":673}"#,
            #"{"type":"TLV_API_ACK","data":"AA=="}"#, #"{"data":"q80=","overwrite":false,"timestamp":"1"}"#,
            #"{"configuration":{}}"#,
        ] {
            #expect(decode(text).reports.isEmpty && decode(text).errors.isEmpty, "\(text)")
        }
    }

    @Test(arguments: [
        (#"{"present":1}"#, ReportError.Reason.invalidValue), (#"{"position":[1,2,3]}"#, .invalidValue),
        (#"{"position":{"x":true,"y":2,"z":3}}"#, .invalidValue),
        (#"{"position":{"x":1e9,"y":2,"z":3}}"#, .invalidValue),
        (#"{"position":{"x":1,"y":2,"z":3,"quality":101}}"#, .invalidValue),
        (#"{"position":{"x":1,"y":2,"z":3,"quality":-1}}"#, .invalidValue), (#"{"configuration":1}"#, .invalidValue),
        (#"{"position":{"x":1,"x":1,"y":2,"z":3}}"#, .duplicateField),
        (#"{"present":false,"present":false}"#, .duplicateField),
        (#"{"present":false,"position":{"x":1,"y":2,"z":3}}"#, .invalidValue), (#"{"distance":1}"#, .noKnownField),
        (#"{"timestamp":"1"}"#, .noKnownField), ("{}", .noKnownField), (#"{"present":false"#, .truncated),
        ("true", .unknownFormat), (#"{"position":{"x":1,"y":2,"z":3},"timestamp":[]}"#, .invalidValue),
    ])
    func `What cannot be used is a fault`(_ text: String, _ reason: ReportError.Reason) {
        #expect(decode(text).reason == reason)
    }

    @Test func `A list gives what its objects give`() {
        let decoding = decode(#"[\#(tag),\#(location),5,\#(anchor),{"present":true},{"present":false}]"#)
        #expect(decoding.reports.map(\.isAnchorPosition) == [false, true, false])
        #expect(decoding.reports.map(\.isGone) == [false, false, true])
        #expect(decoding.errors.map(\.reason) == [.invalidValue])
    }

    @Test func `A cut payload is a fault`() {
        for text in [location, anchor, #"{"present":false}"#] {
            let payload = [UInt8](text.utf8)
            for length in payload.indices {
                let decoding = JSONDecoding(Array(payload[..<length]), format: .drtls)
                #expect(decoding.reports.isEmpty && decoding.errors.count == 1, "\(length)")
            }
        }
    }

    @Test func `A flipped bit makes no position out of a failure, and no distance out of anything`() {
        for text in [
            located("NaN", "NaN", "NaN", #","quality":0"#), located("null", "1", "2"), located("1", #""nan""#, "2"),
            anchor.replacing("1.5", with: #""NaN""#), #"{"present":false}"#,
        ] {
            for (offset, flipped) in FormatStream.flips(of: [UInt8](text.utf8)) {
                let reports = JSONDecoding(flipped, format: .drtls).reports
                #expect(reports.allSatisfy { $0.position == nil && $0.distance == nil }, "\(offset) of \(text)")
            }
        }
        for text in [location, anchor] {
            for (offset, flipped) in FormatStream.flips(of: [UInt8](text.utf8)) {
                let decoding = JSONDecoding(flipped, format: .drtls)
                #expect(decoding.isWellFormed && decoding.reports.allSatisfy { $0.distance == nil }, "\(offset)")
            }
        }
    }

    @Test func `The first keys tell the format`() {
        for text in [location, anchor, tag, " \n" + location, #"{ "position" : { "y":1, "x" : null } }"#] {
            #expect(RangeFormat.recognised(text) == .drtls, "\(text)")
        }
        for text in [
            #"{"position":{"type":"Point","coordinates":[1,2]},"provider_id":"a"}"#, #"{"position":{"lat":1}}"#,
            #"{"position":{"x":1,"y":2},"distance":2.5}"#, #"{"position":[1,2]}"#, #"{"position":"x"}"#, "{", "[",
            #"{"configuration":{"x":1}}"#, #"{"position":{"x":1},"provider_id":"a"}"#, #"{"distance":1}"#,
            #"{"present":false}"#, "[\(location)]",
        ] {
            #expect(RangeFormat.recognised(text) != .drtls, "\(text)")
        }
    }
}
