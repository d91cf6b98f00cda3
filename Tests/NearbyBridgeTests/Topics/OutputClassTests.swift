// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NearbyBridge

struct OutputClassTests {
    private static let topics = TopicScheme(base: "plant/uwb")

    @Test(arguments: [nil, "alice"])
    func `every topic that is written has a class whose filter allows it`(_ peer: String?) {
        let topics = Self.topics
        let written: [(String, OutputClass)] = [
            (topics.bridgeState, .bridge), (topics.bridgeInfo, .bridge), (topics.bridgeHealth, .bridge),
            (topics.bridgeAccessories, .bridge), (topics.bridgeEvent, .bridge),
            (topics.response("accessory/stop"), .response), (topics.command(of: "lamp"), .command),
            (topics.command(of: "lamp", peer: "gate"), .command),
            (topics.configuration(of: "lamp", for: "alice"), .configuration),
            (topics.zone("near", of: "lamp", peer: peer), .zone), (topics.state(of: "lamp", peer: peer), .state),
            (topics.session(of: "lamp", peer: peer), .session), (topics.event(of: "lamp", peer: peer), .event),
            (topics.zone("near", ofGroup: "fleet"), .zone), (topics.state(ofGroup: "fleet"), .state),
            (topics.event(ofGroup: "fleet"), .event), (topics.nearest(of: "ann", inGroup: "fleet"), .nearest),
        ]
        for (topic, expected) in written {
            let output = OutputClass(topic, topics)
            #expect(output == expected, "\(topic)")
            let filter = output?.filter(topics, for: topic) ?? ""
            #expect(matches(topic, filter), "\(topic) \(filter)")
        }
        #expect(OutputClass(topics.bridgeLogging, topics) == nil)
        #expect(OutputClass("plant/uwbx/accessory/lamp/event", topics) == nil)
    }

    private func matches(_ topic: String, _ filter: String) -> Bool {
        let levels = topic.split(separator: "/")
        let wanted = filter.split(separator: "/")
        for (index, level) in wanted.enumerated() {
            if level == "#" { return true }
            guard index < levels.count, level == "+" || level == levels[index] else { return false }
        }
        return levels.count == wanted.count
    }
}
