// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// The bytes that hexadecimal text means, and where in the text each of them stands.
struct HexadecimalPlaces {
    /// The bytes.
    let bytes: [UInt8]
    /// Where the two digits of each byte begin.
    private var places: [Int] = []

    /// Reads text, `nil` if it is not all hexadecimal.
    init?(_ text: [UInt8]) {
        guard let bytes = try? Hexadecimal.decode(text.span) else { return nil }
        self.bytes = bytes
        var offset = 0
        while offset < text.count {
            let letter = offset + 1 < text.count ? text[offset + 1] | 0x20 : 0
            if letter == UInt8(ascii: "x") {
                offset += 2
            } else if Character(Unicode.Scalar(text[offset])).isHexDigit {
                places.append(offset)
                offset += 2
            } else {
                offset += 1
            }
        }
        guard places.count == bytes.count else { return nil }
    }

    /// Where some of the bytes stand in the text.
    func range(of bytes: Range<Int>) -> Range<Int> {
        guard !bytes.isEmpty, bytes.upperBound <= places.count else { return 0..<0 }
        return places[bytes.lowerBound]..<places[bytes.upperBound - 1] + 2
    }
}
