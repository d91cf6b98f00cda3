// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NearbyBridge

struct InputCountersTests {
    @Test func `health has a row for each input, and no list without any`() {
        var health = HealthPayload()
        var json = JSONWriter()
        health.write(into: &json)
        #expect(!String(decoding: json.bytes, as: UTF8.self).contains("inputs"))
        health.inputs = [InputCounters(name: "udp:5000", isOpen: true, bytes: 3, messages: 2, failures: 1)]
        json = JSONWriter()
        health.write(into: &json)
        let text = String(decoding: json.bytes, as: UTF8.self)
        #expect(
            text.contains(#""inputs":[{"bytes":3,"failures":1,"messages":2,"name":"udp:5000","open":true}],"mqtt""#)
        )
    }
}
