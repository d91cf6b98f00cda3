// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import Testing

@Suite struct AccessoryIdentifierTests {
    private func isValid(_ text: String) -> Bool {
        AccessoryIdentifier.isValid([UInt8](text.utf8).span)
    }

    @Test(arguments: ["a", "Z", "0", "alice", "AA:BB:cc-12_3.4", ".", "-"])
    func `Letters, digits and four marks are an identifier`(_ text: String) {
        #expect(isValid(text))
    }

    @Test(arguments: ["", " ", "a b", "a/b", "+", "#", "a\u{0}", "ä", "日本", "a@b", "[", "`", "{"])
    func `Anything that could leave its topic level is refused`(_ text: String) {
        #expect(!isValid(text))
    }

    @Test func `64 bytes are an identifier and 65 are not`() {
        #expect(isValid(String(repeating: "x", count: 64)))
        #expect(!isValid(String(repeating: "x", count: 65)))
    }

    @Test func `Exactly the allowed bytes are allowed`() {
        let allowed = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._:-".utf8)
        for byte in UInt8.min...UInt8.max {
            #expect(AccessoryIdentifier.isValid([byte].span) == allowed.contains(byte), "byte \(byte)")
        }
    }
}
