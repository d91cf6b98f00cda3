// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import MosquittoClient
import Testing

@testable import NearbyBridge

struct DiscoveryMessageTests {
    private func isOurs(_ payload: String, topic: String = "homeassistant/device/lamp/config") -> Bool {
        DiscoveryMessage.isOurs(topic, Array(payload.utf8), prefix: "homeassistant", base: "nearby")
    }

    @Test(arguments: [
        #"{"origin":{"name":"nearby-bridge","sw":"1"},"availability_topic":"nearby/bridge/state"}"#,
        #"{"o":{"name":"nearby-bridge"},"avty_t":"nearby/bridge/state"}"#,
        #"{"o":{"name":"nearby-bridge"},"~":"nearby","avty_t":"~/bridge/state"}"#,
        #"{"o":{"name":"nearby-bridge"},"availability":[{"topic":"x"},{"topic":"nearby/bridge/state"}]}"#,
        #"{"o":{"name":"nearby-bridge"},"~":"nearby/bridge","avty":[{"t":"~/state"}]}"#,
    ])
    func `ours are known by origin and base topic, however they are spelled`(_ payload: String) {
        #expect(isOurs(payload))
    }

    @Test(arguments: [
        "", "null", "[]", "{", "online",
        #"{"availability_topic":"nearby/bridge/state"}"#,
        #"{"origin":{"name":"nearby-bridge"}}"#,
        #"{"origin":{"name":"nearby-bridge 2"},"availability_topic":"nearby/bridge/state"}"#,
        #"{"origin":{"name":"zigbee2mqtt"},"availability_topic":"nearby/bridge/state"}"#,
        #"{"origin":{"name":"nearby-bridge"},"availability_topic":"nearby2/bridge/state"}"#,
        #"{"origin":{"name":"nearby-bridge"},"availability_topic":"hall/nearby/bridge/state"}"#,
        #"{"origin":{"name":"nearby-bridge"},"~":"nearby2","availability_topic":"~/bridge/state"}"#,
        #"{"origin":{"name":"nearby-bridge"},"state_topic":"nearby/bridge/state"}"#,
    ])
    func `nobody else's are`(_ payload: String) {
        #expect(!isOurs(payload))
    }

    @Test func `a message elsewhere is none, whatever it holds`() {
        let ours = #"{"o":{"name":"nearby-bridge"},"avty_t":"nearby/bridge/state"}"#
        #expect(!isOurs(ours, topic: "homeassistant2/device/lamp/config"))
        #expect(!isOurs(ours, topic: "homeassistant/device/lamp/state"))
    }

    @Test func `both shapes of discovery topics are read`() {
        let filters = DiscoveryMessage.filters(prefix: "ha/x")
        for topic in ["ha/x/device/lamp/config", "ha/x/sensor/node/lamp/config"] {
            #expect(filters.contains { TopicFilter.matches($0, topic: topic) })
        }
    }
}
