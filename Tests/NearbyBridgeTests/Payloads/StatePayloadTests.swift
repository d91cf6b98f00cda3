// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import NearbyBridge
@testable import NearbyCore

struct StatePayloadTests {
    private func write(_ state: StreamState) -> [UInt8] {
        var json = JSONWriter()
        StatePayload.write(state, WallTime(origin: 0), into: &json)
        return json.bytes
    }

    @Test func `a full state tells everything, with sorted keys`() {
        #expect(
            String(decoding: write(.full), as: UTF8.self)
                == #"{"accessory":"lamp","azimuth":12.35,"direction":[0.6,0,-0.8],"distance":2.25,"elevation":-3.5,"#
                + #""last_report":"1970-01-01T00:00:00.003Z","measurement":"distance_and_direction","#
                + #""motion":"approaching","name":"Lamp \"1\"","peer":"alice","#
                + #""peers":{"alice":{"distance":2.25,"session":"external","zone":"near"},"#
                + #""bob":{"distance":null,"session":"external","zone":"unknown"}},"#
                + #""quality":0.9,"raw_distance":2.3,"report_rate":10,"restored":false,"run":7,"seq":1764511312004,"#
                + #""session":"external","speed":-0.52,"v":1,"vertical":"above","zone":"near","#
                + #""zones":{"immediate":{"count":0,"since":"1970-01-01T00:00:00.001Z","state":"outside"},"#
                + #""near":{"count":2,"since":"1970-01-01T00:00:00.002Z","state":"inside","visit":1764511312000}}}"#
        )
        #expect(JSONText.fault(write(.full)) == nil)
    }

    @Test func `what is unknown is absent, or null where that is promised`() {
        #expect(
            String(decoding: write(.unknown), as: UTF8.self)
                == #"{"accessory":"lamp","direction":null,"distance":null,"measurement":"none","motion":null,"#
                + #""restored":false,"session":"external","v":1,"zone":"unknown","#
                + #""zones":{"immediate":{"count":0,"state":"unknown"},"near":{"count":0,"state":"unknown"}}}"#
        )
        #expect(JSONText.fault(write(.unknown)) == nil)
    }

    @Test func `what a device can, what can be measured and how far convergence has come are told with hints`() {
        var state = StreamState.unknown
        state.capabilities = [.cameraAssistance, .preciseDistance]
        state.convergence = Convergence(status: .notConverged, reasons: .insufficientLighting, others: ["later"])
        state.guidance = Guidance(
            distance: .available,
            direction: Guidance.Answer(.notConverged, hint: "more light: it is too dark for the camera")
        )
        state.horizontalAngle = -0.25
        state.worldPosition = [1, -2.5, 0.0004]
        let text = String(decoding: write(state), as: UTF8.self)
        for part in [
            #""capabilities":["precise_distance","camera_assistance"],"convergence":{"hint":"#,
            #""reasons":["insufficient_lighting","later"],"status":"not_converged"}"#,
            #""guidance":{"direction":{"available":false,"hint":"more light: it is too dark for the camera","#
                + #""reason":"not_converged"},"distance":{"available":true}},"horizontal_angle":-0.25,"#,
            #""world_position":[1,-2.5,0],"zone":"#,
        ] {
            #expect(text.contains(part), "\(part) in \(text)")
        }
        #expect(JSONText.fault(write(state)) == nil)
    }

    @Test(arguments: Guidance.Obstacle.allCases)
    func `each obstacle has its word`(_ obstacle: Guidance.Obstacle) {
        var state = StreamState.unknown
        state.guidance = Guidance(distance: Guidance.Answer(obstacle), direction: Guidance.Answer(obstacle, hint: "h"))
        let word = obstacle.rawValue
        let expected =
            "\"guidance\":{\"direction\":{\"available\":false,\"hint\":\"h\",\"reason\":\"\(word)\"},"
            + "\"distance\":{\"available\":false,\"reason\":\"\(word)\"}}"
        #expect(String(decoding: write(state), as: UTF8.self).contains(expected))
    }

    @Test func `any state is sorted JSON`() {
        var generator = SplitMix64(seed: 1)
        for _ in 0..<500 { #expect(JSONText.fault(write(.random(using: &generator))) == nil) }
    }

    @Test func `numbers that are none become null`() {
        var state = StreamState.full
        state.distance = .nan
        state.direction = SIMD3(.nan, .infinity, 1)
        let object = JSONText.object(write(state))
        #expect(object?["distance"] is NSNull)
        #expect((object?["direction"] as? [Any])?.count == 3)
    }

    @Test func `what the engine makes is written sorted`() throws {
        var bench = try PerformerBench()
        for peer in ["zoe", "Adam", "0x0001", "bob", "_"] {
            for _ in 0..<3 { bench.report(#"{"distance":1,"peer":"\#(peer)","direction":[0,0,-1]}"#, from: "lamp") }
        }
        for stream in bench.engine.streams(of: AccessoryIndex(0)) {
            let state = try #require(bench.engine.state(of: stream))
            #expect(JSONText.fault(write(state)) == nil)
        }
    }
}
