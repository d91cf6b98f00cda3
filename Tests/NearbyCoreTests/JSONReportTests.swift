// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import Testing

@Suite struct JSONReportTests {
    static let rich =
        #"{"distance":2.31,"peer":"alice","direction":[0.1,-0.2,-0.97],"azimuth":12.5,"elevation":-3e0,"#
        + #""horizontal_angle":0.218,"vertical":"above","quality":0.93,"nlos":false,"rssi":-61.5,"seq":12345,"#
        + #""timestamp":"2026-11-30T14:01:52.123Z","run":3,"status":"ok","convergence":{"status":"converged","#
        + #""reasons":["ä"]},"x\u00e4":[null,{"y":"\ud83d\ude00"}]}"#

    static let batches = [
        rich, "[\(rich),{\"distance\":1}]",
        "{\"peer\":\"gateway\",\"reports\":[\(rich),{\"distance\":1}],\"timestamp\":5}",
    ]

    @Test func `A single object is one report`() {
        #expect(JSONDecoding(#"{"distance":2.31}"#).report?.distance == 2.31)
        #expect(JSONDecoding(" \n{ \"distance\" : 2.31 } \r\n").report?.distance == 2.31)
    }

    @Test(arguments: [
        "{}", #"{"x":1}"#, #"{"Distance":1}"#, #"{"reports":5}"#, #"{"reports":null}"#, #"{"reports":{}}"#,
    ])
    func `An object without any known field is a fault`(_ text: String) {
        #expect(JSONDecoding(text).errors == [ReportError(.noKnownField, at: 0)])
        #expect(JSONDecoding("[ \(text)]").errors == [ReportError(.noKnownField, at: 2)])
    }

    @Test func `An array gives its reports in order`() {
        let decoding = JSONDecoding(#"[{"distance":1,"peer":"a"}, {"distance":2},{"distance":null,"peer":"c"} ]"#)
        #expect(decoding.reports.map(\.distance) == [1, 2, nil])
        #expect(decoding.peers == ["a", "", "c"])
        #expect(decoding.errors.isEmpty)
    }

    @Test func `The key reports gives its array, whatever stands beside it`() {
        for text in [
            #"{"reports":[{"distance":1},{"distance":2}]}"#,
            #"{"peer":"a","timestamp":5,"reports":[{"distance":1},{"distance":2}],"more":{"reports":[1]}}"#,
            #"{"peer":5,"peer":"a b","quality":93,"reports":[{"distance":1},{"distance":2}],"distance":"x"}"#,
            #"{"rep\u006frts":[{"distance":1},{"distance":2}]}"#,
        ] {
            let decoding = JSONDecoding(text)
            #expect(decoding.reports.map(\.distance) == [1, 2])
            #expect(decoding.peers == ["", ""])
            #expect(decoding.errors.isEmpty)
        }
    }

    @Test func `Inside a batch the key reports has no meaning`() {
        let decoding = JSONDecoding(#"[{"distance":1,"reports":[{"distance":2}]}]"#)
        #expect(decoding.report?.distance == 1)
    }

    @Test func `Two arrays of reports are a fault of the payload`() {
        #expect(
            JSONDecoding(#"{"reports":[{"distance":1}],"reports":[]}"#).errors == [ReportError(.duplicateField, at: 28)]
        )
    }

    @Test(arguments: ["[]", " [ ] ", #"{"reports":[]}"#, #"{"reports":[ ],"peer":"a"}"#])
    func `An empty list gives nothing and is no fault`(_ text: String) {
        let decoding = JSONDecoding(text)
        #expect(decoding.reports.isEmpty && decoding.errors.isEmpty)
    }

    @Test(arguments: [
        (#"{"distance":"far"}"#, ReportError.Reason.invalidValue), (#"{"peer":"a/b","distance":1}"#, .invalidPeer),
        (#"{"distance":1,"distance":2}"#, .duplicateField), ("{}", .noKnownField), ("7", .invalidValue),
        ("[{\"distance\":9}]", .invalidValue), ("null", .invalidValue),
        (#"{"quality":[1,{"a":["]"]}],"distance":1}"#, .invalidValue),
    ])
    func `A faulty report in the middle of a batch costs its neighbours nothing`(
        _ text: String,
        _ reason: ReportError.Reason
    ) {
        let elements = #"{"distance":1,"peer":"a"},\#(text),{"distance":3,"peer":"c"}"#
        for batch in ["[\(elements)]", "{\"reports\":[\(elements)]}"] {
            let decoding = JSONDecoding(batch)
            #expect(decoding.reports.map(\.distance) == [1, 3])
            #expect(decoding.peers == ["a", "c"])
            #expect(decoding.errors.map(\.reason) == [reason])
        }
    }

    @Test func `Faults come in their place between the reports`() throws {
        let payload = [UInt8](#"[{"distance":1},{"distance":[]},{},{"distance":4}]"#.utf8)
        var cursor = ReportCursor()
        var report = RangeReport()
        var hasReport = try JSONReport.next(in: payload.span, at: &cursor, into: &report)
        #expect(hasReport)
        for (offset, reason) in [(28, ReportError.Reason.invalidValue), (32, .noKnownField)] {
            #expect(throws: ReportError(reason, at: offset)) {
                try JSONReport.next(in: payload.span, at: &cursor, into: &report)
            }
            #expect(!cursor.isFinished)
            #expect(report == RangeReport())
        }
        hasReport = try JSONReport.next(in: payload.span, at: &cursor, into: &report)
        #expect(hasReport && report.distance == 4)
        hasReport = try JSONReport.next(in: payload.span, at: &cursor, into: &report)
        #expect(!hasReport && cursor.isFinished)
    }

    @Test(arguments: [
        (#"[{"distance":1},{"distance":2}"#, ReportError.Reason.truncated), (#"[{"distance":1},]"#, .syntax),
        (#"[{"distance":1}] x"#, .syntax), (#"{"distance":1}{"distance":2}"#, .syntax), (#"{"distance":1}]"#, .syntax),
        (#"{"reports":[{"distance":1}],"x":}"#, .syntax), (#"{"reports":[{"distance":1}]"#, .truncated),
        ("{\"distance\":1,\"x\":\"\u{1}\"}", .syntax), (#"{"distance":1,"x":01}"#, .syntax),
        (#"{"distance":"far","x":}"#, .syntax), (#"{"distance":1,"distance":}"#, .syntax),
        (#"{"distance":x}"#, .syntax),
        (#"{"distance":1,"x":"\ud800"}"#, .invalidUTF8), (#"{"direction":[1,2,3,],"distance":1}"#, .syntax),
        (#"{"convergence":{"status":"converged",},"distance":1}"#, .syntax),
    ])
    func `A payload whose JSON is broken gives no report at all`(_ text: String, _ reason: ReportError.Reason) {
        #expect(JSONDecoding(text).reason == reason)
    }

    @Test func `Bytes that are not UTF-8 anywhere give no report at all`() {
        for text in Self.batches {
            let bytes = [UInt8](text.utf8)
            let decoding = JSONDecoding(bytes.dropLast() + Array(",\"".utf8) + [0xFF] + Array("\":1}".utf8))
            #expect(decoding.reports.isEmpty && decoding.errors.count == 1)
        }
        let decoding = JSONDecoding(Array(#"{"distance":1,""#.utf8) + [0xC0, 0x80] + Array(#"":1}"#.utf8))
        #expect(decoding.errors == [ReportError(.invalidUTF8, at: 15)])
    }

    @Test func `Nesting counts from the outside of the payload`() {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(JSONDecoding("{\"distance\":1,\"x\":\(nested(31))}").report?.distance == 1)
        #expect(JSONDecoding("{\"distance\":1,\"x\":\(nested(32))}").reason == .tooDeep)
        #expect(JSONDecoding("[{\"distance\":1,\"x\":\(nested(30))}]").report?.distance == 1)
        #expect(JSONDecoding("[{\"distance\":1,\"x\":\(nested(31))}]").reason == .tooDeep)
        #expect(JSONDecoding("{\"reports\":[{\"distance\":1,\"x\":\(nested(29))}]}").report?.distance == 1)
        #expect(JSONDecoding("{\"reports\":[{\"distance\":1,\"x\":\(nested(30))}]}").reason == .tooDeep)
        #expect(JSONDecoding("{\"convergence\":{\"x\":\(nested(30))}}").report != nil)
        #expect(JSONDecoding("{\"convergence\":{\"x\":\(nested(31))}}").reason == .tooDeep)
    }

    @Test func `A mebibyte of opening brackets or braces is refused at once`() {
        #expect(JSONDecoding([UInt8](repeating: UInt8(ascii: "["), count: 1 << 20)).reason == .tooDeep)
        #expect(JSONDecoding([UInt8](repeating: UInt8(ascii: "{"), count: 1 << 20)).reason == .syntax)
        #expect(JSONDecoding(String(repeating: "{\"a\":", count: 200_000)).reason == .tooDeep)
        #expect(JSONDecoding("{\"distance\":" + String(repeating: "[", count: 1 << 20)).reason == .tooDeep)
    }

    @Test(arguments: batches)
    func `A payload cut off anywhere gives no report`(_ text: String) {
        let bytes = [UInt8](text.utf8)
        #expect(!JSONDecoding(bytes).reports.isEmpty)
        for count in bytes.indices {
            let decoding = JSONDecoding(Array(bytes[..<count]))
            #expect(decoding.reports.isEmpty && decoding.errors.count == 1, "cut after \(count) bytes")
        }
    }

    @Test(arguments: batches)
    func `Whatever byte is changed into whatever other, a report that comes out is well formed`(_ text: String) {
        let bytes = [UInt8](text.utf8)
        var malformed = 0
        for index in bytes.indices {
            var changed = bytes
            for byte in UInt8.min...UInt8.max {
                changed[index] = byte
                if !JSONDecoding(changed).isWellFormed { malformed += 1 }
            }
        }
        #expect(malformed == 0)
    }
}
