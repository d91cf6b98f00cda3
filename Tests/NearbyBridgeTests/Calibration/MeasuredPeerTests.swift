// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import Testing

@testable import NearbyBridge

struct MeasuredPeerTests {
    private func observation(
        _ peer: String?,
        _ measured: Double?,
        _ outcome: ReportObservation.Outcome = .taken
    ) -> ReportObservation {
        ReportObservation(
            accessory: "lamp",
            peer: peer,
            at: Instant(nanoseconds: 0),
            measured: measured,
            distance: measured,
            outcome: measured == nil ? .withoutMeasurement : outcome
        )
    }

    @Test func `a named peer is found whatever the case of its address`() throws {
        let all = [observation("0x00AB", 2), observation("bob", 3), observation("bob", 3.1)]
        let measured = try #require(MeasuredPeer(all, peer: "0x00ab"))
        #expect(measured.peer == "0x00AB" && measured.peers == ["0x00AB"])
        #expect(measured.measurements.map(\.distance) == [2])
        #expect(MeasuredPeer(all, peer: "carol") == nil)
    }

    @Test func `without a name it is the one with the most measurements, and the others are told`() throws {
        let all = [observation("alice", 2), observation("bob", 3), observation("bob", 3.1), observation(nil, 9)]
        let measured = try #require(MeasuredPeer(all, peer: nil))
        #expect(measured.peer == "bob")
        #expect(measured.peers == ["alice", "bob", MeasuredPeer.unnamed])
        #expect(measured.measurements.map(\.distance) == [3, 3.1])
    }

    @Test func `second deliveries do not count, what the gate held back does, failures are counted`() throws {
        let all = [
            observation("bob", 3), observation("bob", 3, .duplicate), observation("bob", 2.9, .late),
            observation("bob", 30, .gated), observation("bob", nil), observation(nil, nil), observation("alice", nil),
        ]
        let measured = try #require(MeasuredPeer(all, peer: nil))
        #expect(measured.measurements.map(\.distance) == [3, 30])
        #expect(measured.failed == 2)
    }

    @Test func `failures alone are nothing to measure`() {
        #expect(MeasuredPeer([observation(nil, nil), observation("bob", nil)], peer: nil) == nil)
    }
}
