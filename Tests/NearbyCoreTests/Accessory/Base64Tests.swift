// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import TestSupport
import Testing

@Suite struct Base64Tests {
    private func decode(_ text: String) -> Result<[UInt8], Base64.Fault> {
        do throws(Base64.Fault) {
            return .success(try Base64.decode([UInt8](text.utf8).span))
        } catch {
            return .failure(error)
        }
    }

    /// RFC 4648 section 10.
    @Test(arguments: [
        ("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYg==", "foob"), ("Zm9vYmE=", "fooba"),
        ("Zm9vYmFy", "foobar"), ("Zg", "f"), ("Zm8", "fo"), ("Zm9v\r\nYmFy\n", "foobar"), (" Z m 9 v ", "foo"),
    ])
    func `The vectors of RFC 4648 are read, padded or not`(_ text: String, _ expected: String) {
        #expect(decode(text) == .success(Array(expected.utf8)))
    }

    @Test func `Both alphabets are read`() {
        #expect(decode("+/+/") == decode("-_-_"))
        #expect(decode("+/+/") == .success([0xFB, 0xFF, 0xBF]))
    }

    @Test(arguments: [
        ("Z", 1), ("Zm9vY", 5), ("Zg=", 3), ("Zg===", 4), ("Z===", 3), ("Zm9v=", 5), ("Zg==Zg==", 4), ("Zm.v", 2),
        ("=", 1), ("Zmé", 2),
    ])
    func `Anything else is a fault at its place`(_ text: String, _ offset: Int) {
        guard case .failure(let fault) = decode(text) else {
            Issue.record("\(text) was read")
            return
        }
        #expect(fault.offset == offset)
    }

    @Test(arguments: [true, false], [true, false])
    func `Random bytes come back from every way to write them`(_ isURL: Bool, _ isPadded: Bool) {
        SeededGenerator.run(seed: 64) { generator in
            for count in 0..<80 {
                let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
                let text = AccessoryFixtures.base64(bytes, isURL: isURL, isPadded: isPadded)
                guard decode(text) == .success(bytes) else { return false }
            }
            return true
        }
    }
}
