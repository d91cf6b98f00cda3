// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import Testing

@Suite struct ConfigurationPayloadTests {
    private typealias Fixtures = AccessoryFixtures
    private typealias Kind = ConfigurationPayload.Kind

    private static let cases: [(String, ConfigurationPayload.Kind)] =
        AccessoryFixtures.accessory.map { ($0, .accessory) } + AccessoryFixtures.shareable.map { ($0, .shareable) }

    private static func hexadecimals(_ bytes: [UInt8]) -> [String] {
        let pairs: [String] = bytes.map { Hexadecimal.text($0, digits: 2) }
        let prefixed: [String] = pairs.map { "0x" + $0 }
        let plain: String = pairs.joined()
        var texts: [String] = [plain, plain.uppercased(), "0x" + plain]
        for separator in [" ", ":", "-", ", "] { texts.append(pairs.joined(separator: separator)) }
        texts.append(prefixed.joined(separator: ", ") + "\n")
        texts.append("\u{FEFF} " + prefixed.joined(separator: " ").uppercased())
        return texts
    }

    private func decode(_ text: String, _ kind: Kind = .accessory) throws -> ConfigurationPayload {
        try ConfigurationPayload.decode([UInt8](text.utf8).span, as: kind)
    }

    private func error(_ payload: [UInt8], _ kind: Kind = .accessory) -> CodecError? {
        do throws(CodecError) {
            _ = try ConfigurationPayload.decode(payload.span, as: kind)
            return nil
        } catch {
            return error
        }
    }

    private func error(_ text: String) -> CodecError? { error(Array(text.utf8)) }

    @Test(arguments: cases, [false, true])
    func `Every spelling means the same bytes, framed or bare`(
        _ fixture: (String, ConfigurationPayload.Kind),
        _ isFramed: Bool
    ) throws {
        let (hexadecimal, kind) = fixture
        let bare = Fixtures.bytes(hexadecimal)
        let bytes = isFramed ? [kind == .accessory ? 0x01 : 0x0B] + bare : bare
        let binary = try ConfigurationPayload.decode(bytes.span, as: kind)
        #expect(binary.data?.bytes == bare && binary.isBinary && binary.isFramed == isFramed && !binary.isJSON)
        let base64s = [(false, true), (false, false), (true, true), (true, false)].map {
            Fixtures.base64(bytes, isURL: $0.0, isPadded: $0.1)
        }
        let hexadecimals = Self.hexadecimals(bytes)
        for (texts, spelling) in [(hexadecimals, ConfigurationPayload.Spelling.hexadecimal), (base64s, .base64)] {
            for text in texts {
                let payload = try decode(text, kind)
                #expect(payload.data?.bytes == bare && payload.spelling == spelling && payload.isFramed == isFramed)
                #expect(!payload.isBinary && !payload.isJSON)
                let escaped = text.replacing("/", with: "\\/").filter { $0 != "\n" && $0 != "\u{FEFF}" }
                let json = try decode(" {\"data\": \"\(escaped)\" }\n", kind)
                #expect(json.data == payload.data && json.spelling == spelling && json.isJSON && !json.isBinary)
            }
        }
    }

    @Test(arguments: cases)
    func `Framed and bare are told apart however much is cut`(_ fixture: (String, ConfigurationPayload.Kind)) throws {
        let (hexadecimal, kind) = fixture
        let bare = Fixtures.bytes(hexadecimal)
        let framed = [kind == .accessory ? 0x01 : 0x0B] + bare
        for count in 3...bare.count {
            let short = try ConfigurationPayload.decode(Array(bare.prefix(count)).span, as: kind)
            #expect(!short.isFramed && short.data?.bytes == Array(bare.prefix(count)))
            let shortFramed = try ConfigurationPayload.decode(Array(framed.prefix(count)).span, as: kind)
            #expect(shortFramed.isFramed && shortFramed.data?.bytes == Array(bare.prefix(count - 1)))
        }
    }

    @Test func `An unknown major version is framed if the length byte says so`() throws {
        let future = Fixtures.bytes(Fixtures.s1, 0, 3)
        #expect(try ConfigurationPayload.decode(([0x0B] + future).span, as: .shareable).isFramed)
        #expect(try !ConfigurationPayload.decode(future.span, as: .shareable).isFramed)
        let eleven = Fixtures.bytes(Fixtures.s1, 0, 11)
        #expect(try !ConfigurationPayload.decode(eleven.span, as: .shareable).isFramed)
        #expect(try ConfigurationPayload.decode(([0x0B] + eleven).span, as: .shareable).isFramed)
        #expect(try ConfigurationPayload.decode([0x01, 0x02].span, as: .accessory).isFramed)
        #expect(try !ConfigurationPayload.decode([0x01].span, as: .accessory).isFramed)
    }

    @Test func `A message id that stands twice is taken off once`() throws {
        let bytes = [1, 1] + Fixtures.bytes(Fixtures.a1)
        let payload = try ConfigurationPayload.decode(bytes.span, as: .accessory)
        let data = try #require(payload.data)
        let error = #expect(throws: CodecError.self) { try AccessoryConfigurationData.decode(data.bytes.span) }
        #expect(error?.hint == .framedTwice)
    }

    @Test(arguments: [20, 21])
    func `Framed data cut by the link is told so`(_ count: Int) throws {
        let bytes = Array(([1] + Fixtures.bytes(Fixtures.a1)).prefix(count))
        let data = try #require(try ConfigurationPayload.decode(bytes.span, as: .accessory).data)
        let error = #expect(throws: CodecError.self) { try AccessoryConfigurationData.decode(data.bytes.span) }
        #expect(error?.hint == .cutAtDefaultMTU)
    }

    @Test func `JSON brings a name, the technology and capabilities`() throws {
        let payload = try decode(
            #"""
            {"x":[{"data":1}],"name":"Gabelstapler \u00fc","technology":"uwb","data":"\#(Fixtures.a1)",
             "capabilities":{"direction":true,"precise_distance":true,"dl_tdoa":false,"camera_assistance":null,"y":{}}}
            """#
        )
        #expect(payload.name == "Gabelstapler ü" && payload.technology == .uwb)
        #expect(payload.capabilities == [.direction, .preciseDistance])
        #expect(payload.data?.bytes == Fixtures.bytes(Fixtures.a1))
        let plain = try decode("{\"data\":\"\(Fixtures.a1)\",\"name\":null,\"technology\":null,\"capabilities\":null}")
        #expect(plain.name == nil && plain.technology == nil && plain.capabilities == nil)
        for (key, capability) in Capabilities.names {
            let text = "{\"data\":\"\(Fixtures.a1)\",\"capabilities\":{\"\(key)\":true}}"
            #expect(try decode(text).capabilities == capability)
        }
    }

    @Test func `Channel sounding needs no data`() throws {
        let payload = try decode(#"{"technology":"ble-cs","name":"Tag"}"#)
        #expect(payload.data == nil && payload.technology == .channelSounding && payload.name == "Tag")
        #expect(!payload.isBinary && payload.isJSON)
        #expect(error("{}")?.reason == .missingData)
        #expect(error(#"{"data":null,"technology":"uwb"}"#)?.reason == .missingData)
    }

    @Test func `Downlink TDoA needs no data, and may name its network`() throws {
        let payload = try decode(#"{"technology":"dl-tdoa","network_identifier":4660}"#)
        #expect(payload.data == nil && payload.technology == .downlinkTDoA && payload.networkIdentifier == 4660)
        #expect(try decode(#"{"technology":"dl-tdoa"}"#).networkIdentifier == nil)
        #expect(try decode(#"{"technology":"dl-tdoa","network_identifier":4294967295}"#).networkIdentifier == .max)
        for value in ["-1", "4294967296", "1.5", "\"7\"", "true", "[]", "1e99"] {
            let text = "{\"technology\":\"dl-tdoa\",\"network_identifier\":\(value)}"
            #expect(error(text)?.reason == .invalidField(.networkIdentifier, offset: 45), "\(value)")
        }
    }

    @Test(arguments: [
        ("", CodecError.Reason.empty), (" \r\n\t", .empty), (",", .empty), ("010", .oddDigits(offset: 0)),
        (" 01 2", .oddDigits(offset: 4)), ("hello!", .neitherHexadecimalNorBase64(offset: 5)),
        ("[1]", .neitherHexadecimalNorBase64(offset: 0)), ("{", .json(ReportError(.truncated, at: 1))),
        (#"{"data":"01"} x"#, .json(ReportError(.syntax, at: 14))), (#"{"data":""}"#, .invalidField(.data, offset: 9)),
        (#"{"data":1}"#, .invalidField(.data, offset: 8)), (#"{"data":"0"}"#, .oddDigits(offset: 9)),
        (#"{"data":"01","data":"02"}"#, .duplicateField(.data, offset: 20)),
        (#"{"data":"01","name":""}"#, .invalidField(.name, offset: 20)),
        (#"{"data":"01","name":"a\nb"}"#, .invalidField(.name, offset: 20)),
        (#"{"data":"01","name":7}"#, .invalidField(.name, offset: 20)),
        (#"{"data":"01","technology":"wifi"}"#, .invalidField(.technology, offset: 26)),
        (#"{"data":"01","capabilities":[]}"#, .invalidField(.capabilities, offset: 28)),
        (#"{"data":"01","capabilities":{"direction":1}}"#, .invalidField(.capabilities, offset: 28)),
        (#"{"data":"01","capabilities":{"direction":NaN}}"#, .invalidField(.capabilities, offset: 28)),
        (#"{"name":1,"data":"01}"#, .json(ReportError(.truncated, at: 21))),
    ])
    func `Faults are named with their place`(_ text: String, _ reason: CodecError.Reason) {
        let error = error(text)
        #expect(error?.reason == reason)
        #expect(error?.description.hasPrefix("accessory configuration data: ") == true)
    }

    @Test func `Long names are refused`() throws {
        let name = String(repeating: "n", count: 1024)
        #expect(try decode("{\"data\":\"01\",\"name\":\"\(name)\"}").name == name)
        #expect(error("{\"data\":\"01\",\"name\":\"\(name)n\"}")?.reason == .invalidField(.name, offset: 20))
    }

    @Test func `The first byte that is not blank decides between text and bytes`() {
        for byte in UInt8.min...UInt8.max {
            let isText = 0x20..<0x7F ~= byte || [9, 10, 13].contains(byte)
            #expect(ConfigurationPayload.isText([byte].span) == isText, "byte \(byte)")
        }
    }
}
