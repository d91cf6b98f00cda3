// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import Testing

@Suite struct AccessoryMessageTests {
    private typealias Fixtures = AccessoryFixtures

    @Test func `Every id is itself again, and only seven have a meaning of their own`() throws {
        var named = 0
        for id in UInt8.min...UInt8.max {
            let frame: [UInt8] = [id, 1, 2]
            let message = try AccessoryMessage.decode(frame.span)
            #expect(message.encoded == frame && message.kind.id == id && message.payload.bytes == [1, 2])
            #expect(AccessoryMessage.Kind(id: id) == message.kind)
            if message.kind != .vendor(id) { named += 1 }
        }
        #expect(named == 7)
    }

    @Test(arguments: [
        (0x02, "accessory_did_start", false), (0x03, "accessory_did_stop", false), (0x0A, "initialize", false),
        (0x0C, "stop", false), (0x01, "accessory_configuration_data", true), (0x0B, "configure_and_start", true),
    ])
    func `A message without a payload is one byte`(_ id: UInt8, _ name: String, _ hasPayload: Bool) throws {
        let message = try AccessoryMessage.decode([id].span)
        #expect(message.kind.name == name && message.kind.hasPayload == hasPayload)
        #expect(message.payload.bytes.isEmpty && message.encoded == [id])
        #expect(message == AccessoryMessage(.vendor(id)))
        #expect(message.description.hasPrefix(name))
    }

    @Test func `Vendors' messages are passed through`() throws {
        let frame: [UInt8] = [0x20, 0xDE, 0xAD]
        let message = try AccessoryMessage.decode(frame.span)
        #expect(message.kind == .vendor(0x20) && message.payload == SecretBytes([0xDE, 0xAD]))
        #expect(message.kind.name == "vendor" && message.kind.hasPayload == nil)
        #expect(message.description == "vendor (0x20), 2 bytes")
        #expect(AccessoryMessage.Kind.accessoryPaired.hasPayload == nil)
        #expect(AccessoryMessage.Kind.accessoryPaired.name == "accessory_paired")
    }

    @Test func `Configuration data is framed by its id`() throws {
        let accessory = try AccessoryConfigurationData.decode(Fixtures.bytes(Fixtures.a1).span)
        #expect(AccessoryMessage.accessoryConfigurationData(accessory).encoded == [1] + accessory.encoded)
        let shareable = try ShareableConfigurationData.decode(Fixtures.bytes(Fixtures.s1).span)
        #expect(AccessoryMessage.configureAndStart(shareable).encoded == [0x0B] + shareable.encoded)
    }

    @Test func `Nothing is no message`() {
        let nothing: [UInt8] = []
        let error = #expect(throws: CodecError.self) { try AccessoryMessage.decode(nothing.span) }
        #expect(error?.description == "message: expected bytes, found nothing")
    }
}
