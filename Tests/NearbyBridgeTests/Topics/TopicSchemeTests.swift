// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NearbyBridge

struct TopicSchemeTests {
    static let bases = ["nearby", "home/floor-2/uwb", "a", "nearby/accessory", "accessory/x/report"]

    /// What a topic is, with the bytes that it names as text.
    private func parse(_ topic: String, base: String = "nearby") -> String {
        let bytes = Array(topic.utf8)
        switch TopicScheme(base: base).parse(bytes.span) {
        case .report(let range): return "report of \(String(decoding: bytes[range], as: UTF8.self))"
        case .configuration(let range): return "configuration of \(String(decoding: bytes[range], as: UTF8.self))"
        case .message(let range): return "message of \(String(decoding: bytes[range], as: UTF8.self))"
        case .shareable(let range, let peer):
            let name = peer.map { String(decoding: bytes[$0], as: UTF8.self) }
            return "shareable of \(String(decoding: bytes[range], as: UTF8.self)) from \(name ?? "-")"
        case .availability(let range): return "availability of \(String(decoding: bytes[range], as: UTF8.self))"
        case .request(let range): return "request \(String(decoding: bytes[range], as: UTF8.self))"
        case .other: return "other"
        }
    }

    @Test(arguments: bases)
    func `every topic stands below the base`(_ base: String) {
        let topics = TopicScheme(base: base)
        let built = [
            topics.bridgeState: "bridge/state",
            topics.bridgeInfo: "bridge/info",
            topics.bridgeHealth: "bridge/health",
            topics.bridgeAccessories: "bridge/accessories",
            topics.bridgeEvent: "bridge/event",
            topics.bridgeLogging: "bridge/logging",
            topics.request("health"): "bridge/request/health",
            topics.response("accessory/start"): "bridge/response/accessory/start",
            topics.sentinel("17"): "bridge/start/17",
            topics.report(of: "lamp"): "accessory/lamp/report",
            topics.configuration(of: "lamp"): "accessory/lamp/config",
            topics.message(of: "lamp"): "accessory/lamp/message",
            topics.availability(of: "lamp"): "accessory/lamp/availability",
            topics.command(of: "lamp"): "accessory/lamp/command",
            topics.command(of: "lamp", peer: "gate"): "accessory/lamp/peer/gate/command",
            topics.radioCommandFilter: "accessory/+/peer/+/command",
            topics.configuration(of: "lamp", for: "alice"): "accessory/lamp/peer/alice/config",
            topics.shareable(of: "lamp", from: nil): "accessory/lamp/shareable",
            topics.shareable(of: "lamp", from: "alice"): "accessory/lamp/peer/alice/shareable",
            topics.state(of: "lamp", peer: nil): "accessory/lamp/state",
            topics.session(of: "lamp", peer: nil): "accessory/lamp/session",
            topics.event(of: "lamp", peer: nil): "accessory/lamp/event",
            topics.zone("near", of: "lamp", peer: nil): "accessory/lamp/zone/near",
            topics.state(of: "lamp", peer: "alice"): "accessory/lamp/peer/alice/state",
            topics.session(of: "lamp", peer: "alice"): "accessory/lamp/peer/alice/session",
            topics.event(of: "lamp", peer: "alice"): "accessory/lamp/peer/alice/event",
            topics.zone("near", of: "lamp", peer: "alice"): "accessory/lamp/peer/alice/zone/near",
            topics.reportFilter: "accessory/+/report",
            topics.requestFilter: "bridge/request/#",
            topics.eventFilter: "accessory/+/event",
            topics.peerEventFilter: "accessory/+/peer/+/event",
        ]
        #expect(built.count == 31)
        for (topic, rest) in built { #expect(topic == "\(base)/\(rest)") }
        #expect(
            topics.startFilters(token: "17")
                == [
                    "bridge/state", "bridge/info", "bridge/response/health", "bridge/start/17", "accessory/+/state",
                    "accessory/+/zone/+", "accessory/+/session", "accessory/+/peer/+/state",
                    "accessory/+/peer/+/zone/+", "accessory/+/peer/+/session",
                    "group/+/state", "group/+/zone/+", "group/+/peer/+/nearest",
                ].map { "\(base)/\($0)" }
        )
    }

    @Test func `shareable configuration data names the accessory and the phone, if it has a name`() {
        #expect(parse("nearby/accessory/lamp/shareable") == "shareable of lamp from -")
        #expect(parse("nearby/accessory/lamp/peer/alice/shareable") == "shareable of lamp from alice")
        #expect(parse("nearby/accessory//peer//shareable") == "shareable of  from ")
        for topic in [
            "nearby/accessory/shareable", "nearby/accessory/lamp/peer/shareable",
            "nearby/accessory/lamp/alice/shareable",
            "nearby/accessory/lamp/peer/a/b/shareable", "nearby/accessory/peer/a/shareable", "nearby/peer/a/shareable",
            "nearby/accessory/lamp/peer/alice/shareable/x", "nearby/accessory/lamp/peers/alice/shareable",
        ] {
            #expect(parse(topic) == "other", "\(topic)")
        }
    }

    @Test(arguments: bases)
    func `a zone topic gives its zone's name and no other topic does`(_ base: String) {
        let topics = TopicScheme(base: base)
        for peer in [nil, "alice"] {
            #expect(topics.zoneName(topics.zone("near", of: "lamp", peer: peer)) == "near")
            #expect(topics.zoneName(topics.state(of: "lamp", peer: peer)) == nil)
        }
        #expect(topics.zoneName("\(base)/accessory/lamp/zone/near/more") == nil)
        #expect(topics.zoneName("elsewhere/accessory/lamp/zone/near") == nil)
    }

    @Test(arguments: bases)
    func `what is built is parsed back`(_ base: String) {
        let topics = TopicScheme(base: base)
        #expect(parse(topics.report(of: "forklift-17"), base: base) == "report of forklift-17")
        #expect(parse(topics.configuration(of: "lamp"), base: base) == "configuration of lamp")
        #expect(parse(topics.message(of: "lamp"), base: base) == "message of lamp")
        #expect(parse(topics.availability(of: "lamp"), base: base) == "availability of lamp")
        #expect(parse(topics.command(of: "lamp"), base: base) == "other")
        #expect(parse(topics.request("accessory/start"), base: base) == "request accessory/start")
        for peer in [nil, "alice"] {
            let stream = topics.stateStream(topics.state(of: "lamp", peer: peer))
            #expect(stream?.accessory == "lamp")
            #expect(stream?.peer == peer)
            #expect(topics.stateStream(topics.session(of: "lamp", peer: peer)) == nil)
            #expect(topics.sessionStream(topics.session(of: "lamp", peer: peer)) == stream)
            #expect(topics.sessionStream(topics.state(of: "lamp", peer: peer)) == nil)
            #expect(topics.stateStream(topics.zone("state", of: "lamp", peer: peer)) == nil)
            #expect(parse(topics.state(of: "lamp", peer: peer), base: base) == "other")
        }
        #expect(topics.stateStream(topics.bridgeState) == nil)
    }

    @Test(arguments: [
        ("nearby/accessory/lamp/report", "report of lamp"),
        ("nearby/accessory/report/report", "report of report"),
        ("nearby/accessory/ä b/report", "report of ä b"),
        // An empty identifier is a matter for the engine, which refuses it aloud.
        ("nearby/accessory//report", "report of "),
        ("nearby/accessory/lamp/config", "configuration of lamp"),
        ("nearby/accessory/lamp/message", "message of lamp"),
        ("nearby/accessory/lamp/availability", "availability of lamp"),
        ("nearby/accessory/config/config", "configuration of config"),
        ("nearby/accessory/lamp/command", "other"),
        ("nearby/accessory/lamp/peer/alice/config", "other"),
        ("nearby/accessory/report", "other"),
        ("nearby/accessory/", "other"),
        ("nearby/accessory/a/b/report", "other"),
        ("nearby/accessory/lamp/peer/alice/report", "other"),
        ("nearby/accessory/lamp/reports", "other"),
        ("nearby/accessory/lamp/report/", "other"),
        ("nearby/accessory/lampreport", "other"),
        ("nearbyaccessory/lamp/report", "other"),
        ("/nearby/accessory/lamp/report", "other"),
        ("Nearby/accessory/lamp/report", "other"),
        ("nearby/bridge/request/health", "request health"),
        ("nearby/bridge/request/zone/explain", "request zone/explain"),
        ("nearby/bridge/request/", "request "),
        ("nearby/bridge/request", "other"),
        ("nearby/bridge/response/health", "other"),
        ("nearby", "other"),
        ("", "other"),
    ])
    func `a topic is what it is`(_ topic: String, _ expected: String) {
        #expect(parse(topic) == expected)
    }

    @Test(arguments: [
        "nearby/accessory/lamp", "nearby/accessory/lamp/peer/state", "nearby/accessory/lamp/peer/alice/bob/state",
        "nearby/accessory/lamp/peers/alice/state", "nearby/accessory/lamp/state/", "nearby/accessory/state",
        "other/accessory/lamp/state", "",
    ])
    func `other topics are no states`(_ topic: String) {
        #expect(TopicScheme(base: "nearby").stateStream(topic) == nil)
    }

    @Test func `any cut of a topic is parsed without a trap`() {
        let topic = Array("nearby/accessory/lamp/report".utf8)
        let topics = TopicScheme(base: "nearby")
        for length in 0..<topic.count {
            let cut = Array(topic[..<length])
            #expect(topics.parse(cut.span) == .other)
            #expect(topics.stateStream(String(decoding: cut, as: UTF8.self)) == nil)
        }
    }
}
