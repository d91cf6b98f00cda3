// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NearbyCore

@Suite struct OmloxJSONTests {
    private let proximity =
        #"{"source":"gate-1","provider_type":"virtual","provider_id":"7C:B0:D3:FF:FE:0A:1B:2C","accuracy":1.25,"timestamp_generated":"2026-11-30T14:01:52.123Z","properties":{"accuracy":9}}"#
    private let location =
        #"{"position":{"type":"Point","coordinates":[1.5,2.5]},"source":"zone","provider_type":"uwb","provider_id":"7CB0D3FFFE0A1B2C","accuracy":0.3,"crs":"local"}"#

    private func decode(_ text: String) -> JSONDecoding { JSONDecoding(text, format: .omlox) }

    @Test func `The accuracy of a proximity is the distance to its provider`() {
        let report = decode(proximity).report
        #expect(report?.distance == 1.25 && report?.status == .ok)
        #expect(report?.peer == .address(RadioAddress(extended: 0x7CB0_D3FF_FE0A_1B2C)))
        #expect(report?.timestamp == 1_796_047_312_123_000_000)
        #expect(decode(proximity).reporters == ["gate-1"] && report?.isReportedByAnchor == true)
        #expect(report?.position == nil)
        let unknown = decode(#"{"source":"http://a/b","provider_id":"tag-7","accuracy":1}"#).report
        #expect(unknown?.reporter == .unnamed && unknown?.isReportedByAnchor == false && unknown?.distance == 1)
        #expect(decode(#"{"provider_id":"tag-7","accuracy":0}"#).report?.distance == 0)
        #expect(decode(#"{"provider_id":"tag-7","accuracy":1}"#).peers == ["tag-7"])
    }

    @Test func `A location is the place of its provider, whatever its accuracy`() throws {
        for coordinates in ["[1.5,2.5]", "[1.5,2.5,0]", "[1.5,2.5,0.0]"] {
            for crs in [#""crs":"local""#, #""crs":null"#, #""floor":1"#] {
                let text = location.replacing("[1.5,2.5]", with: coordinates).replacing(#""crs":"local""#, with: crs)
                let report = try #require(decode(text).report)
                #expect(report.position == [1.5, 2.5, 0] && report.distance == nil && report.status == .ok)
                #expect(report.reporter == .address(RadioAddress(extended: 0x7CB0_D3FF_FE0A_1B2C)))
                #expect(report.peer == .unnamed && !report.isReportedByAnchor)
            }
        }
        let high = location.replacing("[1.5,2.5]", with: "[-1e2,2.5,0.25]")
        #expect(decode(high).report?.position == [-100, 2.5, 0.25])
    }

    @Test(arguments: ["EPSG:4326", "EPSG:25832", "", "Local", "local "])
    func `A location in other coordinates is no position`(_ crs: String) {
        let place = #""position":{"type":"Point","coordinates":[8.4,49.0,110]},"accuracy":0.3"#
        for text in [
            #"{"provider_id":"a","crs":"\#(crs)",\#(place)}"#, #"{"provider_id":"a",\#(place),"crs":"\#(crs)"}"#,
        ] {
            let report = decode(text).report
            #expect(report?.status == .error && report?.position == nil && report?.distance == nil)
        }
    }

    @Test(arguments: [
        "null", #"{"type":"Point"}"#, #"{"coordinates":[1,2]}"#, #"{"type":"Polygon","coordinates":[1,2]}"#,
        #"{"type":"Point","coordinates":null}"#, #"{"type":"Point","coordinates":[1]}"#,
        #"{"type":"Point","coordinates":[]}"#, #"{"type":"Point","coordinates":[1,null]}"#,
        #"{"type":"Point","coordinates":[1,2,NaN]}"#, #"{"type":null,"coordinates":[1,2]}"#, "{}",
    ])
    func `A location without a point is a failure`(_ position: String) {
        let decoding = decode(#"{"accuracy":0.3,"provider_id":"a","position":\#(position)}"#)
        let report = decoding.report
        #expect(report?.status == .error && report?.position == nil && report?.distance == nil)
        #expect(decoding.reporters == ["a"])
    }

    @Test(arguments: ["", #","accuracy":null"#, #","accuracy":-1"#, #","accuracy":NaN"#])
    func `A proximity without an accuracy is no measurement`(_ field: String) {
        let report = decode(#"{"source":"a","provider_id":"b"\#(field)}"#).report
        #expect(report?.status == .error && report?.distance == nil)
    }

    @Test(arguments: [
        (#"{"source":"a","accuracy":1}"#, ReportError.Reason.invalidValue),
        (#"{"provider_id":1,"accuracy":1}"#, .invalidValue),
        (#"{"provider_id":"a","accuracy":"1"}"#, .invalidValue),
        (#"{"provider_id":"a","accuracy":1e9}"#, .invalidValue),
        (#"{"provider_id":"a","accuracy":1,"timestamp_generated":"now"}"#, .invalidValue),
        (#"{"provider_id":"a","position":[1,2]}"#, .invalidValue), (#"{"provider_id":"a","crs":1}"#, .invalidValue),
        (#"{"provider_id":"a","position":{"type":"Point","coordinates":[1,2,3,4]}}"#, .invalidValue),
        (#"{"provider_id":"a","position":{"type":"Point","coordinates":["1",2]}}"#, .invalidValue),
        (#"{"provider_id":"a","position":{"type":"Point","coordinates":[1e9,2]}}"#, .invalidValue),
        (#"{"provider_id":"a","position":{"coordinates":[1,2],"coordinates":[1,2]}}"#, .duplicateField),
        (#"{"provider_id":"a","accuracy":1,"accuracy":2}"#, .duplicateField), (#"{"provider_id":"a""#, .truncated),
        ("5", .unknownFormat),
    ])
    func `What cannot be used is a fault`(_ text: String, _ reason: ReportError.Reason) {
        #expect(decode(text).reason == reason)
    }

    @Test func `Several objects in one payload are told apart`() {
        let decoding = decode("[\(proximity),\(location),{},\(proximity)]")
        #expect(decoding.reports.map(\.distance) == [1.25, nil, 1.25])
        #expect(decoding.errors.count == 1)
    }

    @Test func `A cut payload is a fault, and a flipped bit never breaks the rules`() {
        let payload = [UInt8](proximity.utf8)
        for length in payload.indices {
            #expect(JSONDecoding(Array(payload[..<length]), format: .omlox).reports.isEmpty)
        }
        for (_, flipped) in FormatStream.flips(of: payload) {
            #expect(JSONDecoding(flipped, format: .omlox).isWellFormed)
        }
        let key = 2..<2 + "position".utf8.count
        for (offset, flipped) in FormatStream.flips(of: [UInt8](location.utf8)) where !key.contains(offset) {
            let reports = JSONDecoding(flipped, format: .omlox).reports
            #expect(reports.allSatisfy { $0.distance == nil }, "\(offset)")
        }
        let global = [UInt8](
            #"{"crs":"EPSG:4326","provider_id":"a","position":{"type":"Point","coordinates":[8,49]}}"#.utf8
        )
        for (offset, flipped) in FormatStream.flips(of: global) where offset >= 5 {
            let reports = JSONDecoding(flipped, format: .omlox).reports
            #expect(reports.allSatisfy { $0.distance == nil && $0.position == nil }, "\(offset)")
        }
    }

    @Test func `The first keys tell the format`() {
        for text in [proximity, location, "[\(location)]", " [ \(proximity)]", #"{"accuracy":1,"provider_id":"a"}"#] {
            #expect(RangeFormat.recognised(text) == .omlox, "\(text)")
        }
        for text in [
            #"{"source":"esp","distance":1}"#, #"{"source":"esp","provider_id":"a","distance":1}"#, "{", "[", "[{",
            #"{"position":{"x":3.25,"y":-0.01,"z":0.43,"quality":21},"superFrameNumber":1144}"#, #"{"source":1"#, "",
        ] {
            #expect(RangeFormat.recognised(text) != .omlox, "\(text)")
        }
    }
}
