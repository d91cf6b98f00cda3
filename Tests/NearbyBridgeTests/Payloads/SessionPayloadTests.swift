// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import TestSupport
import Testing

@testable import NearbyBridge

struct SessionPayloadTests {
    private static let wall = WallTime(origin: 1_764_511_312_000_000_000)

    private func object(of session: AccessorySession, peer: String? = nil) -> [String: Any]? {
        var json = JSONWriter()
        SessionPayload.write(session, peer: peer, isBinary: true, maximumAttempts: 5, Self.wall, into: &json)
        #expect(JSONText.fault(json.bytes) == nil)
        return JSONText.object(json.bytes)
    }

    @Test func `a session that knows nothing says so and nothing else`() {
        let object = object(of: AccessorySession())
        #expect(object?["state"] as? String == "idle")
        #expect(object?["kind"] as? String == "uwb")
        #expect(object?["v"] as? Int == 1)
        #expect(object?.keys.sorted() == ["attempt", "deadline", "kind", "max_attempts", "state", "v"])
    }

    @Test func `a session that starts tells all of the contract, and is read back`() throws {
        let text = "01000000140000000000000000000015010001003ff50300b80b0000000001010111d71900"
        var bench = try PerformerBench()
        let identifier = Array("lamp".utf8)
        let lamp = try #require(bench.engine.accessory(identifier.span, at: bench.now, into: &bench.buffer))
        let digits = Array(text.utf8)
        let data = try Hexadecimal.decode(digits.span)
        bench.engine.handle(.configuration(data, of: lamp, isRetained: false), at: bench.now, into: &bench.buffer)
        let session = bench.engine.session(of: StreamID(accessory: lamp))
        let object = object(of: session)
        #expect(
            object?.keys.sorted() == [
                "attempt", "configuration", "deadline", "encoding", "interval_ms", "kind", "max_attempts", "run",
                "state", "update_rate", "v",
            ]
        )
        #expect(object?["configuration"] as? String == text)
        #expect(object?["max_attempts"] as? Int == 5)
        var json = JSONWriter()
        SessionPayload.write(session, peer: "alice", isBinary: true, maximumAttempts: 5, Self.wall, into: &json)
        #expect(
            RetainedState.readSession(json.bytes)
                == RestoredSession(
                    peer: "alice",
                    state: .starting,
                    run: 1,
                    configuration: data,
                    interval: session.interval,
                    isBinary: true
                )
        )
    }

    @Test func `what became of an accessory's requests is told field by field`() throws {
        // A5 of the reference, but for slots of 3 ms: 240 ms are no whole number of rounds then.
        let text = "010000001400000000000000000000200200000000000000000000000000020001bbaa320000000000010600100ef000"
        var bench = try PerformerBench()
        let identifier = Array("lamp".utf8)
        let lamp = try #require(bench.engine.accessory(identifier.span, at: bench.now, into: &bench.buffer))
        let payload = Array(text.utf8)
        bench.engine.handle(.configuration(payload, of: lamp, isRetained: false), at: bench.now, into: &bench.buffer)
        let session = bench.engine.session(of: StreamID(accessory: lamp))
        var json = JSONWriter()
        SessionPayload.write(session, peer: nil, isBinary: true, maximumAttempts: 5, Self.wall, into: &json)
        #expect(JSONText.fault(json.bytes) == nil)
        #expect(
            String(decoding: json.bytes, as: UTF8.self).contains(
                #""grants":{"hopping":{"granted":1,"requested":1},"#
                    + #""interval_ms":{"granted":252,"reason":"a whole number of rounds","requested":240},"#
                    + #""slot_duration":{"granted":3600,"requested":3600},"slots":{"granted":6,"requested":6}}"#
            )
        )
    }

    @Test func `why and how far a session came is read back`() {
        let text = #"{"state":"ended","reason":"retries_exhausted","attempt":5,"run":3}"#
        let session = RetainedState.readSession(Array(text.utf8))
        #expect(
            session
                == RestoredSession(state: .ended, reason: .retriesExhausted, attempt: 5, run: 3, configuration: [])
        )
        #expect(RetainedState.readSession(Array(#"{"state":"ended","reason":"who knows"}"#.utf8))?.reason == nil)
    }

    @Test func `a session of a named peer says whose it is`() {
        #expect(object(of: AccessorySession(), peer: "alice")?["peer"] as? String == "alice")
    }
}
