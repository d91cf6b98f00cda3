// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NearbyBridge

struct SecretFilesTests {
    /// Files that exist nowhere else.
    private static let files = SecretFiles(
        read: { path in
            switch path {
            case "/good", "/open", "/run/secrets/p": .success(Array("hunter2\r\nsecond line\n".utf8))
            case "/long": .success(Array("pass phrase with spaces ".utf8))
            case "/empty": .success([])
            case "/newline": .success(Array("\nhunter2\n".utf8))
            case "/binary": .success([0x68, 0, 0x69])
            case "/latin": .success([0x68, 0xE4, 0x69])
            default: .failure(SecretFiles.Failure(text: "cannot open \(path): No such file or directory"))
            }
        },
        fault: { $0 == "/missing" ? "cannot open /missing: No such file or directory" : nil },
        isOpenToAll: { ["/open", "/run/secrets/p"].contains($0) }
    )

    private func reader(_ text: String) -> ConfigurationReader {
        var reader = ConfigurationReader()
        reader.readFile(ConfigurationFile(name: "test.yaml", bytes: Array(text.utf8)))
        reader.readSecrets(in: Self.files)
        return reader
    }

    @Test(arguments: [("/good", "hunter2"), ("/long", "pass phrase with spaces ")])
    func `the first line of the file is the secret`(_ path: String, _ secret: String) throws {
        let loaded = try ConfigurationLoader.finish(
            reader("mqtt: {username: u, password_file: \(path), tls: {key_passphrase_file: \(path)}}")
        )
        #expect(loaded.configuration.broker.password == Secret(secret))
        #expect(loaded.configuration.broker.tls.keyPassphrase == Secret(secret))
        #expect(loaded.warnings.isEmpty)
        #expect(loaded.redacted.first { $0.key == "mqtt.password" }?.value == Secret.placeholder)
        var dumped = ""
        dump(loaded, to: &dumped)
        #expect(!dumped.contains("hunter2"))
    }

    @Test(arguments: [
        ("/none", "cannot open /none: No such file or directory"), ("/empty", "the first line of /empty is empty"),
        ("/newline", "the first line of /newline is empty"), ("/binary", "the first line of /binary is not text"),
        ("/latin", "the first line of /latin is not text"),
    ])
    func `a file that holds no secret is one problem with its line`(_ path: String, _ message: String) {
        let found = reader("mqtt:\n  password_file: \(path)\n").problems
        #expect(found.map(\.message) == [message])
        #expect(found.first?.key == "mqtt.password_file")
        #expect(found.first?.source == .file(name: "test.yaml", line: 2))
    }

    @Test func `a secret given twice is one problem, and its file is not read`() {
        #expect(throws: ConfigurationError.self) {
            _ = try ConfigurationLoader.finish(reader("mqtt: {password: a, password_file: /none}"))
        }
        #expect(reader("mqtt: {password: a, password_file: /none}").problems.isEmpty)
        #expect(problems("mqtt: {password: a, password_file: /none}").count == 1)
    }

    @Test func `a password from a file without a user name is one problem for MQTT 3`() {
        do {
            _ = try ConfigurationLoader.finish(reader("mqtt: {protocol: 3.1.1, password_file: /good}"))
            Issue.record("it loads")
        } catch {
            #expect(error.problems.map(\.key) == ["mqtt.password_file"])
        }
    }

    @Test func `a secret that everybody may read is warned of, except where containers mount theirs`() {
        #expect(reader("mqtt: {password_file: /open}").warnings.map(\.key) == ["mqtt.password_file"])
        #expect(reader("mqtt: {password_file: /run/secrets/p}").warnings.isEmpty)
        let key = reader("mqtt: {tls: {enabled: true, certificate: /good, key: /open}}")
        #expect(key.warnings.map(\.key) == ["mqtt.tls.key"])
    }

    @Test func `a certificate that is missing is a warning, where it would be used`() {
        let text = "mqtt: {tls: {enabled: true, ca: /missing}}"
        #expect(reader(text).warnings.map(\.key) == ["mqtt.tls.ca"])
        #expect(reader(text).problems.isEmpty)
        #expect(reader("mqtt: {tls: {ca: /missing}}").warnings.isEmpty)
    }
}
