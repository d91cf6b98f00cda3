// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Where a setting stands: the levels of its key with the names that the user chose.
struct ConfigurationPath: Hashable, Sendable, CustomStringConvertible {
    var levels: [String]

    init(_ levels: [String] = []) {
        self.levels = levels
    }

    /// Reads `zones.near.radius` or `accessories."a.b".name`; `nil` if a level is empty or a quote left open.
    init?(parsing text: Substring) {
        levels = []
        var level = ""
        var isQuoted = false
        for character in text {
            switch character {
            case "\"": isQuoted.toggle()
            case "." where !isQuoted:
                levels.append(level)
                level = ""
            default: level.append(character)
            }
        }
        levels.append(level)
        guard !isQuoted, !levels.contains("") else { return nil }
    }

    /// The path one level deeper.
    func appending(_ level: String) -> ConfigurationPath {
        ConfigurationPath(levels + [level])
    }

    /// The path of a key below this one, its levels joined by dots.
    func appending(key: String) -> ConfigurationPath {
        ConfigurationPath(levels + key.split(separator: ".").map { String($0) })
    }

    /// Whether the path leads through another one.
    func isBelow(_ other: ConfigurationPath) -> Bool {
        levels.count > other.levels.count && levels.starts(with: other.levels)
    }

    /// The path as one writes it after `--set`, unusual levels in quotes.
    var description: String {
        levels.enumerated().map { index, level in
            // An entry of a list is "[0]" and follows without a dot.
            let isEntry = level.hasPrefix("[") && level.hasSuffix("]") && Int(level.dropFirst().dropLast()) != nil
            let isPlain = !level.isEmpty && level.utf8.allSatisfy(Self.isPlain)
            return (index == 0 || isEntry ? "" : ".") + (isPlain || isEntry ? level : PlainText.quote(level))
        }.joined()
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: ":"): true
        default: false
        }
    }
}
