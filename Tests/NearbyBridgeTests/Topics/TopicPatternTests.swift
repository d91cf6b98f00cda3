// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import Testing

@testable import NearbyBridge

struct TopicPatternTests {
    private func levels(_ pattern: String, _ topic: String) -> [String?]? {
        let bytes = Array(topic.utf8)
        guard let match = TopicPattern(pattern).match(bytes.span) else { return nil }
        return [match.accessory, match.peer, match.anchor].map { range in
            range.map { String(decoding: bytes[$0], as: UTF8.self) }
        }
    }

    @Test(arguments: [
        ("a/{peer}/{accessory}", "a/tag/gate", ["gate", "tag", nil]),
        ("{accessory}", "gate", ["gate", nil, nil]),
        ("/a/{anchor}", "/a/one", [nil, nil, "one"]),
        ("a/+/c", "a/b/c", [nil, nil, nil]),
        ("a/+/{peer}", "a//x", [nil, "x", nil]),
        ("a/{peer}", "a/", [nil, "", nil]),
    ])
    func `the levels of a topic are taken apart`(_ pattern: String, _ topic: String, _ expected: [String?]) {
        #expect(levels(pattern, topic) == expected)
    }

    @Test(arguments: [
        ("a/{peer}/{accessory}", "a/tag"), ("a/{peer}", "a/tag/gate"), ("a/{peer}", "b/tag"), ("a/{peer}", "aa/tag"),
        ("a/{peer}", "a"), ("a", ""), ("a", "a/"), ("a", "/a"), ("/a", "a"), ("a/b", "a/bc"), ("a/bc", "a/b"),
    ])
    func `another topic is none of it`(_ pattern: String, _ topic: String) {
        #expect(levels(pattern, topic) == nil)
    }

    @Test func `the filter has a wildcard for every name`() {
        #expect(TopicPattern("/a/{peer}/+/{accessory}/b").filter == "/a/+/+/+/b")
    }

    @Test(arguments: [
        ("a/{peer}", "a/b", true), ("a/{peer}", "{accessory}/b", true), ("a/b", "a/c", false), ("a", "a/b", false),
        ("+/+", "a/b", true),
    ])
    func `two patterns overlap if one topic may be both`(_ one: String, _ other: String, _ expected: Bool) {
        #expect(TopicPattern(one).overlaps(TopicPattern(other)) == expected)
        #expect(TopicPattern(other).overlaps(TopicPattern(one)) == expected)
    }

    @Test(arguments: [
        ("nearby/a", true), ("+/a", true), ("{peer}/{accessory}", true), ("nearby", false), ("near/a", false),
        ("/nearby/a", false),
    ])
    func `whether its topics may lie below another`(_ pattern: String, _ expected: Bool) {
        #expect(TopicPattern(pattern).mayLie(below: TopicPattern("nearby")) == expected)
    }
}
