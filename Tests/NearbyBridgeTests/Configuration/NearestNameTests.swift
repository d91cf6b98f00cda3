// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NearbyBridge

struct NearestNameTests {
    @Test(arguments: [
        ("hots", "host"), ("ohst", "host"), ("hst", "host"), ("hosts", "host"), ("HOST", "host"),
        ("base-topic", "base_topic"), ("basetopic", "base_topic"), ("prot", "port"),
    ])
    func `a slip finds its name`(_ typed: String, _ expected: String) {
        #expect(NearestName.of(typed, in: ["port", "host", "base_topic"]) == expected)
    }

    @Test(arguments: ["", "x", "colour", "öäü", String(repeating: "host", count: 1000)])
    func `what is far from everything finds nothing`(_ typed: String) {
        #expect(NearestName.of(typed, in: ["port", "host", "base_topic", ""]) == nil)
    }
}
