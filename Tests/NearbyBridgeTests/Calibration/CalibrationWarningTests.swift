// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NearbyBridge

struct CalibrationWarningTests {
    private func warnings(
        _ measurements: [CalibrationPoint.Measurement],
        truth: Double = 2,
        failed: Int = 0
    ) throws -> [CalibrationWarning] {
        let point = try #require(CalibrationPoint(truth: truth, measurements: measurements, failed: failed))
        return CalibrationWarning.all(of: try #require(Calibration([point], configuredScale: 1)))
    }

    @Test func `quiet measurements that are a little wrong need no warning`() throws {
        #expect(try warnings(CalibrationPointTests.measured(2.36)).isEmpty)
    }

    @Test func `noise alone is hardly ever a drift`() throws {
        let drifting = try (1...100).count { seed in
            let measured = CalibrationPointTests.measured(2, sigma: 0.1, memory: 0.5, seed: UInt64(seed))
            return try warnings(measured).contains { if case .drift = $0 { true } else { false } }
        }
        #expect(drifting <= 10)
    }

    @Test func `each doubt is told with its distance and what to do`() throws {
        func text(_ measurements: [CalibrationPoint.Measurement], truth: Double = 2, failed: Int = 0) throws -> String {
            try warnings(measurements, truth: truth, failed: failed).map(\.text).joined(separator: "\n")
        }
        let measured = CalibrationPointTests.measured
        #expect(try text(measured(2, 20, 0.03, 0, 0, 1)).contains("only 20 measurements at 2.00 m"))
        #expect(try text(measured(2, 300, 0.2, 0, 0, 1)).contains("scatter by 0.2"))
        #expect(try text(measured(2, 300, 0.03, 0, 0.3, 1)).contains("moved by 0."))
        #expect(try text(measured(2, 300, 0.1, 0.95, 0, 1)).contains("known only within"))
        #expect(try text(measured(2, 300, 0.03, 0, 0, 1), failed: 100).contains("25 % of the rounds at 2.00 m failed"))
        #expect(try text(measured(200, 300, 0.03, 0, 0, 1)).contains("look like centimetres"))
        #expect(try text(measured(2000, 300, 0.03, 0, 0, 1)).contains("look like millimetres"))
        #expect(try text(measured(6.56, 300, 0.03, 0, 0, 1)).contains("look like feet"))
        #expect(try text(measured(3.5, 300, 0.03, 0, 0, 1)).contains("is the unit of its distances metres?"))
        let several = CalibrationWarning.severalPeers(["alice", "bob"], used: "bob")
        #expect(several.text == "2 peers reported (alice, bob), and bob was measured: name one with --peer")
    }
}
