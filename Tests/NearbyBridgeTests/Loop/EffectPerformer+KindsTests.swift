// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import TestSupport
import Testing

@testable import NearbyBridge

struct EffectPerformerKindsTests {
    private static let data = "01000000140000000000000000000015010001003ff50300b80b0000000001010111d71900"
    private static let tokens: [[UInt8]] = [[0xFF, 0xA1, 0xA2, 0xA3], [0xFF, 0xB1, 0xB2, 0xB3]]

    private func index(_ name: String, _ bench: inout PerformerBench) throws -> AccessoryIndex {
        let identifier = Array(name.utf8)
        return try #require(bench.engine.accessory(identifier.span, at: bench.now, into: &bench.buffer))
    }

    @Test func `a token goes to the other phone only: unretained, and nowhere else`() throws {
        var bench = try PerformerBench()
        let ann = try index("ann", &bench)
        let bob = try index("bob", &bench)
        let inputs: [BridgeInput] = [
            .token(Self.tokens[0], of: ann, peer: "bob", isRetained: false),
            .token(Self.tokens[1], of: bob, peer: "ann", isRetained: false),
            .token(Self.tokens[1], of: bob, peer: "ann", isRetained: true),
            .token(Self.tokens[1] + Array(repeating: 1, count: 2000), of: bob, peer: "ann", isRetained: false),
        ]
        for input in inputs { bench.engine.handle(input, at: bench.now, into: &bench.buffer) }
        bench.report(#"{"distance":1,"peer":"bob"}"#, from: "ann")
        bench.perform()
        let messages = bench.drain()
        let sent = messages.filter { $0.topic.hasSuffix("/peer_token") }
        #expect(
            sent.map(\.topic) == [
                "nearby/accessory/bob/peer/ann/peer_token", "nearby/accessory/ann/peer/bob/peer_token",
            ]
        )
        #expect(sent.map(\.payload) == Self.tokens)
        #expect(sent.allSatisfy { !$0.isRetained && $0.qualityOfService == 1 && $0.isCommand && $0.expiresAt != nil })
        let told = messages.filter { !$0.topic.hasSuffix("/peer_token") }.map(\.text) + bench.lines.all
        #expect(told.contains { $0.contains("\"kind\":\"peer\"") })
        for token in Self.tokens {
            #expect(told.allSatisfy { !$0.lowercased().contains(Hexadecimal.text(token.span)) })
        }
        bench.engine.handle(
            .token(Self.tokens[1], of: bob, peer: "ann", isRetained: false),
            at: bench.now,
            into: &bench.buffer
        )
        bench.perform(isOnline: false)
        #expect(!bench.drain().contains { $0.topic.hasSuffix("/peer_token") })
    }

    @Test func `what a phone may read is retained bare, and cleared when the run is proved or the accessory is gone`()
        throws
    {
        var bench = try PerformerBench()
        let lamp = try index("lamp", &bench)
        let digits = Array(Self.data.utf8)
        let data = try Hexadecimal.decode(digits.span)
        let topic = "nearby/accessory/lamp/characteristic"
        func turn(_ bench: inout PerformerBench) -> [OutgoingMessage] {
            bench.perform()
            return bench.drain().filter { $0.topic == topic }
        }
        bench.engine.handle(.message([0x04], of: lamp), at: bench.now, into: &bench.buffer)
        bench.engine.handle(.message([0x01] + data, of: lamp), at: bench.now, into: &bench.buffer)
        let offered = turn(&bench)
        #expect(offered.map(\.payload) == [data])
        #expect(offered.allSatisfy { $0.isRetained && $0.qualityOfService == 1 })
        bench.performer.beginRepublication(&bench.outbox)
        bench.performer.continueRepublication(of: bench.engine, into: &bench.outbox)
        #expect(turn(&bench).map(\.payload) == [data])
        bench.report(#"{"distance":1}"#, from: "lamp")
        #expect(turn(&bench).map(\.payload) == [[]])
        bench.engine.handle(.remove("lamp", isBlocked: false), at: bench.now, into: &bench.buffer)
        #expect(turn(&bench).map(\.payload) == [[]])
    }
}
