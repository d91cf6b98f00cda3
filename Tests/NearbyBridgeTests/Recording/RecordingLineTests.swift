// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import TestSupport
import Testing

@testable import NearbyBridge

struct RecordingLineTests {
    private func line(_ topic: String, _ payload: [UInt8], withSecrets: Bool = false) -> String {
        var line = RecordingLine()
        let message = RecordingLine.Message(topic: topic, payload: payload, qualityOfService: 1, isRetained: false)
        let bytes = line.message(message, at: 1.25, unixNanoseconds: 0, withSecrets: withSecrets)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let start =
        #"{"command":"configure_and_start","data":"dead","run":1}"#
    private static let name = "nearby/accessory/lamp/"

    @Test func `text stays text, anything else becomes hexadecimal`() {
        #expect(
            line(Self.name + "report", Array("{\"distance\":1}".utf8)) == """
                {"payload":"{\\"distance\\":1}","qos":1,"retained":false,"t":1.25,"time":"1970-01-01T00:00:00.000Z",\
                "topic":"nearby/accessory/lamp/report"}

                """
        )
        #expect(line(Self.name + "config", [0x01, 0xFF]).contains(#"{"payload_hex":"01ff","#))
    }

    @Test func `a command that may hold key material leaves only its length`() {
        let secrets: [(String, [UInt8])] = [
            ("command", [0x0B, 0xDE, 0xAD]), ("command", Array(Self.start.utf8)), ("command", Array("dead".utf8)),
            ("command", Array(#"{"command":"stop","data":"dead"}"#.utf8)),
            ("shareable", Array("dead".utf8)), ("peer/alice/shareable", Array("dead".utf8)),
            ("peer/bob/token", Array("dead".utf8)), ("peer/bob/peer_token", [0xDE, 0xAD]),
            ("message", [0x0B, 0xDE, 0xAD]), ("message", Array("0bdead".utf8)),
        ]
        for (topic, payload) in secrets {
            let text = line(Self.name + topic, payload)
            #expect(text.contains("\"withheld\":\(payload.count)}"), "\(text)")
            #expect(!text.contains("dead"), "\(text)")
            #expect(!line(Self.name + topic, payload, withSecrets: true).contains("withheld"))
        }
    }

    @Test func `what holds no secret stays`() {
        let plain: [(String, [UInt8])] = [
            ("command", [0x0A]), ("command", [0x0C]), ("command", Array(#"{"command":"stop","run":1}"#.utf8)),
            ("command", []), ("message", [0x02]), ("message", [0x01, 0x02]), ("peer/alice/config", [0x0B, 1]),
        ]
        for (topic, payload) in plain { #expect(!line(Self.name + topic, payload).contains("withheld"), "\(topic)") }
    }
}
