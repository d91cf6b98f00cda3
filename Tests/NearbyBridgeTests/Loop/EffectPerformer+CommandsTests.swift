// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import TestSupport
import Testing

@testable import NearbyBridge
@testable import NearbyCore

struct EffectPerformerCommandsTests {
    private static let a1 = "01000000140000000000000000000015010001003ff50300b80b0000000001010111d71900"

    /// A lamp with a radio whose run has just begun.
    private static func bench() throws -> PerformerBench {
        var options = EngineOptions()
        var lamp = AccessoryOptions()
        var gate = PeerOptions()
        gate.name = "gate-1"
        gate.isRadio = true
        lamp.peers["0x0001"] = gate
        options.accessories["lamp"] = lamp
        var bench = try PerformerBench(engine: options)
        let identifier = Array("lamp".utf8)
        let index = try #require(bench.engine.accessory(identifier.span, at: bench.now, into: &bench.buffer))
        let data = Array(a1.utf8)
        bench.engine.handle(.configuration(data, of: index, isRetained: false), at: bench.now, into: &bench.buffer)
        return bench
    }

    @Test("What a radio is told is sent once, behind the accessory's command, never kept, and expires like it")
    func radio() throws {
        var bench = try Self.bench()
        bench.perform()
        let messages = bench.drain()
        let commands = messages.filter { $0.topic.hasSuffix("/command") }
        #expect(
            commands.map(\.topic) == [
                "nearby/accessory/lamp/command", "nearby/accessory/lamp/peer/gate-1/command",
            ]
        )
        let told = try #require(commands.last)
        #expect(told.qualityOfService == 1 && !told.isRetained && told.isCommand && !told.outlivesConnection)
        #expect(told.expiresAt == bench.now.advanced(by: .seconds(3)) && told.expiresAt == commands[0].expiresAt)
        #expect(told.text.contains("\"command\":\"configure_and_start\""))
        let stop = RadioCommand(accessory: "lamp", peer: "gate-1", kind: .stop(sessionID: 7), run: 1)
        let ending = try #require(bench.messages(of: [.radio(stop)]).first)
        #expect(ending.topic == told.topic && ending.isCommand && !ending.isRetained)
        #expect(ending.expiresAt == bench.now.advanced(by: .seconds(2)))
    }

    @Test("What cannot be sent now is not sent later")
    func offline() throws {
        var bench = try Self.bench()
        bench.perform(isOnline: false)
        #expect(bench.drain().allSatisfy { !$0.topic.hasSuffix("/command") })
    }

    @Test("The key material stands in the two commands and nowhere else, whatever is logged")
    func secrets() throws {
        var bench = try Self.bench()
        var secret: [UInt8] = []
        for case .radio(let command) in bench.buffer.effects {
            if case .configureAndStart(let session) = command.kind { secret = session.stsIV.bytes }
        }
        #expect(secret.count == 6)
        let text = Hexadecimal.text(secret.span)
        bench.perform()
        let messages = bench.drain()
        let telling = messages.filter { $0.text.lowercased().contains(text) }.map(\.topic)
        #expect(telling == ["nearby/accessory/lamp/command", "nearby/accessory/lamp/peer/gate-1/command"])
        #expect(bench.lines.all.allSatisfy { !$0.lowercased().contains(text) })
    }

    @Test("A radio that cannot take part is complained of in words")
    func complaints() throws {
        var bench = try Self.bench()
        _ = bench.messages(of: [
            .complaint(Complaint(accessory: "lamp", kind: .radio(.slotsPerRound(300)), suppressed: 0))
        ])
        #expect(bench.lines.all.last?.contains("its radio cannot take part in this run: 300 slots in a round") == true)
        for refusal in [FiRaSession.Refusal.unknownVersion, .role(RangingRole(rawValue: 7))] {
            #expect(!refusal.text.isEmpty)
        }
    }
}
