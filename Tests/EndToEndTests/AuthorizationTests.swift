// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// Nothing ranges before it is allowed, over a real broker.
@Suite(.onItsOwnThread)
struct AuthorizationTests {
    private struct Answer: Decodable {
        var status: String
        var error: String?
    }

    private func ask(_ site: Site, _ command: String, _ body: String) throws -> Answer {
        let wanted = site.topic("bridge/response/\(command)")
        let count = site.consumer.messages.count { $0.topic == wanted }
        try site.source.publish(site.topic("bridge/request/\(command)"), body)
        _ = Waiting.until { site.consumer.messages.count { $0.topic == wanted } > count }
        return try #require(site.consumer.messages.last { $0.topic == wanted }, "\(site.bridge.log)").decoded()
    }

    /// Waits until what a topic retains has this in it.
    private func waitFor(_ text: String, on topic: String, _ site: Site) {
        let isThere = Waiting.until { (try? site.retained()[topic])?.contains(text) == true }
        #expect(isThere, "\(text)\n\(site.bridge.log)")
    }

    @Test("What waits is told once and listed, begins when it is allowed, and ends when that is taken back")
    func life() throws {
        let site = try Site(set: ["session.authorization=ask"])
        try site.report(1, for: 0.5)
        try site.configure()
        try site.waitForNews("authorization_required not_authorized")
        try site.waitForSession("awaiting_authorization")
        #expect(try site.news().first?.hint == "send {\"accessory\":\"lamp\"} to bridge/request/accessory/approve")
        waitFor("\"waiting\":[null]", on: "nearby/bridge/accessories", site)
        #expect(site.commands().isEmpty)
        #expect(try ask(site, "accessory/approve", "{\"accessory\":\"lamp\"}").status == "ok")
        try site.waitForStarts(1)
        try site.report(1, for: 1)
        try site.waitForNews("zone_enter immediate")
        waitFor("\"granted\":[{}]", on: "nearby/bridge/accessories", site)
        #expect(try ask(site, "accessory/revoke", "{\"accessory\":\"lamp\"}").status == "ok")
        try site.waitForNews("session_invalidated user_did_not_allow")
        try site.waitForNews("zone_exit near session_ended")
        try site.waitForSession("awaiting_authorization")
        #expect(try site.news().count { $0.type == "authorization_required" } == 1)
    }

    @Test("A permission survives a restart, and ends when its time is over")
    func restart() throws {
        let site = try Site(set: ["session.authorization=ask"], keepingState: true)
        try site.report(1, peer: "ann")
        try site.waitForSession("awaiting_authorization")
        #expect(
            try ask(site, "accessory/approve", "{\"accessory\":\"lamp\",\"peer\":\"ann\",\"time\":10}").status == "ok"
        )
        site.bridge.kill()
        try site.restartBridge()
        waitFor("\"peer\":\"ann\"", on: "nearby/bridge/accessories", site)
        try site.report(1, for: 1, peer: "ann")
        let topic = "nearby/accessory/lamp/peer/ann/event"
        func told(_ text: String) -> Bool {
            site.consumer.messages.contains { $0.topic == topic && $0.text.contains(text) }
        }
        #expect(Waiting.until { told("zone_enter") }, "\(site.bridge.log)")
        let isOver = Waiting.until {
            (try? site.retained()["nearby/bridge/accessories"])?.contains("\"peer\":\"ann\"") == false
        }
        #expect(isOver, "\(site.bridge.log)")
        let health = try site.health()
        try site.report(1, for: 0.3, peer: "ann")
        #expect(
            try site.health().dropped["outside_session", default: 0] > health.dropped["outside_session", default: 0]
        )
    }

    @Test("Each error of a permission names the field", arguments: ["5", "3.1.1"])
    func errors(_ version: String) throws {
        let site = try Site(set: ["mqtt.protocol=\(version)"])
        let faults = [
            ("approve", "{}", "accessory"), ("approve", "{\"accessory\":7}", "accessory"),
            ("approve", "{\"accessory\":\"a b\"}", "accessory"),
            ("approve", "{\"accessory\":\"a\",\"time\":0}", "time"),
            ("approve", "{\"accessory\":\"a\",\"time\":\"long\"}", "time"),
            ("approve", "{\"accessory\":\"a\",\"tiem\":60}", "tiem"),
            ("approve", "{\"accessory\":\"a\",\"peer\":\"x y\"}", "peer"), ("revoke", "{}", "accessory"),
            ("revoke", "{\"accessory\":\"a\"}", "accessory"),
            ("revoke", "{\"accessory\":\"a\",\"peer\":\"b\"}", "peer"),
        ]
        for (command, body, field) in faults {
            let answer = try ask(site, "accessory/\(command)", body)
            #expect(answer.status == "error", "\(command) \(body)")
            #expect(answer.error?.hasPrefix("\(field):") == true, "\(command) \(body): \(answer.error ?? "-")")
        }
        #expect(try ask(site, "accessory/approve", "{\"accessory\":\"a\",\"note\":\"mine\"}").status == "ok")
    }
}
