// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyCore

/// Peers that reports know by their radio address only.
struct BridgeEngineAddressTests {
    private struct Bench {
        var engine: BridgeEngine
        var effects = EffectBuffer()
        var now = Instant(nanoseconds: 1_000_000_000)
        let lamp: AccessoryIndex
        var sequence: UInt32 = 0

        init(_ options: EngineOptions = .plain()) throws {
            var generator = SeededGenerator(seed: 1)
            engine = BridgeEngine(options: options, using: &generator)
            engine.handle(.subscribed, at: now, into: &effects)
            lamp = try #require(engine.accessory(Array("lamp".utf8).span, at: now, into: &effects))
        }

        /// A notification every tenth of a second, each with these centimetres by address; cut in two if wanted.
        mutating func report(_ distances: [(address: UInt64, centimetres: UInt16)], times: Int, cut: Int? = nil) {
            for _ in 0..<times {
                now = now.advanced(by: .milliseconds(100))
                sequence += 1
                var packet = UCIRangeDataTests.Packet()
                packet.sequence = sequence
                packet.interval = 100
                packet.measurements = distances.map { .init(address: $0.address, centimetres: $0.centimetres) }
                let payload = packet.encoded()
                let place = min(cut ?? payload.count, payload.count)
                let (head, tail) = (Array(payload[..<place]), Array(payload[place...]))
                engine.handleReport(head.span, from: lamp, at: now, into: &effects)
                if !tail.isEmpty { engine.handleReport(tail.span, from: lamp, at: now, into: &effects) }
            }
        }

        var story: [String] {
            effects.effects.compactMap { effect in
                guard case .event(let event) = effect else { return nil }
                return "\(event.peer ?? "-") \(event.summary)"
            }
        }
    }

    @Test func `several addresses are several peers, told of in the aggregate only`() throws {
        var bench = try Bench()
        bench.report([(1, 100), (2, 500)], times: 10)
        #expect(bench.story == ["- enter near", "- enter immediate"])
        #expect(bench.engine.streams(of: bench.lamp).count == 1)
        let state = try #require(bench.engine.state(of: StreamID(accessory: bench.lamp)))
        #expect(state.distance.map { abs($0 - 1) < 0.05 } == true && state.peers.isEmpty)
        // The other one comes near, the first goes: the lamp is never left alone.
        bench.report([(1, 100), (2, 100)], times: 40)
        bench.report([(1, 500), (2, 100)], times: 40)
        #expect(bench.story.count == 2)
        bench.report([(1, 500), (2, 500)], times: 40)
        #expect(bench.story.suffix(2) == ["- exit immediate left", "- exit near left"])
    }

    @Test(arguments: ["0x0001", "0X0001"])
    func `an address that the configuration names has topics of its own`(_ key: String) throws {
        var options = EngineOptions.plain()
        var accessory = AccessoryOptions()
        accessory.peers[key] = PeerOptions()
        accessory.peers[key]?.name = "gate-1"
        options.accessories["lamp"] = accessory
        var bench = try Bench(options)
        bench.report([(1, 100), (2, 500)], times: 10)
        #expect(
            bench.story == ["gate-1 enter near", "gate-1 enter immediate", "- enter near", "- enter immediate"]
        )
    }

    @Test func `a stream that messages cut anywhere makes the same events`() throws {
        for cut in stride(from: 1, to: 60, by: 7) {
            var bench = try Bench()
            bench.report([(1, 100)], times: 10, cut: cut)
            bench.report([(1, 500)], times: 30, cut: cut)
            #expect(
                bench.story == ["- enter near", "- enter immediate", "- exit immediate left", "- exit near left"],
                "\(cut)"
            )
            #expect(bench.engine.counters.malformed == 0)
        }
    }

    @Test func `what is never finished does not grow`() throws {
        var options = EngineOptions.plain()
        options.limits.payload = 1000
        var bench = try Bench(options)
        let endless: [UInt8] = [0x72, 0, 0, 200] + Array(repeating: 0, count: 150)
        for _ in 0..<100 {
            bench.engine.handleReport(endless.span, from: bench.lamp, at: bench.now, into: &bench.effects)
        }
        bench.report([(1, 100)], times: 20)
        #expect(bench.story.contains("- enter near"))
    }

    @Test func `the end that a radio tells ends the session`() throws {
        var bench = try Bench()
        let data = BridgeEngineSessionsTests.data
        bench.engine.handle(
            .configuration(data, of: bench.lamp, isRetained: false),
            at: bench.now,
            into: &bench.effects
        )
        bench.report([(1, 100)], times: 10)
        let end: [UInt8] = [0x61, 2, 0, 6, 1, 0, 0, 0, 3, 5]
        bench.engine.handleReport(end.span, from: bench.lamp, at: bench.now, into: &bench.effects)
        let session = bench.engine.session(of: StreamID(accessory: bench.lamp))
        #expect(session.state == .ended && session.reason == .peerEnded)
        #expect(bench.story.suffix(2) == ["- exit immediate sessionEnded", "- exit near sessionEnded"])
    }

    @Test(arguments: ["62000038", "62 00", "AT+RANGE=tid:0,mask:01,seq:205,range:(90", "SESSION_INFO_NTF: {"])
    func `the beginning of something that never ends does not swallow what comes after it`(_ rubbish: String) throws {
        var bench = try Bench()
        for (count, metres) in [(20, "1.0"), (30, "6.0")] {
            for step in 0..<count {
                bench.now = bench.now.advanced(by: .milliseconds(100))
                if step % 7 == 0 {
                    bench.engine.handleReport(
                        Array(rubbish.utf8).span,
                        from: bench.lamp,
                        at: bench.now,
                        into: &bench.effects
                    )
                }
                bench.engine.handleReport(
                    Array("{\"distance\":\(metres)}".utf8).span,
                    from: bench.lamp,
                    at: bench.now,
                    into: &bench.effects
                )
            }
        }
        #expect(
            bench.story == ["- enter near", "- enter immediate", "- exit immediate left", "- exit near left"]
        )
    }
}
