// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyCore

@Suite struct BridgeEngineConvergenceTests {
    static let lighting = #","convergence":{"status":"not_converged","reasons":["insufficient_lighting"]}"#
    static let movement = #","convergence":{"status":"not_converged","reasons":["insufficient_movement"]}"#
    static let converged = #","convergence":{"status":"converged","reasons":[]}"#

    /// The events that are none of zones.
    private func told(_ scenario: Scenario) -> [String] {
        scenario.wholeStory().filter { !$0.contains(" enter ") && !$0.contains(" exit ") }
    }

    @Test("One event for each change, not for each report, and the state tells the same")
    func changes() {
        var scenario = Scenario(.plain())
        for step in 0..<30 { scenario.send(5, at: Double(step) / 10, fields: Self.lighting) }
        for step in 30..<60 { scenario.send(5, at: Double(step) / 10, fields: Self.converged) }
        scenario.run(to: 6)
        #expect(told(scenario) == ["- not_converged insufficient_lighting", "- converged"])
        #expect(scenario.retained()?.convergence == Convergence(status: .converged))
        #expect(scenario.violations == [])
        // Reports that say nothing of it change nothing.
        scenario.send(5, at: 6.1)
        scenario.run(to: 7)
        #expect(told(scenario).count == 2)
        #expect(scenario.retained()?.convergence?.status == .converged)
    }

    @Test("Convergence without a distance counts, and makes its peer known")
    func withoutDistance() {
        var scenario = Scenario(.plain())
        scenario.send(nil, at: 0, peer: "alice", fields: Self.lighting)
        scenario.run(to: 0)
        #expect(told(scenario) == ["alice not_converged insufficient_lighting"])
        let state = scenario.retained(peer: "alice")
        #expect(state?.distance == nil)
        #expect(state?.convergence?.hint == "more light: it is too dark for the camera")
        #expect(state?.guidance?.distance.obstacle == .noMeasurement)
        #expect(scenario.retained()?.convergence?.reasons == .insufficientLighting)
        #expect(scenario.engine.counters.withoutMeasurement == 1)
        scenario.send(nil, at: 0.2, fields: #","status":"timeout"\#(Self.converged)"#)
        scenario.run(to: 1)
        #expect(told(scenario).last == "- converged")
        #expect(scenario.violations == [])
    }

    @Test("Flapping is told once a second at most, and the last state in the end")
    func flapping() {
        var scenario = Scenario(.plain())
        for step in 0..<50 {
            scenario.send(
                5,
                at: Double(step) / 10,
                peer: "alice",
                fields: step % 2 == 0 ? Self.lighting : Self.movement
            )
        }
        scenario.run(to: 20)
        let instants = scenario.records.compactMap { record -> Int64? in
            guard case .sessionEvent(let event) = record.effect, case .convergence = event.kind else { return nil }
            return event.at.nanoseconds
        }
        #expect((2...6).contains(instants.count), "\(instants)")
        for (first, second) in zip(instants, instants.dropFirst()) { #expect(second - first >= 1_000_000_000) }
        #expect(told(scenario).filter { $0.hasPrefix("alice") }.last == "alice not_converged insufficient_movement")
        #expect(scenario.retained(peer: "alice")?.convergence?.reasons == .insufficientMovement)
        #expect(scenario.violations == [])
    }

    @Test("What comes back within the second is no change")
    func backAgain() {
        var scenario = Scenario(.plain())
        scenario.send(5, at: 0, fields: Self.lighting)
        scenario.send(5, at: 0.2, fields: Self.converged)
        scenario.send(5, at: 0.4, fields: Self.lighting)
        scenario.run(to: 10)
        #expect(told(scenario) == ["- not_converged insufficient_lighting"])
    }

    @Test("A change within the second is told when it ends, without another report")
    func late() {
        var scenario = Scenario(.plain())
        scenario.send(5, at: 0, fields: Self.lighting)
        scenario.send(5, at: 0.2, fields: Self.converged)
        scenario.run(to: 0.9)
        #expect(told(scenario).count == 1)
        scenario.run(to: 1)
        #expect(told(scenario) == ["- not_converged insufficient_lighting", "- converged"])
        #expect(scenario.retained()?.convergence?.status == .converged)
        #expect(scenario.violations == [])
    }

    @Test("Reasons that are not known are told, and their order is no change")
    func others() {
        var scenario = Scenario(.plain())
        for (step, list) in [#""a","b""#, #""b","a""#, #""b","a","B""#, #""a""#].enumerated() {
            let fields = #","convergence":{"status":"not_converged","reasons":[\#(list)]}"#
            scenario.send(5, at: Double(step) * 2, fields: fields)
        }
        scenario.run(to: 10)
        #expect(told(scenario) == ["- not_converged a b", "- not_converged a"])
    }

    @Test("Each peer has its own, numbered in its own stream")
    func peers() {
        var scenario = Scenario(.plain())
        scenario.send(5, at: 0, peer: "alice", fields: Self.lighting)
        scenario.send(6, at: 0.1, peer: "bob", fields: Self.converged)
        scenario.run(to: 1)
        #expect(told(scenario) == ["alice not_converged insufficient_lighting", "bob converged"])
        #expect(scenario.retained(peer: "bob")?.convergence?.status == .converged)
        // The aggregate's is that of the nearest, as its direction is.
        #expect(scenario.retained()?.convergence?.status == .notConverged)
        #expect(scenario.violations == [])
    }

    @Test("A restart tells nothing anew", arguments: [nil, "alice"])
    func restart(_ peer: String?) {
        var scenario = Scenario(.plain())
        scenario.send(5, at: 0, peer: peer, fields: Self.lighting)
        scenario.run(to: 2)
        scenario.restart()
        scenario.subscribe()
        scenario.send(5, at: 3, peer: peer, fields: Self.lighting)
        scenario.run(to: 5)
        #expect(told(scenario).count == 1)
        scenario.send(5, at: 5, peer: peer, fields: Self.converged)
        scenario.run(to: 6)
        #expect(told(scenario).last == "\(peer ?? "-") converged")
        #expect(scenario.violations == [])
    }

    @Test("A new session begins unconverged, and tells so")
    func sessions() {
        var scenario = Scenario(.plain())
        scenario.configure(BridgeEngineSessionsTests.data)
        scenario.send(5, at: 0.1, fields: Self.lighting)
        scenario.run(to: 1)
        scenario.ask(.stop)
        #expect(scenario.retained()?.convergence == nil)
        scenario.configure(BridgeEngineSessionsTests.data + [0])
        scenario.send(5, at: 5, fields: Self.lighting)
        scenario.run(to: 6)
        #expect(told(scenario).count { $0.contains("not_converged") } == 2, "\(told(scenario))")
        #expect(scenario.violations == [])
    }

    @Test("A report that does not count says nothing of convergence")
    func unwelcome() {
        var scenario = Scenario(.plain { $0.session.isRequired = true })
        scenario.send(5, at: 0, fields: Self.lighting)
        scenario.send(nil, at: 0.1, fields: Self.lighting)
        scenario.run(to: 2)
        #expect(told(scenario) == [])
        #expect(scenario.engine.counters.outsideSession == 2)
    }

    @Test("While the broker is out of reach nothing is told, and afterwards the last")
    func blind() {
        var scenario = Scenario(.plain())
        scenario.send(5, at: 0, fields: Self.lighting)
        scenario.send(5, at: 0.2, fields: Self.converged)
        scenario.run(to: 0.5)
        scenario.disconnect()
        scenario.run(to: 8)
        #expect(told(scenario).count == 1)
        scenario.subscribe()
        scenario.run(to: 9)
        #expect(told(scenario).last == "- converged")
        #expect(scenario.violations == [])
    }
}
