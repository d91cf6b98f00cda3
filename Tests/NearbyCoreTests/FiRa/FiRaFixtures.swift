// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// Both ends of runs.
enum FiRaFixtures {
    /// A captured accessory and a captured phone that did not know each other: the accessory begins.
    static func captured(
        _ accessory: String = AccessoryFixtures.a1,
        _ shareable: String = AccessoryFixtures.s1
    ) throws -> FiRaSession {
        try FiRaSession(oppositeTo: self.accessory(accessory), self.shareable(shareable))
    }

    static func accessory(_ text: String) throws -> AccessoryConfigurationData {
        try AccessoryConfigurationData.decode(AccessoryFixtures.bytes(text).span)
    }

    static func shareable(_ text: String) throws -> ShareableConfigurationData {
        try ShareableConfigurationData.decode(AccessoryFixtures.bytes(text).span)
    }

    /// Hexadecimal text with spaces as bytes.
    static func bytes(_ text: String) -> [UInt8] { AccessoryFixtures.bytes(text) }
}
