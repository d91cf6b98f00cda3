// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import Testing

@testable import NearbyBridge

struct WriteCheckTests {
    private static let topics = TopicScheme(base: "nearby")
    private static let event = "nearby/accessory/lamp/event"

    private func at(_ seconds: Int64) -> Instant { Instant(nanoseconds: seconds * 1_000_000_000) }

    /// The classes that are read back of these topics, in their order.
    private func begun(_ topics: [String], _ check: inout WriteCheck) -> [String] {
        topics.filter { check.begins(with: $0, Self.topics) }
    }

    @Test func `the first message of each class is read back, and no other`() {
        var check = WriteCheck(isNeeded: true)
        let first = [
            "nearby/bridge/state", "nearby/accessory/lamp/zone/near", Self.event, "nearby/accessory/a/peer/b/session",
        ]
        let others = [
            "nearby/bridge/info", "nearby/accessory/door/event", "nearby/accessory/lamp/peer/alice/event",
            "nearby/accessory/lamp/command", "nearby/bridge/response/health", "nearby/bridge/logging", "else/where",
        ]
        let all = begun(first + others, &check)
        #expect(all == first)
    }

    @Test func `where the broker tells by itself nothing is read back`() {
        var check = WriteCheck(isNeeded: false)
        let none = begun([Self.event], &check)
        #expect(none.isEmpty)
    }

    @Test func `what came back is not missed, what did not is missed once, after its acknowledgement`() {
        var check = WriteCheck(isNeeded: true)
        let state = "nearby/bridge/state"
        _ = begun([Self.event, state], &check)
        check.acknowledged(state, at: at(1))
        let arrivals = [check.arrived(state), check.arrived(state)]
        #expect(arrivals == [true, false])
        let early = check.overdue(at: at(1000))
        #expect(early == nil)
        check.acknowledged(Self.event, at: at(1000))
        check.acknowledged(Self.event, at: at(1009))
        let missed = [1009, 1010, 1010].map { check.overdue(at: at($0))?.output }
        #expect(missed == [nil, .event, nil])
        let again = begun([Self.event], &check)
        #expect(again.isEmpty)
    }

    @Test func `what a lost connection may have swallowed is checked again`() {
        var check = WriteCheck(isNeeded: true)
        _ = begun([Self.event], &check)
        check.acknowledged(Self.event, at: at(1))
        check.disconnected()
        let missed = check.overdue(at: at(100))
        #expect(missed == nil)
        let again = begun([Self.event], &check)
        #expect(again == [Self.event])
    }
}
