// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@Suite(.onItsOwnThread)
struct MembershipTests {
    /// `bridge/accessories`, as far as the tests look at it.
    private struct Accessories: Decodable {
        struct Entry: Decodable { var id: String }
        var accessories: [Entry]
        var candidates: [Entry]
        var blocked: [String]
    }

    private func accessories(_ site: Site) -> Accessories? {
        let topic = site.topic("bridge/accessories")
        return site.consumer.messages.last { $0.topic == topic }.flatMap { try? $0.decoded() }
    }

    private func bridgeEvents(_ site: Site) -> [String] {
        site.consumer.messages.filter { $0.topic == site.topic("bridge/event") }.compactMap { message in
            message.text.split(separator: "\"type\":\"").last.map { String($0.prefix { $0 != "\"" }) }
        }
    }

    private func ask(_ command: String, _ body: String, on site: Site) throws -> String {
        let wanted = site.topic("bridge/response/\(command)")
        let count = site.consumer.messages.count { $0.topic == wanted }
        try site.source.publish(site.topic("bridge/request/\(command)"), body)
        _ = Waiting.until { site.consumer.messages.count { $0.topic == wanted } > count }
        return try #require(site.consumer.messages.last { $0.topic == wanted }, "\(site.bridge.log)").text
    }

    @Test("A stranger is listed and leaves no topic until it is approved, which is remembered")
    func approval() throws {
        let site = try Site(set: ["join=approve"], keepingState: true)
        try site.report(1.0, for: 1)
        #expect(Waiting.until { accessories(site)?.candidates.map(\.id) == ["lamp"] })
        #expect(try site.retained().keys.allSatisfy { !$0.contains("lamp") })
        #expect(try ask("accessory/approve", #"{"accessory":"lamp"}"#, on: site).contains("\"ok\""))
        try site.enterBoth()
        #expect(Waiting.until { bridgeEvents(site).suffix(2) == ["accessory_approved", "accessory_joined"] })
        site.bridge.kill()
        try site.restartBridge()
        try site.report(4.0, for: 2)
        #expect(site.waitForEvents(2).map(\.summary) == ["exit immediate left", "exit near left"])
        // Another one still waits.
        try site.report(1.0, for: 1, of: "fan")
        #expect(Waiting.until { accessories(site)?.candidates.map(\.id) == ["fan"] })
        #expect(try ask("permit_join", #"{"time":60}"#, on: site).contains("until"))
        try site.enterBoth("fan")
    }

    @Test("Whoever is removed leaves its zones, its topics and the store, and stays away if blocked")
    func removal() throws {
        let site = try Site(keepingState: true)
        try site.enterBoth(peer: "alice")
        #expect(try ask("accessory/remove", #"{"accessory":"lamp","block":true}"#, on: site).contains("\"ok\""))
        let events = site.waitForEvents(4).map(\.summary)
        #expect(events.suffix(2) == ["exit immediate accessory_removed", "exit near accessory_removed"])
        try site.report(1.0, for: 1, peer: "alice")
        #expect(Waiting.until { (try? site.retained().keys.contains { $0.contains("/lamp/") }) == false })
        #expect(bridgeEvents(site).contains("accessory_removed"))
        site.bridge.kill()
        try site.restartBridge()
        try site.report(1.0, for: 1)
        #expect(site.events().isEmpty)
        #expect(try site.retained().keys.contains { $0.contains("/lamp/") } == false)
        #expect(accessories(site)?.blocked == ["lamp"])
        #expect(try ask("accessory/approve", #"{"accessory":"lamp"}"#, on: site).contains("\"ok\""))
        try site.enterBoth()
    }

    @Test("What requests have set is in effect after a restart, and a snapshot takes it to another bridge")
    func options() throws {
        let site = try Site(keepingState: true)
        try site.report(5.0)
        let body = #"{"accessory":"lamp","options":{"name":"The, lamp: 'x'","zones":{"near":{"radius":6}}}}"#
        #expect(try ask("accessory/options", body, on: site).contains("\"ok\""))
        site.bridge.kill()
        try site.restartBridge()
        try site.report(5.0, for: 1)
        #expect(site.waitForEvents(1).map(\.summary) == ["enter near"], "\(site.bridge.log)")
        _ = try ask("accessory/remove", #"{"accessory":"fan","block":true}"#, on: site)
        let snapshot = try ask("snapshot", "{}", on: site)
        // The answer is {"data":{…},"status":"ok"}.
        let data = snapshot.dropFirst("{\"data\":".count).dropLast(",\"status\":\"ok\"}".count)
        let other = try Site()
        let answer = try ask("snapshot", "{\"restore\":\(data)}", on: other)
        #expect(answer.contains("\"dropped\":[]"), "\(answer) \(data)")
        try other.report(1.0, for: 0.5, of: "fan")
        try other.report(5.0, for: 1)
        #expect(other.waitForEvents(1).map(\.summary) == ["enter near"], "\(data)")
        #expect(try other.retained().keys.contains { $0.contains("/fan/") } == false)
    }

    @Test(
        "A request that cannot be carried out says which field is why",
        arguments: [
            ("accessory/approve", "{}", "accessory:"), ("accessory/approve", #"{"accessory":"a b"}"#, "accessory:"),
            ("accessory/remove", #"{"accessory":"nobody"}"#, "accessory:"),
            ("accessory/remove", #"{"accessory":"lamp","block":"yes"}"#, "block:"), ("permit_join", "{}", "time:"),
            ("permit_join", #"{"time":-1}"#, "time:"), ("permit_join", #"{"time":1e30}"#, "time:"),
            ("snapshot", #"{"restore":{}}"#, "restore:"),
            ("snapshot", #"{"restore":{"v":1,"approved":["a b"]}}"#, "restore:"),
        ]
    )
    func faults(_ command: String, _ body: String, _ field: String) throws {
        let site = try Site()
        let answer = try ask(command, body, on: site)
        #expect(answer.contains("\"error\":\"\(field)"), "\(answer)")
    }
}
