// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NearbyCore

@Suite struct DecisionRingTests {
    private func decision(_ seconds: Int64, zone: Int = 0) -> ZoneDecision {
        ZoneDecision(.entered, zone: zone, at: Instant(nanoseconds: seconds), rawDistance: 2.9, distance: 2.8)
    }

    @Test(arguments: [0, 1, 4, 5, 9, 500])
    func `the last four decisions are kept`(_ count: Int) {
        var ring = DecisionRing()
        for index in 0..<count { ring.append(decision(Int64(index))) }
        #expect(ring.all.map(\.at.nanoseconds) == (0..<count).suffix(4).map(Int64.init))
    }

    @Test func `four decisions take no more room than they must`() {
        // Every track has them, whoever asks: 100,000 accessories pay for each byte.
        #expect(MemoryLayout<ZoneDecision?>.stride == 32)
        #expect(MemoryLayout<DecisionRing>.size == 4 * 32 + 1)
    }

    @Test func `the newest about a zone is found`() {
        var ring = DecisionRing()
        ring.append(decision(1, zone: 0))
        ring.append(decision(2, zone: 1))
        ring.append(decision(3, zone: 0))
        #expect(ring.last(about: 0)?.at == Instant(nanoseconds: 3))
        #expect(ring.last(about: 1)?.at == Instant(nanoseconds: 2))
        #expect(ring.last(about: 2) == nil)
    }

    @Test func `zones keep their decisions when they get other places, and lose them when they are gone`() {
        var ring = DecisionRing()
        for (time, zone) in [0, 1, 2, 1].enumerated() { ring.append(decision(Int64(time), zone: zone)) }
        ring.renumber([nil, 0, 5])
        #expect(ring.all.map(\.zone) == [0, 5, 0])
        #expect(ring.all.map(\.at.nanoseconds) == [1, 2, 3])
        ring.append(decision(9, zone: 3))
        ring.append(decision(10, zone: 3))
        #expect(ring.all.map(\.at.nanoseconds) == [2, 3, 9, 10])
    }

    @Test func `what is not known stays unknown`() {
        let lost = ZoneDecision(.exited(.lost), zone: 31, at: Instant(nanoseconds: 7), held: 10_000_000_000)
        #expect(lost.distance == nil && lost.rawDistance == nil && lost.threshold == nil)
        #expect(lost.held == .seconds(10))
        #expect(lost.zone == 31)
        #expect(decision(1).held == nil)
    }
}
