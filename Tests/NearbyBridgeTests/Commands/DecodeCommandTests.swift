// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import NearbyBridge

@Suite struct DecodeCommandTests {
    private static let a1 = "01000000140000000000000000000015010001003ff50300b80b0000000001010111d71900"
    private static let a5 =
        "010000001400000000000000000000200200000000000000000000000000020001bbaa3200000000000106006009f000"
    private static let s1 = "010001001945554f4f00000b090600100eb400031baf75655238d891c800"
    private static let s20 = "020000001e5553efbeadde0a051900600990010601020304050600200a000000000001"
    private static let linktrack = "6a001d00004f0030fadb0b000001005b002f120100a5f03c038fa5008c"
    private static let key = "1baf75655238"

    private func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = Array(hexadecimal)
        return stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0...$0 + 1]), radix: 16) }
    }

    private func decode(_ line: String, input: [UInt8]? = nil) throws -> String {
        let words = line.split(separator: " ").map { String($0) }
        guard case .command(let arguments) = try ArgumentParser.parse(["decode"] + words) else { return "" }
        return try DecodeCommand.text(arguments) { () throws(CommandFailure) in
            guard let input else { throw CommandFailure(.internalError, "nobody asked for standard input") }
            return input
        }
    }

    private func failure(_ line: String, input: [UInt8]? = nil) -> CommandFailure? {
        do {
            _ = try decode(line, input: input)
            return nil
        } catch {
            return error as? CommandFailure
        }
    }

    private func object(_ line: String, input: [UInt8]? = nil) throws -> [String: Any] {
        let text = try decode(line + " --json", input: input)
        #expect(text.last == "\n" && text.dropLast().firstIndex(of: "\n") == nil)
        let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
        return try #require(value as? [String: Any])
    }

    @Test func `requests that would not be granted as they are say so`() throws {
        // A5 with 5 slots of 3 ms.
        let lines = try decode("acd " + Self.a5.replacing("06006009f000", with: "0500100ef000"))
        let text = lines.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(text.contains("; not granted when minted: a round has 6 to 255 slots"))
        #expect(text.contains("; minted as 252, a whole number of rounds"))
        #expect(try !decode("acd " + Self.a5).contains("minted"))
    }

    @Test func `shareable data is laid out in columns, without its key`() throws {
        #expect(
            try decode(Self.s1) == """
                scd: shareable configuration data, 30 bytes from hexadecimal text
                offset  bytes     field                value              meaning
                     0  0100      major version        1
                     2  0100      minor version        1
                     4  19        config data length   25                 bytes from here to the declared end
                     5  4555      country code         EU                 regulatory
                     7  4f4f0000  session id           0x00004F4F
                    11  0b        preamble             11                 code index
                    12  09        channel              9
                    13  0600      slots per round      6
                    15  100e      slot duration        3600               RSTU: a slot of 3 ms, a round of 18 ms
                    17  b400      interval             180                ms: 10 rounds, 5.6 Hz
                    19  03        round control        0x03               time-scheduled
                    20  <secret>  sts iv               <secret, 6 bytes>  the key of the run
                    26  d891      destination address  0x91D8             the phone's short MAC address
                    28  c800      clock drift          200                ppm at most
                no warnings

                """
        )
    }

    @Test(arguments: [
        a1, "01" + a1, a5, "01" + a5, s1, "0b" + s1, s20, "02", "0a", "0c", "a5", "20deadbeef", "1b0102", "6001000101",
        linktrack,
    ])
    func `every text fits a hundred columns, and its fields have no gap`(_ hexadecimal: String) throws {
        let text = try decode(hexadecimal)
        for line in text.split(separator: "\n") {
            #expect(line.count <= 100, "\(line)")
            #expect(line.last != " ", "\(line)")
        }
        let object = try object(hexadecimal + " --show-secrets")
        let fields = try #require(object["fields"] as? [[String: Any]])
        var joined = ""
        for field in fields {
            #expect(field["offset"] as? Int == joined.count / 2)
            joined += try #require(field["bytes"] as? String)
            #expect(field["length"] as? Int == (field["bytes"] as? String).map { $0.count / 2 })
        }
        #expect(joined == hexadecimal)
        #expect(object["length"] as? Int == hexadecimal.count / 2)
        #expect(object["v"] as? Int == 1 && (object["warnings"] as? [String])?.isEmpty == true)
    }

    @Test(arguments: [
        (a1, "acd"), (a5, "acd"), (s1, "scd"), (s20, "scd"), ("01" + a1, "message"), ("0b" + s20, "message"),
        ("02", "message"), ("03", "message"), ("0a", "message"), ("2f00", "message"), ("6001000101", "uci"),
        ("420000010061020006010000000305", "uci"), (linktrack, "linktrack"),
    ])
    func `the kind is found out, and the same if it is said`(_ hexadecimal: String, _ kind: String) throws {
        #expect(try object(hexadecimal)["kind"] as? String == kind)
        #expect(try decode(hexadecimal) == decode("\(kind) \(hexadecimal)"))
    }

    @Test func `packets of UCI are laid out in columns`() throws {
        let zeros = String(repeating: "0", count: 24)
        let head = "62000038000000000100000000c800000001\(zeros.prefix(20))01"
        let failed = "\(head)010021ffffff\(zeros)0200\(zeros.dropLast(2))"
        let text = try decode(failed)
        for line in [
            "uci: FiRa UCI packets, 60 bytes from hexadecimal text",
            "     0  62                type and group             0x62    notification, session control",
            "    13  c8000000          current ranging interval   200     ms: 5.0 rounds a second",
            "    31  21                status                     0x21    RANGING_RX_TIMEOUT",
            "    33  ffff              distance                           none",
            "warning: measurement 1 of 1: the round failed (RANGING_RX_TIMEOUT), so there is no distance",
        ] { #expect(text.contains(line + "\n"), "\(line)") }
        for line in text.split(separator: "\n") { #expect(line.count <= 100, "\(line)") }
        let fields = try #require(
            try object(failed.replacing("21ffffff", with: "00ffd200"))["fields"] as? [[String: Any]]
        )
        let distance = try #require(fields.first { $0["name"] as? String == "distance" })
        #expect(distance["value"] as? Double == 2.1 && distance["unit"] as? String == "m")
        #expect(distance["offset"] as? Int == 33)
    }

    @Test func `text may be spelled in any way, also in several words`() throws {
        let expected = try decode("acd " + Self.a1)
        let pairs = bytes(Self.a1).map { String($0, radix: 16) }.map { $0.count < 2 ? "0" + $0 : $0 }
        #expect(try decode("acd " + pairs.joined(separator: " ")) == expected)
        #expect(try decode(pairs.map { "0x" + $0 + "," }.joined(separator: " ")) == expected)
        #expect(try decode(pairs.joined(separator: ":").uppercased()) == expected)
        let base64 = Data(bytes(Self.a1)).base64EncodedString()
        #expect(try object("acd " + base64)["spelling"] as? String == "base64")
        #expect(try object(base64)["kind"] as? String == "acd")
    }

    @Test func `standard input may hold bytes, text or JSON`() throws {
        let expected = try decode("acd " + Self.a1)
        for line in ["", "-", "acd", "acd -"] {
            #expect(try decode(line, input: Array((Self.a1 + "\n").utf8)) == expected)
            let binary = try object(line, input: bytes(Self.a1))
            #expect(binary["spelling"] as? String == "binary" && binary["kind"] as? String == "acd")
        }
        #expect(try object("", input: [0x0A])["kind"] as? String == "message")
        #expect(try object("message -", input: [0x30, 0x01])["length"] as? Int == 2)
        let json = #"{"data":"\#(Self.a1)","name":"x","technology":"uwb","capabilities":{"direction":true}}"#
        let object = try object("", input: Array(json.utf8))
        #expect(object["name"] as? String == "x" && object["technology"] as? String == "uwb")
        #expect(object["capabilities"] as? String == "direction")
    }

    @Test(arguments: [
        s1, "0b" + s1, "scd " + s1, "message 0b" + s1, "scd 07000100" + s1.dropFirst(8),
        "scd 0700010000" + s1.dropFirst(10),
        "scd 0100020019" + s1.dropFirst(10), "message 1b" + key, s1 + "0000",
    ])
    func `the key is shown only if asked for`(_ line: String) throws {
        func text(_ line: String) throws -> String {
            // Long fields are broken into lines of eight bytes.
            try decode(line).lowercased().split(separator: "\n").map { $0.filter { $0 != " " } }.joined()
        }
        for option in ["", " --json"] {
            for part in [Self.key.prefix(4), Self.key.suffix(4)] {
                #expect(try !text(line + option).contains(part))
                #expect(try text(line + option + " --show-secrets").contains(part))
            }
        }
    }

    @Test func `warnings are told`() throws {
        let text = try decode(Self.a1.replacing("000000140000", with: "000000070000") + "ff")
        #expect(text.contains("warning: preferred update rate 7 is unknown, expected 0, 10 or 20\n"))
        #expect(text.contains("warning: 1 byte behind the declared end, ignored\n"))
        let stop = try object("0c00")
        #expect(stop["warnings"] as? [String] == ["1 byte of payload where there should be none"])
        let unknown = try decode("acd " + Self.a1.replacing("15010001003f", with: "15030001003f"))
        #expect(unknown.contains("warning: version 3.1 is unknown; kept unparsed, it can still be relayed\n"))
    }

    @Test(arguments: [
        (
            String(a1.prefix(40)),
            "accessory configuration data: expected 37 bytes, found 20; cut at the BLE default MTU: "
                + "negotiate a larger MTU before initialize"
        ),
        (
            String(s1.prefix(40)),
            "shareable configuration data: expected 30 bytes, found 20; cut at the BLE default MTU: "
                + "negotiate a larger MTU before initialize"
        ),
        (
            "01" + String(a1.prefix(38)),
            "accessory configuration data: expected 37 bytes, found 19; cut at the BLE "
                + "default MTU: negotiate a larger MTU before initialize"
        ),
        ("hello", "data: neither hexadecimal nor base64 at byte 5 of the text"),
        (
            "acd 010",
            "accessory configuration data: hexadecimal digits come in pairs, one is missing at byte 0 of the text"
        ),
        (
            "0100000014000000000000000000000000g5",
            "data: a letter among hexadecimal digits at byte 34 of the text"
        ),
        (
            "acd 01:00:00:00:14:0O:00",
            "accessory configuration data: a letter among hexadecimal digits at byte 16 of the text"
        ),
        (
            "ffff",
            "the bytes look like nothing known; say what they should be: acd, scd, message, uci, linktrack, report"
        ),
        ("01", "accessory configuration data: expected bytes, found nothing"),
        (
            "scd " + a1,
            "shareable configuration data: the length byte says 20, version 1.0 has 23; this is accessory "
                + "configuration data, which comes from the accessory"
        ),
    ])
    func `bad data ends with 65 and says why`(_ line: String, _ message: String) {
        #expect(failure(line) == CommandFailure(.badData, message))
    }

    @Test func `base64 of little but zeros is no hexadecimal text with a letter too many`() throws {
        #expect(try object("message MAAAAAAAAAAAAAAAAAAA")["spelling"] as? String == "base64")
        #expect(try object("message IAAAAAAAAAAAAAAA")["spelling"] as? String == "base64")
    }

    @Test func `a format is a format of reports`() throws {
        #expect(
            try decode("--format trek mc 01 00000663 00000000 00000000 00000000 095f c1 00024c24 a0:0").hasPrefix(
                "report: TREK"
            )
        )
        #expect(try decode("--format espresense report {\"distance\":1}").contains("1 report; metres"))
        #expect(failure("--format uci acd 00")?.exitCode == .usage)
        #expect(failure("--format trek {\"distance\":1}")?.message == "no report")
    }

    @Test func `nothing at all and a wrong kind are faults too`() {
        #expect(failure("", input: [])?.exitCode == .badData)
        #expect(failure("-", input: [0x20])?.exitCode == .badData)
        #expect(failure("acd", input: [])?.message == "expected hexadecimal or base64 text or bytes, found nothing")
        #expect(
            failure("rapport 0100")
                == CommandFailure(.usage, "unknown kind \"rapport\"; did you mean report?")
        )
        #expect(failure("mesage 0100")?.message == "unknown kind \"mesage\"; did you mean message?")
        let channelSounding = Array(#"{"technology":"ble-cs"}"#.utf8)
        #expect(failure("acd", input: channelSounding)?.exitCode == .badData)
    }
}
