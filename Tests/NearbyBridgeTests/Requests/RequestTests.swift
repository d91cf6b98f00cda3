// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyBridge

struct RequestTests {
    private func request(_ payload: String) -> Request {
        Request(command: "health", payload: Array(payload.utf8), responseTopic: nil, correlationData: nil)
    }

    @Test(arguments: [
        (#"{"transaction":"a \"b\""}"#, Request.Transaction.text("a \"b\"")),
        (#"{"x":1,"transaction":"","y":[]}"#, .text("")),
        (#"{"transaction":7}"#, .integer(7)),
        (#"{"transaction":-9223372036854775808}"#, .integer(.min)),
        (#"{"transaction":1.5}"#, .number(1.5)),
        (#"{"transaction":true}"#, .boolean(true)),
    ])
    func `a transaction comes back as it came`(_ payload: String, _ expected: Request.Transaction) throws {
        let transaction = try #require(request(payload).transaction)
        #expect(transaction == expected)
        // What was answered is read back like a request.
        let answer = Response.error("x").payload(transaction: transaction)
        #expect(request(String(decoding: answer, as: UTF8.self)).transaction == expected)
    }

    @Test(arguments: [
        "", "{}", "[]", "x", "{", #"{"transaction":null}"#, #"{"transaction":{}}"#, #"{"transaction":[1]}"#, "null",
        "\u{0}", #"{"transaction":"a"#,
    ])
    func `any other payload asks without a transaction`(_ payload: String) {
        let request = request(payload)
        #expect(request.transaction == nil)
        #expect(request.command == "health")
    }

    @Test func `depth does not trap`() {
        #expect(request(String(repeating: "[", count: 60_000)).transaction == nil)
        #expect(request(String(repeating: "{\"transaction\":", count: 4000)).transaction == nil)
    }

    @Test func `what MQTT 5 asks for is kept`() {
        let request = Request(command: "a/b", payload: [], responseTopic: "x/y", correlationData: [1, 2])
        #expect(request.command == "a/b")
        #expect(request.responseTopic == "x/y")
        #expect(request.correlationData == [1, 2])
    }

    @Test func `a response has status and data or error, with sorted keys`() {
        let cases: [(Response, Request.Transaction?, String)] = [
            (.ok(Array(#"{"a":1}"#.utf8)), nil, #"{"data":{"a":1},"status":"ok"}"#),
            (.ok(Array("{}".utf8)), .text("t"), #"{"data":{},"status":"ok","transaction":"t"}"#),
            (.error("no \"x\""), .integer(7), #"{"error":"no \"x\"","status":"error","transaction":7}"#),
            (.error("no"), .number(1.5), #"{"error":"no","status":"error","transaction":1.5}"#),
            (.error("no"), .boolean(false), #"{"error":"no","status":"error","transaction":false}"#),
        ]
        for (response, transaction, expected) in cases {
            let payload = response.payload(transaction: transaction)
            #expect(String(decoding: payload, as: UTF8.self) == expected)
            #expect(JSONText.fault(payload) == nil)
        }
    }
}
