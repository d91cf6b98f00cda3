// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Reads base64 text of RFC 4648, in the standard and the URL alphabet.
public enum Base64 {
    /// Why a text is not base64.
    public struct Fault: Error, Equatable, Sendable {
        /// Where it fails, in bytes from the start of the text.
        public var offset: Int
    }

    /// Reads base64 with or without padding, in lines or in one.
    ///
    /// Bits that the last character has too many are ignored, as RFC 4648 section 3.5 allows: a text that was cut
    /// there is better explained by the length of what it held.
    public static func decode(_ text: Span<UInt8>) throws(Fault) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3 + 3)
        var bits: UInt32 = 0
        var characters = 0
        var padding = 0
        for offset in text.indices {
            switch text[offset] {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): continue
            case UInt8(ascii: "="):
                padding += 1
                guard padding <= 2 else { throw Fault(offset: offset) }
            case let byte:
                guard padding == 0, let value = value(of: byte) else { throw Fault(offset: offset) }
                bits = bits << 6 | UInt32(value)
                characters += 1
                // Every character but the first of four completes a byte.
                let spare = UInt32(6 - 2 * ((characters - 1) % 4))
                if spare < 6 { bytes.append(UInt8(truncatingIfNeeded: bits >> spare)) }
            }
        }
        guard characters % 4 != 1, padding == 0 || (characters + padding) % 4 == 0 else {
            throw Fault(offset: text.count)
        }
        return bytes
    }

    private static func value(of byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
        case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
