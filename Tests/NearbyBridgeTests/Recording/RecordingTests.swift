// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import Testing

@testable import NearbyBridge

struct RecordingTests {
    private func parse(_ text: String) throws -> Recording { try Recording.parse(Array(text.utf8), file: "a.jsonl") }

    private func report(_ distance: Double, at time: Double, of accessory: String = "lamp") -> String {
        #"{"payload":"{\"distance\":\#(distance)}","qos":0,"retained":false,"t":\#(time),"topic":"a/b/accessory/\#(accessory)/report"}"#
            + "\n"
    }

    /// Ten reports a second of one distance.
    private func reports(_ distance: Double, from start: Int, to end: Int, of accessory: String = "lamp") -> String {
        (start * 10..<end * 10).map { report(distance, at: Double($0) / 10, of: accessory) }.joined()
    }

    @Test func `what was written is read back`() throws {
        var line = RecordingLine()
        let payload: [UInt8] = [0xFF, 0x00]
        let message = RecordingLine.Message(
            topic: "nearby/accessory/lamp/report",
            payload: payload,
            qualityOfService: 0,
            isRetained: false
        )
        let bytes =
            line.header(base: "nearby", unixNanoseconds: 0) + line.mark(.subscribed, at: 0.5, unixNanoseconds: 0)
            + line.message(message, at: 1, unixNanoseconds: 0, withSecrets: false)
            + line.mark(.disconnected, at: 2, unixNanoseconds: 0) + line.mark(.ended, at: 3, unixNanoseconds: 0)
        #expect(Recording.isOne(bytes))
        let recording = try Recording.parse(bytes, file: "a.jsonl")
        #expect(
            recording.entries == [
                .init(time: 0.5, kind: .subscribed), .init(time: 1, kind: .report(payload, accessory: "lamp")),
                .init(time: 2, kind: .disconnected), .init(time: 3, kind: .ended),
            ]
        )
    }

    @Test func `a line that a crash cut off is left out, a broken one in the middle is named`() throws {
        let whole = report(1, at: 0) + report(1, at: 1)
        #expect(try parse(whole + #"{"payload":"{\"dist"#).entries.count == 2)
        let fault = #expect(throws: Walk.Fault.self) { try parse(report(1, at: 0) + "{broken\n" + report(1, at: 1)) }
        #expect(fault?.description == "a.jsonl:2: expected a JSON object as record writes it")
    }

    @Test(arguments: [
        (#"{"a":1}"#, "expected a topic, or a type that record writes"),
        (#"{"topic":"n/accessory/x/report","t":1}"#, "expected payload, or payload_hex with proper bytes"),
        (
            #"{"topic":"n/accessory/x/report","t":1,"payload_hex":"0"}"#,
            "expected payload, or payload_hex with proper bytes"
        ),
        (#"{"topic":"n/accessory/x/report","payload":""}"#, "expected t, in seconds from the start, or time"),
        (
            #"{"topic":"n/accessory/x/report","payload":"","time":"now"}"#,
            "expected t, in seconds from the start, or time"
        ),
        (#"{"topic":"n/accessory/x/report","payload":"","t":1e12}"#, "expected t, in seconds from the start, or time"),
    ])
    func `a line that means nothing is named`(_ line: String, _ message: String) {
        let fault = #expect(throws: Walk.Fault.self) { try parse(line + "\n") }
        #expect(fault?.description == "a.jsonl:1: \(message)")
    }

    @Test func `time must not run backwards`() {
        let fault = #expect(throws: Walk.Fault.self) { try parse(report(1, at: 2) + report(1, at: 1)) }
        #expect(fault?.line == 2)
    }

    @Test func `without t the calendar tells the time`() throws {
        let lines = ["00.5", "01.75"].map {
            #"{"payload":"{}","time":"2026-01-01T00:00:\#($0)Z","topic":"n/accessory/x/report"}"# + "\n"
        }
        #expect(try parse(lines.joined()).entries.map(\.time) == [0, 1.25])
    }

    @Test func `what is no report, retained, or of no proper accessory is nothing to zones`() throws {
        let lines = [
            #"{"payload":"x","t":1,"topic":"n/accessory/lamp/config"}"#,
            #"{"t":1,"topic":"n/accessory/lamp/command","withheld":20}"#,
            #"{"payload":"{}","retained":true,"t":1,"topic":"n/accessory/lamp/report"}"#,
            #"{"payload":"{}","t":1,"topic":"n/accessory/a b/report"}"#,
        ]
        #expect(try parse(lines.joined(separator: "\n") + "\n").entries.isEmpty)
        let foreign = #"{"payload":"{}","t":1,"topic":"dwm/node/1/uplink/location"}"#
        #expect(
            try parse(foreign + "\n").entries.map(\.kind) == [
                .foreign(Array("{}".utf8), topic: "dwm/node/1/uplink/location", isRetained: false)
            ]
        )
    }

    @Test func `several accessories in one file each have their own zones`() throws {
        let text = zip(
            reports(1, from: 0, to: 3, of: "lamp").split(separator: "\n"),
            reports(5, from: 0, to: 3, of: "door").split(separator: "\n")
        ).map { "\($0)\n\($1)\n" }.joined()
        var replay = Replay(options: EngineOptions(BridgeConfiguration()), name: "x")
        let events = replay.events(of: try parse(text))
        #expect(events.map { "\($0.accessory) \($0.zone)" } == ["lamp near", "lamp immediate"])
    }

    @Test func `a gap of the recorder is blindness, not silence`() throws {
        let walk = reports(1, from: 0, to: 3)
        let gap = #"{"t":3,"type":"disconnected"}"# + "\n" + #"{"t":60,"type":"subscribed"}"# + "\n"
        func events(_ text: String) throws -> Int {
            var replay = Replay(options: EngineOptions(BridgeConfiguration()), name: "x")
            return replay.events(of: try parse(text)).count
        }
        #expect(try events(walk + gap + reports(1, from: 60, to: 63)) == 2)
        #expect(try events(walk + reports(1, from: 60, to: 63)) == 6)
        // Whoever is silent to the end of the recording is lost.
        #expect(try events(walk + #"{"t":60,"type":"ended"}"#) == 4)
    }
}
