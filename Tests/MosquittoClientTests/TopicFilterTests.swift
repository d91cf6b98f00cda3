// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import MosquittoClient
import Testing

@Suite("A topic filter")
struct TopicFilterTests {
    @Test("and a topic are valid by MQTT's rules")
    func validity() {
        for topic in ["a", "a/b", "/", "$SYS/x", "ä/ö", String(repeating: "x", count: 65_535)] {
            #expect(TopicFilter.isValidTopic(topic), "\(topic.prefix(20))")
            #expect(TopicFilter.isValidFilter(topic), "\(topic.prefix(20))")
        }
        for topic in ["", "a/+", "#", "a\u{0}b", "a\u{1}", String(repeating: "x", count: 65_536)] {
            #expect(!TopicFilter.isValidTopic(topic), "\(topic.prefix(20))")
        }
        for filter in ["#", "+", "a/+/b", "a/#", "$share/group/a/+"] { #expect(TopicFilter.isValidFilter(filter)) }
        for filter in ["", "a#", "#/a", "a+/b", "$share//a", "$share/g", "$share/g/", "$share/+/a"] {
            #expect(!TopicFilter.isValidFilter(filter), "\(filter)")
        }
    }

    @Test("selects topics")
    func matching() {
        #expect(TopicFilter.matches("a/+/c", topic: "a/b/c"))
        #expect(TopicFilter.matches("a/#", topic: "a"))
        #expect(!TopicFilter.matches("a/+", topic: "a/b/c"))
        #expect(!TopicFilter.matches("#", topic: "$SYS/x"))
    }
}
