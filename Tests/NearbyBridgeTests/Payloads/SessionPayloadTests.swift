// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import TestSupport
import Testing

@testable import NearbyBridge

struct SessionPayloadTests {
    @Test(arguments: SessionState.allCases)
    func `a session tells its kind and state`(_ state: SessionState) {
        var json = JSONWriter()
        SessionPayload.write(state, into: &json)
        #expect(JSONText.fault(json.bytes) == nil)
        let object = JSONText.object(json.bytes)
        #expect(object?["kind"] as? String == "external")
        #expect(object?["state"] as? String == state.word)
        #expect(object?["v"] as? Int == 1)
        #expect(object?.count == 3)
    }
}
