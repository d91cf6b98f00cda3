// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyBridge

struct ExampleConfigurationTests {
    private static let file = "Examples/systemd/config.yaml"

    private func load(_ text: String) throws -> LoadedConfiguration {
        try ConfigurationLoader.load(file: ConfigurationFile(name: "example.yaml", bytes: Array(text.utf8)))
    }

    @Test func `the example of the service says nothing but the defaults`() throws {
        let loaded = try load(try Fixtures.document(Self.file))
        #expect(loaded.configuration == BridgeConfiguration())
        #expect(loaded.warnings.isEmpty)
    }

    @Test func `every setting that is switched off in it can be switched on`() throws {
        let lines = try Fixtures.document(Self.file).split(separator: "\n", omittingEmptySubsequences: false)
        // A # with a space behind it is a comment for people.
        let settings = lines.map { line in
            let indent = line.prefix { $0 == " " }
            let rest = line.dropFirst(indent.count)
            return rest.hasPrefix("#") && !rest.hasPrefix("# ") && rest != "#" ? indent + rest.dropFirst() : line
        }
        #expect(settings != lines)
        let loaded = try load(settings.joined(separator: "\n"))
        #expect(loaded.warnings.isEmpty)
        #expect(loaded.configuration.accessories.count == 2)
        #expect(loaded.configuration.broker.tls.isEnabled)
    }

    @Test(arguments: ["README.md", "Examples/systemd/README.md"])
    func `every configuration that a document shows can be used`(_ document: String) throws {
        let blocks = MarkdownBlock.all(in: try Fixtures.document(document)).filter { $0.language == "yaml" }
        #expect(!blocks.isEmpty)
        for block in blocks { #expect(throws: Never.self, "\(document):\(block.line)") { try load(block.text) } }
    }
}
