// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NearbyCore

@Suite struct MappedJSONTests {
    private func decode(
        _ text: String,
        each: String? = nil,
        _ fields: [FieldPaths.Field: String] = [.distance: "d"],
        okWords: [String] = []
    ) throws -> JSONDecoding {
        let result = MappedDecoding(text, try FieldPaths(each: each, fields: fields, okWords: okWords))
        #expect(!result.isBroken && result.decoding.isWellFormed, "\(text)")
        return result.decoding
    }

    // MARK: Paths

    @Test func `Every field is found at its path`() throws {
        let decoding = try decode(
            #"{"m":{"r":[{"cm":9},{"m":"2.5"}],"az":-12.5,"el":" 4 "},"from":"tag-1","to":17,"q":0.5,"dBm":"-71.5","n":true,"#
                + #""count":"12","time":{"at":"2026-11-30T14:01:52.123Z"},"ok":"ok","more":[[1,{"z":null}],{}]}"#,
            [
                .distance: "m.r.1.m", .peer: "to", .reporter: "from", .azimuth: "m.az", .elevation: "m.el",
                .quality: "q",
                .rssi: "dBm", .nlos: "n", .sequence: "count", .timestamp: "time.at", .status: "ok",
            ]
        )
        let report = try #require(decoding.report)
        #expect(report.distance == 2.5 && report.status == .ok && report.position == nil)
        #expect(decoding.peers == ["17"] && decoding.reporters == ["tag-1"])
        #expect(report.azimuth == -12.5 && report.elevation == 4 && report.quality == 0.5 && report.rssi == -71.5)
        #expect(report.isNonLineOfSight == true && report.sequence == 12)
        #expect(report.timestamp == 1_796_047_312_123_000_000)
    }

    @Test(arguments: [
        (#"{"d":1}"#, "d"), (#"{"\u0064":1}"#, "d"), (#"{"a/b":1}"#, "a/b"), (#"{"a\/b":1}"#, "a/b"),
        (#"{"grö\u00dfe":1}"#, "größe"), (#"{"0":1}"#, "0"), (#"{"a":[5,[6,1]]}"#, "a.1.1"), (#"{"a":{"1":1}}"#, "a.1"),
        (#"{"rssi@1m":9,"é":{"\ud83d\ude00":1}}"#, "é.😀"), (#"{"dd":2,"":3,"d":1}"#, "d"), (#"{"d":1}"#, "$.d"),
        (#"{"x":{"d":5},"d":1}"#, "d"), (#"{"a":[],"a":{"d":1}}"#, "a.d"),
    ])
    func `Keys are compared as text`(_ text: String, _ path: String) throws {
        #expect(try decode(text, [.distance: path]).report?.distance == 1)
    }

    @Test(arguments: [
        (#"{"d":{"e":1}}"#, "e"), (#"{"d":1}"#, "D"), (#"{"d":1}"#, "d.d"), (#"{"d":[1]}"#, "d.1"),
        (#"{"d":null}"#, "d.a"),
        (#"{"d":[1]}"#, "d.-1"), (#"{"\ud83d\ude00":1}"#, "😁"), ("{}", "d"), (#"{"d":[]}"#, "d.0"),
    ])
    func `An object without any of its fields is a fault`(_ text: String, _ path: String) throws {
        #expect(try decode(text, [.distance: path]).reason == .noKnownField)
    }

    @Test func `One path may lead through the value of another`() throws {
        let decoding = try decode(#"{"a":{"b":{"d":3}},"p":"x"}"#, [.distance: "a.b.d", .peer: "p", .rssi: "a.b.e"])
        #expect(decoding.report?.distance == 3 && decoding.peers == ["x"])
        #expect(try decode(#"{"d":1.5}"#, [.distance: "d", .rssi: "d"]).report?.rssi == 1.5)
        #expect(try decode(#"{"d":{"e":1}}"#, [.distance: "d", .rssi: "d.e"]).reason == .invalidValue)
    }

    @Test func `A key that stands twice is a fault of its report only`() throws {
        let decoding = try decode(#"[{"d":1,"d":2},{"e":1,"e":2,"d":3},{"a":{"d":1}}]"#)
        #expect(decoding.reports.map(\.distance) == [3])
        #expect(decoding.errors.map(\.reason) == [.duplicateField, .noKnownField])
    }

    // MARK: Lists

    @Test func `Each element of a list is a report, with what the root says for all`() throws {
        let decoding = try decode(
            #"{"tag":"cart","ranges":[{"a":"gate-1","d":1},{"a":"gate-2","d":"2"},{"a":"gate-3","d":null}],"t":12.5}"#,
            each: "ranges",
            [.distance: "d", .peer: "a", .reporter: "$.tag", .timestamp: "$.t"]
        )
        #expect(decoding.errors.isEmpty)
        #expect(decoding.reports.map(\.distance) == [1, 2, nil] && decoding.peers == ["gate-1", "gate-2", "gate-3"])
        #expect(decoding.reporters == ["cart", "cart", "cart"])
        #expect(decoding.reports.allSatisfy { $0.timestamp == 12_500_000_000 })
    }

    @Test func `Each object of an array is a root of its own`() throws {
        let decoding = try decode(
            #"[{"t":1,"l":[{"d":1},{"d":2}]},{"l":[{"d":3}],"t":2},{"l":[]},{"l":null},5,{},{"l":{}},{"t":9,"l":[[4],{"d":4}]}]"#,
            each: "$.l",
            [.distance: "d", .sequence: "$.t"]
        )
        #expect(decoding.reports.map(\.distance) == [1, 2, 3, 4])
        #expect(decoding.reports.map(\.sequence) == [1, 1, 2, 9])
        #expect(decoding.errors.map(\.reason) == [.invalidValue, .noKnownField, .invalidValue, .noKnownField])
    }

    @Test func `An element may be an array, and a bad one leaves the others alone`() throws {
        let decoding = try decode(
            #"{"a":{"l":[["x",1],["y",true],7,["z/z",2],[],{"1":3},["w"]]}}"#,
            each: "a.l",
            [.peer: "0", .distance: "1"]
        )
        #expect(decoding.peers == ["x", "", "w"] && decoding.reports.map(\.distance) == [1, 3, nil])
        #expect(decoding.errors.map(\.reason) == [.invalidValue, .invalidValue, .invalidPeer, .noKnownField])
    }

    @Test(arguments: [
        ("{}", ReportError.Reason.noKnownField), (#"{"l":{"d":1}}"#, .invalidValue), (#"{"l":true}"#, .invalidValue),
        (#"{"l":[],"l":[]}"#, .duplicateField), (#"{"l":[{"d":1}],"t":1,"t":2}"#, .duplicateField),
        (#"{"l":[{"d":1}"#, .truncated), ("", .empty), (" ", .empty), ("1", .unknownFormat), ("{} {}", .syntax),
    ])
    func `A payload without its list is a fault`(_ text: String, _ reason: ReportError.Reason) throws {
        #expect(try decode(text, each: "l", [.distance: "d", .sequence: "$.t"]).reason == reason)
    }

    @Test(arguments: [#"{"l":[]}"#, #"{"l":null}"#, "[]", #"[{"l":[]},{"l":null}]"#])
    func `An empty list is no report and no fault`(_ text: String) throws {
        let decoding = try decode(text, each: "l")
        #expect(decoding.reports.isEmpty && decoding.errors.isEmpty)
    }

    @Test func `What the root says is read once, however long the list is`() throws {
        let count = 20_000
        let text = "{\"l\":[" + Array(repeating: "{\"d\":1}", count: count).joined(separator: ",") + "],\"t\":7}"
        let decoding = try decode(text, each: "l", [.distance: "d", .sequence: "$.t"])
        #expect(decoding.reports.count == count && decoding.reports.last?.sequence == 7)
    }

    // MARK: Values

    @Test(arguments: [
        "null", "NaN", "-Infinity", #""NaN""#, #""nan""#, #""""#, #"" ""#, #""n/a""#, #""1,5""#, #""1.5 m""#, #""+1""#,
        #""0x10""#, "1e999", #""1e999""#, #""1 2""#,
    ])
    func `A distance that is no number is no measurement`(_ value: String) throws {
        let report = try decode(#"{"d":\#(value)}"#).report
        #expect(report != nil && report?.distance == nil && report?.status == .ok)
    }

    @Test(arguments: ["0", "-0.25", "1.5", #""1.5""#, #"" -2e1 ""#, #""\u0031""#, "12345678901234567890.5"])
    func `A distance may be any number, in a string or not`(_ value: String) throws {
        let words = value.replacing("\"", with: "").replacing(#"\u0031"#, with: "1").replacing(" ", with: "")
        #expect(try decode(#"{"d":\#(value)}"#).report?.distance == Double(words))
    }

    @Test(arguments: [
        ("d", "true", ReportError.Reason.invalidValue), ("d", "[1]", .invalidValue), ("d", #"{"a":1}"#, .invalidValue),
        ("p", "true", .invalidValue), ("p", #""a b""#, .invalidPeer), ("p", #""\u0061""#, .invalidPeer),
        ("p", "-1", .invalidPeer), ("p", "1.0", .invalidPeer), ("p", #""""#, .invalidPeer), ("p", "[]", .invalidValue),
        ("q", "1.5", .invalidValue), ("q", #""-1""#, .invalidValue), ("n", "1", .invalidValue),
        ("n", #""true""#, .invalidValue), ("s", "1.5", .invalidValue), ("s", #""1.5""#, .invalidValue),
        ("s", "false", .invalidValue), ("t", #""soon""#, .invalidValue), ("t", "true", .invalidValue),
        ("t", "1e18", .invalidValue), ("o", "1", .invalidValue), ("o", "[]", .invalidValue),
        ("o", "NaN", .invalidValue),
        ("r", "true", .invalidValue),
    ])
    func `A value of the wrong type is a fault`(_ key: String, _ value: String, _ reason: ReportError.Reason) throws {
        let fields: [FieldPaths.Field: String] = [
            .distance: "d", .peer: "p", .quality: "q", .nlos: "n", .sequence: "s", .timestamp: "t", .status: "o",
            .rssi: "r",
        ]
        let text = key == "d" ? "{\"d\":\(value)}" : "{\"d\":1,\"\(key)\":\(value)}"
        #expect(try decode(text, fields).reason == reason)
        let absent = try decode("{\"d\":1,\"\(key)x\":\(value)}", fields).report
        #expect(absent?.distance == 1)
    }

    @Test(arguments: ["p", "q", "n", "s", "t", "o", "r"])
    func `A value of null is absent`(_ key: String) throws {
        let fields: [FieldPaths.Field: String] = [
            .distance: "d", .peer: "p", .quality: "q", .nlos: "n", .sequence: "s", .timestamp: "t", .status: "o",
            .rssi: "r",
        ]
        var expected = RangeReport()
        expected.distance = 1
        #expect(try decode("{\"d\":1,\"\(key)\":null}", fields).report == expected)
    }

    @Test(arguments: [
        ("1764511312.345", 1_764_511_312_345_000_000 as Int64), (#""1764511312.345""#, 1_764_511_312_345_000_000),
        ("1764511312345", 1_764_511_312_345_000_000), (#"" 1764511312345""#, 1_764_511_312_345_000_000),
        (#""2026-11-30T14:01:52Z""#, 1_796_047_312_000_000_000), ("0", 0),
    ])
    func `Time is read as in the bridge's own reports`(_ value: String, _ nanoseconds: Int64) throws {
        #expect(
            try decode(#"{"d":1,"t":\#(value)}"#, [.distance: "d", .timestamp: "t"]).report?.timestamp == nanoseconds
        )
    }

    // MARK: Positions

    @Test func `Coordinates make a position, without a height on the floor`() throws {
        let fields: [FieldPaths.Field: String] = [.x: "p.0", .y: "p.1", .z: "p.2", .reporter: "tag"]
        let decoding = try decode(#"{"tag":"a","p":[1,"2",-3.5]}"#, fields)
        #expect(decoding.report?.position == [1, 2, -3.5] && decoding.report?.distance == nil)
        #expect(decoding.reporters == ["a"])
        #expect(try decode(#"{"p":[1,2]}"#, [.x: "p.0", .y: "p.1"]).report?.position == [1, 2, 0])
        for text in [#"{"p":[1,2]}"#, #"{"p":[1,2,null]}"#, #"{"p":["NaN",2,3]}"#, #"{"p":[1,"",3]}"#, #"{"tag":"a"}"#]
        {
            let report = try decode(text, fields).report
            #expect(report?.status == .error && report?.position == nil, "\(text)")
        }
        #expect(try decode(#"{"p":[1,2,1e9]}"#, fields).reason == .invalidValue)
    }

    // MARK: Status

    @Test(
        arguments: [
            ("", .ok), (#""ok""#, .ok), ("true", .ok), ("null", .ok), (#""timeout""#, .timeout), (#""error""#, .error),
            (#""OK""#, .error), (#""1""#, .error), ("false", .error),
        ] as [(String, RangeReport.Status)]
    )
    func `Without words for success the bridge's own count`(_ value: String, _ status: RangeReport.Status) throws {
        let field = value.isEmpty ? "" : #","s":\#(value)"#
        for fields in [[.distance: "d", .status: "s"], [.x: "d", .y: "d", .status: "s"]] as [[FieldPaths.Field: String]]
        {
            let report = try decode(#"{"d":1\#(field)}"#, fields).report
            #expect(report?.status == status)
            #expect((report?.distance ?? report?.position?.x) == (status == .ok ? 1 : nil))
        }
    }

    @Test(
        arguments: [
            (#""SUCCESS""#, .ok), (#""\u0053UCCESS""#, .ok), ("true", .ok), ("0", .ok), ("0.0", .ok), ("-0", .ok),
            (#""0""#, .ok),
            (#""ok""#, .error), (#""success""#, .error), ("false", .error), ("1", .error), ("null", .error),
            ("", .error),
            ("NaN", .error), (#""""#, .error), (#""timeout""#, .timeout), ("1e999", .error),
        ] as [(String, RangeReport.Status)]
    )
    func `With words for success nothing else is`(_ value: String, _ status: RangeReport.Status) throws {
        let field = value.isEmpty ? "" : #","s":\#(value)"#
        let fields: [FieldPaths.Field: String] = [.distance: "d", .status: "s"]
        let report = try decode(#"{"d":1\#(field)}"#, fields, okWords: ["SUCCESS", "true", "0"]).report
        #expect(report?.status == status && report?.distance == (status == .ok ? 1 : nil))
        let wrong = try decode(#"{"d":1,"s":[0]}"#, fields, okWords: ["0"])
        #expect(wrong.reason == .invalidValue)
    }

    // MARK: What happens to them

    private static let list =
        #"{"tag":"cart","ranges":[{"a":"g1","d":1.25,"s":"ok","q":0.5},{"a":"g2","d":"2","s":"timeout"}],"t":"2026-11-30T14:01:52Z"}"#

    private var paths: FieldPaths {
        get throws {
            try FieldPaths(
                each: "ranges",
                fields: [
                    .distance: "d", .peer: "a", .status: "s", .quality: "q", .reporter: "$.tag", .timestamp: "$.t",
                ],
                okWords: ["ok"]
            )
        }
    }

    @Test func `A cut payload is a fault`() throws {
        let payload = [UInt8](Self.list.utf8)
        #expect(MappedDecoding(payload, try paths).decoding.reports.map(\.status) == [.ok, .timeout])
        for length in payload.indices {
            let result = MappedDecoding(Array(payload[..<length]), try paths)
            #expect(result.decoding.reports.isEmpty && result.decoding.errors.count == 1 && !result.isBroken)
        }
    }

    @Test func `A flipped bit makes no distance out of a failure`() throws {
        for (offset, flipped) in FormatStream.flips(of: [UInt8](Self.list.utf8)) {
            let result = MappedDecoding(flipped, try paths)
            #expect(!result.isBroken && result.decoding.isWellFormed, "\(offset)")
        }
        for failed in [#"{"ranges":[{"a":"g","d":2,"s":"timeout"}]}"#, #"{"ranges":[{"a":"g","d":null,"s":"ok"}]}"#] {
            for (offset, flipped) in FormatStream.flips(of: [UInt8](failed.utf8)) {
                let reports = MappedDecoding(flipped, try paths).decoding.reports
                #expect(reports.allSatisfy { $0.distance == nil }, "\(offset) of \(failed)")
            }
        }
    }

    @Test func `A cursor that is used with another payload gives a fault and no trap`() throws {
        for other in ["", "{", "[]", #"{"ranges":[]}"#, #"{"ranges":[{"d":true},"#, String(Self.list.prefix(30))] {
            var cursor = ReportCursor()
            var report = RangeReport()
            let hasFirst = try MappedJSON.next(
                in: [UInt8](Self.list.utf8).span,
                paths: paths,
                at: &cursor,
                into: &report
            )
            #expect(hasFirst)
            #expect(throws: ReportError.self) {
                try MappedJSON.next(in: [UInt8](other.utf8).span, paths: paths, at: &cursor, into: &report)
            }
        }
    }
}
