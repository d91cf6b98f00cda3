// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import Testing

@Suite struct JSONReportFieldTests {
    private static let keys = [
        "distance", "peer", "direction", "azimuth", "elevation", "horizontal_angle", "vertical", "quality", "nlos",
        "rssi",
        "seq", "timestamp", "run", "status", "convergence", "position", "world_position", "world_transform",
    ]

    private func decode(_ key: String, _ value: String) -> JSONDecoding { JSONDecoding("{\"\(key)\":\(value)}") }

    @Test func `All fields arrive together`() throws {
        let decoding = JSONDecoding(
            #"""
            {"distance":2.31,"peer":"alice","direction":[0.5,-0.25,-1],"azimuth":12.5,"elevation":-3,
             "horizontal_angle":0.25,"vertical":"above","quality":0.75,"nlos":true,"rssi":-61.5,"seq":12345,
             "timestamp":1764511312.345,"run":7,"status":"ok",
             "convergence":{"status":"not_converged","reasons":["insufficient_lighting"],"more":[1]},
             "world_position":[0.5,-1.5,2]}
            """#
        )
        var expected = RangeReport()
        expected.distance = 2.31
        expected.direction = [0.5, -0.25, -1]
        expected.azimuth = 12.5
        expected.elevation = -3
        expected.horizontalAngle = 0.25
        expected.vertical = .above
        expected.quality = 0.75
        expected.isNonLineOfSight = true
        expected.rssi = -61.5
        expected.sequence = 12345
        expected.timestamp = 1_764_511_312_345_000_000
        expected.run = 7
        expected.convergence = .notConverged
        expected.convergenceReasons = .insufficientLighting
        expected.worldPosition = [0.5, -1.5, 2]
        var report = try #require(decoding.report)
        #expect(decoding.peers == ["alice"])
        report.peer = .unnamed
        #expect(report == expected)
    }

    @Test(arguments: keys, ["null", "NaN", "Infinity", "-Infinity"])
    func `A field that is null or not finite is absent`(_ key: String, _ value: String) {
        #expect(decode(key, value).report == RangeReport())
    }

    @Test(
        arguments: [
            "distance", "azimuth", "elevation", "horizontal_angle", "quality", "rssi", "seq", "run", "timestamp",
        ],
        ["1e999", "-1e999"]
    )
    func `A number beyond every range is absent`(_ key: String, _ value: String) {
        #expect(decode(key, value).report == RangeReport())
    }

    @Test(arguments: ["azimuth", "elevation", "horizontal_angle", "rssi"])
    func `A number beyond the range of Float is absent`(_ key: String) {
        #expect(decode(key, "1e200").report == RangeReport())
    }

    @Test(arguments: keys)
    func `A field that stands twice is a fault, even if it is null`(_ key: String) {
        #expect(
            JSONDecoding("{\"\(key)\":null,\"x\":1,\"\(key)\":null}").errors == [
                ReportError(.duplicateField, at: 15 + key.utf8.count)
            ]
        )
    }

    @Test(arguments: keys)
    func `A key may be spelled with escapes`(_ key: String) {
        let escaped = key.unicodeScalars.map { scalar in
            let hex = String(scalar.value, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
        }
        #expect(decode(escaped.joined(), "null").report == RangeReport())
        #expect(decode(key + "\\u0000", "null").reason == .noKnownField)
    }

    @Test(arguments: keys, ["true", "\"1\"", "[]", "{}", "[1]", "12345", "false"])
    func `A value of the wrong type is a fault of the report`(_ key: String, _ value: String) {
        let isRight =
            switch key {
            case "nlos": value == "true" || value == "false"
            case "convergence": value == "{}"
            case "peer": value == "\"1\""
            case "status": value == "\"1\""
            case "distance", "azimuth", "elevation", "horizontal_angle", "rssi", "seq", "timestamp", "run":
                value == "12345"
            default: false
            }
        let decoding = decode(key, value)
        #expect(
            isRight ? decoding.report != nil : decoding.errors == [ReportError(.invalidValue, at: key.utf8.count + 4)]
        )
    }

    @Test(arguments: [("0", 0.0), ("-0.25", -0.25), ("-100", -100), ("2.31", 2.31), ("1e3", 1000), ("65.535", 65.535)])
    func `A distance is handed on as it was measured`(_ text: String, _ expected: Double) {
        #expect(decode("distance", text).report?.distance == expected)
    }

    @Test(arguments: ["ok", "timeout", "error", "busy", "", "OK", "\\u006fk"])
    func `Only status ok leaves the distance`(_ word: String) {
        let expected: RangeReport.Status =
            switch word {
            case "ok", "\\u006fk": .ok
            case "timeout": .timeout
            default: .error
            }
        for text in ["{\"distance\":1,\"status\":\"\(word)\"}", "{\"status\":\"\(word)\",\"distance\":1}"] {
            let report = JSONDecoding(text).report
            #expect(report?.status == expected)
            #expect(report?.distance == (expected == .ok ? 1 : nil))
        }
    }

    @Test(arguments: [
        ("same", RangeReport.Vertical.same), ("above", .above), ("below", .below), ("above_or_below", .aboveOrBelow),
        ("unknown", .unknown),
    ])
    func `The vertical words are known`(_ word: String, _ expected: RangeReport.Vertical) {
        #expect(decode("vertical", "\"\(word)\"").report?.vertical == expected)
        #expect(decode("vertical", "\"\(word)x\"").reason == .invalidValue)
    }

    @Test(arguments: [
        ("0", true), ("1", true), ("0.93", true), ("1e-9", true), ("-0.0", true), ("1.0000000001", false),
        ("-1e-9", false), ("93", false),
    ])
    func `Quality lies between 0 and 1`(_ text: String, _ isValid: Bool) {
        let decoding = decode("quality", text)
        #expect(isValid ? decoding.report?.quality != nil : decoding.reason == .invalidValue)
    }

    @Test(arguments: ["[0,0]", "[0,0,0,0]", "[0,\"0\",0]", "[0,[0],0]", "[0,true,0]", "{\"x\":0}", "0"])
    func `A direction has three components`(_ text: String) {
        #expect(decode("direction", text).reason == .invalidValue)
    }

    @Test(arguments: ["[null,null,null]", "[0,NaN,0]", "[0,0,-Infinity]", "[1e200,0,0]", "[1e999,0,0]"])
    func `A direction without one of its components is absent`(_ text: String) {
        #expect(decode("direction", text).report == RangeReport())
    }

    @Test(arguments: ["\"\"", "\"a b\"", "\"a/b\"", "\"#\"", "\"ä\"", "\"\\u0061\"", "\"a\\n\""])
    func `A peer that is no identifier, or has escapes, is refused`(_ text: String) {
        #expect(decode("peer", text).errors == [ReportError(.invalidPeer, at: 8)])
    }

    @Test func `A peer of 64 bytes passes and of 65 does not`() {
        #expect(decode("peer", "\"\(String(repeating: "x", count: 64))\"").peers == [String(repeating: "x", count: 64)])
        #expect(decode("peer", "\"\(String(repeating: "x", count: 65))\"").reason == .invalidPeer)
    }

    @Test(arguments: [
        ("1764511312.345", 1_764_511_312_345_000_000), ("1764511312345", 1_764_511_312_345_000_000),
        ("1764511312.123456789", 1_764_511_312_123_456_789), ("1764511312345.678901", 1_764_511_312_345_678_901),
        ("0", 0), ("-1.5", -1_500_000_000), ("12.5e-1", 1_250_000_000), ("1e-30", 0), ("1e-9", 1), ("1.9e-9", 1),
        ("9223372036.854775807", Int64.max), ("-9223372036.854775808", Int64.min), ("1e11", 100_000_000_000_000_000),
        ("-1e11", -100_000_000_000_000_000), ("1.50000000000000000000000", 1_500_000_000),
        ("\"2026-11-30T14:01:52.123Z\"", 1_796_047_312_123_000_000),
        ("\"2026-11-30T15:01:52.123\\u002B01:00\"", 1_796_047_312_123_000_000),
    ])
    func `A timestamp is seconds, milliseconds or ISO 8601`(_ text: String, _ expected: Int64) {
        #expect(decode("timestamp", text).report?.timestamp == expected)
    }

    @Test(arguments: [
        "9223372036.854775808", "99999999999", "1e16", "1e300", "99999999999.00000000000000", "\"\"", "\"now\"",
        "\"1764511312\"",
    ])
    func `A timestamp that cannot be is refused`(_ text: String) {
        #expect(decode("timestamp", text).reason == .invalidValue)
    }

    @Test(arguments: ["seq", "run"], ["1.5", "9223372036854775808", "1e30"])
    func `A counter is a 64-bit integer`(_ key: String, _ text: String) {
        #expect(decode(key, text).reason == .invalidValue)
    }
}
