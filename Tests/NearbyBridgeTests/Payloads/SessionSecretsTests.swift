// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import TestSupport
import Testing

@testable import NearbyBridge

struct SessionSecretsTests {
    private static let data = "01000000140000000000000000000015010001003ff50300b80b0000000001010111d71900"

    @Test(arguments: [true, false])
    func `the key material of a whole session life stands in commands only`(_ isBinary: Bool) throws {
        var bench = try PerformerBench()
        let identifier = Array("lamp".utf8)
        let lamp = try #require(bench.engine.accessory(identifier.span, at: bench.now, into: &bench.buffer))
        let text = Array(Self.data.utf8)
        let payload = isBinary ? try Hexadecimal.decode(text.span) : text
        var messages: [OutgoingMessage] = []
        var secrets: [[UInt8]] = []
        func turn(_ bench: inout PerformerBench) {
            for case .command(let command) in bench.buffer.effects {
                guard case .configureAndStart(let data) = command.command else { continue }
                secrets += [data.encoded, data.parameters?.stsIV.bytes ?? []]
            }
            bench.perform()
            messages += bench.drain()
        }
        bench.engine.handle(.configuration(payload, of: lamp, isRetained: false), at: bench.now, into: &bench.buffer)
        turn(&bench)
        bench.report(#"{"distance":1}"#, from: "lamp")
        turn(&bench)
        // A report that repeats a start as if it were one of its own is quoted nowhere.
        let echo = messages.first { $0.topic.hasSuffix("/command") }?.payload ?? []
        bench.engine.handle(.configuration(echo, of: lamp, isRetained: false), at: bench.now, into: &bench.buffer)
        bench.engine.handle(.message(echo, of: lamp), at: bench.now, into: &bench.buffer)
        bench.engine.handleReport(echo.span, from: lamp, at: bench.now, into: &bench.buffer)
        turn(&bench)
        for _ in 0..<60 {
            bench.now = bench.now.advanced(by: .seconds(1))
            bench.engine.advance(to: bench.now, into: &bench.buffer)
            turn(&bench)
        }
        #expect(secrets.count == 8)
        let commands = messages.filter { $0.topic.hasSuffix("/command") }
        #expect(commands.count >= 4)
        #expect(commands.allSatisfy { !$0.isRetained && $0.isCommand })
        let others = messages.filter { !$0.topic.hasSuffix("/command") }
        #expect(others.contains { $0.topic.hasSuffix("/session") && $0.text.contains(Self.data) })
        let told = others.map { $0.text.lowercased() } + bench.lines.all.map { $0.lowercased() }
        for secret in secrets {
            let hexadecimal = Hexadecimal.text(secret.span)
            #expect(told.allSatisfy { !$0.contains(hexadecimal) })
            #expect(commands.contains { $0.text.contains(hexadecimal) || $0.payload.contains(subsequence: secret) })
        }
        for message in others where message.topic.hasSuffix("/event") || message.topic.hasSuffix("/session") {
            #expect(JSONText.fault(message.payload) == nil)
        }
    }
}

extension [UInt8] {
    fileprivate func contains(subsequence: [UInt8]) -> Bool {
        indices.contains { self[$0...].starts(with: subsequence) }
    }
}
