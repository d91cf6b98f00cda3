// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NearbyCore

@Suite struct QorvoJSONTests {
    private func decode(_ text: String) -> JSONDecoding { JSONDecoding(text, format: .qorvo) }

    private func measurement(_ fields: String) -> JSONDecoding { decode(#"[{"Addr":"0x0001",\#(fields)}]"#) }

    @Test func `A failed round and the next one may have the same block`() {
        let decoding = decode(
            #"{"Block":0, "results":[{"Addr":"0xdc4c","Status":"Err"}]}"# + "\r\n"
                + #"{"Block":0, "results":[{"Addr":"0xdc4c","Status":"Ok","D_cm":39}]}"#
        )
        #expect(decoding.errors.isEmpty)
        #expect(decoding.reports.map(\.status) == [.error, .ok])
        #expect(decoding.reports.map(\.distance) == [nil, 0.39])
        #expect(decoding.reports.map(\.sequence) == [0, 0])
        #expect(decoding.reports.allSatisfy { $0.peer == .address(RadioAddress(0xDC4C)) })
    }

    @Test func `An angle counts only if it has merit`() {
        let bare =
            #"[{"Addr":"0x0000","Status":"Ok","D_cm":61,"LPDoA_deg":0.00,"LAoA_deg":0.00,"LFoM":0,"RAoA_deg":0.00,"CFO_100ppm":-639}]"#
        #expect(decode(bare).report?.distance == 0.61)
        #expect(decode(bare).report?.azimuth == nil)
        #expect(measurement(#""Status":"Ok","D_cm":9,"LAoA_deg":46.35,"LFoM":92"#).report?.azimuth == 46.35)
        #expect(measurement(#""Status":"Ok","D_cm":9,"LAoA_deg":46.35"#).report?.azimuth == 46.35)
        #expect(measurement(#""Status":"Ok","D_cm":9,"LAoA_deg":200,"LFoM":92"#).report?.azimuth == nil)
    }

    @Test func `Each peer of a record is a report`() {
        let decoding = decode(
            #"{"Block":12,"results":[{"Addr":"0x0001","Status":"Ok","D_cm":100},{"Addr":"0x0002","Status":"Err"},"#
                + #"{"Addr":"0x0003","Status":"Ok","D_cm":300}]}"#
        )
        #expect(decoding.reports.map(\.distance) == [1, nil, 3])
        #expect(decoding.reports.map(\.peer) == [1, 2, 3].map { .address(RadioAddress($0)) })
        #expect(decoding.reports.allSatisfy { $0.sequence == 12 })
        #expect(decode(#"{"Block":12,"results":[]}"#).reports.isEmpty)
    }

    @Test(arguments: [
        #""Status":"Err""#, #""Status":"Err","D_cm":100"#, #""Status":"ok","D_cm":100"#, #""Status":"Ok""#,
        #""Status":"Ok","D_cm":null"#, #""Status":"Ok","D_cm":NaN"#, #""D_cm":100,"Status":"Unknown""#,
    ])
    func `A failure has no distance`(_ fields: String) {
        let report = measurement(fields).report
        #expect(report?.status == .error)
        #expect(report?.distance == nil && report?.peer == .address(RadioAddress(1)))
    }

    @Test(arguments: [
        (#""D_cm":100"#, ReportError.Reason.invalidValue), (#""Status":"Ok","D_cm":"1""#, .invalidValue),
        (#""Status":"Ok","D_cm":65535"#, .invalidValue), (#""Status":"Ok","D_cm":-65535"#, .invalidValue),
        (#""Status":1,"D_cm":1"#, .invalidValue), (#""Status":null,"D_cm":1"#, .invalidValue),
        (#""Status":"Ok","D_cm":1,"D_cm":2"#, .duplicateField),
        (#""Status":"Err","Status":"Ok","D_cm":2"#, .duplicateField),
    ])
    func `A measurement that cannot be used leaves the others alone`(_ fields: String, _ reason: ReportError.Reason) {
        let decoding = decode(#"[{"Addr":"0x0001",\#(fields)},true,{"Addr":"0x0002","Status":"Ok","D_cm":5}]"#)
        #expect(decoding.errors.map(\.reason) == [reason, .invalidValue])
        #expect(decoding.reports.map(\.distance) == [0.05])
    }

    @Test(arguments: [#""0x""#, #""0xzz""#, #""0x00010203040506070809""#, "1", "null", #""0x1 ""#])
    func `An address must be one`(_ address: String) {
        #expect(decode(#"[{"Addr":\#(address),"Status":"Ok","D_cm":5}]"#).reason == .invalidPeer)
    }

    @Test func `Pretty JSON is the same`() {
        let decoding = decode(
            "{\r\n  \"Block\": 3,\r\n  \"results\": [\r\n    {\r\n      \"Addr\": \"0x0001\",\r\n      \"D_cm\": 9,\r\n"
                + "      \"Status\": \"Ok\"\r\n    }\r\n  ]\r\n}\r\n"
        )
        #expect(decoding.report?.distance == 0.09 && decoding.report?.sequence == 3)
    }

    @Test func `A cursor that is used with another payload gives a fault and no trap`() throws {
        var cursor = ReportCursor()
        var report = RangeReport()
        let first = [UInt8](#"[{"Addr":"0x1","Status":"Ok","D_cm":1},{}]"#.utf8)
        let hasReport = try RangeFormat.next(in: first.span, format: .qorvo, at: &cursor, into: &report)
        #expect(hasReport)
        #expect(throws: ReportError.self) {
            try RangeFormat.next(in: [UInt8]("[]".utf8).span, format: .qorvo, at: &cursor, into: &report)
        }
    }
}
