// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Lines of configuration for people to paste: sections within each other, two spaces a level.
struct PastedYAML {
    private(set) var text = ""

    /// Opens a section at a level, counted from 0.
    mutating func section(_ key: String, _ level: Int) {
        text += indent(level) + Self.key(key) + ":\n"
    }

    /// Writes a key and its value, and perhaps why.
    mutating func pair(_ key: String, _ value: String, _ level: Int, why: String? = nil) {
        text += indent(level) + Self.key(key) + ": " + value + (why.map { "  # \($0)" } ?? "") + "\n"
    }

    /// A key as YAML takes it for text and nothing else: numbers and words such as `on` are quoted.
    static func key(_ name: String) -> String {
        let isPlain = name.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
        }
        let hasStart = name.utf8.first.map { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) } ?? false
        let words = ["true", "false", "yes", "no", "on", "off", "y", "n", "null"]
        return isPlain && hasStart && !words.contains(name) ? name : "\"\(name)\""
    }

    private func indent(_ level: Int) -> String { String(repeating: "  ", count: level) }
}
