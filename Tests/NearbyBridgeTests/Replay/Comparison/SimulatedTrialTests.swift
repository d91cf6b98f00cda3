// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import Testing

@testable import NearbyBridge

struct SimulatedTrialTests {
    private let zone = EngineOptions.NamedZone(name: "immediate", options: ZoneOptions(radius: 1.5))

    private func trial(_ names: [String], stands: Int = 0, walks: Int = 0) throws -> SimulatedTrial {
        let pipelines = PipelineTable.all(EngineOptions()).filter { names.contains($0.name) }
        return try #require(SimulatedTrial(pipelines, zone: zone, stands: stands, walks: walks))
    }

    @Test func `through the worst noise the default makes one enter and one exit, in time`() throws {
        let trial = try trial(["default", "bare hysteresis"], walks: 120)
        for row in trial.rows {
            let crossings = row.crossings
            print("\(row.name): \(crossings.exact) of \(crossings.count) exact")
            #expect(crossings.count == 120)
            #expect(crossings.enters.count == crossings.exact && crossings.exits.count == crossings.exact)
        }
        let own = trial.rows[0].crossings
        #expect(own.exact * 100 >= own.count * 98)
        // An offset of 0.36 m is a third of a second at this speed.
        #expect(try #require(own.enters.percentile(95)) <= 1)
        #expect(try #require(own.exits.percentile(95)) <= 1.6)
        #expect(trial.rows[1].crossings.exact * 100 <= own.count * 80)
    }

    @Test func `everybody stands in the same noise, and a bare radius shows it`() throws {
        let trial = try trial(["default", "bare radius"], stands: 2)
        #expect(trial.rows.map(\.name) == ["default", "bare radius"])
        for row in trial.rows { #expect(row.stands.map(\.count) == [2, 2, 2]) }
        #expect(trial.rows[0].stands.joined().allSatisfy { $0 <= 9 })
        #expect(trial.rows[1].stands.joined().allSatisfy { $0 > 500 })
    }

    @Test func `a zone that is switched off is not tried`() {
        let off = EngineOptions.NamedZone(name: "off", options: ZoneOptions(radius: 1, isEnabled: false))
        #expect(SimulatedTrial([], zone: off, stands: 1, walks: 1) == nil)
    }

    @Test func `a simulated walk goes straight from corner to corner`() {
        let walk = Walk.simulated([(0, 5), (1, 4), (3, 4)], [], seed: 0)
        #expect(walk.samples.count == 30)
        #expect(walk.samples.allSatisfy { $0.measured == $0.truth })
        #expect(abs(walk.samples[5].measured - 4.5) < 1e-9)
        #expect(walk.samples.last?.time == 2.9)
        // What is lost or fails is no sample.
        #expect(Walk.simulated([(0, 5), (9, 5)], [.loss(share: 1)], seed: 0).samples.isEmpty)
        #expect(Walk.simulated([(0, 5), (9, 5)], [.failed(share: 1)], seed: 0).samples.isEmpty)
    }
}
