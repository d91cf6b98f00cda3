// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NearbyCore

@Suite struct BluetoothIdentifiersTests {
    @Test(arguments: [
        ("AA:BB:CC:00:11:22", true), ("a", true), ("2f9-1", true), ("", false), ("a b", false), ("a_b", false),
        ("a.b", false), ("ä", false), (String(repeating: "x", count: 64), true),
        (String(repeating: "x", count: 65), false),
    ])
    func `an identifier is short and plain`(_ text: String, _ isValid: Bool) {
        let bytes = Array(text.utf8)
        #expect(BluetoothIdentifiers.isValid(bytes.span) == isValid)
    }

    @Test func `the one before is the one that was told, else the one that was known`() {
        let first = BluetoothIdentifiers(current: "A")
        #expect(first.following(nil) == first)
        let second = BluetoothIdentifiers(current: "B").following(first)
        #expect(second == BluetoothIdentifiers(current: "B", previous: "A"))
        #expect(BluetoothIdentifiers(current: "B").following(second) == second)
        #expect(BluetoothIdentifiers(current: "C", previous: "Z").following(second).previous == "Z")
        #expect(BluetoothIdentifiers(current: "C", previous: "C").previous == nil)
    }
}
