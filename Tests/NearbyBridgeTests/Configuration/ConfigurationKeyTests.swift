// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NearbyBridge

struct ConfigurationKeyTests {
    @Test func `no key stands twice`() {
        let paths = ConfigurationKey.all.map(\.path)
        #expect(Set(paths).count == paths.count)
    }

    @Test(arguments: ConfigurationKey.all.map(\.path))
    func `every default is accepted by its own type`(_ path: String) throws {
        let key = try #require(ConfigurationKey.all.first { $0.path == path })
        guard key.defaultText != nil else { return }
        #expect(key.defaultValue != nil)
    }

    @Test(arguments: ConfigurationKey.all.map(\.path))
    func `every key has one line of help, and its example is accepted`(_ path: String) throws {
        let key = try #require(ConfigurationKey.all.first { $0.path == path })
        #expect(key.help.hasSuffix(".") && key.help.count <= 100 && !key.help.contains("\n"))
        #expect(ConfigurationReader.decode(key.type.example.replacing("\"", with: ""), of: key) != nil)
    }

    @Test func `passwords and passphrases are secret and nothing else is`() {
        #expect(ConfigurationKey.all.filter(\.isSecret).map(\.path) == ["mqtt.password", "mqtt.tls.key_passphrase"])
    }

    @Test func `a connection needs a restart and zones do not`() {
        for key in ConfigurationKey.all {
            if key.path.hasPrefix("mqtt.") { #expect(!key.appliesLive) }
            if key.path.hasPrefix("zones.") || key.path.hasPrefix("log.") { #expect(key.appliesLive) }
        }
    }
}
