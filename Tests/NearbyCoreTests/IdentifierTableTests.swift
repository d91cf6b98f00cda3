// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyCore

@Suite struct IdentifierTableTests {
    private struct Name: Hashable {
        var text: String
        var scope: Int
    }

    @Test func `the same name in two scopes is two identifiers`() {
        var table = IdentifierTable(key: 1)
        let name = Array("alice".utf8)
        let first = table.insert(name.span, in: 1)
        #expect(table.index(of: name.span, in: 2) == nil)
        let second = table.insert(name.span, in: 2)
        #expect(first != second)
        #expect(table.index(of: name.span, in: 1) == first)
        #expect(table.index(of: name.span, in: 2) == second)
        #expect(table.name(of: second) == "alice")
    }

    @Test func `a removed identifier is gone and its index is used again`() {
        var table = IdentifierTable(key: 2)
        let alice = Array("alice".utf8)
        let index = table.insert(alice.span, in: 0)
        table.remove(index)
        #expect(table.index(of: alice.span, in: 0) == nil)
        #expect(table.name(of: index) == "")
        #expect(table.count == 0)
        let bob = Array("bob".utf8)
        #expect(table.insert(bob.span, in: 0) == index)
        #expect(table.name(of: index) == "bob")
    }

    @Test(arguments: UInt64(1)...8)
    func `random insertions and removals agree with a dictionary`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var table = IdentifierTable(key: random.next())
        var model: [Name: Int] = [:]
        for step in 0..<6000 {
            // Long names, so that the bytes of removed ones are packed away every now and then.
            let number = Int.random(in: 0..<400, using: &random)
            let name = Name(text: String(repeating: "x", count: number % 40) + "\(number)", scope: number % 3)
            let bytes = Array(name.text.utf8)
            #expect(table.index(of: bytes.span, in: name.scope) == model[name])
            if let index = model[name] {
                #expect(table.name(of: index) == name.text)
                table.remove(index)
                model[name] = nil
            } else if step % 1000 < 600 || Bool.random(using: &random) {
                let index = table.insert(bytes.span, in: name.scope)
                #expect(!model.values.contains(index))
                model[name] = index
            }
            #expect(table.count == model.count)
        }
        for (name, index) in model {
            #expect(table.index(of: Array(name.text.utf8).span, in: name.scope) == index)
            #expect(table.name(of: index) == name.text)
        }
    }

    @Test func `thousands of comings and goings find a bucket every time`() {
        var table = IdentifierTable(key: 3)
        for number in 0..<20_000 {
            let bytes = Array("peer-\(number)".utf8)
            let index = table.insert(bytes.span, in: 1)
            #expect(index < 2)
            #expect(table.index(of: bytes.span, in: 1) == index)
            table.remove(index)
        }
        #expect(table.count == 0)
        #expect(table.index(of: Array("peer-7".utf8).span, in: 1) == nil)
    }
}
