// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import TestSupport
import Testing

@testable import NearbyBridge
@testable import NearbyCore

struct RadioCommandPayloadTests {
    /// Accessory A1 and phone S1 of the reference, section 4.
    private static func session() throws -> FiRaSession {
        func bytes(_ text: String) throws -> [UInt8] { try Hexadecimal.decode(Array(text.utf8).span) }
        let accessory = try bytes("01000000140000000000000000000015010001003ff50300b80b0000000001010111d71900")
        let shareable = try bytes("010001001945554f4f00000b090600100eb400031baf75655238d891c800")
        return try FiRaSession(
            oppositeTo: AccessoryConfigurationData.decode(accessory.span),
            ShareableConfigurationData.decode(shareable.span)
        )
    }

    private func bytes(_ kind: RadioCommand.Kind) -> [UInt8] {
        RadioCommandPayload.bytes(of: RadioCommand(accessory: "lamp", peer: "gate-1", kind: kind, run: 7))
    }

    @Test("A radio is told its session in every form, keys sorted")
    func start() throws {
        let payload = bytes(.configureAndStart(try Self.session()))
        #expect(JSONText.fault(payload) == nil)
        let object = try #require(JSONText.object(payload))
        #expect(object.keys.sorted() == ["cli", "command", "fira", "ids", "run", "session_id", "uci"])
        #expect(object["command"] as? String == "configure_and_start")
        #expect(object["run"] as? Int == 7 && object["session_id"] as? Int == 0x4F4F)
        #expect((object["cli"] as? String)?.hasPrefix("RESPF -CHAN=9 ") == true)
        let packets = try #require(object["uci"] as? [String])
        #expect(packets.count == 3 && packets[0] == "210000054f4f000000" && packets[2] == "220000044f4f0000")
        let configuration = try Hexadecimal.decode(Array(packets[1].utf8).span)
        #expect(try UCICommand.decode(configuration.span) == .sessionSetAppConfig(try Self.session()))
    }

    @Test("Every parameter stands there by its name, with its value and with UCI's number")
    func parameters() throws {
        let object = try #require(JSONText.object(bytes(.configureAndStart(try Self.session()))))
        let values = try #require(object["fira"] as? [String: Any])
        let numbers = try #require(object["ids"] as? [String: Int])
        #expect(values.count == FiRaParameter.allCases.count)
        #expect(values["CHANNEL_NUMBER"] as? Int == 9 && values["PREAMBLE_CODE_INDEX"] as? Int == 11)
        #expect(values["RANGING_DURATION"] as? Int == 180 && values["SLOT_DURATION"] as? Int == 3600)
        #expect(values["DEVICE_MAC_ADDRESS"] as? Int == 0x91D8 && values["DST_MAC_ADDRESS"] as? Int == 0xD711)
        #expect(values["DEVICE_TYPE"] as? Int == 0 && values["DEVICE_ROLE"] as? Int == 0)
        #expect(values["VENDOR_ID"] as? Int == 0x4C && values["STATIC_STS_IV"] as? String == "1baf75655238")
        for parameter in FiRaParameter.allCases { #expect(numbers[parameter.name] == Int(parameter.rawValue)) }
    }

    @Test("What cannot be typed is told instead of a line")
    func refused() throws {
        func text(_ change: (inout FiRaSession) -> Void) throws -> String {
            var session = try Self.session()
            change(&session)
            let payload = bytes(.configureAndStart(session))
            #expect(JSONText.fault(payload) == nil)
            let object = try #require(JSONText.object(payload))
            #expect(object["cli"] == nil && (object["uci"] as? [String])?.count == 3)
            return try #require(object["cli_refused"] as? String)
        }
        #expect(try text { $0.interval = 774 }.hasSuffix("intervals of 100 to 500 ms, not 774"))
        #expect(try text { $0.channel = 6 }.hasSuffix("channels 5 and 9, not 6"))
        #expect(try text { $0.preamble = 25 }.hasSuffix("preamble codes 9 to 12, not 25"))
        #expect(try text { $0.slotDuration = 13_200 }.hasSuffix("slots of 1200 to 12000 RSTU, not 13200"))
        #expect(try text { $0.sessionID = .max }.hasSuffix("session ids up to 2147483647, not 4294967295"))
        #expect(try text { $0.roundControl = 6 }.hasSuffix("no ranging round control 6"))
    }

    @Test("A stop names the session if it is known")
    func stop() throws {
        let known = String(decoding: bytes(.stop(sessionID: 0x4F4F)), as: UTF8.self)
        #expect(
            known
                == #"{"cli":"STOP","command":"stop","run":7,"session_id":20303,"uci":["220100044f4f0000","210100044f4f0000"]}"#
        )
        let unknown = String(decoding: bytes(.stop(sessionID: nil)), as: UTF8.self)
        #expect(unknown == #"{"cli":"STOP","command":"stop","run":7,"session_id":null,"uci":[]}"#)
    }
}
