// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import MosquittoClient
import Testing

@testable import NearbyBridge

struct OwnRetainedTests {
    private let topics = TopicScheme(base: "hall/nearby")

    @Test(arguments: [
        "accessory/lamp/state", "accessory/lamp/session", "accessory/lamp/zone/near", "accessory/lamp/peer/a/state",
        "accessory/lamp/peer/a/session", "accessory/lamp/peer/a/zone/near", "bridge/info", "bridge/state",
        "bridge/health", "bridge/accessories", "bridge/shard/3/state", "accessory/peer/state",
    ])
    func `what only a bridge retains is its own, and is read`(_ rest: String) {
        let topic = "hall/nearby/\(rest)"
        #expect(topics.isOwnRetained(topic))
        #expect(topics.ownRetainedFilters.contains { TopicFilter.matches($0, topic: topic) })
    }

    @Test(arguments: [
        "hall/nearby/accessory/lamp/config", "hall/nearby/accessory/lamp/availability",
        "hall/nearby/accessory/lamp/command", "hall/nearby/accessory/lamp/event", "hall/nearby/accessory/lamp/report",
        "hall/nearby/accessory/lamp/peer/a/config", "hall/nearby/accessory/lamp/zone/a/b",
        "hall/nearby/accessory/lamp/zone/", "hall/nearby/accessory/lamp/zone/N\u{202E}",
        "hall/nearby/accessory/a b/state", "hall/nearby/accessory//state",
        "hall/nearby/accessory/lamp/peer/a b/state", "hall/nearby/accessory/lamp/peer/state/x",
        "hall/nearby/accessory/lamp", "hall/nearby/accessory", "hall/nearby/bridge/request/health",
        "hall/nearby/bridge/event", "hall/nearby/state", "nearby/bridge/state", "hall/nearby2/bridge/state",
        "hall/nearby2/accessory/lamp/state", "",
    ])
    func `nothing else is`(_ topic: String) {
        #expect(!topics.isOwnRetained(topic))
    }

    @Test func `a recording listens to key material only when it is wanted`() {
        #expect(!topics.trafficFilters(of: nil, withSecrets: false).contains { $0.contains("shareable") })
        #expect(
            topics.trafficFilters(of: "lamp", withSecrets: false).contains("hall/nearby/accessory/lamp/peer/+/command")
        )
        #expect(topics.trafficFilters(of: "lamp", withSecrets: true).contains("hall/nearby/accessory/lamp/shareable"))
    }
}
