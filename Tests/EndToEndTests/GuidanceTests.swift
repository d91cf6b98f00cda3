// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import MosquittoClient
import TestSupport
import Testing

/// What devices can, what can be measured, and how far camera assistance has come, over a real broker.
@Suite(.onItsOwnThread)
struct GuidanceTests {
    private struct State: Decodable {
        struct Answer: Decodable, Equatable {
            var available: Bool
            var reason: String?
            var hint: String?
        }
        struct Convergence: Decodable, Equatable {
            var status: String
            var reasons: [String]
            var hint: String?
        }
        var name: String?
        var capabilities: [String]?
        var convergence: Convergence?
        var guidance: [String: Answer]?
        var distance: Double?
        var horizontalAngle: Double?
        var worldPosition: [Double]?
        var vertical: String?
        var seq: Int64?

        enum CodingKeys: String, CodingKey {
            case name, capabilities, convergence, guidance, distance, vertical, seq
            case horizontalAngle = "horizontal_angle"
            case worldPosition = "world_position"
        }
    }

    private struct Told: Decodable {
        var type: String
        var seq: Int64
        var status: String?
        var reasons: [String]?
        var hint: String?
    }

    private struct Session: Decodable {
        var kind: String
        var state: String
        var networkIdentifier: Int64?

        enum CodingKeys: String, CodingKey {
            case kind, state
            case networkIdentifier = "network_identifier"
        }
    }

    private func state(_ site: Site, peer: String? = nil) throws -> State? {
        let level = peer.map { "/peer/\($0)" } ?? ""
        return try site.consumer.messages.last { $0.topic == site.topic("accessory/lamp\(level)/state") }?.decoded()
    }

    private func convergences(_ site: Site, peer: String? = nil) throws -> [Told] {
        let level = peer.map { "/peer/\($0)" } ?? ""
        let all: [Told] = try site.consumer.messages.filter { $0.topic == site.topic("accessory/lamp\(level)/event") }
            .map { try $0.decoded() }
        return all.filter { $0.type == "convergence" }
    }

    /// Reports until something is as it should be.
    private func report(_ fields: String, of site: Site, until isDone: () throws -> Bool) throws {
        let has = Waiting.until {
            _ = try? site.source.publish(
                site.topic("accessory/lamp/report"),
                "{\(fields)}",
                qualityOfService: .atMostOnce
            )
            Waiting.sleep(milliseconds: 100)
            return (try? isDone()) == true
        }
        try #require(has, "\(site.consumer.messages.last?.text ?? "")\n\(site.bridge.log)")
    }

    private let lighting = #""convergence":{"status":"not_converged","reasons":["insufficient_lighting"]}"#

    @Test("A phone without light is told so once, and once when it can see; a restart tells neither again")
    func phone() throws {
        let site = try Site(keepingState: true)
        try site.configure(
            "lamp",
            Array(#"{"technology":"ble-cs","name":"Desk lamp","capabilities":{"precise_distance":true}}"#.utf8)
        )
        // Whose camera helps is said by the peer's own capabilities.
        let topic = site.topic("bridge/request/accessory/options")
        try site.source.publish(
            topic,
            #"{"accessory":"lamp","options":{"peers":{"alice":{"capabilities":["camera_assistance"]}}},"transaction":"1"}"#
        )
        try report(#""distance":null,"peer":"alice","# + lighting, of: site) {
            try !convergences(site, peer: "alice").isEmpty
        }
        let event = try #require(try convergences(site, peer: "alice").first)
        #expect(event.status == "not_converged")
        #expect(event.reasons == ["insufficient_lighting"])
        #expect(event.hint == "more light: it is too dark for the camera")
        try report(#""distance":2,"peer":"alice","# + lighting, of: site) {
            try state(site, peer: "alice")?.guidance?["direction"]?.reason == "not_converged"
        }
        let waiting = try #require(try state(site, peer: "alice"))
        #expect(waiting.capabilities == ["camera_assistance"])
        #expect(waiting.convergence?.reasons == ["insufficient_lighting"])
        #expect(waiting.guidance?["distance"] == State.Answer(available: true))
        #expect(waiting.guidance?["direction"]?.hint == event.hint)
        #expect(try state(site)?.name == "Desk lamp")
        #expect(try state(site)?.capabilities == ["precise_distance"])

        let clear = #""convergence":{"status":"converged","reasons":[]},"horizontal_angle":0.25,"vertical":"above","#
        try report(clear + #""world_position":[1,0.5,-2],"distance":2,"peer":"alice""#, of: site) {
            try convergences(site, peer: "alice").count == 2 && state(site, peer: "alice")?.horizontalAngle == 0.25
        }
        let seeing = try #require(try state(site, peer: "alice"))
        #expect(seeing.guidance?["direction"] == State.Answer(available: true))
        #expect(seeing.worldPosition == [1, 0.5, -2])
        #expect(seeing.vertical == "above")
        #expect(try convergences(site).isEmpty)
        let last = try #require(try convergences(site, peer: "alice").last)
        #expect(last.status == "converged" && last.hint == nil)

        #expect(site.bridge.stop() != nil, "\(site.bridge.log)")
        try site.restartBridge()
        try report(clear + #""distance":2,"peer":"alice""#, of: site) {
            try state(site, peer: "alice")?.guidance?["distance"]?.available == true
        }
        #expect(try convergences(site, peer: "alice").isEmpty)
        #expect(try state(site)?.name == "Desk lamp")
        #expect(try state(site)?.capabilities == ["precise_distance"])
        #expect(try state(site, peer: "alice").map { ($0.seq ?? 0) >= last.seq } == true)
    }

    @Test("DL-TDoA: a session without an exchange, and zones by the distance to where the accessory stands")
    func downlink() throws {
        let site = try Site()
        try site.configure("lamp", Array(#"{"technology":"dl-tdoa","network_identifier":4660}"#.utf8))
        _ = Waiting.until {
            (try? site.source.publish(site.topic("accessory/lamp/report"), #"{"position":[11,5]}"#)) != nil
                && site.bridge.log.contains("set accessories.<id>.position")
        }
        #expect(site.bridge.log.contains("set accessories.<id>.position"), "\(site.bridge.log)")
        #expect(site.events().isEmpty)
        let request = site.topic("bridge/request/accessory/options")
        try site.source.publish(
            request,
            #"{"accessory":"lamp","options":{"position":[10,5]},"transaction":"2"}"#
        )
        try report(#""position":[11,5],"peer":"alice""#, of: site) { site.events(of: "lamp", peer: "alice").count >= 2 }
        #expect(site.waitForEvents(2).map(\.summary) == ["enter near", "enter immediate"])
        #expect(try state(site, peer: "alice")?.distance == 1)
        let topic = site.topic("accessory/lamp/session")
        let session: Session = try #require(site.consumer.messages.last { $0.topic == topic }).decoded()
        #expect(session.kind == "dl-tdoa")
        #expect(session.state == "external")
        #expect(session.networkIdentifier == 4660)
        #expect(site.commands().isEmpty)
        let answer = try site.ask("start", #"{"accessory":"lamp","transaction":"3"}"#)
        #expect(answer.status == "error")
        #expect(answer.error?.hasPrefix("accessory: ") == true, "\(answer)")
    }
}
