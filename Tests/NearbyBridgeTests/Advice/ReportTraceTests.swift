// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import Testing

@testable import NearbyBridge

struct ReportTraceTests {
    private func observation(
        _ accessory: String,
        _ peer: String?,
        _ distance: Double?,
        at seconds: Double = 0,
        _ outcome: ReportObservation.Outcome = .taken
    ) -> ReportObservation {
        ReportObservation(
            accessory: accessory,
            peer: peer,
            at: Replay.instant(seconds),
            measured: distance,
            distance: distance,
            outcome: distance == nil ? .withoutMeasurement : outcome,
            motion: .still
        )
    }

    @Test func `traces are told apart by accessory and peer, the busiest first`() {
        let traces = ReportTrace.all(in: [
            [observation("a", "x", 1), observation("b", nil, 2), observation("b", nil, 2), observation("a", "y", 3)],
            [observation("a", "y", 3), observation("a", "y", 3, at: 1)],
        ])
        #expect(traces.map(\.accessory) == ["a", "b", "a"])
        #expect(traces.map(\.peer) == ["y", nil, "x"])
        #expect(traces[0].parts.map(\.count) == [1, 2])
        #expect(traces[0].duration == 1)
    }

    @Test func `failures of nobody in particular belong to the only peer`() {
        let one = ReportTrace.all(in: [
            [observation("a", "x", 1), observation("a", nil, nil), observation("a", "x", nil)]
        ])
        #expect(one.map(\.failed) == [2])
        let two = ReportTrace.all(in: [
            [observation("a", "x", 1), observation("a", "y", 1), observation("a", nil, nil)]
        ])
        #expect(two.map(\.failed) == [0, 0])
        #expect(ReportTrace.all(in: [[observation("a", nil, nil)]]).isEmpty)
    }

    @Test func `second deliveries are no distances, gross errors are`() {
        let traces = ReportTrace.all(in: [
            [
                observation("a", nil, 1), observation("a", nil, 1, .duplicate), observation("a", nil, 1, .late),
                observation("a", nil, 30, .gated),
            ]
        ])
        #expect(traces.first?.parts.first?.map(\.isGated) == [false, true])
    }
}
