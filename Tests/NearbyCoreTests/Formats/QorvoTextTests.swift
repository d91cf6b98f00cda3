// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyCore

@Suite struct QorvoTextTests {
    static let json = #"{"Block":7, "results":[{"Addr":"0x0001","Status":"Ok","D_cm":9}]}"#
    static let list = #"[{"Addr":"0x0000","Status":"Ok","D_cm":61}]"#
    static let notification =
        "SESSION_INFO_NTF: {session_handle=1, sequence_number=4, block_index=4, n_measurements=1\r\n\r "
        + "[mac_address=0x0001, status=\"SUCCESS\", distance[cm]=210, RSSI[dBm]=-78.0]}\r\n"
    static let diagnostics =
        "RANGE_DIAGNOSTICS_NTF: {n_reports=1\r\n\r [msg_id=CONTROL, action=TX, antenna_set=0, "
        + "frame_status={SUCCESS: 1, WIFI_COEX: 0}, cfo_present=0, nb_aoa=0]}\r\n"
    static let status =
        "SESSION_STATUS_NTF: {state=\"ACTIVE\", reason=\"State change with session management commands\"}\r\n"

    private func decode(_ text: String) -> JSONDecoding { JSONDecoding(text, format: .qorvo) }

    @Test func `Records of all generations come out of one stream`() {
        let decoding = decode(
            "uwb> \r\n[00:00:03.831,174] <info> app: started\r\n" + Self.status + Self.json + "\r\n" + Self.diagnostics
                + Self.notification + "ok\r\nJS002B" + Self.list + Self.notification
                + #"{"Session Stopped":"Unknown"}"#
                + "\r\n" + #"{"Addr":"0xDC4C","Status":"Ok","D_cm":-12}"#
        )
        #expect(decoding.errors.isEmpty)
        #expect(decoding.reports.map(\.distance) == [0.09, 2.1, 0.61, 2.1, -0.12])
        #expect(decoding.reports.map(\.sequence) == [7, 4, nil, 4, nil])
        #expect(decoding.reports.last?.peer == .address(RadioAddress(0xDC4C)))
    }

    @Test(arguments: [
        #"JS010F{"Info":{"Device":"DWM3001CDK","Version":"1.1.0"}}"#,
        #"JS00EF{"LSTN":[49,2B,00],"TS":"0x00003DF1","O":12,"rsl":-80.42,"fsl":-82.98}"#,
        #"{"Session Stopped":"Stop request"}"#, status, diagnostics, "[00:00:03.831,174] <info> app: hello\r\n",
        "uwb> ",
    ])
    func `What is no report is passed over`(_ text: String) {
        let decoding = decode(text + Self.list)
        #expect(decoding.errors.isEmpty)
        #expect(decoding.reports.map(\.distance) == [0.61])
        #expect(decode(text).reports.isEmpty && decode(text).errors.isEmpty)
    }

    @Test(arguments: [("Inband Stop", RangeReport.Signal.ended), ("Max attempts", .exhausted)])
    func `Why a session has stopped is told`(_ reason: String, _ signal: RangeReport.Signal) {
        let decoding = decode(#"{"Session Stopped":"\#(reason)"}"# + Self.json)
        #expect(decoding.errors.isEmpty && decoding.reports.map(\.signal) == [signal, nil])
        #expect(decoding.reports.map(\.distance) == [nil, 0.09])
    }

    @Test(arguments: [#""Stop request""#, #""Unknown""#, #""inband stop""#, #""Max attempts ""#, "null"])
    func `A session that has stopped for another reason tells nothing`(_ reason: String) {
        let decoding = decode(#"{"Session Stopped":\#(reason)}"#)
        #expect(decoding.reports.isEmpty && decoding.errors.isEmpty)
    }

    @Test(arguments: [
        #"{"Block":0, "results":[{"Addr":"0xdc4c","St"# + "\r\n", #"{"Block":0, "results":[{"Addr":"0xdc4c""#,
        #"{"Block":0 "results":[{"Addr":"0x1","Status":"Ok","D_cm":1}]}"# + "\r\n", #"{"Block":0}"#,
        #"{"Block":"x","results":[]}"#, #"{"Block":0,"results":{}}"#, #"{"Block":0,"results":[],"results":[]}"#,
        "SESSION_INFO_NTF: {session_handle=1, sequence", "SESSION_INFO_NTF: [mac_address=1]\r\n",
        "SESSION_INFO_NTF: {sequence_number=x}\r\n", "SESSION_INFO_NTF: {what}\r\n",
    ])
    func `A garbled record is one fault and the rest goes on`(_ bad: String) {
        let decoding = decode(bad + Self.json + Self.notification + Self.json)
        #expect(decoding.errors.count == 1)
        #expect(decoding.reports.map(\.distance) == [0.09, 2.1, 0.09])
    }

    @Test func `A garbled record that is closed is complained of at once`() {
        for text in ["SESSION_INFO_NTF: {sequence_number=x}", "SESSION_INFO_NTF: {sequence_number=}", #"{"Block":0}"#] {
            let stream = FormatStream([[UInt8](text.utf8)], format: .auto)
            #expect(stream.errors == 1 && stream.reports.isEmpty, "\(text)")
        }
    }

    @Test(arguments: ["\r\n", ""])
    func `A stream can be cut anywhere`(_ end: String) {
        let stream = [UInt8](
            ("uwb> " + Self.status + Self.json + end + Self.diagnostics + Self.notification + "JS002B" + Self.list + end
                + Self.notification).utf8
        )
        #expect(FormatStream.harmfulCuts(of: stream, .qorvo).isEmpty)
        #expect(FormatStream.harmfulTruncations(of: stream, .qorvo).isEmpty)
    }

    @Test func `A record that a gateway has split into lines is put together again`() {
        let lines = Self.notification.split(whereSeparator: \.isNewline).map { [UInt8]($0.utf8) }
        let stream = FormatStream(lines, format: .auto)
        #expect(stream.reports.map(\.distance) == [2.1] && stream.errors == 0)
    }

    @Test func `A record without an end does not grow for ever`() {
        let endless = #"{"Block":0,"results":["# + String(repeating: "[],", count: 4000)
        let stream = FormatStream([[UInt8](endless.utf8), [UInt8](Self.json.utf8)], format: .qorvo)
        #expect(stream.reports.map(\.distance) == [0.09] && stream.errors == 1)
    }

    @Test func `Any flipped bit leaves the rules intact, and the records around it`() {
        for record in [Self.json, Self.list, Self.notification] {
            for (_, flipped) in FormatStream.flips(of: [UInt8](record.utf8)) {
                let decoding = JSONDecoding(
                    [UInt8]((Self.json + "\r\n").utf8) + flipped + [UInt8](("\r\n" + Self.notification).utf8),
                    format: .qorvo
                )
                #expect(decoding.isWellFormed)
                #expect(decoding.reports.first?.distance == 0.09 && decoding.reports.last?.distance == 2.1)
            }
        }
    }

    @Test func `A flipped bit makes no distance out of a failure`() {
        let failures = [
            #"{"Block":0, "results":[{"Addr":"0xdc4c","Status":"Err"}]}"#,
            "SESSION_INFO_NTF: {session_handle=1, n_measurements=1\r\n\r [mac_address=0x0001, status=\"RX_TIMEOUT\"]}",
        ]
        for failure in failures {
            for (offset, flipped) in FormatStream.flips(of: [UInt8](failure.utf8)) {
                let decoding = JSONDecoding(flipped, format: .qorvo)
                #expect(decoding.reports.allSatisfy { $0.distance == nil }, "\(offset)")
            }
        }
    }

    @Test func `Random bytes before and between are survived`() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<300 {
            let noise = (0..<Int.random(in: 0..<60, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            let decoding = JSONDecoding(
                noise + [10] + [UInt8](Self.json.utf8) + noise + [UInt8](Self.notification.utf8),
                format: .qorvo
            )
            #expect(decoding.reports.map(\.distance) == [0.09, 2.1])
        }
    }

    @Test func `The first bytes tell the format`() {
        for text in [
            Self.json, Self.list, Self.notification, Self.status, Self.diagnostics, " \r\n" + Self.notification,
            #"JS010F{"Info":{}}"#, "[00:00:03.831,174] <info> app: x", #"{ "Session Stopped" : "Unknown"}"#,
            #"[ { "Addr":"0x1"}]"#, #"{"results":[]}"#,
        ] {
            #expect(RangeFormat.recognised(text) == .qorvo, "\(text)")
        }
        for text in [
            #"{"distance":1}"#, #"[{"distance":1}]"#, "[", "[00", "{", "JS", "JS01", "JSON01{", "SESSION", "", "uwb> ",
        ] {
            #expect(RangeFormat.recognised(text) != .qorvo, "\(text)")
        }
    }
}
