// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Testing
import YAML

/// The document that the tests of whole files use: every construct that a configuration may hold.
let exampleDocument = """
    # A comment
    mqtt: {host: localhost, port: 1883}
    zones:
      near:
        radius: 3.0
        "enabled": true
    groups:
      - forklift-17
      - 'quoted ''one'''
    note: |
      two
      lines
    empty:
    json: {"a": [1, 2, {"b": "\\u00e9"}]}

    """

struct YAMLParserTests {
    private func parse(_ text: String) throws -> YAMLNode? {
        try YAMLParser.parse(Array(text.utf8))
    }

    private func entries(_ node: YAMLNode?) -> [YAMLNode.Entry] {
        guard case .mapping(let entries)? = node?.content else { return [] }
        return entries
    }

    private func texts(_ node: YAMLNode?) -> [String] {
        entries(node).map { entry in
            guard case .scalar(let text, let isQuoted) = entry.value.content else { return "\(entry.key)=?" }
            return "\(entry.key)=\(isQuoted ? "'\(text)'" : text)"
        }
    }

    @Test func `keys and values keep their order and their raw text`() throws {
        let node = try parse("b: on\na: 0123\nc: 5s\nd: \"5s\"\ne: 'x'\nf:\n")
        #expect(texts(node) == ["b=on", "a=0123", "c=5s", "d='5s'", "e='x'", "f="])
    }

    @Test func `every node and key knows its line and column`() throws {
        let root = entries(try parse(exampleDocument))
        #expect(root.map(\.key) == ["mqtt", "zones", "groups", "note", "empty", "json"])
        #expect(root.map(\.keyPosition.line) == [2, 3, 7, 10, 13, 14])
        let near = entries(root[1].value)[0]
        #expect(near.keyPosition == YAMLPosition(line: 4, column: 3))
        let radius = entries(near.value)[0]
        #expect(radius.keyPosition == YAMLPosition(line: 5, column: 5))
        #expect(radius.value.position == YAMLPosition(line: 5, column: 13))
        #expect(entries(near.value)[1].isKeyQuoted)
    }

    @Test func `sequences keep their order`() throws {
        let node = try parse("[a, 'b', {c: d}, [], {}]")
        guard case .sequence(let nodes)? = node?.content else {
            Issue.record("not a sequence")
            return
        }
        #expect(nodes.count == 5)
        #expect(nodes[0].content == .scalar("a", isQuoted: false))
        #expect(nodes[1].content == .scalar("b", isQuoted: true))
        #expect(nodes[3].content == .sequence([]))
        #expect(nodes[4].content == .mapping([]))
    }

    @Test(arguments: ["", "\n", "# only a comment\n", "\u{FEFF}"])
    func `a text without a value is nothing`(_ text: String) throws {
        #expect(try parse(text) == nil)
    }

    @Test func `a byte order mark and CRLF change nothing`() throws {
        let plain = try parse(exampleDocument)
        #expect(try parse("\u{FEFF}" + exampleDocument) == plain)
        let crlf = exampleDocument.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n")
        #expect(try parse(crlf) == plain)
    }

    @Test func `one document may have its markers`() throws {
        #expect(texts(try parse("%YAML 1.1\n---\na: 1\n...\n")) == ["a=1"])
    }

    @Test func `JSON indented with tabs is fine`() throws {
        #expect(texts(try parse("{\n\t\"a\": 1,\n\t\"b\": \"2\"\n}\n")) == ["a=1", "b='2'"])
    }

    @Test func `tags of the core schema are accepted and str makes text`() throws {
        let node = try parse("a: !!str 5\nb: !!int 5\nc: ! 5\nd: !!seq []\ne: !!map {}\n")
        #expect(texts(node) == ["a='5'", "b=5", "c='5'", "d=?", "e=?"])
    }

    @Test func `nesting to the bound is accepted and one deeper refused`() throws {
        let depth = YAMLParser.maximumDepth
        #expect(try parse(nested(depth)) != nil)
        #expect(throws: YAMLError.self) { try parse(nested(depth + 1)) }
    }

    @Test func `a text of the greatest size is accepted and one byte more refused`() throws {
        let start = "a: "
        let filler = [UInt8](repeating: UInt8(ascii: "x"), count: YAMLParser.maximumSize - start.utf8.count)
        #expect(try YAMLParser.parse(Array(start.utf8) + filler) != nil)
        #expect(throws: YAMLError.self) {
            try YAMLParser.parse(Array(start.utf8) + filler + [UInt8(ascii: "x")])
        }
    }

    private func nested(_ depth: Int) -> String {
        String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
}
