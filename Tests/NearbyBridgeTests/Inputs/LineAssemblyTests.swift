// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import TestSupport
import Testing

@testable import NearbyBridge

struct LineAssemblyTests {
    /// An assembly, its clock and what it handed over.
    private struct Bench {
        var assembly: LineAssembly
        var now = Instant(nanoseconds: 0)
        var messages: [[UInt8]] = []

        init(_ content: LineAssembly.Content) { assembly = LineAssembly(content) }

        mutating func take(_ bytes: [UInt8], after milliseconds: Int64 = 1) {
            now = now.advanced(by: .milliseconds(milliseconds))
            assembly.take(bytes.span, at: now) { messages.append($0.array) }
        }

        mutating func take(_ text: String, after milliseconds: Int64 = 1) {
            take(Array(text.utf8), after: milliseconds)
        }

        mutating func flush(after milliseconds: Int64) {
            now = now.advanced(by: .milliseconds(milliseconds))
            assembly.flush(at: now) { messages.append($0.array) }
        }

        var texts: [String] { messages.map { String(decoding: $0, as: UTF8.self) } }
    }

    @Test(arguments: 0..<20)
    func `lines cut anywhere come whole and one by one`(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let lines = (0..<40).map { number in
            "line \(number) " + String(repeating: "x", count: Int.random(in: 0...60, using: &generator)) + "\r\n"
        }
        var rest = Array(lines.joined(separator: "\r\n").utf8)[...]
        for content in [LineAssembly.Content.lines, .either] {
            var bench = Bench(content)
            rest = Array(lines.joined(separator: "\r\n").utf8)[...]
            while !rest.isEmpty {
                let count = min(rest.count, Int.random(in: 1...50, using: &generator))
                bench.take(Array(rest.prefix(count)))
                rest.removeFirst(count)
            }
            #expect(bench.texts == lines)
            #expect(bench.assembly.deadline == nil)
        }
    }

    @Test func `a carriage return alone ends a line, wherever it is cut`() {
        for pieces in [["a\rb\r\nc\r", "d\n"], ["a", "\r", "b\r", "\nc", "\rd\n"]] {
            var bench = Bench(.lines)
            for piece in pieces { bench.take(piece) }
            #expect(bench.texts == ["a\r", "b\r\n", "c\r", "d\n"])
        }
    }

    @Test func `what ends in no line is handed over after a pause, and not before`() {
        var bench = Bench(.lines)
        bench.take("{\"distance\"")
        bench.take(":1}", after: 60)
        bench.flush(after: 99)
        #expect(bench.texts.isEmpty)
        bench.flush(after: 1)
        #expect(bench.texts == ["{\"distance\":1}"])
        bench.flush(after: 1000)
        #expect(bench.texts.count == 1)
    }

    @Test func `what never ends is not held for ever`() {
        var bench = Bench(.lines)
        for _ in 0..<100 { bench.take([UInt8](repeating: 0xFF, count: 1000)) }
        #expect(bench.messages.count >= 10)
        #expect(bench.messages.allSatisfy { $0.count < LineAssembly.longest + 1000 })
    }

    @Test func `packets pass as they come, with what began them`() {
        let packet: [UInt8] = [0x55, 0x01, 0x00, 0x0A, 0x41]
        var named = Bench(.packets)
        named.take(Array(packet[..<1]))
        named.take(Array(packet[1...]))
        #expect(named.messages == [[0x55], Array(packet[1...])])
        var either = Bench(.either)
        either.take(Array(packet[..<1]))
        either.take(Array(packet[1...]))
        // The rest of a packet may look like text, even like an empty line.
        either.take([0x0A])
        #expect(either.messages == [packet, [0x0A]])
        either.take("text", after: 500)
        #expect(either.messages.count == 2)
    }

    @Test func `empty lines are nothing, and what is forgotten does not come back`() {
        var bench = Bench(.lines)
        bench.take("\r\n \t\r\n\n")
        bench.take("half a li")
        bench.assembly.forget()
        bench.take("ne\r\nwhole\r\n")
        #expect(bench.texts == ["ne\r\n", "whole\r\n"])
    }

    @Test func `only formats of packets are read as such`() throws {
        func content(_ entry: String) throws -> LineAssembly.Content {
            let input = try #require(try load("inputs: [{udp: 1, accessory: a, \(entry)}]").configuration.inputs.first)
            return LineAssembly.Content(input.options)
        }
        #expect(try content("format: linktrack") == .packets)
        #expect(try content("format: uci") == .either)
        #expect(try content("format: auto") == .either)
        #expect(try content("format: pans") == .lines)
        #expect(try content("fields: {distance: d}") == .lines)
    }
}
