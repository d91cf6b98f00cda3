// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import TestSupport
import Testing

@Suite struct ShareableConfigurationDataTests {
    private typealias Fixtures = AccessoryFixtures

    private func decode(_ hexadecimal: String) throws -> ShareableConfigurationData {
        try ShareableConfigurationData.decode(Fixtures.bytes(hexadecimal).span)
    }

    private func error(_ bytes: [UInt8]) -> CodecError? {
        do throws(CodecError) {
            _ = try ShareableConfigurationData.decode(bytes.span)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [
        (AccessoryFixtures.s1, 0x4F4F, 180, 10, "1baf75655238", 0x91D8, 200),
        (AccessoryFixtures.s2, 0x0941, 198, 11, "7285a3c3cc23", 0xD5D3, 200),
        (AccessoryFixtures.s3, 0xA546, 162, 9, "dfebb5c5b801", 0xC870, 200),
        (AccessoryFixtures.s5, 0x5FA8, 198, 11, "397b28d4b8d7", 0xB487, 100),
    ])
    func `Every captured fixture is read field by field`(
        _ hexadecimal: String,
        _ sessionID: UInt32,
        _ interval: UInt16,
        _ rounds: Int,
        _ key: String,
        _ address: UInt16,
        _ drift: UInt16
    ) throws {
        let data = try decode(hexadecimal)
        let parameters = try #require(data.parameters)
        #expect(data.version == ConfigurationVersion(1, 1) && data.layout == .v11 && data.warnings.isEmpty)
        #expect(parameters.country.text == "EU" && parameters.sessionID == sessionID)
        #expect(parameters.preamble == 11 && parameters.channel == 9 && parameters.roundControl == 3)
        #expect(parameters.timing == RoundTiming(slotsPerRound: 6, slotDuration: 3600, interval: interval))
        #expect(parameters.timing.roundMilliseconds == 18 && parameters.timing.roundsPerInterval == rounds)
        #expect(parameters.timing.updateRate == 1000 / Double(interval))
        #expect(parameters.stsIV.bytes == Fixtures.bytes(key))
        #expect(parameters.destinationAddress == ShortAddress(address) && parameters.clockDrift == drift)
    }

    @Test func `Version 1 0 has no clock drift and version 2 0 has a hopping mode`() throws {
        let old = try decode(Fixtures.s10)
        #expect(old.layout == .v10 && old.parameters?.sessionID == 0x4F4F && old.warnings.isEmpty)
        let data = try decode(Fixtures.s20)
        let parameters = try #require(data.parameters)
        #expect(data.layout == .v20 && parameters.country.text == "US" && parameters.sessionID == 0xDEAD_BEEF)
        #expect(parameters.preamble == 10 && parameters.channel == 5 && parameters.roundControl == 6)
        #expect(parameters.timing == RoundTiming(slotsPerRound: 25, slotDuration: 2400, interval: 400))
        #expect(parameters.stsIV.bytes == [1, 2, 3, 4, 5, 6] && parameters.destinationAddress == ShortAddress(0x2000))
        #expect(parameters.clockDrift == 10 && parameters.hoppingMode == 1 && data.warnings.isEmpty)
    }

    @Test(arguments: AccessoryFixtures.shareable)
    func `Every fixture is encoded to the same bits`(_ hexadecimal: String) throws {
        let data = try decode(hexadecimal)
        #expect(data.encoded == Fixtures.bytes(hexadecimal))
        let layout = try #require(data.layout)
        let parameters = try #require(data.parameters)
        #expect(ShareableConfigurationData(layout: layout, parameters) == data)
    }

    @Test(arguments: ConfigurationLayout.allCases)
    func `What is made comes back without a warning`(_ layout: ConfigurationLayout) throws {
        var generator = SeededGenerator(seed: 5)
        let parameters = RangingParameters(
            country: try #require(RangingParameters.Country("DE")),
            sessionID: 77,
            stsIV: .random(using: &generator),
            destinationAddress: ShortAddress(0x1234),
            hoppingMode: 1
        )
        let data = ShareableConfigurationData(layout: layout, parameters)
        #expect(data.encoded.count == ShareableConfigurationData.headerLength + layout.shareableLength)
        #expect(try ShareableConfigurationData.decode(data.encoded.span) == data)
        #expect(data.warnings.isEmpty)
    }

    @Test(arguments: AccessoryFixtures.shareable)
    func `Data cut at any byte is refused with both lengths`(_ hexadecimal: String) {
        let bytes = Fixtures.bytes(hexadecimal)
        for count in 0..<bytes.count {
            let error = error(Array(bytes.prefix(count)))
            let expected: CodecError.Reason =
                switch count {
                case 0: .empty
                case ..<5: .headTooShort(expected: 5, actual: count)
                default: .tooShort(expected: bytes.count, actual: count)
                }
            #expect(error?.reason == expected)
            #expect((error?.hint == .cutAtDefaultMTU) == (count == 19 || count == 20), "\(count) bytes")
        }
    }

    @Test(arguments: AccessoryFixtures.shareable)
    func `No byte, whatever its value, breaks the decoder or is lost`(_ hexadecimal: String) {
        let original = Fixtures.bytes(hexadecimal)
        for (offset, value) in original.indices.flatMap({ index in (UInt8.min...UInt8.max).map { (index, $0) } }) {
            var bytes = original
            bytes[offset] = value
            guard let data = try? ShareableConfigurationData.decode(bytes.span) else {
                #expect(value != original[offset])
                continue
            }
            _ = data.warnings.map(\.description)
            let isSame = data.encoded == bytes && data == (try? ShareableConfigurationData.decode(data.encoded.span))
            if !isSame { Issue.record("byte \(offset) = \(value) is lost") }
        }
    }

    @Test func `What the rules only warn of is read`() throws {
        func timing(_ slots: UInt16, _ duration: UInt16, _ interval: UInt16) -> RoundTiming {
            RoundTiming(slotsPerRound: slots, slotDuration: duration, interval: interval)
        }
        let s1 = Fixtures.s1
        let warnings: [([UInt8], [ConfigurationWarning])] = [
            (Fixtures.bytes(s1) + [UInt8](repeating: 0, count: 16), [.trailingBytes(16)]),
            (Fixtures.bytes(s1, 2, 2), [.newerMinorVersion(ConfigurationVersion(1, 2))]),
            (Fixtures.bytes(s1, 0, 3), [.unparsedVersion(ConfigurationVersion(3, 1))]),
            (Fixtures.bytes(s1, 5, 0x65), [.countryCode]),
            (Fixtures.bytes(s1, 11, 13), [.preamble(13)]),
            (Fixtures.bytes(s1, 12, 7), [.channel(7)]),
            (Fixtures.bytes(s1, 13, 0), [.slotsPerRound(0)]),
            (Fixtures.bytes(s1, 14, 1), [.slotsPerRound(262), .intervalBelowRound(timing(262, 3600, 180))]),
            (Fixtures.bytes(s1, 15, 0), [.slotDuration(3584), .intervalNotWholeRounds(timing(6, 3584, 180))]),
            (Fixtures.bytes(s1, 17, 0), [.intervalBelowRound(timing(6, 3600, 0))]),
            (Fixtures.bytes(s1, 17, 181), [.intervalNotWholeRounds(timing(6, 3600, 181))]),
            (Fixtures.bytes(s1, 19, 4), [.roundControl(4)]),
            (Fixtures.bytes(Fixtures.s20, 30, 1), [.reservedNotZero]),
            (Fixtures.bytes(Fixtures.s20, 34, 2), [.hoppingMode(2)]),
        ]
        for (bytes, expected) in warnings {
            let data = try ShareableConfigurationData.decode(bytes.span)
            #expect(data.warnings == expected)
            #expect(data.encoded == bytes)
            for warning in data.warnings { #expect(!warning.description.isEmpty) }
        }
        var zero = Fixtures.bytes(s1, 7, 0)
        zero[8] = 0
        #expect(try ShareableConfigurationData.decode(zero.span).warnings == [.sessionIDZero])
        let odd = ConfigurationWarning.intervalNotWholeRounds(timing(6, 3584, 180))
        #expect(odd.description == "interval of 180 ms, no whole number of times a round of 17.92 ms")
    }

    @Test func `Rounds without length divide nothing`() {
        let timing = RoundTiming(slotsPerRound: 0, slotDuration: 3600, interval: 0)
        #expect(timing.roundMilliseconds == 0 && timing.roundsPerInterval == nil && timing.updateRate == nil)
        let longest = RoundTiming(slotsPerRound: .max, slotDuration: .max, interval: .max)
        #expect(longest.roundMilliseconds > 3_000_000 && longest.roundsPerInterval == nil)
    }

    @Test func `Wrong lengths are refused, and mishaps get a hint`() {
        let s1 = Fixtures.bytes(Fixtures.s1)
        #expect(error(Array(s1.prefix(29)))?.reason == .tooShort(expected: 30, actual: 29))
        #expect(error(Array(s1.prefix(28)))?.reason == .tooShort(expected: 30, actual: 28))
        let reason = CodecError.Reason.wrongLength(version: ConfigurationVersion(1, 1), expected: 25, actual: 26)
        #expect(error(Fixtures.bytes(Fixtures.s1, 4, 26) + [0])?.reason == reason)
        for accessory in Fixtures.accessory { #expect(error(Fixtures.bytes(accessory))?.hint == .isAccessory) }
        #expect(error([0x0B] + s1)?.hint == .framedTwice)
        #expect(error([0, 1] + s1.dropFirst(2))?.hint == .bigEndian)
        #expect(error(Fixtures.bytes(Fixtures.s1, 0, 0))?.reason == .unsupportedMajorVersion(0))
    }

    @Test(arguments: AccessoryFixtures.shareable)
    func `No text shows the key, parsed or not, framed or in a payload`(_ hexadecimal: String) throws {
        let bytes = Fixtures.bytes(hexadecimal)
        let key = Array(bytes[20..<26])
        var unparsed = bytes
        unparsed[0] = 7
        var unparsedWithTail = unparsed
        unparsedWithTail[4] = 0
        let values: [Any] = [
            try decode(hexadecimal),
            try ShareableConfigurationData.decode(unparsed.span),
            try ShareableConfigurationData.decode(unparsedWithTail.span),
            try ShareableConfigurationData.decode((bytes + bytes).span),
            try AccessoryMessage.decode(([0x0B] + bytes).span),
            try AccessoryMessage.decode(([0x1B] + bytes).span),
            try ConfigurationPayload.decode(bytes.span, as: .shareable),
            try ConfigurationPayload.decode(Array(hexadecimal.utf8).span, as: .shareable),
        ]
        for value in values {
            for text in SecretBytesTests.texts(of: value) { #expect(!SecretBytesTests.shows(text, key), "\(text)") }
        }
        for count in 0..<bytes.count {
            let text = error(Array(bytes.prefix(count)))?.description ?? ""
            #expect(!SecretBytesTests.shows(text, key))
        }
    }
}
