// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import MosquittoClient
import Testing

@testable import NearbyBridge

struct TopicSchemeGroupsTests {
    @Test(arguments: TopicSchemeTests.bases)
    func `topics of groups are built, known again and selected by a filter`(_ base: String) {
        let topics = TopicScheme(base: base)
        let state = topics.state(ofGroup: "fleet")
        let zone = topics.zone("near", ofGroup: "fleet")
        let nearest = topics.nearest(of: "ann", inGroup: "fleet")
        #expect(state == "\(base)/group/fleet/state")
        #expect(topics.stateGroup(state) == "fleet")
        #expect(topics.groupZoneName(zone) == "near")
        #expect(topics.zoneName(zone) == "near")
        #expect(topics.nearestPeer(nearest).map { "\($0.group) \($0.peer)" } == "fleet ann")
        for topic in [state, zone, nearest] {
            #expect(topics.groupFilters.contains { TopicFilter.matches($0, topic: topic) })
            #expect(topics.isOwnRetained(topic))
            #expect(topics.stateStream(topic) == nil)
        }
        #expect(TopicFilter.matches(topics.groupEventFilter, topic: topics.event(ofGroup: "fleet")))
        #expect(!topics.isOwnRetained(topics.event(ofGroup: "fleet")))
        #expect(
            topics.event(of: EventKey(group: "fleet", sequence: 1).accessory, peer: nil)
                == topics.event(ofGroup: "fleet")
        )
    }

    @Test(arguments: [
        "nearby/group/fl eet/state", "nearby/group/fleet/states", "nearby/group/fleet", "nearby/group/fleet/state/x",
        "nearby/group/fleet/peer/ann", "nearby/group/fleet/peer/a n/nearest", "nearby/group/fleet/zone/a/b",
        "nearby/group//state", "nearby/groups/fleet/state", "other/group/fleet/state", "nearby/group/fleet/zone/NEAR",
    ])
    func `what only resembles them is somebody else's`(_ topic: String) {
        #expect(!TopicScheme(base: "nearby").isOwnRetained(topic))
    }

    @Test func `an event key tells groups from accessories`() {
        #expect(EventKey(group: "fleet", sequence: 1).group == "fleet")
        #expect(EventKey(accessory: "group", peer: nil, sequence: 1).group == nil)
    }
}
