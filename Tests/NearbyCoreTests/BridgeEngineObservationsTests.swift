// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import Testing

@Suite struct BridgeEngineObservationsTests {
    private static let lamp = Array("lamp".utf8)

    /// What becomes of payloads that come a tenth of a second apart.
    private func observe(_ payloads: [String], _ options: EngineOptions = EngineOptions()) -> [ReportObservation] {
        var generator = SystemRandomNumberGenerator()
        var engine = BridgeEngine(options: options, using: &generator)
        var effects = EffectBuffer()
        engine.observeReports()
        engine.handle(.subscribed, at: Instant(nanoseconds: 0), into: &effects)
        for (step, payload) in payloads.enumerated() {
            let now = Instant(nanoseconds: Int64(step) * 100_000_000)
            guard let accessory = engine.accessory(Self.lamp.span, at: now, into: &effects) else { continue }
            let bytes = Array(payload.utf8)
            engine.handleReport(bytes.span, from: accessory, at: now, into: &effects)
        }
        let observations = engine.takeObservations()
        #expect(engine.takeObservations().isEmpty)
        return observations
    }

    private func json(_ distance: Double, _ more: String = "") -> String { "{\"distance\":\(distance)\(more)}" }

    @Test func `distances are told as they were measured and as they are corrected`() {
        var options = EngineOptions()
        options.accessories["lamp"] = AccessoryOptions()
        options.accessories["lamp"]?.distanceScale = 1.1
        options.accessories["lamp"]?.distanceOffset = -0.5
        let observations = observe([json(2), json(2.01)], options)
        #expect(observations.map(\.measured) == [2, 2.01])
        #expect(observations.map { (($0.distance ?? 0) * 1000).rounded() } == [1700, 1711])
        #expect(observations.map(\.outcome) == [.taken, .taken])
        #expect(observations.map(\.accessory) == ["lamp", "lamp"])
        #expect(observations.map(\.at.nanoseconds) == [0, 100_000_000])
    }

    @Test func `every fate of a report is told`() {
        let payloads = [
            json(2, ",\"seq\":1"), json(2, ",\"seq\":2"), json(2, ",\"seq\":3"), json(2.1, ",\"seq\":4"),
            json(2.1, ",\"seq\":4"), json(2.2, ",\"seq\":3"), json(9, ",\"seq\":5"),
            "{\"status\":\"timeout\",\"seq\":6}", json(-3, ",\"seq\":7"), json(2.1, ",\"seq\":8"),
        ]
        #expect(
            observe(payloads).map(\.outcome) == [
                .taken, .taken, .taken, .taken, .duplicate, .late, .gated, .withoutMeasurement, .withoutMeasurement,
                .taken,
            ]
        )
    }

    @Test func `peers are told apart by name, by configured name and by radio address`() {
        var options = EngineOptions()
        options.accessories["lamp"] = AccessoryOptions()
        options.accessories["lamp"]?.peers["0x00AB"] = PeerOptions()
        options.accessories["lamp"]?.peers["0x00AB"]?.name = "gate"
        let mc = "mc 01 00000663 000005a3 00000512 000004cb 095f c1 00024bed a0:0"
        let observations = observe(
            [json(2), json(2, ",\"peer\":\"alice\""), json(2, ",\"peer\":\"0x00AB\""), mc],
            options
        )
        #expect(observations.prefix(3).map(\.peer) == [nil, "alice", "gate"])
        #expect(observations.count > 3)
        #expect(observations.dropFirst(3).allSatisfy { $0.peer?.hasPrefix("0x") == true })
    }

    @Test func `a failed round tells whose it was, and makes nobody known`() {
        var options = EngineOptions()
        options.limits.peers = 1
        let failed = "{\"status\":\"timeout\",\"peer\":\"bob\"}"
        let observations = observe([failed, json(2, ",\"peer\":\"alice\"")], options)
        #expect(observations.map(\.peer) == ["bob", "alice"])
        #expect(observations.map(\.measured) == [nil, 2])
    }

    @Test func `motion is told as it is known by then`() {
        let payloads = (0..<60).map { json($0 < 20 ? 8 : max(2, 8 - 0.15 * Double($0 - 20))) }
        let motions = observe(payloads).map(\.motion)
        #expect(motions[15] == .still)
        #expect(motions[45] == .approaching)
    }

    @Test func `an engine that is not asked keeps nothing`() {
        var generator = SystemRandomNumberGenerator()
        var engine = BridgeEngine(options: EngineOptions(), using: &generator)
        var effects = EffectBuffer()
        let now = Instant(nanoseconds: 0)
        guard let accessory = engine.accessory(Self.lamp.span, at: now, into: &effects) else { return }
        let bytes = Array(json(2).utf8)
        engine.handleReport(bytes.span, from: accessory, at: now, into: &effects)
        #expect(engine.counters.reports == 1)
        #expect(engine.takeObservations().isEmpty)
    }
}
