// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyCore

/// Phones whose data link is MQTT, over a real broker.
@Suite(.onItsOwnThread)
struct RelayTests {
    /// A capture of a real phone (`reference/nearby-interaction.md` section 4.2, S1 and S2).
    private static let s1 = "010001001945554f4f00000b090600100eb400031baf75655238d891c800"
    private static let s2 = "01000100194555410900000b090600100ec600037285a3c3cc23d3d5c800"

    private func bytes(_ text: String) throws -> [UInt8] {
        let digits = Array(text.utf8)
        return try Hexadecimal.decode(digits.span)
    }

    /// Everything that a phone was asked.
    private func questions(_ site: Site, _ peer: String) -> [[UInt8]] {
        site.consumer.messages.filter { $0.topic == "nearby/accessory/lamp/peer/\(peer)/config" }.map(\.payload)
    }

    private func share(_ site: Site, _ peer: String?, _ payload: [UInt8]) throws {
        let level = peer.map { "peer/\($0)/" } ?? ""
        try site.source.publish("nearby/accessory/lamp/\(level)shareable", bytes: payload)
    }

    @Test("Two phones range one accessory, and each one's data reaches it bit for bit", arguments: ["5", "3.1.1"])
    func phones(_ version: String) throws {
        let site = try Site(
            set: [
                "accessories.lamp.shareable=relay", "accessories.lamp.peers.alice.name=alice",
                "accessories.lamp.peers.bob.name=bob", "mqtt.protocol=\(version)",
            ]
        )
        try site.configure("lamp", [1] + Site.configuration)
        #expect(Waiting.until { !questions(site, "alice").isEmpty && !questions(site, "bob").isEmpty })
        #expect(questions(site, "alice") == [Site.configuration])
        try share(site, "alice", bytes(Self.s1))
        try site.waitForStarts(1)
        try share(site, "bob", Array("{\"data\":\"\(Self.s2)\"}".utf8))
        try site.waitForStarts(2)
        #expect(try site.starts() == [[0x0B] + bytes(Self.s1), [0x0B] + bytes(Self.s2)])
        try site.report(5, for: 0.3, peer: "alice")
        try site.report(5, for: 0.3, peer: "bob")
        for peer in ["alice", "bob"] {
            let topic = "nearby/accessory/lamp/peer/\(peer)/session"
            let isRanging = Waiting.until {
                site.consumer.messages.last { $0.topic == topic }?.text.contains("\"state\":\"ranging\"") == true
            }
            #expect(isRanging, "\(site.bridge.log)")
        }
        // Nothing of it is kept or told anywhere else.
        let secret = "1baf75655238"
        #expect(!site.bridge.log.contains(secret))
        #expect(try site.retained().allSatisfy { !$0.key.hasSuffix("/shareable") && !$0.value.contains(secret) })
        #expect(try site.retained().keys.allSatisfy { !$0.contains("/peer/alice/config") })
    }

    /// Accessories of two vendors and of all versions, and what real phones gave (section 4 of the reference).
    private static let captures = [
        ("01000000140000000000000000000015010001003ff50300b80b0000000001010111d71900", s1),
        (
            "01000000000000000000000000000015010001003ff50300b80b0000000001010112001900",
            "01000100194555a85f00000b090600100ec60003397b28d4b8d787b46400"
        ),
        ("01000000140000000000000000000015010001003211100046013100000006040105da6400", s2),
        (
            "010000001400000000000000000000200200000000000000000000000000020001bbaa3200000000000106006009f000",
            "0100010019455546a500000b090600100ea20003dfebb5c5b80170c8c800"
        ),
    ]

    @Test("What accessories of several vendors and real phones sent goes through bit for bit", arguments: captures)
    func captured(_ accessory: String, _ phone: String) throws {
        let site = try Site(set: ["session.shareable=relay", "accessories.lamp.peers.alice.name=alice"])
        try site.configure("lamp", [1] + bytes(accessory))
        #expect(Waiting.until { !questions(site, "alice").isEmpty }, "\(site.bridge.log)")
        #expect(try questions(site, "alice") == [bytes(accessory)])
        try share(site, "alice", bytes(phone))
        try site.waitForStarts(1)
        #expect(try site.starts() == [[0x0B] + bytes(phone)])
    }

    @Test("A phone that does not answer is asked again with a new run")
    func ladder() throws {
        let site = try Site(set: Site.quick + ["session.shareable=relay", "session.timeouts.shareable=1500ms"])
        try site.configure()
        try site.waitForNews("session_timeout shareable")
        let isStarted = Waiting.until {
            // What comes between two questions does not count.
            try? share(site, nil, bytes(Self.s1))
            Waiting.sleep(milliseconds: 100)
            return !site.starts().isEmpty
        }
        try #require(isStarted, "\(site.bridge.log)")
        try site.report(5, for: 0.3)
        try site.waitForSession("ranging")
        #expect(try site.news().map(\.summary).contains("session_retry rerun"))
        #expect(try site.session()?.run ?? 0 > 1)
    }

    @Test("Data that was cut is told with the reason, and the right one still counts")
    func malformed() throws {
        let site = try Site(set: ["session.shareable=relay", "session.timeouts.shareable=60s"])
        try site.configure()
        try site.waitForSession("configuring")
        try share(site, nil, Array(bytes(Self.s1).prefix(20)))
        try site.waitForNews("configuration_rejected")
        #expect(try site.news().last?.reason?.isEmpty == false)
        try share(site, nil, bytes(Self.s1))
        try site.waitForStarts(1)
    }

    @Test("A phone that nobody configured asks for a run, and ends it with a reason")
    func request() throws {
        let site = try Site(set: Site.quick + ["session.shareable=auto"])
        try site.configure()
        try site.waitForStarts(1)
        #expect(try site.ask("start", "{\"accessory\":\"lamp\",\"peer\":\"carol\"}").data?.session == "configuring")
        #expect(Waiting.until { questions(site, "carol").count == 1 })
        try share(site, "carol", bytes(Self.s1))
        try site.waitForStarts(2)
        let answer = try site.ask("stop", "{\"accessory\":\"lamp\",\"peer\":\"carol\",\"reason\":\"peer_ended\"}")
        #expect(answer.data?.session == "ended")
    }
}
