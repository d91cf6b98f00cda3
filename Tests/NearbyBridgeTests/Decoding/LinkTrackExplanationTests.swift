// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import TestSupport
import Testing

@testable import NearbyBridge

@Suite struct LinkTrackExplanationTests {
    /// reference/uwb-reports.md section 5.5: 2.850, 6.051, 7.304 and 5.350 m.
    private static let node3 =
        "55053200 02 01 f8110700 6fd06e00 00000102 5a13 04"
        + "0100220b00b59f 0101a31700b6a0 0102881c00aa9f 0103e61400b8a0 9a"
    private static let internet = "6a001d00004f0030 fadb0b00 00 01 005b002f 120100 a5f0 3c03 8f a5 00 8c"

    private func bytes(_ text: String) throws -> [UInt8] { try Hexadecimal.decode(Array(text.utf8).span) }

    private func explain(_ bytes: [UInt8]) throws -> Explanation {
        // Some cuts of a frame would be text.
        var input = try DecodeInput([0xFF], as: .linktrack, isText: false)
        input.bytes = bytes
        return try Explanation(input, as: .linktrack, showsSecrets: false)
    }

    private func values(_ name: String, in explanation: Explanation) -> [DecodedField.Value] {
        explanation.fields.filter { $0.name == name }.map(\.value)
    }

    @Test func `ranges of nodes are told in metres`() throws {
        let explanation = try explain(try bytes(Self.node3))
        #expect(explanation.warnings.isEmpty)
        let metres = [2.85, 6.051, 7.304, 5.35]
        #expect(values("distance", in: explanation) == metres.map { .quantity($0, decimals: 3, unit: "m") })
        #expect(values("fp_rssi", in: explanation).first == .quantity(-90.5, decimals: 1, unit: "dBm"))
        #expect(values("rx_rssi", in: explanation).first == .quantity(-79.5, decimals: 1, unit: "dBm"))
        #expect(values("voltage", in: explanation) == [.quantity(4.954, decimals: 3, unit: "V")])
        #expect(
            explanation.fields.first { $0.name == "rx_rssi" }?.meaning.hasPrefix("the first path is over 10 dB") == true
        )
        #expect(explanation.fields.last?.name == "checksum" && explanation.fields.last?.meaning == "right")
        #expect(explanation.fields.last?.offset == 49)
    }

    @Test func `angles and data are told too`() throws {
        let explanation = try explain(try bytes(Self.internet))
        #expect(values("distance", in: explanation) == [.quantity(0.274, decimals: 3, unit: "m")])
        #expect(values("azimuth", in: explanation) == [.quantity(-39.31, decimals: 2, unit: "deg")])
        #expect(values("elevation", in: explanation) == [.quantity(8.28, decimals: 2, unit: "deg")])
        #expect(values("payload", in: explanation).isEmpty)
    }

    @Test(arguments: [
        (0x01, 128, "TagFrame0"), (0x04, 120, "NodeFrame2"), (0x07, 22, "AOA NodeFrame0"), (0x08, 25, "NodeFrame5"),
        (0x02, 30, "NodeFrame0, without distances"),
    ])
    func `every frame's fixed part is laid out to its end`(_ mark: UInt8, _ length: Int, _ name: String) throws {
        var frame = [UInt8](repeating: 0, count: length)
        frame[0] = 0x55
        frame[1] = mark
        if mark != 0x01 { frame[2] = UInt8(length) }
        frame[length - 1] = frame.reduce(0) { $0 &+ $1 }
        let explanation = try explain(frame + frame)
        #expect(explanation.warnings.isEmpty)
        #expect(explanation.fields.filter { $0.meaning == name }.count == 2)
        #expect(explanation.fields.contains { $0.name == "payload" } == (mark == 0x02))
        #expect(explanation.fields.flatMap(\.bytes) == frame + frame)
    }

    @Test func `a wrong checksum, a cut frame and noise are warned of`() throws {
        let sound = try bytes(Self.node3)
        var garbled = sound
        garbled[25] ^= 1
        let wrong = try explain(garbled)
        #expect(wrong.warnings == ["the frame at byte 0 is garbled: the sum of its bytes is not its checksum"])
        #expect(wrong.fields.last?.meaning == "wrong, expected 0x9B")
        let cut = try explain(sound + sound.prefix(30))
        #expect(cut.warnings == ["the frame at byte 50 is cut: only 30 bytes are there"])
        let noisy = try explain([1, 2, 3] + sound)
        #expect(noisy.warnings == ["no frame begins at byte 0, 3 bytes are passed over"])
        #expect(values("distance", in: noisy).count == 4)
    }

    @Test func `whatever comes, the fields have no gap`() throws {
        var generator = SeededGenerator(seed: 3)
        let sound = try bytes(Self.node3) + bytes(Self.internet)
        for _ in 0..<2000 {
            var bytes = sound
            for _ in 0..<Int.random(in: 0...3, using: &generator) {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            bytes = Array(bytes.prefix(Int.random(in: 1...bytes.count, using: &generator)))
            #expect(try explain(bytes).fields.flatMap(\.bytes) == bytes)
        }
    }
}
