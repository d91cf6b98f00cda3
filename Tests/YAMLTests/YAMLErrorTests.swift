// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Testing
import YAML

/// A text that must be refused, with the place and the kind of the refusal.
struct Refusal: CustomTestStringConvertible, Sendable {
    var bytes: [UInt8]
    var reason: YAMLError.Reason
    var line: Int
    var column: Int
    var name: String

    var testDescription: String { name }

    init(_ text: String, _ reason: YAMLError.Reason, _ line: Int, _ column: Int) {
        self.init(Array(text.utf8), reason, line, column, name: text.debugDescription)
    }

    init(_ bytes: [UInt8], _ reason: YAMLError.Reason, _ line: Int, _ column: Int, name: String) {
        self.bytes = bytes
        self.reason = reason
        self.line = line
        self.column = column
        self.name = String(name.prefix(60))
    }
}

struct YAMLErrorTests {
    static let refusals = [
        Refusal("a: 1\n\tb: 2\n", .tab, 2, 1),
        Refusal("a:\n\tb: 2\n", .tab, 2, 1),
        Refusal("a:\n  b: 1\n \tc: 2\n", .tab, 3, 2),
        Refusal("a: |\n\ttext\n", .tab, 2, 1),
        Refusal("a:\n  - 1\n\t- 2\n", .tab, 3, 1),
        Refusal("a: 1\nb: 2\na: 3\n", .duplicateKey, 3, 1),
        Refusal("a: {b: 1, \"b\": 2}\n", .duplicateKey, 1, 11),
        Refusal("a: &x 1\n", .anchor, 1, 4),
        Refusal("a: &x {b: 1}\n", .anchor, 1, 4),
        Refusal("a: &x [b]\n", .anchor, 1, 4),
        Refusal("a: *x\n", .alias, 1, 4),
        Refusal("a: !secret x\n", .tag, 1, 4),
        Refusal("a: !!binary x\n", .tag, 1, 4),
        Refusal("a: !!map x\n", .tag, 1, 4),
        Refusal("a: !e!x y\n", .syntax, 1, 4),
        Refusal("[a, b]: 1\n", .complexKey, 1, 1),
        Refusal("? {a: b}\n: 1\n", .complexKey, 1, 3),
        Refusal("a: 1\n---\nb: 2\n", .multipleDocuments, 2, 1),
        Refusal("a: \"open\n", .syntax, 2, 1),
        Refusal("a: b: c\n", .syntax, 1, 5),
        Refusal("a: 1\n b: 2\n", .syntax, 2, 3),
        Refusal("a: [1, 2\nb: 3\n", .syntax, 2, 2),
        Refusal("a: @x\n", .syntax, 1, 4),
        Refusal("a: \"\\q\"\n", .syntax, 1, 5),
        Refusal("a: \u{7}\n", .controlCharacter, 1, 4),
        Refusal("é: \u{7}\n", .controlCharacter, 1, 4),
        Refusal("\u{FEFF}a: 1\nb: \u{7}\n", .controlCharacter, 2, 4),
        Refusal(Array("a: 1\nb: ".utf8) + [0xFF], .invalidUTF8, 2, 4, name: "invalid byte"),
        Refusal(Array("b: ".utf8) + [0xC3], .invalidUTF8, 1, 4, name: "cut character"),
        Refusal(Array("b: ".utf8) + [0xED, 0xA0, 0x80], .invalidUTF8, 1, 4, name: "surrogate"),
        Refusal([0xFF, 0xFE, 0x61, 0x00], .encoding, 1, 1, name: "UTF-16 little endian"),
        Refusal([0xFE, 0xFF, 0x00, 0x61], .encoding, 1, 1, name: "UTF-16 big endian"),
        Refusal([0x61, 0x00, 0x3A, 0x00], .encoding, 1, 2, name: "UTF-16 without a mark"),
        Refusal(String(repeating: "- ", count: 40) + "a\n", .tooDeep, 1, 65),
        Refusal(String(repeating: "x", count: YAMLParser.maximumSize + 1), .tooLarge, 1, 1),
        Refusal(String(repeating: "[", count: YAMLParser.maximumSize), .tooDeep, 1, 33),
        Refusal(String(repeating: "{a: ", count: YAMLParser.maximumSize / 4), .tooDeep, 1, 129),
        Refusal(String(repeating: "? ", count: YAMLParser.maximumSize / 2), .tooDeep, 1, 65),
    ]

    @Test(arguments: refusals)
    func `what a configuration should not hold is refused with its place and a fix`(_ refusal: Refusal) throws {
        let error = try #require(throws: YAMLError.self) { try YAMLParser.parse(refusal.bytes) }
        #expect(error.reason == refusal.reason, "\(error)")
        #expect(error.position == YAMLPosition(line: refusal.line, column: refusal.column), "\(error)")
        #expect(!error.message.isEmpty && !error.fix.isEmpty)
        #expect(!error.description.contains("\n"))
    }

    @Test func `values of the text never stand in an error`() throws {
        for text in ["password: \"hunter2\n", "password: @hunter2", "password: *hunter2", "password: !hunter2 x"] {
            let error = try #require(throws: YAMLError.self) { try YAMLParser.parse(Array(text.utf8)) }
            #expect(!error.description.contains("hunter2"), "\(error)")
        }
    }

    @Test func `a text cut after any byte never traps`() {
        let bytes = Array(exampleDocument.utf8)
        for length in 0...bytes.count {
            _ = try? YAMLParser.parse(Array(bytes[..<length]))
        }
    }

    @Test func `a text with any bit of any byte flipped never traps`() {
        let bytes = Array(exampleDocument.utf8)
        for index in bytes.indices {
            for bit in 0..<8 {
                var changed = bytes
                changed[index] ^= 1 << bit
                _ = try? YAMLParser.parse(changed)
            }
        }
    }
}
