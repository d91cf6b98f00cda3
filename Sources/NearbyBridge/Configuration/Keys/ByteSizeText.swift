// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Sizes as the configuration writes them: bytes, or a number with a binary unit.
enum ByteSizeText {
    private static let units: [(name: String, bytes: Int)] = [
        ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10), ("B", 1), ("", 1),
    ]

    /// Reads a size, `nil` if the text is none or beyond any use.
    static func read(_ text: Substring) -> Int? {
        guard
            let (number, unit) = Decimals.split(text),
            !text.contains(" "),
            let scale = units.first(where: { $0.name == unit })?.bytes
        else { return nil }
        return Int(exactly: number * Double(scale))
    }

    /// Writes a size in the largest unit that needs no fraction.
    static func write(_ bytes: Int) -> String {
        guard let unit = units.first(where: { bytes != 0 && bytes % $0.bytes == 0 }), unit.bytes > 1 else {
            return String(bytes)
        }
        return "\(bytes / unit.bytes)\(unit.name)"
    }

    /// What the writer may have meant: `64 KB` is `64KiB` to most people.
    static func guess(_ text: Substring) -> String? {
        guard let (number, unit) = Decimals.split(text), number >= 0 else { return nil }
        let spellings = ["k": "KiB", "kb": "KiB", "kib": "KiB", "m": "MiB", "mb": "MiB", "mib": "MiB"]
        let more = ["g": "GiB", "gb": "GiB", "gib": "GiB", "b": "", "bytes": ""]
        let name = unit.lowercased()
        return (spellings[name] ?? more[name]).map { Decimals.short(number) + $0 }
    }
}
