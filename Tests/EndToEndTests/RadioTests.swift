// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyCore

@Suite(.onItsOwnThread)
struct RadioTests {
    /// What a radio is told, as far as a radio looks at it.
    private struct Told: Decodable {
        var command: String
        var run: Int64
        var sessionID: UInt32?
        var uci: [String]
        var cli: String?

        private enum CodingKeys: String, CodingKey {
            case command, run, uci, cli
            case sessionID = "session_id"
        }
    }

    private static let radio = "nearby/accessory/lamp/peer/gate-1/command"

    private func told(_ site: Site) throws -> [Told] {
        try site.consumer.messages.filter { $0.topic == Self.radio }.map { try $0.decoded() }
    }

    /// The session in the packets that a radio got.
    private func session(in told: Told) throws -> FiRaSession {
        let bytes = try Hexadecimal.decode(Array(try #require(told.uci.dropFirst().first).utf8).span)
        guard case .sessionSetAppConfig(let session) = try UCICommand.decode(bytes.span) else {
            throw UCICommandError.truncated
        }
        return session
    }

    @Test("Accessory and radio are told one run from both ends, it ends at both, and nothing of it stays or shows")
    func run() throws {
        let peer = "accessories.lamp.peers.0x0001"
        let site = try Site(set: Site.quick + ["\(peer).name=gate-1", "\(peer).radio=true", "log.level=debug"])
        try site.configure()
        try site.waitForStarts(1)
        _ = Waiting.until { (try? told(site).count) ?? 0 >= 1 }
        let first = try #require(try told(site).first, "\(site.bridge.log)")
        let begun = try session(in: first)
        let bare = Array(site.starts()[0].dropFirst())
        let shareable = try ShareableConfigurationData.decode(bare.span)
        let parameters = try #require(shareable.parameters)
        #expect(begun.stsIV == parameters.stsIV && begun.sessionID == parameters.sessionID)
        #expect(begun.address.value == 1 && parameters.destinationAddress.value == 1)
        #expect(first.command == "configure_and_start" && first.run == 1 && first.sessionID == begun.sessionID)
        #expect(first.cli?.hasPrefix("RESPF ") == true)
        // Its reports name the radio by its address, and are told under its name.
        try site.report(2, for: 0.5, peer: "0x0001")
        try site.waitForNews("session_started", of: "lamp/peer/gate-1")
        #expect(try site.ask("stop", "{\"accessory\":\"lamp\",\"peer\":\"gate-1\"}").data?.session == "ended")
        _ = Waiting.until { (try? told(site).count) ?? 0 >= 2 }
        let last = try #require(try told(site).last)
        #expect(last.command == "stop" && last.run == 1 && last.sessionID == begun.sessionID && last.uci.count == 2)
        #expect(site.commands().last == [0x0C])
        // The next run has nothing of this one.
        _ = try site.ask("start", "{\"accessory\":\"lamp\",\"peer\":\"gate-1\"}")
        try site.configure()
        _ = Waiting.until { (try? told(site).count) ?? 0 >= 3 }
        let next = try session(in: try #require(try told(site).last))
        #expect(next.stsIV != begun.stsIV && next.sessionID != begun.sessionID)
        // Nothing is kept, and nothing else tells the key.
        let commands = site.consumer.messages.filter { $0.topic.hasSuffix("/command") }
        #expect(commands.allSatisfy { !$0.isRetained })
        #expect(try site.retained().keys.allSatisfy { !$0.hasSuffix("/command") })
        var others = site.consumer.messages.filter { !$0.topic.hasSuffix("/command") }.map(\.text)
        others += try site.retained().values
        others.append(site.bridge.log)
        let everything = others.joined(separator: "\n").lowercased()
        #expect(everything.contains("gate-1"))
        for session in [begun, next] {
            let key = session.stsIV.bytes
            #expect(!everything.contains(Site.text(key)))
            #expect(!everything.contains(key.map { Site.text([$0]) }.joined(separator: ":")))
        }
    }
}
