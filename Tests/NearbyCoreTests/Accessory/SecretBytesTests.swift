// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import Testing

@Suite struct SecretBytesTests {
    /// Every text that the standard library makes of a value.
    static func texts(of value: some Any) -> [String] {
        var dumped = ""
        dump(value, to: &dumped)
        let optional: Any? = value
        return [
            "\(value)", String(describing: value), String(reflecting: value), dumped, "\([value])", "\(["key": value])",
            String(reflecting: optional), "\(Result<Any, CodecError>.success(value))",
        ]
    }

    /// Whether a text has the bytes in hexadecimal, in decimal, or in letters.
    static func shows(_ text: String, _ bytes: [UInt8]) -> Bool {
        let lower = text.lowercased()
        let value = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return lower.contains(Hexadecimal.text(bytes.span))
            || lower.contains(bytes.map { String($0) }.joined(separator: ", "))
            || bytes.contains { lower.contains("- \($0)\n") }
            || lower.contains(String(value))
            || text.contains(AccessoryFixtures.base64(bytes, isPadded: false).dropLast())
    }

    @Test func `No text shows the bytes, and the test would notice`() {
        let bytes: [UInt8] = [0xDE, 0xAD, 0xBE, 0xEF, 0x99, 0x77]
        for text in Self.texts(of: SecretBytes(bytes)) {
            #expect(!Self.shows(text, bytes))
            #expect(text.contains("<secret, 6 bytes>"))
        }
        #expect(Self.texts(of: bytes).contains { Self.shows($0, bytes) })
        #expect(SecretBytes([1]).description == "<secret, 1 byte>")
        #expect(SecretBytes([1]) == SecretBytes([1]) && SecretBytes([1]) != SecretBytes([2]))
    }

    @Test func `An initialization vector has six bytes in their order and shows none`() throws {
        let bytes: [UInt8] = [0x1B, 0xAF, 0x75, 0x65, 0x52, 0x38]
        let vector = try #require(STSInitializationVector(bytes))
        #expect(vector.bytes == bytes)
        for text in Self.texts(of: vector) { #expect(!Self.shows(text, bytes)) }
        #expect(STSInitializationVector([]) == nil)
        #expect(STSInitializationVector(bytes + [0]) == nil)
    }

    @Test func `Random initialization vectors differ`() {
        var generator = SystemRandomNumberGenerator()
        let vectors = Set((0..<100).map { _ in STSInitializationVector.random(using: &generator) })
        #expect(vectors.count == 100)
    }
}
