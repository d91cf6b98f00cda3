// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import Testing

@Suite struct AccessoryConfigurationDataTests {
    private typealias Fixtures = AccessoryFixtures

    private func decode(_ hexadecimal: String) throws -> AccessoryConfigurationData {
        try AccessoryConfigurationData.decode(Fixtures.bytes(hexadecimal).span)
    }

    private func error(_ bytes: [UInt8]) -> CodecError? {
        do throws(CodecError) {
            _ = try AccessoryConfigurationData.decode(bytes.span)
            return nil
        } catch {
            return error
        }
    }

    @Test func `A1, captured from Qorvo's kit, is read field by field`() throws {
        let data = try decode(Fixtures.a1)
        let uwb = try #require(data.uwb)
        #expect(data.headerVersion == ConfigurationVersion(1, 0) && data.version == ConfigurationVersion(1, 1))
        #expect(data.preferredUpdateRate == .userInteractive)
        #expect(uwb.layout == .v11)
        #expect(uwb.manufacturerID == 0x0003_F53F && uwb.modelID == 3000 && uwb.middlewareVersion == 0x0101_0000)
        #expect(uwb.role == .initiator && uwb.sourceAddress == ShortAddress(0xD711) && uwb.clockDrift == 25)
        #expect(uwb.requests == nil && uwb.requestedTiming == nil && data.trailing.isEmpty && data.warnings.isEmpty)
    }

    @Test func `A2 leaves the rate to the host`() throws {
        let data = try decode(Fixtures.a2)
        #expect(data.preferredUpdateRate == .automatic && data.uwb?.sourceAddress == ShortAddress(0x0012))
        #expect(data.uwb?.clockDrift == 25 && data.warnings.isEmpty)
    }

    @Test func `A4 is of NXP`() throws {
        let uwb = try #require(try decode(Fixtures.a4).uwb)
        #expect(uwb.manufacturerID == 0x0010_1132 && uwb.modelID == 0x0031_0146)
        #expect(uwb.sourceAddress.description == "0xDA05" && uwb.clockDrift == 100 && uwb.role == .initiator)
    }

    @Test func `A5, version 2 0, has requests`() throws {
        let data = try decode(Fixtures.a5)
        let uwb = try #require(data.uwb)
        #expect(uwb.layout == .v20 && data.version == ConfigurationVersion(2, 0))
        #expect(uwb.manufacturerID == 0 && uwb.modelID == 0 && uwb.middlewareVersion == 0x20000)
        #expect(uwb.role == .initiator && uwb.sourceAddress == ShortAddress(0xAABB) && uwb.clockDrift == 50)
        let requests = RangingRequests(hoppingMode: 1, slotsPerRound: 6, slotDuration: 2400, interval: 240)
        #expect(uwb.requests == requests)
        #expect(uwb.requestedTiming?.roundMilliseconds == 12 && uwb.requestedTiming?.roundsPerInterval == 20)
        #expect(data.warnings.isEmpty)
    }

    @Test func `A6, version 1 0, has no clock drift`() throws {
        let uwb = try UWBConfigurationData.decode(Fixtures.bytes(Fixtures.a6).span)
        #expect(uwb.layout == .v10 && uwb.middlewareVersion == 0x0009_0901 && uwb.role == .responder)
        #expect(uwb.sourceAddress == ShortAddress(0xAAAA) && uwb.clockDrift == nil && uwb.warnings.isEmpty)
        #expect(uwb.encoded == Fixtures.bytes(Fixtures.a6))
        #expect(try decode(Fixtures.a6WithHeader).uwb == uwb)
    }

    @Test(arguments: AccessoryFixtures.accessory)
    func `Every fixture is encoded to the same bits`(_ hexadecimal: String) throws {
        #expect(try decode(hexadecimal).encoded == Fixtures.bytes(hexadecimal))
    }

    @Test func `Data made from its fields is that of the fixtures`() throws {
        let uwb = UWBConfigurationData(
            layout: .v11,
            manufacturerID: 0x3F53F,
            modelID: 0xBB8,
            middlewareVersion: 0x0101_0000,
            role: .initiator,
            sourceAddress: ShortAddress(0xD711),
            clockDrift: 25
        )
        let data = AccessoryConfigurationData(preferredUpdateRate: .userInteractive, uwb)
        #expect(data.encoded == Fixtures.bytes(Fixtures.a1))
        #expect(try decode(Fixtures.a1) == data)
        for layout in ConfigurationLayout.allCases {
            let made = UWBConfigurationData(layout: layout, role: .responder, sourceAddress: ShortAddress(1))
            #expect(made.encoded.count == layout.accessoryLength && made.warnings.isEmpty)
            #expect(try UWBConfigurationData.decode(made.encoded.span) == made)
        }
    }

    @Test(arguments: AccessoryFixtures.accessory)
    func `Data cut at any byte is refused with both lengths`(_ hexadecimal: String) {
        let bytes = Fixtures.bytes(hexadecimal)
        for count in 0..<bytes.count {
            let error = error(Array(bytes.prefix(count)))
            let expected: CodecError.Reason =
                switch count {
                case 0: .empty
                case ..<16: .headTooShort(expected: 16, actual: count)
                default: .tooShort(expected: bytes.count, actual: count)
                }
            #expect(error?.reason == expected)
            let isCut = count == 19 || count == 20
            #expect((error?.hint == .cutAtDefaultMTU) == isCut, "\(count) bytes")
        }
    }

    @Test(arguments: AccessoryFixtures.accessory)
    func `No byte, whatever its value, breaks the decoder or is lost`(_ hexadecimal: String) {
        let original = Fixtures.bytes(hexadecimal)
        for (offset, value) in original.indices.flatMap({ index in (UInt8.min...UInt8.max).map { (index, $0) } }) {
            var bytes = original
            bytes[offset] = value
            guard let data = try? AccessoryConfigurationData.decode(bytes.span) else {
                #expect(value != original[offset])
                continue
            }
            let isSame = data.encoded == bytes && data == (try? AccessoryConfigurationData.decode(data.encoded.span))
            if !isSame { Issue.record("byte \(offset) = \(value) is lost") }
        }
    }

    @Test func `What the rules only warn of is read`() throws {
        let warnings: [([UInt8], [ConfigurationWarning])] = [
            (Fixtures.bytes(Fixtures.a1, 4, 7), [.updateRate(UpdateRate(rawValue: 7))]),
            (Fixtures.bytes(Fixtures.a1, 9, 1), [.reservedNotZero]),
            (Fixtures.bytes(Fixtures.a1, 2, 1), [.newerMinorVersion(ConfigurationVersion(1, 1))]),
            (Fixtures.bytes(Fixtures.a1, 18, 2), [.newerMinorVersion(ConfigurationVersion(1, 2))]),
            (Fixtures.bytes(Fixtures.a1, 16, 3), [.unparsedVersion(ConfigurationVersion(3, 1))]),
            (Fixtures.bytes(Fixtures.a1, 32, 5), [.role(RangingRole(rawValue: 5))]),
            (Fixtures.bytes(Fixtures.a1) + [0, 0], [.trailingBytes(2)]),
            (Fixtures.bytes(Fixtures.a5, 37, 1), [.reservedNotZero]),
            (Fixtures.bytes(Fixtures.a5, 41, 2), [.hoppingMode(2)]),
            (Fixtures.bytes(Fixtures.a5, 42, 5), [.slotsPerRound(5)]),
            (Fixtures.bytes(Fixtures.a5, 44, 0x61), [.slotDuration(2401)]),
            (
                Fixtures.bytes(Fixtures.a5, 46, 11),
                [.intervalBelowRound(RoundTiming(slotsPerRound: 6, slotDuration: 2400, interval: 11))]
            ),
        ]
        for (bytes, expected) in warnings {
            let data = try AccessoryConfigurationData.decode(bytes.span)
            #expect(data.warnings == expected)
            #expect(data.encoded == bytes)
            for warning in data.warnings { #expect(!warning.description.isEmpty) }
        }
        var broadcast = Fixtures.bytes(Fixtures.a1, 33, 0xFF)
        broadcast[34] = 0xFF
        #expect(try AccessoryConfigurationData.decode(broadcast.span).warnings == [.address(ShortAddress(0xFFFF))])
    }

    @Test func `A later minor version is read as far as it is known`() throws {
        var bytes = Fixtures.bytes(Fixtures.a1, 18, 2) + [0xAB]
        bytes[15] = 22
        let data = try AccessoryConfigurationData.decode(bytes.span)
        #expect(data.uwb?.layout == .v11 && data.uwb?.extra == [0xAB] && data.trailing.isEmpty)
        #expect(data.uwb?.sourceAddress == ShortAddress(0xD711) && data.encoded == bytes)
    }

    @Test func `An unknown major version is kept for relaying`() throws {
        let bytes = Fixtures.bytes(Fixtures.a1, 16, 3)
        let data = try AccessoryConfigurationData.decode(bytes.span)
        #expect(data.uwb == nil && data.version == ConfigurationVersion(3, 1) && data.encoded == bytes)
    }

    @Test func `Wrong lengths and versions are refused`() {
        let reasons: [([UInt8], CodecError.Reason)] = [
            (Fixtures.bytes(Fixtures.a1, 15, 0x16), .tooShort(expected: 38, actual: 37)),
            (
                Fixtures.bytes(Fixtures.a1, 15, 0x14),
                .wrongLength(version: ConfigurationVersion(1, 1), expected: 21, actual: 20)
            ),
            (Fixtures.bytes(Fixtures.a1, 15, 3), .wrongLength(version: nil, expected: 4, actual: 3)),
            (
                Fixtures.bytes(Fixtures.a1, 18, 0),
                .wrongLength(version: ConfigurationVersion(1, 0), expected: 19, actual: 21)
            ),
            (Fixtures.bytes(Fixtures.a1, 0, 2), .unsupportedMajorVersion(2)),
            (Fixtures.bytes(Fixtures.a1, 17, 1), .unsupportedMajorVersion(0x0101)),
            (Fixtures.bytes(Fixtures.a1, 16, 0), .unsupportedMajorVersion(0)),
        ]
        for (bytes, reason) in reasons {
            #expect(error(bytes)?.reason == reason)
            #expect(error(bytes)?.hint == nil)
        }
    }

    @Test func `Known mishaps get a hint`() {
        let a1 = Fixtures.bytes(Fixtures.a1)
        #expect(error([1] + a1)?.hint == .framedTwice)
        #expect(error([0, 1] + a1.dropFirst(2))?.hint == .bigEndian)
        #expect(error(Array(a1.dropFirst(16)))?.hint == .innerBlockOnly)
        #expect(error(Fixtures.bytes(Fixtures.a6))?.hint == .innerBlockOnly)
        for shareable in [Fixtures.s1, Fixtures.s2, Fixtures.s3, Fixtures.s5, Fixtures.s20] {
            #expect(error(Fixtures.bytes(shareable))?.hint == .isShareable)
        }
        // Its slot duration would stand for the length of the inner block, and its interval for that block's version.
        #expect(error(Fixtures.bytes(Fixtures.s1) + [0, 0])?.reason == .unsupportedMajorVersion(0xB40E))
        let android: [UInt8] = [1, 0, 1, 0, 0x46, 0x31, 1, 2, 3, 4, 5, 1, 0, 0, 0, 3, 0xAB, 0xCD]
        #expect(error(android)?.hint == .androidLayout)
        #expect(
            error(Array(a1.prefix(20)))?.description
                == "accessory configuration data: expected 37 bytes, found 20; cut at the BLE default MTU: "
                + "negotiate a larger MTU before initialize"
        )
    }
}
