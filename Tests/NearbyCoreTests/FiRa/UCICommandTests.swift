// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyCore

@Suite struct UCICommandTests {
    /// Written by hand from sections 3, 4 and 7 of the reference: accessory A1, phone S1.
    private static let configuration = """
        21 03 00 50  4f 4f 00 00  15
        00 01 00  01 01 02  02 01 00  03 01 00  04 01 09  05 01 01
        06 02 d8 91  07 02 11 d7  08 02 10 0e  09 04 b4 00 00 00  0c 01 03
        11 01 00  12 01 03  14 01 0b  1a 01 01  1b 01 06  22 01 01  26 01 00
        27 02 4c 00  28 06 1b af 75 65 52 38  2c 01 00
        """

    @Test("The packets of a run are these bytes")
    func vectors() throws {
        let session = try FiRaFixtures.captured()
        let start = UCICommand.start(session).map(\.encoded)
        let expected = ["21 00 00 05 4f 4f 00 00 00", Self.configuration, "22 00 00 04 4f 4f 00 00"]
        #expect(start == expected.map(FiRaFixtures.bytes))
        let stop = UCICommand.stop(session.sessionID).map(\.encoded)
        #expect(stop == ["22 01 00 04 4f 4f 00 00", "21 01 00 04 4f 4f 00 00"].map(FiRaFixtures.bytes))
    }

    @Test("An accessory that answers has a radio that begins")
    func controller() throws {
        let session = try FiRaFixtures.captured(AccessoryFixtures.a6WithHeader)
        let packet = UCICommand.sessionSetAppConfig(session).encoded
        let other = FiRaFixtures.bytes(Self.configuration)
        // The two roles and the accessory's address; all else is the phone's.
        let differing = packet.indices.filter { packet[$0] != other[$0] }
        #expect(packet.count == other.count && differing.map { packet[$0] } == [1, 0xAA, 0xAA, 1])
    }

    @Test("A message in two segments reads as one")
    func segments() throws {
        let session = try FiRaFixtures.captured()
        let payload = UCICommand.sessionSetAppConfig(session).encoded.dropFirst(4)
        for cut in 0...payload.count {
            let first = [0x31, 0x03, 0, UInt8(cut)] + payload.prefix(cut)
            let bytes = first + [0x21, 0x03, 0, UInt8(payload.count - cut)] + payload.dropFirst(cut)
            #expect(try UCICommand.decode(bytes.span) == .sessionSetAppConfig(session))
        }
    }

    @Test("Every prefix is refused, and so is a byte more")
    func prefixes() throws {
        let session = try FiRaFixtures.captured()
        for command in UCICommand.start(session) + UCICommand.stop(7) {
            let bytes = command.encoded
            for count in 0..<bytes.count {
                #expect(throws: UCICommandError.truncated) {
                    let prefix = Array(bytes.prefix(count))
                    return try UCICommand.decode(prefix.span)
                }
            }
            let longer = bytes + [0]
            #expect(throws: UCICommandError.trailingBytes) { try UCICommand.decode(longer.span) }
        }
    }

    @Test(
        "What is wrong is said, and never the value",
        arguments: [
            ("41 00 00 01 00", .notCommand(type: 2)),
            ("62 00 00 00", .notCommand(type: 3)),
            ("21 05 00 04 00 00 00 00", .unknownCommand(group: 1, opcode: 5)),
            ("23 00 00 04 00 00 00 00", .unknownCommand(group: 3, opcode: 0)),
            ("21 00 00 05 01 00 00 00 d0", .sessionType(0xD0)),
            ("21 03 00 08 01 00 00 00 01 99 01 00", .unknownParameter(0x99)),
            ("21 03 00 09 01 00 00 00 01 04 02 09 00", .wrongParameterLength(.channelNumber, 2)),
            ("21 03 00 0b 01 00 00 00 02 04 01 09 04 01 09", .duplicateParameter(.channelNumber)),
            ("21 03 00 05 01 00 00 00 00", .missingParameter(.rangingRoundUsage)),
        ] as [(String, UCICommandError)]
    )
    func faults(_ text: String, _ error: UCICommandError) {
        let bytes = FiRaFixtures.bytes(text)
        #expect(throws: error) { try UCICommand.decode(bytes.span) }
    }

    @Test("Without any one parameter, or with another implied value, it is no session of Nearby Interaction")
    func parameters() throws {
        let session = try FiRaFixtures.captured()
        for left in FiRaParameter.allCases {
            var values: [FiRaParameter: SecretBytes] = [:]
            for parameter in FiRaParameter.allCases { values[parameter] = SecretBytes(session.bytes(of: parameter)) }
            #expect(try FiRaSession(id: session.sessionID, values) == session)
            values[left] = nil
            #expect(throws: UCICommandError.missingParameter(left)) { try FiRaSession(id: 1, values) }
            guard left.implied != nil || left == .deviceType else { continue }
            values[left] = SecretBytes(session.bytes(of: left).map { $0 ^ 0x40 })
            #expect(throws: UCICommandError.unexpectedValue(left)) { try FiRaSession(id: 1, values) }
        }
    }

    @Test("No bytes trap, whatever they are")
    func rubbish() throws {
        let good = UCICommand.sessionSetAppConfig(try FiRaFixtures.captured()).encoded
        var read = 0
        for seed in UInt64(1)...20_000 {
            var random = SeededGenerator(seed: seed)
            var bytes = good
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if let command = try? UCICommand.decode(bytes.span) {
                read += 1
                #expect(try UCICommand.decode(command.encoded.span) == command)
            }
        }
        #expect(read > 0 && read < 20_000)
    }
}
