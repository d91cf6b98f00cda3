// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// The bytes of `reference/nearby-interaction.md` section 4.
enum AccessoryFixtures {
    static let a1 = "01000000140000000000000000000015010001003ff50300b80b0000000001010111d71900"
    static let a2 = "01000000000000000000000000000015010001003ff50300b80b0000000001010112001900"
    static let a4 = "01000000140000000000000000000015010001003211100046013100000006040105da6400"
    static let a5 = "010000001400000000000000000000200200000000000000000000000000020001bbaa3200000000000106006009f000"
    /// An inner block without its header.
    static let a6 = "010000003ff50300b80b00000109090000aaaa"
    /// A6 behind a header.
    static let a6WithHeader = "01000000140000000000000000000013" + a6

    static let s1 = "010001001945554f4f00000b090600100eb400031baf75655238d891c800"
    static let s2 = "01000100194555410900000b090600100ec600037285a3c3cc23d3d5c800"
    static let s3 = "0100010019455546a500000b090600100ea20003dfebb5c5b80170c8c800"
    static let s5 = "01000100194555a85f00000b090600100ec60003397b28d4b8d787b46400"
    /// Built from the table of section 3: no capture of version 1.0 is public.
    static let s10 = "010000001745554f4f00000b090600100eb400031baf75655238d891"
    /// Built from the table of section 3: no capture of version 2.0 is public.
    static let s20 = "020000001e5553efbeadde0a051900600990010601020304050600200a000000000001"

    static let accessory = [a1, a2, a4, a5, a6WithHeader]
    static let shareable = [s1, s2, s3, s5, s10, s20]

    /// The bytes of a text that is known to be hexadecimal.
    static func bytes(_ hexadecimal: String) -> [UInt8] {
        (try? Hexadecimal.decode([UInt8](hexadecimal.utf8).span)) ?? []
    }

    /// The bytes with one replaced.
    static func bytes(_ hexadecimal: String, _ offset: Int, _ value: UInt8) -> [UInt8] {
        var bytes = bytes(hexadecimal)
        bytes[offset] = value
        return bytes
    }

    /// Base64 written independently of the decoder under test.
    static func base64(_ bytes: [UInt8], isURL: Bool = false, isPadded: Bool = true) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789" + (isURL ? "-_" : "+/"))
        let binary = bytes.map { byte in
            let digits = String(byte, radix: 2)
            return String(repeating: "0", count: 8 - digits.count) + digits
        }.joined()
        var text = ""
        var rest = Substring(binary)
        while !rest.isEmpty {
            let group = rest.prefix(6)
            rest = rest.dropFirst(6)
            let padded = group + String(repeating: "0", count: 6 - group.count)
            text.append(alphabet[Int(padded, radix: 2) ?? 0])
        }
        while isPadded, text.count % 4 != 0 { text.append("=") }
        return text
    }
}
