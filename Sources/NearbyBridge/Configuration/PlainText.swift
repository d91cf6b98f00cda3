// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Makes text from outside fit to stand in one line of a message.
enum PlainText {
    /// The text in quotes, escaped, cut if it is long.
    static func quote(_ text: String) -> String {
        "\"\(plain(text))\""
    }

    /// The text escaped, cut if it is long.
    static func plain(_ text: String, longest: Int = longest) -> String {
        // Scalars, not characters: one character may hold any number of combining marks.
        let scalars = text.unicodeScalars
        let isCut = scalars.count > longest
        let escaped = scalars.prefix(longest).map { $0.escaped(asASCII: isInvisible($0)) }.joined()
        return isCut ? escaped + "…" : escaped
    }

    static let longest = 40

    /// Characters that hide, or turn the direction of what follows.
    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: true
        default: false
        }
    }
}
