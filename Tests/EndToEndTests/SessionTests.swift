// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyCore

@Suite(.onItsOwnThread)
struct SessionTests {
    @Test("Configuration data is answered with a start at once, in bytes, and the first range proves it")
    func handshake() throws {
        let site = try Site()
        try site.configure()
        try site.waitForStarts(1)
        let start = site.starts()[0]
        let bare = Array(start.dropFirst())
        #expect(try ShareableConfigurationData.decode(bare.span).encoded == bare)
        try site.waitForSession("starting")
        #expect(try site.session()?.configuration == Site.text(Site.configuration))
        #expect(try site.news().isEmpty)
        try site.report(5)
        try site.waitForSession("ranging")
        #expect(try site.news().map(\.summary) == ["session_started"])
        // The state comes behind the session.
        let isInState = Waiting.until {
            (try? site.retained()["nearby/accessory/lamp/state"])?.contains("\"session\":\"ranging\"") == true
        }
        #expect(isInState, "\(site.bridge.log)")
        let commands = site.consumer.messages.filter { $0.topic.hasSuffix("/command") }
        #expect(commands.allSatisfy { !$0.isRetained })
        #expect(try site.retained().keys.allSatisfy { !$0.hasSuffix("/command") })
    }

    @Test("An accessory that writes JSON is answered in JSON")
    func json() throws {
        let site = try Site()
        let text = Site.text(Site.configuration)
        try site.configure("lamp", Array("{\"data\":\"\(text)\"}".utf8))
        let message = try site.consumer.message(on: "nearby/accessory/lamp/command")
        #expect(KeyOrder.isSorted(message.payload))
        let command: SpokenCommand = try message.decoded()
        #expect(command.command == "configure_and_start")
        #expect(command.run == 1 && command.peer == nil)
        let digits = Array(try #require(command.data).utf8)
        let bytes = try Hexadecimal.decode(digits.span)
        _ = try ShareableConfigurationData.decode(bytes.span)
    }

    @Test("Silence and a start that brings nothing are told, and tried again with other key material")
    func ladder() throws {
        let site = try Site(set: Site.quick)
        try site.range("other")
        try site.range()
        let begin = site.starts().count
        // The other one goes on meanwhile.
        for _ in 0..<60 where site.starts().count < begin + 2 {
            try site.report(5, of: "other")
            Waiting.sleep(milliseconds: 100)
        }
        try site.waitForStarts(begin + 2)
        #expect(
            try site.news().map(\.summary).prefix(5) == [
                "session_started", "session_timeout ranging", "session_retry rerun", "session_timeout start",
                "session_retry rerun",
            ]
        )
        #expect(Set(site.starts()).count == site.starts().count)
        let states = try site.sessions().map(\.state)
        #expect(states.contains("silent") && states.contains("retrying"), "\(states)")
        #expect(try site.news(of: "other").map(\.summary) == ["session_started"])
        #expect(site.starts(of: "other").count == 1)
    }

    @Test("An accessory that says it stopped while a retry waits is not started again")
    func stopped() throws {
        let site = try Site(set: ["session.timeouts.start=1s", "session.retry.backoff=[2s]"])
        try site.configure()
        try site.waitForNews("session_retry rerun")
        let count = site.starts().count
        try site.source.publish("nearby/accessory/lamp/message", bytes: [3])
        try site.waitForSession("ended")
        Waiting.sleep(milliseconds: 3500)
        #expect(site.starts().count == count)
        #expect(try site.news().last?.summary == "session_ended accessory_stopped")
    }

    @Test("Every request does what it says, and an error names the field")
    func requests() throws {
        let site = try Site(set: Site.quick)
        try site.range()
        let lamp = "{\"accessory\":\"lamp\"}"
        #expect(try site.ask("suspend", lamp).data?.session == "suspended")
        #expect(try site.ask("resume", lamp).data?.session == "awaiting_configuration")
        #expect(try site.ask("stop", lamp).data?.session == "ended")
        #expect(try site.ask("start", lamp).data?.session == "awaiting_configuration")
        #expect(try site.ask("invalidate", "{\"accessory\":\"lamp\",\"code\":-5884}").data?.session == "invalidated")
        try site.waitForNews("session_invalidated user_did_not_allow")
        let faults = [
            ("start", "{}", "accessory"), ("stop", "{\"accessory\":\"nobody\"}", "accessory"),
            ("suspend", "{\"accessory\":5}", "accessory"),
            ("resume", "{\"accessory\":\"lamp\",\"peer\":\"a b\"}", "peer"),
            ("stop", "{\"accessory\":\"lamp\",\"peer\":\"stranger\"}", "peer"),
            ("invalidate", "{\"accessory\":\"lamp\",\"code\":\"x\"}", "code"),
            ("stop", "{\"accessory\":\"lamp\",\"reason\":\"bored\"}", "reason"),
        ]
        for (command, body, field) in faults {
            let answer = try site.ask(command, body)
            #expect(answer.status == "error", "\(command) \(body)")
            #expect(answer.error?.hasPrefix("\(field):") == true, "\(command) \(body): \(answer.error ?? "-")")
        }
    }

    @Test("A phone that ended its session is told of as such, and nothing is tried again")
    func peerEnded() throws {
        let site = try Site(set: Site.quick)
        try site.range()
        let answer = try site.ask("stop", "{\"accessory\":\"lamp\",\"reason\":\"peer_ended\"}")
        #expect(answer.data?.session == "ended")
        try site.waitForNews("session_ended peer_ended")
        Waiting.sleep(milliseconds: 2500)
        #expect(site.starts().count == 1)
        #expect(site.commands().last == [0x0C])
    }

    @Test("Each of several peers has its own session, and goes on with it when the bridge is killed")
    func peers() throws {
        let site = try Site()
        try site.report(5)
        try site.waitForSession("external")
        let data = "{\"data\":\"\(Site.text(Site.configuration))\"}"
        for peer in ["alice", "bob"] {
            _ = try site.ask("start", "{\"accessory\":\"lamp\",\"peer\":\"\(peer)\"}")
            try site.configure("lamp", Array(data.utf8))
        }
        _ = Waiting.until { site.commands().count >= 4 }
        let spoken = try site.spoken().map { "\($0.command) \($0.peer ?? "-") \($0.run)" }
        #expect(
            spoken == [
                "initialize alice 0", "configure_and_start alice 1", "initialize bob 0", "configure_and_start bob 1",
            ]
        )
        try site.report(5, for: 0.5, peer: "alice")
        try site.report(5, for: 0.5, peer: "bob")
        let started = try site.news(of: "lamp/peer/alice") + site.news(of: "lamp/peer/bob")
        #expect(started.map(\.summary) == ["session_started", "session_started"])
        site.bridge.kill()
        try site.restartBridge()
        for _ in 0..<70 {
            try site.report(5, for: 0.05, rate: 20, peer: "alice")
            try site.report(5, for: 0.05, rate: 20, peer: "bob")
        }
        #expect(site.commands().isEmpty)
        #expect(try site.news().isEmpty)
        #expect(try site.session(of: "lamp/peer/alice")?.state == "ranging")
        #expect(try site.session(of: "lamp/peer/bob")?.state == "ranging")
    }

    @Test("A bridge that is killed while ranging goes on without a word")
    func restart() throws {
        let site = try Site()
        try site.range()
        site.bridge.kill()
        try site.restartBridge()
        try site.report(5, for: 7)
        #expect(site.commands().isEmpty)
        #expect(try site.news().isEmpty)
        #expect(try site.session()?.state == "ranging")
        #expect(try site.session()?.run == 1)
        #expect(try site.state().distance != nil)
    }

    @Test("A broker that dies while a run starts brings no stale command back, but a new one")
    func broker() throws {
        let site = try Site(set: Site.quick, persistence: true)
        try site.configure()
        try site.waitForStarts(1)
        let old = site.starts()
        site.broker.kill()
        Waiting.sleep(milliseconds: 2500)
        try site.broker.restart(keepingData: true)
        try site.reconnectClients()
        try site.waitForStarts(1)
        #expect(Set(site.starts()).isDisjoint(with: Set(old)))
        try site.report(5, for: 0.5)
        try site.waitForSession("ranging")
    }

    @Test("Key material goes to the accessory and nowhere else")
    func secrets() throws {
        let site = try Site(set: Site.quick + ["log.level=debug"])
        try site.range()
        try site.waitForStarts(3)
        try site.source.publish("nearby/accessory/lamp/message", bytes: [3])
        try site.waitForSession("ended")
        var told = site.consumer.messages.filter { !$0.topic.hasSuffix("/command") }.map(\.text)
        told += try site.retained().values
        told.append(site.bridge.log)
        let everything = told.joined(separator: "\n").lowercased()
        #expect(everything.contains(Site.text(Site.configuration)))
        for start in site.starts() {
            // Behind the message id: the whole, and the vector within.
            for secret in [Array(start[1...]), Array(start[21..<27])] {
                #expect(!everything.contains(Site.text(secret)))
            }
        }
    }

    @Test("Configuration data cut at Bluetooth's default size is rejected with that hint")
    func cut() throws {
        let site = try Site()
        try site.configure("lamp", Array(Site.configuration.prefix(20)))
        try site.waitForNews("configuration_rejected")
        #expect(try site.news().first?.hint?.contains("MTU") == true)
        #expect(site.commands().isEmpty)
    }
}
