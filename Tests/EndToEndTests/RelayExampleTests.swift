// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import MosquittoClient
import TestSupport
import Testing

@testable import RelayExample

/// The example of a phone, against a real broker and the real bridge.
@Suite(.onItsOwnThread)
struct RelayExampleTests {
    /// The app's MQTT library.
    private final class Link: MessageLink {
        let client: MQTTTestClient
        private var seen = 0

        init(_ client: MQTTTestClient) { self.client = client }

        func subscribe(to topic: String) { _ = try? client.subscribe(topic) }

        func publish(_ payload: Data, to topic: String, isReliable: Bool) {
            _ = try? client.publish(
                topic,
                bytes: Array(payload),
                qualityOfService: isReliable ? .atLeastOnce : .atMostOnce
            )
        }

        /// Hands over what has arrived since.
        func deliver(to relay: RelayController) {
            let messages = client.messages
            for message in messages[seen...] { relay.receive(Data(message.payload), on: message.topic) }
            seen = messages.count
        }
    }

    private let site: Site
    private let link: Link
    private let relay: RelayController

    init() throws {
        site = try Site(set: Site.quick + ["session.shareable=auto", "session.timeouts.shareable=1s"])
        link = Link(try MQTTTestClient(port: site.broker.port, clientIdentifier: "anna-phone"))
        relay = RelayController(accessory: "lamp", peer: "anna-phone", link: link)
    }

    private func wait(for state: String, _ meanwhile: () -> Void = {}) {
        let topic = "nearby/accessory/lamp/peer/anna-phone/session"
        let isThere = Waiting.until {
            link.deliver(to: relay)
            meanwhile()
            return site.consumer.messages.last { $0.topic == topic }?.text.contains("\"state\":\"\(state)\"") == true
        }
        #expect(isThere, "not \(state)\n\(site.bridge.log)")
    }

    private func events() throws -> [String] {
        try site.consumer.messages.filter { $0.topic == "nearby/accessory/lamp/peer/anna-phone/event" }
            .map { try $0.decoded(SessionNews.self).summary }
    }

    /// Brings the phone to ranging, at this many metres.
    private func range(_ distance: Float) {
        relay.start()
        wait(for: "ranging") {
            guard let session = relay.session else { return }
            let object = NINearbyObject()
            object.distance = distance
            object.direction = [0, 0, -1]
            relay.session(session, didUpdate: [object])
            Waiting.sleep(milliseconds: 100)
        }
    }

    @Test("The phone of the example gets its run, reports, and is inside")
    func ranges() throws {
        try site.configure()
        try site.waitForStarts(1)
        range(1.2)
        #expect(site.starts().count == 2)
        #expect(relay.session?.runs == 1)
        range(1.2)
        #expect(try events().first == "session_started")
        let isInside = Waiting.until {
            if let session = relay.session {
                let object = NINearbyObject()
                object.distance = 1.2
                relay.session(session, didUpdate: [object])
            }
            Waiting.sleep(milliseconds: 100)
            return (try? events().contains("zone_enter immediate")) == true
        }
        #expect(isInside, "\(site.bridge.log)")
    }

    @Test("A run that falls silent is begun anew with other data, by the same session")
    func silence() throws {
        try site.configure()
        range(5)
        let isAsked = Waiting.until {
            link.deliver(to: relay)
            return relay.session?.runs == 2
        }
        #expect(isAsked, "\(site.bridge.log)")
        try site.waitForStarts(3)
        #expect(Set(site.starts()).count == site.starts().count)
        #expect(try events().contains("session_timeout ranging"))
    }

    @Test("The background is a suspension, its end a new run, and the phone's end is told as such")
    func life() throws {
        try site.configure()
        range(5)
        let session = try #require(relay.session)
        relay.sessionWasSuspended(session)
        wait(for: "suspended")
        relay.sessionSuspensionEnded(session)
        wait(for: "awaiting_configuration")
        try site.configure()
        wait(for: "starting")
        relay.session(session, didInvalidateWith: NIError(.userDidNotAllow))
        wait(for: "invalidated")
        #expect(relay.session == nil)
        #expect(try events().contains("session_invalidated user_did_not_allow"))
        relay.start()
        wait(for: "awaiting_configuration")
        try site.configure()
        wait(for: "starting")
        relay.stop()
        wait(for: "ended")
        #expect(try events().last == "session_ended peer_ended")
    }
}
