// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import TestSupport
import Testing

@testable import NearbyBridge

struct ExplainRequestsTests {
    private func answer(_ payload: String, command: String = "zone/explain") throws -> Response? {
        var bench = try PerformerBench()
        bench.report(#"{"distance":1,"peer":"alice"}"#, from: "lamp")
        let request = Request(command: command, payload: Array(payload.utf8), responseTopic: nil, correlationData: nil)
        return ExplainRequests.answer(request, in: &bench.engine, WallTime(origin: 0), at: bench.now)
    }

    @Test(arguments: [
        ("{}", "accessory: missing"),
        (#"{"accessory":"lantern","zone":"near"}"#, #"accessory: "lantern" is not known"#),
        (#"{"accessory":"lamp"}"#, "zone: missing; one of immediate, near"),
        (#"{"accessory":"lamp","zone":"nera"}"#, #"zone: "nera" is not known; did you mean near?"#),
        (#"{"accessory":"lamp","zone":"moon"}"#, #"zone: "moon" is not known; one of immediate, near"#),
        (#"{"accessory":"lamp","zone":"near","peer":"bob"}"#, #"peer: "bob" is not known to "lamp""#),
        (#"{"accessory":7,"zone":"near"}"#, "accessory: expected text"),
    ])
    func `an error names the field`(_ payload: String, _ text: String) throws {
        guard case .error(let error) = try answer(payload) else {
            Issue.record("\(payload) is answered")
            return
        }
        #expect(error.hasPrefix(text))
    }

    @Test(arguments: [
        #"{"accessory":"lamp","zone":"near"}"#, #"{"accessory":"lamp","zone":"immediate","peer":"alice"}"#,
    ])
    func `what is there is explained`(_ payload: String) throws {
        guard case .ok(let json) = try answer(payload) else {
            Issue.record("\(payload) is refused")
            return
        }
        #expect(JSONText.fault(json) == nil)
    }

    @Test func `other commands are somebody else's`() throws {
        #expect(try answer("{}", command: "zone/options") == nil)
    }
}
