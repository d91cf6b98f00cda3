// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Bytes as hexadecimal text, written in one way and read in all the ways that people paste.
public enum Hexadecimal {
    /// Why a text is not hexadecimal.
    public enum Fault: Error, Equatable, Sendable {
        /// A character that does not belong, at this offset of the text.
        case unexpectedCharacter(Int)
        /// The group of digits that begins at this offset is not made of pairs.
        case oddDigits(Int)
    }

    /// The bytes as lower-case digits without separators.
    public static func text(_ bytes: Span<UInt8>) -> String {
        var text = ""
        text.reserveCapacity(2 * bytes.count)
        for index in bytes.indices { text += self.text(bytes[index], digits: 2) }
        return text
    }

    /// A number as at least so many lower-case digits.
    public static func text(_ value: some UnsignedInteger, digits: Int) -> String {
        let text = String(value, radix: 16)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }

    /// Reads groups of pairs of digits of either case.
    ///
    /// Between groups stand white space, commas, colons, semicolons or dashes; before each may stand `0x`. A single
    /// digit is a fault, not a small number: whoever writes `1 0 0` may have meant decimals.
    public static func decode(_ text: Span<UInt8>) throws(Fault) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 2)
        var offset = 0
        while offset < text.count {
            if isSeparator(text[offset]) {
                offset += 1
                continue
            }
            let start = offset
            if hasPrefix(text, at: offset) { offset += 2 }
            let firstDigit = offset
            while offset < text.count, let high = digit(text[offset]) {
                guard offset + 1 < text.count, let low = digit(text[offset + 1]) else { break }
                bytes.append(high << 4 | low)
                offset += 2
            }
            let isDigitLeft = offset < text.count && digit(text[offset]) != nil
            let end = isDigitLeft ? offset + 1 : offset
            guard end == text.count || isSeparator(text[end]) else { throw .unexpectedCharacter(end) }
            guard !isDigitLeft, end > firstDigit else { throw .oddDigits(start) }
        }
        return bytes
    }

    /// Where the one letter stands that makes hexadecimal text none; `nil` if it is something else.
    ///
    /// Base64 as long as this, with a single letter that is no digit, is most improbable, unless it is of little else
    /// than zeros, which are `A` in it; and its second letter is the one by which configuration data is known.
    static func strayLetter(in text: Span<UInt8>) -> Int? {
        var stray: Int?
        var digits = 0
        var decimals = 0
        for offset in text.indices where !isSeparator(text[offset]) && !hasPrefix(text, at: offset - 1) {
            if let value = digit(text[offset]) {
                digits += 1
                decimals += value < 10 ? 1 : 0
            } else {
                guard stray == nil, UInt8(ascii: "a")...UInt8(ascii: "z") ~= text[offset] | 0x20 else { return nil }
                stray = offset
            }
        }
        return stray == 1 || digits < 12 || decimals * 4 < digits ? nil : stray
    }

    private static func hasPrefix(_ text: Span<UInt8>, at offset: Int) -> Bool {
        offset >= 0 && offset + 1 < text.count && text[offset] == UInt8(ascii: "0")
            && text[offset + 1] | 0x20 == UInt8(ascii: "x")
    }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: ","),
            UInt8(ascii: ":"), UInt8(ascii: ";"), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    /// The value of a digit of either case, `nil` if the character is none.
    static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
