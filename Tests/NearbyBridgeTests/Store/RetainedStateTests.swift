// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyBridge
@testable import NearbyCore

struct RetainedStateTests {
    private func write(_ state: StreamState, _ wall: WallTime) -> [UInt8] {
        var json = JSONWriter()
        StatePayload.write(state, wall, into: &json)
        return json.bytes
    }

    private func read(_ text: String) -> RestoredStream? {
        RetainedState.read(Array(text.utf8), accessory: "lamp", peer: nil, WallTime(origin: 0))
    }

    @Test func `a state that was written reads back to the same zones, visits and number`() throws {
        var generator = SplitMix64(seed: 1)
        for round in 0..<500 {
            let state = StreamState.random(using: &generator)
            let wall = WallTime(origin: Int64.random(in: 0...2_000_000_000_000, using: &generator) * 1_000_000)
            let peer = round % 2 == 0 ? "alice" : nil
            let restored = try #require(
                RetainedState.read(write(state, wall), accessory: "lamp", peer: peer, wall),
                "round \(round)"
            )
            let zones = state.zones.map { zone in
                RestoredStream.Zone(
                    name: zone.name,
                    state: zone.state,
                    since: zone.since ?? Instant(nanoseconds: 0),
                    visit: zone.visit ?? 0
                )
            }
            let expected = RestoredStream(accessory: "lamp", peer: peer, lastSequence: state.sequence, zones: zones)
            #expect(restored == expected, "round \(round)")
        }
    }

    @Test func `what the engine tells is what it takes over in its next life`() throws {
        var first = try PerformerBench()
        for _ in 0..<5 { first.report(#"{"distance":2,"peer":"alice"}"#, from: "lamp") }
        var second = try PerformerBench()
        let wall = WallTime(origin: 1_764_511_310_000_000_000)
        let streams = first.engine.streams(of: AccessoryIndex(0))
        let states = streams.compactMap { first.engine.state(of: $0) }
        #expect(states.count == 2)
        for state in states.reversed() {
            let stream = RetainedState.read(write(state, wall), accessory: state.accessory, peer: state.peer, wall)
            second.engine.handle(.restore(try #require(stream)), at: second.now, into: &second.buffer)
        }
        for (stream, state) in zip(streams, states) {
            let restored = try #require(second.engine.state(of: stream))
            #expect(restored.isRestored)
            #expect(restored.sequence == state.sequence)
            #expect(restored.zones.map(\.name) == state.zones.map(\.name))
            #expect(restored.zones.map(\.state) == state.zones.map(\.state))
            #expect(restored.zones.map(\.visit) == state.zones.map(\.visit))
        }
    }

    @Test func `a zone about which nothing was ever decided stays so`() throws {
        var bench = try PerformerBench()
        let stream = read(#"{"zones":{"near":{"state":"unknown"}}}"#)
        bench.engine.handle(.restore(try #require(stream)), at: bench.now, into: &bench.buffer)
        let state = try #require(bench.engine.state(of: StreamID(accessory: AccessoryIndex(0))))
        #expect(state.zones.allSatisfy { $0.since == nil && $0.visit == nil && $0.state == .unknown })
    }

    @Test func `what was told of convergence is read back`() {
        var state = StreamState.unknown
        state.convergence = Convergence(status: .notConverged, reasons: .insufficientLighting, others: ["later"])
        let bytes = write(state, WallTime(origin: 0))
        let restored = RetainedState.read(bytes, accessory: "lamp", peer: nil, WallTime(origin: 0))
        #expect(restored?.convergence == state.convergence)
        #expect(read(#"{"zones":{},"convergence":{"status":"nearly"}}"#)?.convergence == nil)
        #expect(read(#"{"zones":{},"convergence":{"status":"converged"}}"#)?.convergence?.status == .converged)
    }

    @Test func `fields of other versions are passed over`() throws {
        let stream = try #require(
            read(#"{"seq":7,"new":[{}],"zones":{"b":{"state":"inside","x":1},"a":{"state":"outside"}}}"#)
        )
        #expect(stream.lastSequence == 7)
        #expect(stream.zones.map(\.name) == ["a", "b"])
        #expect(stream.zones.map(\.state) == [.outside, .inside])
        #expect(read(#"{"zones":{}}"#)?.zones == [])
        #expect(read(#"{"zones":{"near":{"state":"inside","visit":-5}}}"#)?.zones.first?.visit == 0)
        #expect(read(#"{"zones":{"near":{"state":"inside","since":"soon"}}}"#)?.zones.first?.state == .inside)
    }

    @Test(arguments: [
        "", " ", "null", "[]", "17", "\"x\"", "{", "{}", #"{"seq":1}"#, #"{"zones":[]}"#, #"{"zones":null}"#,
        #"{"zones":{"near":"inside"}}"#, #"{"zones":{"near":{}}}"#, #"{"zones":{"near":{"state":"near"}}}"#,
        #"{"zones":{"near":{"state":1}}}"#, #"{"seq":"1","zones":{}}"#, #"{"seq":1.5,"zones":{}}"#,
        #"{"seq":1e30,"zones":{}}"#, #"{"zones":{"near":{"state":"inside","visit":1e30}}}"#,
        #"{"zones":{"near":{"state":"inside","since":7}}}"#, "online", "{\"zones\":{}}x",
    ])
    func `what is no state of ours is nothing`(_ text: String) {
        #expect(read(text) == nil)
    }

    @Test func `rubbish never traps`() {
        let whole = write(.full, WallTime(origin: 0))
        let wall = WallTime(origin: 0)
        var survivors = 0
        for length in 0..<whole.count {
            #expect(RetainedState.read(Array(whole[..<length]), accessory: "a", peer: nil, wall) == nil)
        }
        var generator = SplitMix64(seed: 1)
        for position in whole.indices {
            for bit in [0, 3, 7] {
                var flipped = whole
                flipped[position] ^= 1 << UInt8(bit)
                if RetainedState.read(flipped, accessory: "a", peer: nil, wall) != nil { survivors += 1 }
            }
        }
        #expect(survivors > 0)
        for length in 0..<300 {
            let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
            #expect(RetainedState.read(bytes, accessory: "a", peer: nil, wall) == nil)
        }
        for text in ["[", "{\"zones\":", "{\"zones\":{\"a\":"] {
            let deep = Array(String(repeating: text, count: 50_000).utf8)
            #expect(RetainedState.read(deep, accessory: "a", peer: nil, wall) == nil)
        }
    }
}
