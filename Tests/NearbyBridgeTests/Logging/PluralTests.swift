// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NearbyBridge

struct PluralTests {
    @Test(
        "One is one, and all others are many",
        arguments: [
            (0, "report", "0 reports"), (1, "report", "1 report"), (2, "report", "2 reports"),
            (1, "accessory", "1 accessory"), (2, "accessory", "2 accessories"), (3, "day", "3 days"),
        ]
    )
    func plural(_ count: Int, _ noun: String, _ text: String) {
        #expect(Plural.of(count, noun) == text)
    }
}
