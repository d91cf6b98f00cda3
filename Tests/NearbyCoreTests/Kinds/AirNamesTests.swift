// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NearbyCore

@Suite struct AirNamesTests {
    private func owner(_ names: AirNames, _ text: String) -> Int? { names.accessory(of: Array(text.utf8).span) }

    @Test func `both identifiers lead to the accessory, until it has others`() {
        var names = AirNames(key: 1)
        #expect(names.isEmpty)
        let first = names.claim(BluetoothIdentifiers(current: "B", previous: "A"), for: 3)
        #expect(first)
        #expect(owner(names, "A") == 3 && owner(names, "B") == 3 && owner(names, "C") == nil)
        let second = names.claim(BluetoothIdentifiers(current: "C", previous: "B"), for: 3)
        #expect(second)
        #expect(owner(names, "A") == nil && owner(names, "B") == 3 && owner(names, "C") == 3)
        names.release(3)
        names.release(3)
        #expect(names.isEmpty && owner(names, "C") == nil)
    }

    @Test func `whoever came first keeps a name`() {
        var names = AirNames(key: 1)
        let first = names.claim(BluetoothIdentifiers(current: "A"), for: 0)
        let second = names.claim(BluetoothIdentifiers(current: "B", previous: "A"), for: 1)
        #expect(first && !second)
        #expect(owner(names, "A") == 0 && owner(names, "B") == nil)
        names.release(0)
        let third = names.claim(BluetoothIdentifiers(current: "B", previous: "A"), for: 1)
        #expect(third)
        #expect(owner(names, "A") == 1)
    }
}
