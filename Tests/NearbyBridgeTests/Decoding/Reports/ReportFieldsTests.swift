// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import TestSupport
import Testing

@testable import NearbyBridge

struct ReportFieldsTests {
    /// Payloads of every form that a format has, besides the canonical samples.
    private static let more = [
        #"[{"distance":2.31,"peer":"alice","direction":[0.6,0,-0.8],"horizontal_angle":0.5,"vertical":"above"},"#
            + #"{"distance":1,"elevation":-3.5,"rssi":-70.5,"seq":9,"run":2,"nlos":false,"status":"timeout"}]"#,
        #"[{"position":[1.5,-2],"peer":"alice"},{"position":[1.5,-2,0.25]},{"distance":1,"world_position":[4,-5,6]},"#
            + #"{"distance":1,"convergence":{"status":"not_converged","reasons":["insufficient_lighting","later"]}}]"#,
        #"{"distance":1,"world_transform":[1,0,0,0,0,1,0,0,0,0,1,0,4.5,-5,6,1]}"#,
        #"{"reports":[{"distance":2.5,"timestamp":"2026-01-02T03:04:05Z"},{"distance":3,"timestamp":1764511312345}]}"#,
        #"{"Block":7, "results":[{"Addr":"0x0001","Status":"Ok","D_cm":91},{"Addr":"0x0002","Status":"Err"}]}"#,
        #"[{"Addr":"0x0001","Status":"Ok","D_cm":91,"LAoA_deg":24.90,"LFoM":92}]"#,
        "SESSION_INFO_NTF: {session_handle=1, sequence_number=5, n_measurements=2\r\n [mac_address=0x0001, "
            + "status=\"SUCCESS\", distance[cm]=91, loc_az=3.5, loc_el=-2, RSSI[dBm]=-60.5];\r\r\n "
            + "[mac_address=0x0002, status=\"RX_TIMEOUT\"]}\r\n",
        "022E[7.94,8.03,0.00]=3.38 9280[7.95,0.00,0.00]=5.49 le_us=3082\r\n",
        "DIST,2;[AN0,022E,7.94,8.03,0.00]=[3440,98];[AN1,9280,7.95,0.00,0.00]=[5680,50]\r\n",
        "POS,0,022E,7.10,5.24,-2.03,53,x0A\r\n", "POS,7.10,5.24,-2.03,53\r\n",
        "$PEKIO,COORD,148,0x000810,18.78,4.10,0.91,,1607780734.22\r\n",
        "$PEKIO,RR_L,227,0x000644,0x000454,559,15578410,0x00,0x00,0x00\r\n",
        #"{"position":{"type":"Point","coordinates":[1.5,2.25]},"provider_id":"tag-7","provider_type":"uwb"}"#,
        #"[{"source":"gate-1","provider_type":"virtual","provider_id":"tag-7","accuracy":1.25},"#
            + #"{"provider_type":"uwb","provider_id":"tag-8","position":{"type":"Point","coordinates":[1,2,3]}}]"#,
        #"{"configuration":{"nodeType":"ANCHOR","anchor":{"position":{"x":1,"y":2,"z":3}}}}"#,
        #"{"position":{"x":"1.5","y":-2,"z":0.25,"quality":21},"timestamp":"1581353405217000"}"#,
        #"{"id":"45:F6:8A:76:86:C5","rssi":-55,"distance":0.495572}"#,
        #"{"links":[{"A":"1782","R":"1.2"},{"A":"1783","R":"2.5"}]}"#, #"{"id":1,"range":[0,53]}"#,
        "AT+RANGE=tid:1,mask:04,seq:63,range:(0,0,30),rssi:(0.00,0.00,-77.93)\r\n",
        "T1,mask:1,seq:12,range:(120),ancid:(4)\r\n", "DIST: 3.21 m\r\n", "Range: 1.23 m\r\n",
        "mr 05 00000663 000005a3 00000512 000004cb 095f c1 40424042 t3:0\r\n",
    ]

    @Test(
        "Every value that reaches a report is a named field, at its place",
        arguments: RangeFormatRow.table.map(\.sample) + more
    )
    func everyValue(_ payload: String) throws {
        let explanation = try #require(ReportExplanation(Array(payload.utf8)))
        #expect(explanation.isSound && !explanation.fields.isEmpty)
        for (report, _) in explanation.reports {
            expect(explanation, "distance", report.distance)
            for (index, axis) in ["x", "y", "z"].enumerated() {
                let value = report.position?[index]
                // omlox: a height that is not told is that of the floor.
                if axis != "z" || value != 0 { expect(explanation, axis, value) }
            }
            for axis in 0..<3 { expect(explanation, "direction", report.direction.map { Double($0[axis]) }) }
            for axis in 0..<3 {
                expect(explanation, "world_position", report.worldPosition.map { Double($0[axis]) })
            }
            for word in explanation.convergence(of: report, report.convergence ?? .unknown).words {
                #expect(
                    explanation.fields.contains { $0.name == "convergence" && explanation.text(of: $0).contains(word) }
                )
                #expect(explanation.text.contains(" \(word)"))
            }
            expect(explanation, "azimuth", report.azimuth.map { Double($0) })
            expect(explanation, "elevation", report.elevation.map { Double($0) })
            expect(explanation, "horizontal_angle", report.horizontalAngle.map { Double($0) })
            expect(explanation, "quality", report.quality.map { Double($0) })
            expect(explanation, "rssi", report.rssi.map { Double($0) })
            expect(explanation, "run", report.run.map { Double($0) })
            // TREK's counter is made of three columns.
            if explanation.row.format != .trek { expect(explanation, "seq", report.sequence.map { Double($0) }) }
            // UCI's time is counted in intervals.
            if explanation.row.format != .uci {
                expect(explanation, "timestamp", report.timestamp.map { Double($0) * 1e-9 })
            }
            expectName(explanation, "peer", explanation.name(of: report.peer))
            expectName(explanation, "reporter", explanation.name(of: report.reporter))
            if report.status != .ok { #expect(!explanation.warnings.isEmpty) }
        }
    }

    private func expect(_ explanation: ReportExplanation, _ name: String, _ value: Double?) {
        guard let value else { return }
        let numbers = explanation.fields.filter { $0.name == name }.compactMap { field -> Double? in
            switch field.value {
            case .number(let number, _): Double(number)
            case .quantity(let number, _, _): number
            case .text, .none: nil
            }
        }
        #expect(numbers.contains { abs($0 - value) <= max(1e-5, abs(value) * 1e-6) }, "\(name) \(value): \(numbers)")
    }

    private func expectName(_ explanation: ReportExplanation, _ name: String, _ value: String?) {
        guard let value else { return }
        let isNamed = explanation.fields.contains { $0.name == name && $0.value == .text(value) }
        // Slots of anchors have their number by their place.
        let isByPlace = explanation.fields.contains {
            $0.name == "distance" && ($0.meaning.contains(value) || $0.meaning.contains("number of its place"))
        }
        #expect(isNamed || (isByPlace && name == "peer"), "\(name) \(value)")
    }

    @Test(
        "Fields stand in order, do not overlap, and fit a hundred columns",
        arguments: RangeFormatRow.table.map(\.sample) + more
    )
    func order(_ payload: String) throws {
        let explanation = try #require(ReportExplanation(Array(payload.utf8)))
        var end = 0
        for field in explanation.fields {
            #expect(field.range.lowerBound >= end && !field.range.isEmpty, "\(field)")
            end = field.range.upperBound
        }
        #expect(end <= explanation.payload.count)
        let table = explanation.text.split(separator: "\n").drop { !$0.hasPrefix("offset") }
        for line in table { #expect(line.count <= 100 && line.last != " ", "\(line)") }
    }

    @Test("The bytes at a field's offset are what it says", arguments: RangeFormatRow.table.map(\.sample) + more)
    func bytes(_ payload: String) throws {
        let explanation = try #require(ReportExplanation(Array(payload.utf8)))
        let object = try #require(JSONText.object(Array(explanation.json.utf8.dropLast())))
        let fields = try #require(object["fields"] as? [[String: Any]])
        #expect(fields.count == explanation.fields.count)
        for field in fields {
            let offset = try #require(field["offset"] as? Int)
            let length = try #require(field["length"] as? Int)
            let bytes = Array(explanation.payload[offset..<offset + length])
            let text = try #require(field["text"] as? String)
            #expect(text == String(decoding: bytes, as: UTF8.self) || text == Hexadecimal.text(bytes.span))
        }
    }

    @Test(
        "What is unusual is told with its place",
        arguments: [
            (#"{"distance":-3}"#, "byte 12, distance: no measurement: below -0.5 m"),
            (#"{"distance":null}"#, "byte 12, distance: no measurement: null"),
            (#"{"distance":NaN}"#, "byte 12, distance: no measurement: NaN"),
            (#"{"distance":350}"#, "byte 12, distance: over 300 m; are these centimetres or millimetres?"),
            (
                #"{"distance":2310}"#,
                "byte 12, distance: no measurement: over 1000 m; are these centimetres or millimetres?"
            ),
            (#"{"distance":1,"azimuth":190}"#, "byte 24, azimuth: beyond 180°"),
            (#"{"distance":1,"horizontal_angle":45}"#, "byte 33, horizontal_angle: beyond half a turn: is it degrees?"),
            (#"{"distance":1,"rssi":12}"#, "byte 21, rssi: no strength of a received signal: that is below 0 dBm"),
            (#"{"distance":1,"status":"timeout"}"#, "byte 23, status: the round failed: no measurement"),
            (
                #"{"distance":1,"convergence":{"reasons":["Loud!"]}}"#,
                "byte 40, convergence.reasons[0]: left out: reasons are words of a to z and _, of 64 letters at most"
            ),
            (#"{"distance":1,"azimut":1}"#, "byte 23, azimut: unknown, did you mean azimuth?"),
            (#"{"distance":1,"qual":1}"#, "byte 21, qual: unknown, did you mean quality?"),
            ("DIST: -2.5 m\n", "byte 6, DIST: no measurement: below -0.5 m"),
            ("Range: nan m\n", "byte 7, Range: no measurement: nan"),
            ("DIST: 3.21 m and more\n", "7 bytes behind the record at its line's end, not used"),
        ]
    )
    func warnings(_ payload: String, _ warning: String) throws {
        let explanation = try #require(ReportExplanation(Array(payload.utf8)))
        #expect(explanation.warnings == [warning])
        #expect(explanation.text.contains("warning: byte") || explanation.text.contains("warning: 7 bytes"))
        #expect(explanation.hasReports)
    }

    @Test("A known key that is there already is nobody's typing error, nor are a vendor's other keys")
    func strangers() throws {
        for payload in [
            #"{"distance":1,"Distance":2}"#,
            #"{"id":"45:F6:8A:76:86:C5","mac":"dd8800003777","rssi@1m":-59,"rssi":-55,"distance":0.49,"raw":1,"speed":1}"#,
        ] {
            let explanation = try #require(ReportExplanation(Array(payload.utf8)))
            #expect(explanation.warnings.isEmpty, "\(explanation.warnings)")
        }
    }

    @Test(
        "However a payload is cut, what is left of it is explained",
        arguments: RangeFormatRow.table.map(\.sample) + more
    )
    func cut(_ payload: String) {
        let bytes = Array(payload.utf8)
        for length in 1..<bytes.count {
            guard let explanation = ReportExplanation(Array(bytes.prefix(length))) else { continue }
            #expect(explanation.fields.allSatisfy { $0.range.upperBound <= explanation.payload.count })
            #expect(!explanation.text.isEmpty)
        }
    }
}
