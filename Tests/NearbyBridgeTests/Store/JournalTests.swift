// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import Testing

@testable import NearbyBridge

struct JournalTests {
    private static let key = EventKey(accessory: "a", peer: nil, sequence: 5)

    private func event(_ key: EventKey = JournalTests.key) -> Journal.Event {
        Journal.Event(key: key, payload: [1], stampAt: 0, expiresAt: Instant(nanoseconds: 9))
    }

    @Test func `without a store it stays empty`() {
        var journal = Journal()
        journal.append(event())
        journal.stamp(Self.key, [2])
        journal.acknowledge(Self.key)
        journal.change(StreamID(accessory: AccessoryIndex(0)))
        journal.forget("a", "p")
        #expect(journal.isEmpty)
    }

    @Test func `an event that is handed over in its own turn is committed as it was sent`() {
        var journal = Journal(isKept: true)
        journal.append(event())
        journal.stamp(Self.key, [2, 3])
        #expect(journal.events.map(\.payload) == [[2, 3]])
        #expect(journal.events.map(\.stampAt) == [nil])
        #expect(journal.stamped.isEmpty)
        journal.removeAll()
        #expect(journal.isEmpty && journal.isKept)
        journal.stamp(Self.key, [4])
        #expect(journal.stamped.map(\.payload) == [[4]])
        #expect(!journal.isEmpty)
    }

    @Test func `a stream that changes often is written once, and a store that cannot write costs no more memory`() {
        var journal = Journal(isKept: true)
        for number in 0..<30_000 {
            journal.change(StreamID(accessory: AccessoryIndex(number % 3)))
            let key = EventKey(accessory: "a", peer: nil, sequence: Int64(number))
            journal.append(event(key))
            journal.acknowledge(key)
            journal.forget("a", "\(number)")
        }
        #expect(journal.streams.count == 3)
        #expect(journal.events.count == 10_000 && journal.acknowledged.count == 10_000)
        #expect(journal.forgotten.count == 10_000)
    }
}
