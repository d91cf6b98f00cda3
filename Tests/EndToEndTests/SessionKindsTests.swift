// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// Sessions without commands, over a real broker.
@Suite(.onItsOwnThread)
struct SessionKindsTests {
    private static let tokens: [[UInt8]] = [[0xFF, 0xA1, 0xA2, 0xA3], [0xFF, 0xB1, 0xB2, 0xB3]]

    private func newest(_ site: Site, _ rest: String) -> String? {
        site.consumer.messages.last { $0.topic == site.topic(rest) }?.text
    }

    private func waitFor(_ site: Site, _ rest: String, _ part: String) throws {
        let isThere = Waiting.until { newest(site, rest)?.contains(part) == true }
        try #require(isThere, "\(rest): \(newest(site, rest) ?? "nothing")\n\(site.bridge.log)")
    }

    private func got(_ site: Site, _ rest: String) -> [[UInt8]] {
        site.consumer.messages.filter { $0.topic == site.topic(rest) }.map(\.payload)
    }

    @Test("Two phones exchange tokens and range each other, over a restart", arguments: ["5", "3.1.1"])
    func phones(_ version: String) throws {
        let site = try Site(set: Site.quick + ["mqtt.protocol=\(version)"])
        try site.source.publish(site.topic("accessory/ann/peer/bob/token"), bytes: Self.tokens[0])
        try waitFor(site, "accessory/ann/peer/bob/session", "\"missing_tokens\":[\"bob\"]")
        try site.source.publish(site.topic("accessory/bob/peer/ann/token"), "{\"data\":\"ffb1b2b3\"}")
        #expect(Waiting.until { !got(site, "accessory/ann/peer/bob/peer_token").isEmpty })
        #expect(Waiting.until { !got(site, "accessory/bob/peer/ann/peer_token").isEmpty })
        #expect(got(site, "accessory/bob/peer/ann/peer_token").first == Self.tokens[0])
        #expect(got(site, "accessory/ann/peer/bob/peer_token").first == Self.tokens[1])
        try site.enterBoth("ann", peer: "bob")
        for rest in ["accessory/ann/peer/bob/session", "accessory/bob/peer/ann/session"] {
            try waitFor(site, rest, "\"state\":\"ranging\"")
            #expect(newest(site, rest)?.contains("\"kind\":\"peer\"") == true)
        }
        let answer = try site.ask("invalidate", "{\"accessory\":\"ann\",\"peer\":\"bob\"}")
        #expect(answer.data?.session == "invalidated")
        try waitFor(site, "accessory/bob/peer/ann/session", "\"reason\":\"peer_ended\"")
        try waitFor(site, "accessory/ann/peer/bob/event", "configuration_required")
        #expect(try site.retained().keys.allSatisfy { !$0.hasSuffix("token") })
        #expect(site.commands(to: "ann").isEmpty && site.commands(to: "bob").isEmpty)
        #expect(!site.bridge.log.contains("ffa1a2a3") && !site.bridge.log.contains("ffb1b2b3"))
        _ = site.bridge.stop()
        try site.restartBridge()
        try waitFor(site, "accessory/ann/peer/bob/session", "\"missing_tokens\":[\"ann\",\"bob\"]")
        for (index, pair) in [("ann", "bob"), ("bob", "ann")].enumerated() {
            let topic = site.topic("accessory/\(pair.0)/peer/\(pair.1)/token")
            try site.source.publish(topic, bytes: Self.tokens[index])
        }
        #expect(Waiting.until { !got(site, "accessory/ann/peer/bob/peer_token").isEmpty })
    }

    @Test("An accessory with Channel Sounding enters its zones without an exchange")
    func channelSounding() throws {
        let site = try Site(set: Site.quick)
        let text = #"{"technology":"ble-cs","identifier":"BB:02","previous_identifier":"AA:01"}"#
        try site.configure("lamp", Array(text.utf8))
        try site.waitForSession("starting")
        // By its former identifier as well as by its own name.
        for _ in 0..<5 { try site.report(5, of: "AA:01") }
        try site.waitForSession("ranging")
        #expect(newest(site, "accessory/lamp/session")?.contains("\"kind\":\"ble-cs\"") == true)
        try site.waitForNews("session_started")
        try site.waitForNews("session_timeout ranging")
        try site.waitForSession("silent")
        try site.report(1, for: 2)
        try site.waitForNews("zone_enter immediate")
        #expect(site.commands().isEmpty)
        #expect(try site.retained().keys.allSatisfy { !$0.contains("AA:01") })
        _ = site.bridge.stop()
        try site.restartBridge()
        try waitFor(site, "accessory/lamp/session", "\"identifier\":\"BB:02\"")
        try site.report(1, of: "AA:01")
        try site.waitForSession("ranging")
    }

    @Test("A session in the background offers its configuration data until it ranges, over a restart")
    func background() throws {
        let site = try Site(set: Site.quick)
        let message = site.topic("accessory/lamp/message")
        try site.source.publish(message, bytes: [0x04])
        try site.source.publish(message, bytes: [0x01] + Site.configuration)
        let rest = "accessory/lamp/characteristic"
        #expect(Waiting.until { got(site, rest) == [Site.configuration] })
        _ = site.bridge.stop()
        try site.restartBridge()
        #expect(Waiting.until { got(site, rest).last == Site.configuration })
        #expect(try site.retained()[site.topic(rest)] != nil)
        try site.source.publish(message, bytes: [0x02])
        try site.waitForSession("starting")
        try site.report(5, for: 0.5)
        try site.waitForNews("session_started")
        #expect(Waiting.until { got(site, rest).last?.isEmpty == true })
        #expect(try site.retained()[site.topic(rest)] == nil)
        try site.source.publish(message, bytes: [0x03])
        try site.waitForNews("session_ended accessory_stopped")
        #expect(site.commands().isEmpty)
        // What is gone while nobody looks is cleared by the next life.
        _ = site.bridge.stop()
        try site.source.publish(site.topic(rest), bytes: Site.configuration, isRetained: true)
        try site.restartBridge()
        #expect(Waiting.until { (try? site.retained())?.keys.contains(site.topic(rest)) == false })
    }
}
