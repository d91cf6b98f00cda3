// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import Testing

@testable import NearbyBridge

struct RestorationTests {
    private func stream(_ accessory: String, _ number: Int64?) -> RestoredStream { stream(accessory, nil, number) }

    private func stream(_ accessory: String, _ peer: String?, _ number: Int64?) -> RestoredStream {
        RestoredStream(accessory: accessory, peer: peer, lastSequence: number, zones: [])
    }

    @Test func `the store wins, the broker fills what it lacks`() {
        let stored = [stream("a", 5), stream("a", "p", 7)]
        let retained = [stream("a", 5), stream("b", 1), stream("b", "p", nil), stream("a", "q", 2)]
        let merged = Restoration.merge(stored, retained)
        #expect(merged == stored + [retained[1], retained[2], retained[3]])
    }

    @Test func `a greater number tells of a life after the store's`() {
        let merged = Restoration.merge([stream("a", 5), stream("b", nil)], [stream("a", 6), stream("b", 1)])
        #expect(merged == [stream("a", 6), stream("b", 1)])
        #expect(Restoration.merge([stream("a", 5)], [stream("a", 4)]) == [stream("a", 5)])
        #expect(Restoration.merge([stream("a", 5)], [stream("a", nil)]) == [stream("a", 5)])
    }

    @Test func `a number that no bridge reaches is not believed`() {
        for number in [Int64.max, BridgeEngine.greatestSequence] {
            #expect(Restoration.merge([stream("a", 5)], [stream("a", number)]) == [stream("a", 5)])
        }
    }

    @Test func `groups are brought together by the same rule, with who is nearest`() {
        func group(_ name: String, _ number: Int64?, nearest accessory: String) -> RestoredGroup {
            RestoredGroup(
                group: name,
                lastSequence: number,
                nearest: [.init(peer: "ann", accessory: accessory, distance: 1, since: Instant(nanoseconds: 0))]
            )
        }
        let stored = [group("a", 5, nearest: "lamp"), group("b", 5, nearest: "lamp")]
        let retained = [group("a", 5, nearest: "fan"), group("b", 6, nearest: "fan"), group("c", nil, nearest: "fan")]
        #expect(Restoration.merge(stored, retained) == [stored[0], retained[1], retained[2]])
        #expect(Restoration.merge([], retained) == retained)
    }

    @Test func `either alone is all`() {
        #expect(Restoration.merge([], [stream("a", 5)]) == [stream("a", 5)])
        #expect(Restoration.merge([stream("a", 5)], []) == [stream("a", 5)])
    }
}
