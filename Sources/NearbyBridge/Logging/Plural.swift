// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Counts things in words.
enum Plural {
    /// A number and a noun: `1 report`, `2 reports`, `2 accessories`.
    static func of(_ count: Int, _ noun: String) -> String {
        guard count != 1 else { return "1 \(noun)" }
        let isConsonantY = noun.last == "y" && !(noun.dropLast().last.map { "aeiou".contains($0) } ?? true)
        return "\(count) " + (isConsonantY ? noun.dropLast() + "ies" : noun + "s")
    }
}
