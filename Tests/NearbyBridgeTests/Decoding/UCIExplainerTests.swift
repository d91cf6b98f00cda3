// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import TestSupport
import Testing

@testable import NearbyBridge

@Suite struct UCIExplainerTests {
    /// reference/uwb-reports.md section 1.5.
    private static let failed =
        "62000038 00000000 01000000 00 c8000000 01 00 00 0000000000000000 01"
        + "0100 21 ff ffff 000000000000000000000000 02 00 0000000000000000000000"
    private static let head = "07000000 01000000 00 c8000000 01 00 00 0000000000000000"
    /// 2.10 m, azimuth -10.63° of 92 %, no elevation, -60.5 dBm.
    private static let measured = "0100 00 00 d200 affa 5c 0000 00 0000 00 0000 00 00 79 0000000000000000000000"
    private static let negative = "0200 1b 01 0700 0000 00 0000 00 0000 00 0000 00 00 00 0000000000000000000000"

    private func bytes(_ text: String) throws -> [UInt8] { try Hexadecimal.decode(Array(text.utf8).span) }

    private func explain(_ text: String) throws -> UCIExplainer { UCIExplainer(try bytes(text)) }

    private func packet(_ first: String, _ payload: String) throws -> String {
        let count = try bytes(payload).count
        return "\(first) \(Hexadecimal.text(UInt8(count), digits: 2)) \(payload)"
    }

    private func value(_ name: String, in explainer: UCIExplainer, _ place: Int = 0) -> DecodedField? {
        let found = explainer.fields.filter { $0.name == name }
        return place < found.count ? found[place] : nil
    }

    @Test func `a failed round has no distance, and says why`() throws {
        let explainer = try explain(Self.failed)
        #expect(
            explainer.warnings == ["measurement 1 of 1: the round failed (RANGING_RX_TIMEOUT), so there is no distance"]
        )
        #expect(value("opcode", in: explainer)?.meaning == "SESSION_INFO_NTF, in FiRa 1.x RANGE_DATA_NTF")
        #expect(value("type_and_group", in: explainer)?.meaning == "notification, session control")
        #expect(value("current_ranging_interval", in: explainer)?.meaning == "ms: 5.0 rounds a second")
        #expect(value("distance", in: explainer)?.value == DecodedField.Value.none)
        #expect(value("distance", in: explainer)?.offset == 33)
        #expect(value("slot_index", in: explainer)?.value == .number(2, "2"))
        #expect(value("nlos", in: explainer)?.meaning == "undetermined")
    }

    @Test func `measurements are told in metres, degrees and decibels`() throws {
        let text = try packet("620000", "\(Self.head) 02 \(Self.measured) \(Self.negative)")
        let explainer = try explain(text)
        #expect(explainer.warnings.isEmpty)
        #expect(value("distance", in: explainer)?.value == .quantity(2.1, decimals: 2, unit: "m"))
        #expect(value("azimuth", in: explainer)?.value == .quantity(-10.6328125, decimals: 2, unit: "deg"))
        #expect(value("azimuth_fom", in: explainer)?.value == .number(92, "92"))
        #expect(value("elevation", in: explainer)?.meaning == "not usable")
        #expect(value("rssi", in: explainer)?.value == .quantity(-60.5, decimals: 1, unit: "dBm"))
        #expect(value("distance", in: explainer, 1)?.value == .quantity(-0.07, decimals: 2, unit: "m"))
        #expect(value("mac_address", in: explainer, 1)?.value == .text("0x0002"))
        #expect(value("rssi", in: explainer, 1)?.value == DecodedField.Value.none)
    }

    @Test func `the explanation and the decoder agree`() throws {
        let payload = try bytes(try packet("620000", "\(Self.head) 02 \(Self.measured) \(Self.negative)"))
        var cursor = ReportCursor()
        var report = RangeReport()
        var distances: [Double] = []
        while try RangeFormat.next(in: payload.span, at: &cursor, into: &report) {
            distances += [report.distance ?? .nan]
        }
        let told = UCIExplainer(payload).fields.compactMap { field -> Double? in
            guard field.name == "distance", case .quantity(let metres, _, _) = field.value else { return nil }
            return metres
        }
        #expect(told == distances && distances == [2.1, -0.07])
    }

    @Test func `the packets that a radio is sent are explained by name, but for the key`() throws {
        let start = "210000054f4f000000" + "220000044f4f0000" + "220100044f4f0000" + "210100044f4f0000"
        let explainer = try explain(
            start + "21030014 4f4f0000 03" + "04 01 09" + "28 06 1baf75655238" + "99 02 0102"
        )
        #expect(explainer.warnings.isEmpty)
        let names = explainer.fields.filter { $0.name == "opcode" }.map(\.meaning)
        #expect(
            names == [
                "SESSION_INIT_CMD", "SESSION_START_CMD", "SESSION_STOP_CMD", "SESSION_DEINIT_CMD",
                "SESSION_SET_APP_CONFIG_CMD",
            ]
        )
        #expect(value("session_id", in: explainer)?.value == .number(20303, "20303"))
        #expect(value("session_type", in: explainer)?.meaning == "ranging")
        #expect(value("parameter", in: explainer)?.meaning == "CHANNEL_NUMBER")
        #expect(value("value", in: explainer)?.value == .number(9, "9"))
        let key = value("value", in: explainer, 1)
        #expect(key?.isSecret == true && key?.value == DecodedField.Value.none && key?.bytes.count == 6)
        #expect(value("parameter", in: explainer, 2)?.meaning == "not of Nearby Interaction")
        #expect(value("value", in: explainer, 2)?.value == .number(0x0201, "513"))
        #expect(explainer.fields.filter(\.isSecret).count == 1)
    }

    @Test func `a radio's configuration that is cut is explained as far as it goes`() throws {
        for count in 0..<6 {
            let length = Hexadecimal.text(UInt8(count + 5), digits: 2)
            let explainer = try explain("210300 \(length) 4f4f0000 01" + String(repeating: "04", count: count))
            #expect(explainer.fields.reduce(0) { $0 + $1.bytes.count } == 9 + count)
        }
    }

    @Test(arguments: 1...80)
    func `a message in two segments is explained alike, wherever it is cut`(_ cut: Int) throws {
        let payload = try bytes("\(Self.head) 02 \(Self.measured) \(Self.negative)")
        let first = [0x72, 0, 0, UInt8(cut)] + payload[..<cut]
        let segments = first + [0x62, 0, 0, UInt8(payload.count - cut)] + payload[cut...]
        let explainer = UCIExplainer(segments)
        let plain = UCIExplainer([0x62, 0, 0, UInt8(payload.count)] + payload)
        #expect(explainer.warnings.isEmpty)
        let headers: Set<String> = ["type_and_group", "opcode", "payload_length"]
        func names(_ explainer: UCIExplainer) -> [String] {
            explainer.fields.map { $0.name + "\($0.value)" }.filter { text in !headers.contains { text.hasPrefix($0) } }
        }
        #expect(
            names(explainer).filter { !$0.hasPrefix("reserved") } == names(plain).filter { !$0.hasPrefix("reserved") }
        )
        #expect(explainer.fields.reduce(0) { $0 + $1.bytes.count } == segments.count)
        for field in explainer.fields { #expect(segments[field.offset] == field.bytes[0]) }
    }

    @Test func `extended addresses take eight bytes`() throws {
        let head = "07000000 01000000 00 00000000 01 00 01 0000000000000000 01"
        let text = try packet(
            "620000",
            "\(head) 0807060504030201 00 00 6400 \(String(repeating: "00", count: 12)) 00 00 0000000000"
        )
        let explainer = try explain(text)
        #expect(explainer.warnings.isEmpty)
        #expect(value("mac_address", in: explainer)?.value == .text("0x0102030405060708"))
        #expect(value("distance", in: explainer)?.value == .quantity(1, decimals: 2, unit: "m"))
    }

    @Test func `several packets stand back to back, with their places`() throws {
        let text =
            "40 00 00 01 00" + "610200060100000003 05" + "600100 01 01" + "600700 01 0a" + "42000001 81"
            + "6e010002 abcd"
        let explainer = try explain(text)
        let opcodes = explainer.fields.filter { $0.name == "opcode" }
        #expect(
            opcodes.map(\.meaning) == [
                "DEVICE_RESET_RSP", "SESSION_STATUS_NTF", "DEVICE_STATUS_NTF", "GENERIC_ERROR_NTF",
                "SESSION_START_RSP", "unknown",
            ]
        )
        #expect(opcodes.map(\.offset) == [1, 6, 16, 21, 26, 31])
        #expect(value("session_state", in: explainer)?.meaning == "IDLE")
        #expect(value("reason_code", in: explainer)?.meaning == "stopped by the other end")
        #expect(value("device_state", in: explainer)?.meaning == "READY")
        #expect(value("status", in: explainer, 1)?.meaning == "MESSAGE_RETRY")
        #expect(value("payload", in: explainer)?.bytes == [0xAB, 0xCD])
        #expect(explainer.warnings == ["status 0x81 is unknown, perhaps the vendor's own"])
    }

    @Test(arguments: [
        ("00", 43), ("03", 13), ("02", 41),
    ])
    func `other types have no distance`(_ type: String, _ size: Int) throws {
        let head = "07000000 01000000 00 c8000000 \(type) 00 00 0000000000000000 01"
        let explainer = try explain(try packet("620000", head + String(repeating: "00", count: size)))
        #expect(value("ranging_measurement_type", in: explainer)?.meaning.hasSuffix("no distance in this type") == true)
        #expect(value("distance", in: explainer) == nil)
        #expect(type == "00" || (explainer.warnings.isEmpty && value("status", in: explainer)?.meaning == "OK"))
    }

    @Test func `what does not fit is warned of`() throws {
        let short = try packet("620000", "\(Self.head) 02 \(Self.measured)")
        #expect(try explain(short).warnings == ["the notification counts 2 measurements and has room for 1"])
        let more = try packet("620000", "\(Self.head) 01 \(Self.measured) \(Self.negative)")
        #expect(try explain(more).warnings.first == "the notification counts 1 measurements and has room for 2")
        let vendor = try packet("620000", "\(Self.head) 01 \(Self.measured) aabb")
        #expect(
            try explain(vendor).warnings == [
                "2 bytes of the vendor behind the measurements of the notification at byte 0"
            ]
        )
        let sound = try bytes(Self.failed)
        let cut = UCIExplainer(Array(sound.dropLast(20)))
        #expect(cut.warnings.first == "the message at byte 0 is cut: expected 56 bytes of payload, found 36")
        #expect(UCIExplainer(Array(sound.prefix(3))).warnings == ["the header of the packet at byte 0 is cut"])
        #expect(
            UCIExplainer([0xFF, 0xFF] + sound).warnings.first == "no packet begins at byte 0, 2 bytes are passed over"
        )
        let open = UCIExplainer([0x72, 0, 0, 1, 0x00])
        #expect(open.warnings.first == "the message at byte 0 is cut: another segment should follow")
        let none = try packet("620000", "\(Self.head) 01 0100 00 00 ffff \(String(repeating: "00", count: 25))")
        #expect(
            try explain(none).warnings == [
                "measurement 1 of 1: the status is OK and the distance 0xFFFF, which is none"
            ]
        )
    }

    @Test func `whatever comes, every byte becomes a field once`() throws {
        var generator = SeededGenerator(seed: 7)
        let sound = try bytes(Self.failed)
        for _ in 0..<3000 {
            var bytes = sound + sound
            for _ in 0..<Int.random(in: 0...4, using: &generator) {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            bytes = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &generator)))
            let explainer = UCIExplainer(bytes)
            var count = 0
            for field in explainer.fields {
                count += field.bytes.count
                #expect(!field.bytes.isEmpty && bytes[field.offset] == field.bytes[0])
            }
            #expect(count == bytes.count)
        }
    }

    @Test func `many empty segments are explained in one go`() {
        let bytes = [UInt8](repeating: 0, count: 400_000).indices.map { [0x72, 0, 0, 0][$0 % 4] as UInt8 }
        let explainer = UCIExplainer(bytes)
        #expect(explainer.fields.count == bytes.count)
    }
}
