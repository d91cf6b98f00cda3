// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyBridge
@testable import NearbyCore

struct GroupPayloadTests {
    private let wall = WallTime(origin: 1_764_511_310_000_000_000)
    private let at = Instant(nanoseconds: 2_000_000_000)

    private func text(_ write: (inout JSONWriter) -> Void) -> String {
        var json = JSONWriter()
        write(&json)
        #expect(JSONText.fault(json.bytes) == nil)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private func text(_ kind: GroupEvent.Kind) -> String {
        text { json in
            let event = GroupEvent(group: "fleet", sequence: 7, at: at, kind: kind)
            let stamp = GroupPayload.write(event, wall, into: &json)
            #expect(String(decoding: json.bytes[stamp..<stamp + Timestamp.length], as: UTF8.self).hasPrefix("1970"))
        }
    }

    @Test func `an enter and an exit tell accessory, visit and zone`() {
        let common = #""group":"fleet","id":"group/fleet:7","published_at":"1970-01-01T00:00:00.000Z""#
        #expect(
            text(.enter(zone: "near", accessory: "lamp", visit: 7))
                == #"{"accessory":"lamp","at":"2025-11-30T14:01:52.000Z",\#(common),"seq":7,"type":"zone_enter","v":1,"#
                + #""visit":7,"zone":"near"}"#
        )
        #expect(
            text(.exit(zone: "near", accessory: nil, visit: 6, reason: .memberRemoved, dwell: .milliseconds(1500)))
                == #"{"at":"2025-11-30T14:01:52.000Z","dwell":1.5,\#(common),"reason":"member_removed","seq":7,"#
                + #""type":"zone_exit","v":1,"visit":6,"zone":"near"}"#
        )
    }

    @Test func `a change of the nearest accessory tells from where to where`() {
        #expect(
            text(.nearestChanged(peer: "ann", from: nil, to: "lamp", distance: 1.25))
                == #"{"at":"2025-11-30T14:01:52.000Z","distance":1.25,"from":null,"group":"fleet","id":"group/fleet:7","#
                + #""peer":"ann","published_at":"1970-01-01T00:00:00.000Z","seq":7,"to":"lamp","#
                + #""type":"nearest_changed","v":1}"#
        )
    }

    @Test func `state and nearest are read back as they were written`() throws {
        let zones = [
            GroupState.Zone(
                name: "near",
                state: .inside,
                since: at,
                visit: 5,
                count: 2,
                accessories: ["fan", "lamp"],
                occupants: ["ann"]
            ),
            GroupState.Zone(
                name: "far",
                state: .unknown,
                since: nil,
                visit: nil,
                count: 0,
                accessories: [],
                occupants: []
            ),
        ]
        let state = GroupState(group: "fleet", name: "Fleet", zones: zones, sequence: 7)
        let written = text { GroupPayload.write(state, wall, into: &$0) }
        #expect(
            written
                == #"{"group":"fleet","name":"Fleet","seq":7,"v":1,"zones":{"far":{"accessories":[],"count":0,"#
                + #""occupants":[],"state":"unknown"},"near":{"accessories":["fan","lamp"],"count":2,"#
                + #""occupants":["ann"],"since":"2025-11-30T14:01:52.000Z","state":"inside","visit":5}}}"#
        )
        let read = try #require(RetainedState.readGroup(Array(written.utf8), group: "fleet", wall))
        #expect(read.lastSequence == 7)
        #expect(read.zones.map(\.name) == ["far", "near"])
        #expect(read.zones.last == .init(name: "near", state: .inside, since: at, visit: 5))
        // A group's state is no accessory's, and another group's is not this one's.
        #expect(RetainedState.readGroup(Array(written.utf8), group: "other", wall) == nil)
        #expect(RetainedState.read(Array(written.utf8), accessory: "fleet", peer: nil, wall) == nil)

        let nearest = NearestState(accessory: "lamp", distance: 1.5, since: at)
        let nearestText = text { GroupPayload.write(nearest, wall, into: &$0) }
        #expect(nearestText == #"{"accessory":"lamp","distance":1.5,"since":"2025-11-30T14:01:52.000Z","v":1}"#)
        #expect(RetainedState.readNearest(Array(nearestText.utf8), peer: "ann", wall)?.state == nearest)
        let none = text { GroupPayload.write(NearestState(accessory: nil, distance: nil, since: at), wall, into: &$0) }
        #expect(none == #"{"accessory":null,"since":"2025-11-30T14:01:52.000Z","v":1}"#)
        #expect(RetainedState.readNearest(Array(none.utf8), peer: "ann", wall)?.state.accessory == nil)
        for rubbish in ["", "{}", "[]", #"{"since":"yesterday"}"#] {
            #expect(RetainedState.readNearest(Array(rubbish.utf8), peer: "ann", wall) == nil)
        }
    }
}
