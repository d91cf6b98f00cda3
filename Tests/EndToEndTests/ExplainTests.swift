// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@Suite(.onItsOwnThread)
struct ExplainTests {
    /// The answer to `zone/explain`, as far as the tests look at it.
    private struct Explained: Decodable {
        struct Data: Decodable {
            struct Sample: Decodable {
                var at: String
                var measured: Double
                var verdict: String
            }
            struct Decision: Decodable {
                var type: String
                var zone: String
                var threshold: Double?
            }
            var state: String
            var text: String
            var hint: String?
            var radius: Double
            var peer: String?
            var samples: [Sample]
            var decisions: [Decision]
        }

        var status: String
        var error: String?
        var data: Data?
    }

    private func ask(_ fields: String, of site: Site) throws -> Explained {
        let transaction = "why-\(UInt32.random(in: 0...UInt32.max))"
        let topic = site.topic("bridge/response/zone/explain")
        try site.source.publish(
            site.topic("bridge/request/zone/explain"),
            "{\(fields),\"transaction\":\"\(transaction)\"}"
        )
        let isAnswered = site.consumer.waitFor { messages in
            messages.contains { $0.topic == topic && $0.text.contains(transaction) }
        }
        try #require(isAnswered, "no answer:\n\(site.bridge.log)")
        let message = try #require(site.consumer.messages.last { $0.topic == topic && $0.text.contains(transaction) })
        #expect(KeyOrder.isSorted(message.payload), "\(message.text)")
        #expect(!message.isRetained)
        return try message.decoded()
    }

    @Test("The first question is answered with what was decided, the second with the reports since")
    func explain() throws {
        let site = try Site()
        try site.enterBoth()
        let first = try #require(try ask(#""accessory":"lamp","zone":"near""#, of: site).data)
        #expect(first.state == "inside")
        #expect(first.radius == 3)
        #expect(first.samples.isEmpty)
        #expect(first.hint?.hasPrefix("ask again") == true)
        #expect(first.decisions.map(\.type).contains("entered"))
        #expect(first.decisions.allSatisfy { ["near", "immediate"].contains($0.zone) })

        try site.report(1.0, for: 0.6)
        let isTold = Waiting.until {
            guard let data = try? ask(#""accessory":"lamp","zone":"near""#, of: site).data else { return false }
            return data.samples.count >= 6 && data.hint == nil
        }
        #expect(isTold)
        let second = try #require(try ask(#""accessory":"lamp","zone":"near""#, of: site).data)
        #expect(second.samples.allSatisfy { $0.measured == 1 && $0.verdict == "passed" && $0.at.hasSuffix("Z") })
        #expect(second.text.hasPrefix("inside since "))
    }

    @Test("A peer is explained by itself, and an error names the field")
    func peers() throws {
        let site = try Site()
        try site.enterBoth(peer: "alice")
        let alice = try #require(try ask(#""accessory":"lamp","zone":"near","peer":"alice""#, of: site).data)
        #expect(alice.peer == "alice")
        #expect(alice.state == "inside")
        for (fields, error) in [
            (#""accessory":"lamp","zone":"near","peer":"bob""#, "peer: "),
            (#""accessory":"lamp","zone":"moon""#, "zone: "),
            (#""accessory":"lantern","zone":"near""#, "accessory: "),
        ] {
            let answer = try ask(fields, of: site)
            #expect(answer.status == "error")
            #expect(answer.error?.hasPrefix(error) == true, "\(answer)")
        }
    }
}
