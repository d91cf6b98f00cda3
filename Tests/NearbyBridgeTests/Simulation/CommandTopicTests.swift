// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NearbyBridge

struct CommandTopicTests {
    @Test(arguments: ["nearby", "home/floor-2/uwb"])
    func `a command is known by its topic, and nothing else is taken for one`(_ base: String) {
        let topics = TopicScheme(base: base)
        func accessory(_ topic: String) -> String? {
            let bytes = Array(topic.utf8)
            return topics.commandIdentifier(in: bytes.span).map { String(decoding: bytes[$0], as: UTF8.self) }
        }
        #expect(accessory(topics.command(of: "sim-1")) == "sim-1")
        #expect(accessory(topics.event(of: "sim-1", peer: nil)) == nil)
        #expect(accessory(topics.event(of: "command", peer: nil)) == nil)
        #expect(accessory("\(base)/accessory/a/b/command") == nil)
        #expect(accessory("other/accessory/a/command") == nil)
        #expect(topics.commandFilter == topics.command(of: "+"))
    }
}
