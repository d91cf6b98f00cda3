// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NearbyCore

@Suite struct ESPresenseJSONTests {
    private let espresense =
        #"{"mac":"dd8800003777","id":"iBeacon:426c7565-4368-6172-6d42-6561636f6e73-3838-4949","rssi@1m":-59,"rssi":-81.10,"rxAdj":0,"rssiVar":7.42,"distance":6.58,"var":4.00,"int":2028}"#
    private let theengs = #"{"id":"45:F6:8A:76:86:C5","name":"[LG] TV","rssi":-55,"txpower":12,"distance":0.495572}"#

    private func decode(_ text: String) -> JSONDecoding { JSONDecoding(text, format: .espresense) }

    @Test func `A node's report has a distance and a name for the device`() {
        let decoding = decode(espresense)
        #expect(decoding.report?.distance == 6.58 && decoding.report?.rssi == -81.1)
        #expect(decoding.peers == ["iBeacon:426c7565-4368-6172-6d42-6561636f6e73-3838-4949"])
        #expect(decoding.report?.status == .ok && decoding.report?.sequence == nil)
    }

    @Test func `Fields of older and newer firmware change nothing`() {
        let report = decode(
            #"{"id":"bc7e8b2e9a71","idType":55,"rssi@1m":-71,"rssi":-95,"raw":4.85,"distance":5.18,"speed":-0.02,"mac":"bc7e8b2e9a71","interval":2800,"close":true,"irk":[1,{"distance":3}]}"#
        ).report
        #expect(report?.distance == 5.18)
        #expect(report?.peer == .address(RadioAddress(extended: 0xBC7E_8B2E_9A71)))
    }

    @Test func `A gateway's report has the device's hardware address`() {
        let report = decode(theengs).report
        #expect(report?.distance == 0.495572 && report?.rssi == -55)
        #expect(report?.peer == .address(RadioAddress(extended: 0x45F6_8A76_86C5)))
    }

    @Test(arguments: [
        (#"{"mac":"dd8800003777","distance":1}"#, RangeReport.Peer.address(RadioAddress(extended: 0xDD88_0000_3777))),
        (#"{"mac":"DD-88-00-00-37-77","id":"a b","distance":1}"#, .address(RadioAddress(extended: 0xDD88_0000_3777))),
        (#"{"mac":"dd88000037zz-?","distance":1}"#, .unnamed), (#"{"id":null,"distance":1}"#, .unnamed),
        (#"{"distance":1}"#, .unnamed), (#"{"id":"\u0061","distance":1}"#, .unnamed),
    ])
    func `Without a usable identity the hardware address stands in`(_ text: String, _ peer: RangeReport.Peer) {
        #expect(decode(text).report?.peer == peer)
        #expect(decode(text).report?.distance == 1)
    }

    @Test(arguments: ["", #","distance":null"#, #","distance":NaN"#])
    func `A device without a distance is no measurement`(_ field: String) {
        let report = decode(#"{"mac":"dd8800003777","rssi":-81.10\#(field)}"#).report
        #expect(report?.status == .error && report?.distance == nil && report?.rssi == -81.1)
    }

    @Test(arguments: [
        (#"{"mac":"dd8800003777","distance":"6"}"#, ReportError.Reason.invalidValue), (#"{"id":5}"#, .invalidValue),
        (#"{"mac":"dd8800003777","distance":1e9}"#, .invalidValue), (#"{"battery":1}"#, .invalidValue),
        (#"{"mac":"dd8800003777","distance":1,"distance":2}"#, .duplicateField),
        (#"{"mac":"dd88","distance":1"#, .truncated),
        ("online", .unknownFormat), ("true", .unknownFormat), (" ", .empty), (#"{"distance":1}x"#, .syntax),
    ])
    func `What cannot be used is a fault`(_ text: String, _ reason: ReportError.Reason) {
        #expect(decode(text).reason == reason)
    }

    @Test func `Several devices in one payload are told apart`() {
        let decoding = decode("[\(espresense),7,\(theengs),{}]")
        #expect(decoding.reports.map(\.distance) == [6.58, 0.495572])
        #expect(decoding.errors.map(\.reason) == [.invalidValue, .invalidValue])
        #expect(decode("[\(espresense),").reports.isEmpty)
    }

    @Test func `A cut payload is a fault, and a flipped bit never breaks the rules`() {
        for text in [espresense, theengs] {
            let payload = [UInt8](text.utf8)
            for length in payload.indices {
                let decoding = JSONDecoding(Array(payload[..<length]), format: .espresense)
                #expect(decoding.reports.isEmpty && decoding.errors.count == 1)
            }
            for (_, flipped) in FormatStream.flips(of: payload) {
                #expect(JSONDecoding(flipped, format: .espresense).isWellFormed)
            }
        }
        let silent = [UInt8](#"{"mac":"dd8800003777","id":"irk:1","rssi":-81.10,"var":4.00}"#.utf8)
        for (offset, flipped) in FormatStream.flips(of: silent) {
            let reports = JSONDecoding(flipped, format: .espresense).reports
            #expect(reports.allSatisfy { $0.distance == nil }, "\(offset)")
        }
    }

    @Test func `The first bytes tell the format`() {
        for text in [espresense, theengs, " \n" + espresense, #"{ "mac" : "x","rssi":-1}"#] {
            #expect(RangeFormat.recognised(text) == .espresense, "\(text)")
        }
        for text in [
            #"{"distance":1,"mac":"dd8800003777"}"#, #"{"id":"lamp","distance":1}"#, #"{"id":1,"range":[1]}"#,
            #"{"mac":"dd8800003777","peer":"alice","distance":1}"#, #"{"mac":1}"#, #"{"mac""#, "{", "[", "",
        ] {
            #expect(RangeFormat.recognised(text) != .espresense, "\(text)")
        }
    }
}
