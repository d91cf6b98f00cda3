// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyBridge
@testable import NearbyCore

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

    @Test func `every kind is told with what it needs, and read back`() throws {
        var session = AccessorySession()
        session.kind = .channelSounding
        session.identifiers = BluetoothIdentifiers(current: "BB:02", previous: "AA:01")
        #expect(object(of: session)?["kind"] as? String == "ble-cs")
        #expect(object(of: session)?["identifier"] as? String == "BB:02")
        #expect(object(of: session)?["previous_identifier"] as? String == "AA:01")
        for kind in SessionKind.allCases {
            for isBackground in [false, true] {
                session.kind = kind
                session.isBackground = isBackground
                var json = JSONWriter()
                SessionPayload.write(session, peer: nil, isBinary: false, maximumAttempts: 5, Self.wall, into: &json)
                let restored = RetainedState.readSession(json.bytes)
                #expect(restored?.kind == kind && restored?.isBackground == isBackground)
                #expect(restored?.identifiers == session.identifiers)
            }
        }
        let wrong = #"{"state":"idle","kind":"who knows","identifier":"a b","previous_identifier":"c"}"#
        let restored = RetainedState.readSession(Array(wrong.utf8))
        #expect(restored?.kind == .uwb && restored?.identifiers == nil)
    }

    @Test func `whose discovery token is missing is told in words and by name`() {
        var json = JSONWriter()
        var session = AccessorySession()
        session.kind = .peer
        session.state = .awaitingConfiguration
        SessionPayload.write(
            session,
            peer: "bob",
            isBinary: false,
            maximumAttempts: 3,
            missingTokens: ["ann", "bob"],
            Self.wall,
            into: &json
        )
        let object = JSONText.object(json.bytes)
        #expect(object?["missing_tokens"] as? [String] == ["ann", "bob"])
        #expect((object?["hint"] as? String)?.hasPrefix("waits for the discovery token of ann and bob") == true)
        #expect(JSONText.fault(json.bytes) == nil)
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

    @Test func `what the accessory says of itself is told and read back`() throws {
        var announced = AccessoryAnnouncement()
        announced.name = "Gate \"1\""
        announced.technology = .downlinkTDoA
        announced.networkIdentifier = 4660
        announced.capabilities = [.downlinkTDoA, .direction]
        var json = JSONWriter()
        SessionPayload.write(
            AccessorySession(),
            announced,
            peer: nil,
            isBinary: false,
            maximumAttempts: 5,
            Self.wall,
            into: &json
        )
        #expect(JSONText.fault(json.bytes) == nil)
        let object = try #require(JSONText.object(json.bytes))
        #expect(object["kind"] as? String == "dl-tdoa")
        #expect(object["network_identifier"] as? Int == 4660)
        #expect((object["announced"] as? [String: Any])?["capabilities"] as? [String] == ["direction", "dl_tdoa"])
        #expect(RetainedState.readSession(json.bytes)?.announced == announced)
        for text in [#"{"state":"idle"}"#, #"{"state":"idle","announced":{"technology":"smoke","capabilities":null}}"#]
        {
            #expect(RetainedState.readSession(Array(text.utf8))?.announced == AccessoryAnnouncement())
        }
    }

    @Test func `name and capabilities stand in the accessory's own topic`() throws {
        var bench = try PerformerBench()
        let identifier = Array("lamp".utf8)
        let lamp = try #require(bench.engine.accessory(identifier.span, at: bench.now, into: &bench.buffer))
        let text = #"{"technology":"dl-tdoa","network_identifier":7,"name":"Gate","capabilities":{"dl_tdoa":true}}"#
        bench.engine.handle(
            .configuration(Array(text.utf8), of: lamp, isRetained: false),
            at: bench.now,
            into: &bench.buffer
        )
        bench.report(#"{"distance":1,"peer":"alice"}"#, from: "lamp")
        let topics = bench.engine.streams(of: lamp).map { stream in
            var json = JSONWriter()
            SessionPayload.write(of: stream, bench.engine, Self.wall, into: &json)
            return JSONText.object(json.bytes)
        }
        try #require(topics.count == 2)
        for topic in topics {
            #expect(topic?["kind"] as? String == "dl-tdoa")
            #expect(topic?["state"] as? String == "external")
            #expect(topic?["network_identifier"] as? Int == 7)
        }
        #expect((topics[0]?["announced"] as? [String: Any])?.keys.sorted() == ["capabilities", "name", "technology"])
        #expect((topics[1]?["announced"] as? [String: Any])?.keys.sorted() == ["technology"])
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
