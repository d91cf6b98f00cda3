// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyCore

@Suite struct FiRaSessionTests {
    @Test("Every fixture through mint, session and packets comes back equal", arguments: AccessoryFixtures.accessory)
    func roundTrip(_ text: String) throws {
        let accessory = try FiRaFixtures.accessory(text)
        for seed in UInt64(1)...100 {
            var random = SeededGenerator(seed: seed)
            let minted = try #require(ShareableDataSource().mint(for: accessory, using: &random))
            let session = try FiRaSession(oppositeTo: accessory, minted)
            for command in UCICommand.start(session) + UCICommand.stop(session.sessionID) {
                #expect(try UCICommand.decode(command.encoded.span) == command)
            }
            // And the packet says what the accessory was told, byte for byte.
            let told = try ShareableConfigurationData.decode(minted.encoded.span)
            let packet = UCICommand.sessionSetAppConfig(session).encoded
            guard case .sessionSetAppConfig(let read) = try UCICommand.decode(packet.span) else {
                Issue.record("another command")
                return
            }
            let parameters = try #require(told.parameters)
            #expect(read.sessionID == parameters.sessionID && read.stsIV == parameters.stsIV)
            #expect(read.channel == parameters.channel && read.preamble == parameters.preamble)
            #expect(UInt16(read.slotsPerRound) == parameters.timing.slotsPerRound)
            #expect(read.slotDuration == parameters.timing.slotDuration)
            #expect(read.interval == UInt32(parameters.timing.interval))
            #expect(read.hoppingMode == parameters.hoppingMode && read.roundControl == parameters.roundControl)
        }
    }

    @Test("The radio takes the other role, and each is the other's destination", arguments: AccessoryFixtures.accessory)
    func complement(_ text: String) throws {
        let accessory = try FiRaFixtures.accessory(text)
        let uwb = try #require(accessory.uwb)
        let shareable = try FiRaFixtures.shareable(AccessoryFixtures.s2)
        let session = try FiRaSession(oppositeTo: accessory, shareable)
        #expect(session.role.rawValue == 1 - uwb.role.rawValue)
        #expect(session.number(of: .deviceType) == session.number(of: .deviceRole))
        #expect(session.address == shareable.parameters?.destinationAddress)
        #expect(session.peerAddress == uwb.sourceAddress)
    }

    @Test("More slots than a byte holds are refused, not cut")
    func slots() throws {
        var scd = AccessoryFixtures.bytes(AccessoryFixtures.s1)
        // 262 slots would become 6.
        (scd[13], scd[14]) = (0x06, 0x01)
        let shareable = try ShareableConfigurationData.decode(scd.span)
        let accessory = try FiRaFixtures.accessory(AccessoryFixtures.a1)
        #expect(throws: FiRaSession.Refusal.slotsPerRound(262)) {
            try FiRaSession(oppositeTo: accessory, shareable)
        }
    }

    @Test("An accessory that is none of two-way ranging, or of no known version, has no radio at the other end")
    func refusals() throws {
        let shareable = try FiRaFixtures.shareable(AccessoryFixtures.s1)
        let anchor = AccessoryFixtures.bytes(AccessoryFixtures.a1, 32, 7)
        let accessory = try AccessoryConfigurationData.decode(anchor.span)
        #expect(throws: FiRaSession.Refusal.role(RangingRole(rawValue: 7))) {
            try FiRaSession(oppositeTo: accessory, shareable)
        }
        let unknown = try #require(SessionScenario.unknownVersion)
        #expect(throws: FiRaSession.Refusal.unknownVersion) { try FiRaSession(oppositeTo: unknown, shareable) }
    }

    @Test("The key shows in no description")
    func secret() throws {
        let session = try FiRaFixtures.captured()
        let command = RadioCommand(accessory: "lamp", peer: "gate", kind: .configureAndStart(session), run: 1)
        var text = "\(session) \(command) \(UCICommand.start(session)) " + String(reflecting: command)
        dump(command, to: &text)
        dump(BridgeEffect.radio(command), to: &text)
        #expect(text.contains("0x91D8"))
        let key = session.stsIV.bytes
        #expect(Hexadecimal.text(key.span) == "1baf75655238")
        let number = key.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        for form in ["1baf75655238", "27, 175, 117", "\(number)", "- 27\n"] { #expect(!text.contains(form)) }
    }
}
