// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NearbyCore

@Suite struct FiRaParameterTests {
    /// `reference/nearby-interaction.md` section 7, written down once more.
    private static let table: [(id: UInt8, name: String, length: Int)] = [
        (0x00, "DEVICE_TYPE", 1), (0x01, "RANGING_ROUND_USAGE", 1), (0x02, "STS_CONFIG", 1),
        (0x03, "MULTI_NODE_MODE", 1), (0x04, "CHANNEL_NUMBER", 1), (0x05, "NO_OF_CONTROLEES", 1),
        (0x06, "DEVICE_MAC_ADDRESS", 2), (0x07, "DST_MAC_ADDRESS", 2), (0x08, "SLOT_DURATION", 2),
        (0x09, "RANGING_DURATION", 4), (0x0C, "RANGING_ROUND_CONTROL", 1), (0x11, "DEVICE_ROLE", 1),
        (0x12, "RFRAME_CONFIG", 1), (0x14, "PREAMBLE_CODE_INDEX", 1), (0x1A, "RANGING_TIME_STRUCT", 1),
        (0x1B, "SLOTS_PER_RR", 1), (0x22, "SCHEDULED_MODE", 1), (0x26, "MAC_ADDRESS_MODE", 1),
        (0x27, "VENDOR_ID", 2), (0x28, "STATIC_STS_IV", 6), (0x2C, "HOPPING_MODE", 1),
    ]

    @Test("Numbers, names and lengths are those of UCI, in the order of the numbers")
    func numbers() {
        #expect(FiRaParameter.allCases.map(\.rawValue) == Self.table.map(\.id))
        #expect(FiRaParameter.allCases.map(\.name) == Self.table.map(\.name))
        #expect(FiRaParameter.allCases.map(\.length) == Self.table.map(\.length))
    }

    @Test("Every value has the length of its parameter, and what is implied is what is sent")
    func values() throws {
        let session = try FiRaFixtures.captured()
        for parameter in FiRaParameter.allCases {
            #expect(session.bytes(of: parameter).count == parameter.length)
            if let implied = parameter.implied { #expect(session.number(of: parameter) == UInt32(implied)) }
        }
    }
}
