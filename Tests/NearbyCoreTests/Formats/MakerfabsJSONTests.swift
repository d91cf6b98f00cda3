// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NearbyCore

@Suite struct MakerfabsJSONTests {
    private let links = #"{"links":[{"A":"1782","R":"1.2"},{"A":"1783","R":"0.5"}]}"#
    private let ranges = #"{"id":1,"range":[0,53,423,0,0,0,0,0]}"#

    private func decode(_ text: String) -> JSONDecoding { JSONDecoding(text, format: .makerfabs) }

    private func address(_ value: UInt64) -> RangeReport.Peer { .address(RadioAddress(value)) }

    @Test func `Links are metres between an anchor and the tag`() {
        let decoding = decode(links)
        #expect(decoding.reports.map(\.distance) == [1.2, 0.5])
        #expect(decoding.reports.map(\.peer) == [address(0x1782), address(0x1783)])
        #expect(decode(#"{"links":[{"R":-0.1,"A":"0x00aB"}]}"#).report?.distance == -0.1)
    }

    @Test func `Ranges are centimetres in the slot of the anchor`() {
        let decoding = decode(ranges)
        #expect(decoding.reports.map(\.distance) == [0.53, 4.23])
        #expect(decoding.reports.map(\.peer) == [address(1), address(2)])
    }

    @Test func `The id is that of the tag, wherever it stands`() {
        #expect(decode(ranges).reports.map(\.reporter) == [address(1), address(1)])
        #expect(decode(#"{"range":[5],"id":70000}"#).reports.map(\.reporter) == [address(70_000)])
        #expect(decode(#"{"id":3,"range":[0]}"#).reports.map(\.reporter) == [address(3)])
        let named = decode(#"{"id":"cart","range":[5]}"#)
        #expect(named.report?.reporter == .name(7..<11))
        for id in ["-1", "1.5", "null", "true", #""a b""#, "[1]"] {
            #expect(decode(#"{"id":\#(id),"range":[5]}"#).report?.reporter == .unnamed, "\(id)")
        }
        let both = decode(ranges + links)
        #expect(both.reports.map(\.reporter) == [address(1), address(1), .unnamed, .unnamed])
        #expect(both.reports.allSatisfy { !$0.isReportedByAnchor })
    }

    @Test(arguments: [
        #"{"links":[]}"#, #"{"id":1,"range":[]}"#, #"{"id":1,"range":[0,0,-1,null,0]}"#,
    ])
    func `A round without any range is a failure`(_ text: String) {
        let decoding = decode(text)
        #expect(decoding.reports.map(\.status) == [.timeout])
        #expect(decoding.reports.first?.distance == nil && decoding.errors.isEmpty)
    }

    @Test(arguments: [
        #"{"A":"1782"}"#, #"{"A":"1782","R":"nan"}"#, #"{"A":"1782","R":null}"#, #"{"A":"1782","R":"inf"}"#,
    ])
    func `A link without a range is a failure of that anchor`(_ link: String) {
        let decoding = decode(#"{"links":[\#(link),{"A":"1783","R":"0.5"}]}"#)
        #expect(decoding.reports.map(\.distance) == [nil, 0.5])
        #expect(decoding.reports.map(\.status) == [.error, .ok])
        #expect(decoding.reports.first?.peer == address(0x1782))
    }

    @Test(arguments: [
        (#"{"A":"17z2","R":"1"}"#, ReportError.Reason.invalidPeer), (#"{"A":1782,"R":"1"}"#, .invalidPeer),
        (#"{"A":"1","R":"1 m"}"#, .invalidValue), (#"{"A":"1","R":"999999"}"#, .invalidValue), ("true", .invalidValue),
        (#"{"A":"1","A":"2","R":"1"}"#, .duplicateField), (#"{"A":"1","R":"2","R":"1"}"#, .duplicateField),
    ])
    func `A link that cannot be used leaves the others alone`(_ link: String, _ reason: ReportError.Reason) {
        let decoding = decode(#"{"links":[\#(link),{"A":"1783","R":"0.5"}]}"#)
        #expect(decoding.errors.map(\.reason) == [reason])
        #expect(decoding.reports.map(\.distance) == [0.5])
    }

    @Test func `Other objects are no reports and broken ones a fault`() {
        let decoding = decode(#"{"battery":97,"x":{"links":[1]}}"# + links + "\n" + #"{"links":[}"# + "\n" + ranges)
        #expect(decoding.reports.map(\.distance) == [1.2, 0.5, 0.53, 4.23])
        #expect(decoding.errors.count == 1)
        #expect(decode(#"{"range":[1],"links":[]}"#).reason == .duplicateField)
    }

    @Test func `Only its own objects are taken for it`() {
        func isPlausible(_ text: String) -> Bool { MakerfabsText.isPlausible([UInt8](text.utf8).span) }
        for text in [links, ranges, #" { "id" : "a" , "range" : [1] }"#, "\n" + ranges] {
            #expect(isPlausible(text), "\(text)")
        }
        for text in [
            #"{"distance":1}"#, #"{"id":1,"distance":2}"#, "{}", "{", #"{"links":1}"#, #"{"reports":[]}"#, "[]", "",
        ] {
            #expect(!isPlausible(text), "\(text)")
        }
    }

    @Test func `A stream can be cut anywhere`() {
        let stream = [UInt8]((links + "\n" + ranges + "\n" + links).utf8)
        #expect(FormatStream.harmfulCuts(of: stream, .makerfabs).isEmpty)
        #expect(FormatStream.harmfulTruncations(of: stream, .makerfabs).isEmpty)
    }

    @Test func `A flipped bit never makes a report that breaks the rules`() {
        for text in [links, ranges] {
            for (_, payload) in FormatStream.flips(of: [UInt8](text.utf8)) {
                #expect(JSONDecoding(payload, format: .makerfabs).isWellFormed)
            }
        }
    }
}
