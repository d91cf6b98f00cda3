// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import Testing

@testable import NearbyBridge

struct ConfigurationCheckOccupancyTests {
    @Test func `a group is a list or a section`() throws {
        let loaded = try load(
            """
            groups:
              fleet: [forklift-17, forklift-18]
              all: ["*"]
              shop:
                accessories: [a, b]
                name: Shop
                nearest: true
              hall:
                accessories: ["*"]
                nearest: {margin: 0.25, hold: 3s, within: 4.5}
              shelf: {accessories: [a], nearest: {zone: near}}
              quiet: {accessories: [a], nearest: false}

            """,
            ["groups.more=c,d", "groups.shop.nearest.hold=1s"]
        )
        let groups = loaded.configuration.groups
        #expect(groups["fleet"] == GroupOptions(members: .listed(["forklift-17", "forklift-18"])))
        #expect(groups["all"] == GroupOptions(members: .all))
        #expect(groups["shop"]?.name == "Shop")
        #expect(groups["shop"]?.nearest == NearestOptions(hold: .seconds(1)))
        #expect(groups["hall"]?.nearest == NearestOptions(margin: 0.25, hold: .seconds(3), reach: .metres(4.5)))
        #expect(groups["shelf"]?.nearest?.reach == .zone("near"))
        #expect(groups["quiet"]?.nearest == nil)
        #expect(groups["more"] == GroupOptions(members: .listed(["c", "d"])))
        #expect(EngineOptions(loaded.configuration).groups == groups)
        #expect(loaded.warnings.isEmpty)
    }

    @Test func `people have devices and a presence`() throws {
        let loaded = try load(
            """
            people:
              ann: {name: Ann, peers: [ann-phone, ann-watch], presence: all}
              bob: {peers: [bob-badge]}

            """
        )
        let people = loaded.configuration.people
        #expect(people["ann"] == PersonOptions(name: "Ann", peers: ["ann-phone", "ann-watch"], presence: .all))
        #expect(people["bob"] == PersonOptions(peers: ["bob-badge"]))
        #expect(EngineOptions(loaded.configuration).people == people)
    }

    @Test(arguments: [
        ("people: {ann: {peers: [p]}, bob: {peers: [p]}}", "people.bob.peers", "ann carries p already"),
        ("people: {ann: {peers: [p, p]}}", "people.ann.peers", "p is named twice"),
        ("people: {ann: {peers: [ann]}}", "people.ann", "what ann carries is called so too"),
        ("people: {ann: {peers: [bob]}, bob: {peers: [q]}}", "people.bob", "what ann carries is called so too"),
        (
            "people: {ann: {peers: [p]}}\naccessories: {lamp: {peers: {\"0x0001\": {name: ann}}}}", "people.ann",
            "a peer of lamp is called so too"
        ),
        ("groups: {g: {accessories: [a], nearest: {zone: nere}}}", "groups.g.nearest.zone", "no zone of this name"),
        (
            "groups: {g: {accessories: [a], nearest: {zone: near, within: 3}}}", "groups.g.nearest.zone",
            "given together with within"
        ),
        ("groups: {g: {members: [a]}}", "groups.g.members", "unknown key"),
        ("groups: {g: [a/b]}", "groups.g", "expected 1 to 64"),
        ("groups: {g h: [a]}", "groups.\"g h\"", "expected a name"),
    ])
    func `contradictions are problems`(_ text: String, _ key: String, _ message: String) {
        let found = problems(text + "\n")
        #expect(found.map { $0.key ?? "" } == [key])
        #expect(found.first?.message.hasPrefix(message) == true, "\(found)")
    }

    @Test(arguments: [
        ("people: {ann: {presence: all}}", "people.ann.peers", "missing"),
        ("groups: {g: {name: x}}", "groups.g", "no accessory belongs to it"),
        ("groups: {g: []}", "groups.g", "no accessory belongs to it"),
        ("groups: {g: [lamb]}\naccessories: {lamp: {name: x}}", "groups.g", "no accessory lamb is listed"),
        (
            "join: allowlist\ngroups: {g: [fan]}\naccessories: {lamp: {name: x}}", "groups.g",
            "fan may not join: it is not listed under accessories"
        ),
    ])
    func `what is hardly meant is warned of`(_ text: String, _ key: String, _ message: String) throws {
        let warnings = try load(text + "\n").warnings
        #expect(warnings.map { $0.key ?? "" } == [key])
        #expect(warnings.first?.message.hasPrefix(message) == true, "\(warnings)")
    }

    @Test func `members may join later: who is only not listed is nobody's business`() throws {
        #expect(try load("groups: {g: [fan, \"*\"]}\naccessories: {lamp: {name: x}}\n").warnings.isEmpty)
    }
}
