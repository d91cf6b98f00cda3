// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import TestSupport
import Testing

@testable import NearbyBridge

struct ZoneExplanationPayloadTests {
    private func object(_ explanation: ZoneExplanation) throws -> [String: Any] {
        var json = JSONWriter()
        let zones = ["immediate", "near"]
        ZoneExplanationPayload.write(
            explanation,
            zones: zones,
            WallTime(origin: 1_764_511_312_000_000_000),
            into: &json
        )
        #expect(JSONText.fault(json.bytes) == nil)
        return try #require(JSONText.object(json.bytes))
    }

    @Test func `everything that is known is written, keys sorted`() throws {
        var scenario = Scenario(EngineOptions())
        scenario.stay(at: 2, from: 0, to: 1)
        scenario.run(to: 1)
        _ = try scenario.explain()
        scenario.stay(at: 0.1, from: 1, to: 1.3)
        scenario.run(to: 1.25)
        let object = try object(scenario.explain())
        #expect(object["state"] as? String == "inside" && object["zone"] as? String == "near")
        #expect(object["since"] as? String == "2025-11-30T14:01:52.300Z")
        #expect(object["radius"] as? Double == 3 && object["exit_radius"] as? Double == 3.3)
        #expect(object["hint"] == nil && object["peers"] == nil && object["held"] == nil)
        let decisions = try #require(object["decisions"] as? [[String: Any]])
        #expect(decisions.map { $0["type"] as? String } == ["settled", "entered"])
        #expect(decisions.map { $0["zone"] as? String } == ["immediate", "near"])
        let samples = try #require(object["samples"] as? [[String: Any]])
        #expect(samples.map { $0["verdict"] as? String } == ["gated", "gated", "gated"])
        let gate = try #require(object["gate"] as? [String: Any])
        let heldBack = try #require(gate["held_back"] as? String)
        #expect(object["text"] as? String == "inside since 14:01 UTC: held back: \(heldBack)")
    }

    @Test func `the first answer says that samples are kept from now on`() throws {
        var scenario = Scenario(EngineOptions())
        scenario.stay(at: 2, from: 0, to: 1)
        scenario.run(to: 1)
        let first = try object(scenario.explain())
        #expect(first["hint"] as? String == "ask again: samples are kept for a minute from now")
        #expect((first["samples"] as? [Any])?.isEmpty == true)
        let second = try object(scenario.explain())
        #expect(second["hint"] == nil)
    }

    @Test func `several peers are listed, and no distance is null`() throws {
        var scenario = Scenario(EngineOptions())
        scenario.stay(at: 2, from: 0, to: 1, peer: "alice")
        scenario.send(5, at: 0.5, peer: "bob")
        scenario.run(to: 30)
        let object = try object(scenario.explain())
        #expect(object["distance"] is String == false && object.keys.contains("distance"))
        let peers = try #require(object["peers"] as? [[String: Any]])
        #expect(peers.map { $0["peer"] as? String } == ["alice", "bob"])
        #expect(peers.map { $0["state"] as? String } == ["unknown", "outside"])
        let decision = try #require(peers[0]["decision"] as? [String: Any])
        #expect(decision["reason"] as? String == "lost" && decision["held"] as? Double == 10)
    }
}
