// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NearbyBridge

struct HexadecimalPlacesTests {
    @Test(
        "Every byte is found in the text, whatever stands between",
        arguments: [
            ("62 00\n0038", [0, 3, 6, 8]), ("0x62,0x00", [2, 7]), ("6200", [0, 2]), ("62:0A:0x0b", [0, 3, 8]),
        ]
    )
    func places(_ text: String, _ starts: [Int]) throws {
        let places = try #require(HexadecimalPlaces(Array(text.utf8)))
        #expect(places.bytes.count == starts.count)
        for (index, start) in starts.enumerated() {
            #expect(places.range(of: index..<index + 1) == start..<start + 2)
        }
        #expect(places.range(of: 0..<starts.count) == starts[0]..<starts[starts.count - 1] + 2)
    }

    @Test("Other text has no places")
    func other() {
        #expect(HexadecimalPlaces(Array("mc 0f".utf8)) == nil)
        #expect(HexadecimalPlaces(Array("620".utf8)) == nil)
    }
}
