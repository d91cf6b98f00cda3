// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import NearbyBridge

struct ReadmeTests {
    private static let begin = "<!-- keys: written by UPDATE_README=1 swift test --filter ReadmeTests -->\n"
    private static let end = "<!-- end of keys -->\n"

    /// The reference of the keys that this version acts on, as the README shows it.
    private static var table: String {
        let known = Set(ConfigurationKey.all.map { "\($0.path) \($0.help)" })
        let rows = ConfigurationKey.all.filter(\.isBuilt).map { key in
            // Once is enough for what both sections say alike.
            guard
                !known.contains("\(key.path.replacing("inputs[]", with: "sources[]")) \(key.help)")
                    || !key.path.hasPrefix("inputs[]")
            else { return "" }
            let standard = key.defaultText.map { "`\($0)`" } ?? ""
            return "| `\(key.path)` | \(standard) | \(key.help) |\n"
        }
        return "| key | default | meaning |\n|---|---|---|\n" + rows.joined()
            + "| `inputs[].…` |  | What else `sources[]` has, from `format` on: the same. |\n"
    }

    @Test func `the README's table of keys is the table of keys`() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../README.md")
            .standardized
        var text = try String(contentsOf: file, encoding: .utf8)
        let first = try #require(text.range(of: Self.begin)).upperBound
        let last = try #require(text.range(of: Self.end)).lowerBound
        if ProcessInfo.processInfo.environment["UPDATE_README"] != nil {
            text.replaceSubrange(first..<last, with: Self.table)
            try text.write(to: file, atomically: true, encoding: .utf8)
            return
        }
        #expect(String(text[first..<last]) == Self.table)
    }
}
