// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Numbers as a person writes them: digits, one point, perhaps an exponent; no hexadecimal, infinity or NaN.
enum Decimals {
    /// Reads a whole number.
    static func integer(_ text: Substring) -> Int? {
        guard text.utf8.dropFirst(text.utf8.first == minus ? 1 : 0).allSatisfy(isDigit) else { return nil }
        return Int(text)
    }

    /// Reads a number.
    static func number(_ text: Substring) -> Double? {
        guard
            text.utf8.contains(where: isDigit),
            text.utf8.allSatisfy({ isDigit($0) || marks.contains($0) }),
            let number = Double(text), number.isFinite
        else { return nil }
        return number
    }

    /// The longest start of a text that is a number, and what follows it without spaces.
    static func split(_ text: Substring) -> (number: Double, unit: Substring)? {
        let end = text.utf8.firstIndex { !isDigit($0) && $0 != UInt8(ascii: ".") && $0 != minus } ?? text.endIndex
        guard let number = number(text[..<end]) else { return nil }
        return (number, text[end...].drop { $0 == " " })
    }

    /// Writes a number without a needless fraction.
    static func short(_ number: Double) -> String {
        Int(exactly: number).map { String($0) } ?? String(number)
    }

    private static let minus = UInt8(ascii: "-")
    private static let marks: [UInt8] = Array("+-.eE".utf8)

    private static func isDigit(_ byte: UInt8) -> Bool {
        byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
    }
}
