// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyBridge
@testable import NearbyCore

struct EventPayloadTests {
    private let wall = WallTime(origin: 1_764_511_310_000_000_000)

    private func write(_ event: ZoneEvent, recording: (file: String, time: Double)? = nil) -> (text: String, stamp: Int)
    {
        var json = JSONWriter()
        let stamp = EventPayload.write(event, wall, recording: recording, into: &json)
        #expect(JSONText.fault(json.bytes) == nil)
        return (String(decoding: json.bytes, as: UTF8.self), stamp)
    }

    @Test func `an enter tells zone, radius, distance and visit`() {
        #expect(
            write(.sample()).text
                == #"{"accessory":"lamp","at":"2025-11-30T14:01:52.000Z","distance":1.25,"id":"lamp:1764511312001","#
                + #""published_at":"1970-01-01T00:00:00.000Z","radius":1.5,"seq":1764511312001,"type":"zone_enter","#
                + #""v":1,"visit":1764511312000,"zone":"immediate"}"#
        )
    }

    @Test(arguments: ZoneExitReason.allCases)
    func `an exit tells its dwell and reason besides`(_ reason: ZoneExitReason) {
        let exit = ZoneEvent.sample(
            peer: "alice",
            kind: .exit(reason: reason, dwell: .milliseconds(12_346)),
            distance: nil
        )
        #expect(
            write(exit).text
                == #"{"accessory":"lamp","at":"2025-11-30T14:01:52.000Z","dwell":12.346,"id":"lamp/alice:1764511312001","#
                + #""peer":"alice","published_at":"1970-01-01T00:00:00.000Z","radius":1.5,"reason":"\#(reason.word)","#
                + #""seq":1764511312001,"type":"zone_exit","v":1,"visit":1764511312000,"zone":"immediate"}"#
        )
    }

    @Test func `an event of a sector tells the azimuth`() {
        var event = ZoneEvent.sample()
        event.azimuth = -12.346
        #expect(write(event).text.contains(#""at":"2025-11-30T14:01:52.000Z","azimuth":-12.35,"distance":1.25,"#))
    }

    @Test func `a dwell event tells its dwell`() {
        let object = JSONText.object(Array(write(.sample(kind: .dwell(.seconds(30)))).text.utf8))
        #expect(object?["type"] as? String == "zone_dwell")
        #expect(object?["dwell"] as? Double == 30)
        #expect(object?["reason"] == nil)
    }

    @Test func `a recording adds its file and its own time`() {
        let object = JSONText.object(Array(write(.sample(), recording: ("a \"b\".csv", 17.25)).text.utf8))
        #expect(object?["file"] as? String == "a \"b\".csv")
        #expect(object?["t"] as? Double == 17.25)
    }

    @Test(arguments: [nil, "alice"])
    func `the time of publishing can be filled in where the stamp says`(_ peer: String?) {
        let event = ZoneEvent.sample(peer: peer, kind: .exit(reason: .left, dwell: .seconds(1)))
        let (text, stamp) = write(event, recording: ("file", 1))
        var bytes = Array(text.utf8)
        bytes.replaceSubrange(
            stamp..<stamp + Timestamp.length,
            with: Timestamp.text(unixNanoseconds: 86_400_000_000_000)
        )
        #expect(JSONText.fault(bytes) == nil)
        #expect(JSONText.object(bytes)?["published_at"] as? String == "1970-01-02T00:00:00.000Z")
        #expect(JSONText.object(bytes)?["at"] as? String == "2025-11-30T14:01:52.000Z")
    }

    @Test(arguments: [
        (Duration.zero, 0.0), (.milliseconds(1), 0.001), (.seconds(-2), -2), (.seconds(86_400), 86_400),
        (.nanoseconds(1_500_000_001), 1.500_000_001),
    ])
    func `durations become seconds`(_ duration: Duration, _ seconds: Double) {
        #expect(duration.inSeconds == seconds)
    }
}
