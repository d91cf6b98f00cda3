// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyCore

@Suite struct PeerTokenTests {
    private func decode(_ payload: [UInt8]) -> [UInt8]? { try? PeerToken.decode(payload.span).bytes }

    @Test func `a token is read in every spelling`() {
        // What a phone archives begins like text.
        let archive = Array("bplist00".utf8) + [0xD4, 0x01, 0x00, 0x0B]
        #expect(decode(archive) == archive)
        #expect(decode([0x0B, 0x01, 0x00]) == [0x0B, 0x01, 0x00])
        for text in ["0b0100ff", "CwEA/w==", #"{"data":"0b0100ff"}"#, #" {"data":"CwEA/w==","more":1}"#] {
            #expect(decode(Array(text.utf8)) == [0x0B, 0x01, 0x00, 0xFF], "\(text)")
        }
    }

    @Test func `what is no token says why, and never what it was`() {
        let wrong: [[UInt8]] = [
            [], [0x20], Array("not a token!".utf8), Array("{}".utf8), Array(#"{"data":5}"#.utf8),
            Array(#"{"data":""}"#.utf8), Array(#"{"data":"0b"#.utf8), Array(repeating: 0xFF, count: 1025),
            Array(String(repeating: "ab", count: 1025).utf8),
        ]
        for payload in wrong {
            let error = #expect(throws: CodecError.self) { try PeerToken.decode(payload.span) }
            #expect(error?.subject == .discoveryToken)
            #expect(error?.description.contains("abab") == false)
        }
        #expect(decode(Array(repeating: 0xFF, count: 1024))?.count == 1024)
    }

    @Test func `random bytes never trap, and nothing is shown of a token`() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<2000 {
            let count = Int.random(in: 0...40, using: &random)
            let payload = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            if let bytes = decode(payload) { #expect(1...1024 ~= bytes.count) }
        }
        let token = PeerToken(accessory: "ann", peer: "bob", token: SecretBytes([0xDE, 0xAD]), run: 1)
        var dumped = ""
        dump(BridgeEffect.peerToken(token), to: &dumped)
        #expect(!"\(token) \(dumped)".contains("222") && !dumped.contains("173"))
    }
}
