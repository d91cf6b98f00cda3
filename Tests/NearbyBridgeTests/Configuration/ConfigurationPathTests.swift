// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NearbyBridge

struct ConfigurationPathTests {
    @Test(arguments: [
        ("a", ["a"]), ("a.b.c", ["a", "b", "c"]), ("a.\"b.c\".d", ["a", "b.c", "d"]),
        ("a.0x1:2-3_4", ["a", "0x1:2-3_4"]),
    ])
    func `a path is read and written alike`(_ text: String, _ levels: [String]) {
        #expect(ConfigurationPath(parsing: text[...])?.levels == levels)
        #expect(ConfigurationPath(levels).description == text)
    }

    @Test(arguments: ["", ".", "a.", ".a", "a..b", "\"a", "a.\"\"", "\""])
    func `a path with an empty level or an open quote is none`(_ text: String) {
        #expect(ConfigurationPath(parsing: text[...]) == nil)
    }
}
