// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyCore

@Suite struct BridgeEngineSnapshotsTests {
    private struct Snapshot: Equatable {
        var seconds: Double
        var isChange: Bool
    }

    /// The snapshots of an accessory's aggregate.
    private func snapshots(_ scenario: Scenario, of accessory: Int = 0) -> [Snapshot] {
        scenario.records.compactMap { record in
            guard case .state(StreamID(accessory: AccessoryIndex(accessory)), let isChange) = record.effect else {
                return nil
            }
            return Snapshot(seconds: Double(record.at.nanoseconds) / 1e9, isChange: isChange)
        }
    }

    private func snapshotsWithoutChange(_ scenario: Scenario) -> [Double] {
        snapshots(scenario).filter { !$0.isChange }.map(\.seconds)
    }

    /// A source whose motion is never told, so that distance is the only news.
    private func still(_ change: (inout EngineOptions) -> Void = { _ in }) -> EngineOptions {
        .byException { options in
            options.accessories["lamp"]?.lostAfter = .after(.seconds(10))
            change(&options)
        }
    }

    @Test func `the first report and every change of a zone make a snapshot at once`() {
        var scenario = Scenario(.plain())
        scenario.stay(at: 9, from: 0, to: 1)
        scenario.stay(at: 2, from: 1, to: 2)
        scenario.run(to: 1.9)
        let changes = snapshots(scenario).filter(\.isChange).map(\.seconds)
        #expect(changes.first == 0)
        #expect(changes.contains(1.0))
    }

    @Test func `less than a decimetre is no news`() {
        var scenario = Scenario(still())
        scenario.stay(at: 5, from: 0, to: 5)
        scenario.stay(at: 5.09, from: 5, to: 50)
        scenario.run(to: 50)
        #expect(snapshots(scenario) == [Snapshot(seconds: 0, isChange: true)])
    }

    @Test func `a decimetre is told after state_interval`() {
        var scenario = Scenario(still { $0.stateInterval = .seconds(2) })
        scenario.send(5, at: 0)
        scenario.stay(at: 5.15, from: 0.5, to: 10)
        scenario.run(to: 10)
        #expect(snapshotsWithoutChange(scenario) == [2])
        #expect(scenario.retained()?.distance == 5.15)
    }

    @Test func `while reports come there is a snapshot every minute`() {
        for interval in [1, 300] {
            var scenario = Scenario(still { $0.stateInterval = .seconds(interval) })
            scenario.stay(at: 5, from: 0, to: 150)
            scenario.run(to: 150)
            #expect(snapshotsWithoutChange(scenario) == [60, 120])
        }
        var moving = Scenario(still { $0.stateInterval = .seconds(300) })
        for second in 0..<150 { moving.send(5 + Double(second % 7), at: Double(second)) }
        moving.run(to: 150)
        #expect(snapshotsWithoutChange(moving) == [60, 120])
    }

    @Test func `without reports there is none`() {
        var scenario = Scenario(.byException())
        scenario.send(5, at: 0)
        scenario.run(to: 10_000)
        #expect(snapshots(scenario).count == 1)
    }

    @Test func `the last word of a source by exception is told though no report follows it`() {
        var scenario = Scenario(.byException())
        scenario.send(9, at: 0, peer: "alice")
        scenario.send(5, at: 0.5, peer: "alice")
        scenario.run(to: 0.9)
        #expect(scenario.retained()?.distance == 9)
        scenario.run(to: 1)
        #expect(scenario.retained()?.distance == 5)
        #expect(scenario.retained(peer: "alice")?.distance == 5)
        scenario.run(to: 10_000)
        #expect(snapshotsWithoutChange(scenario) == [1])
    }

    @Test func `all accessories together make no more snapshots a second than state_rate`() {
        var scenario = Scenario(.plain { $0.limits.stateRate = 5 })
        for step in 0..<200 {
            for accessory in 0..<20 {
                scenario.send(5 + Double(step % 2), at: Double(step) / 10, from: "lamp-\(accessory)")
            }
        }
        scenario.run(to: 20)
        let count = scenario.records.count { if case .state(_, isChange: false) = $0.effect { true } else { false } }
        #expect(80...105 ~= count)
    }

    @Test func `a state_rate below one a second still lets snapshots through`() {
        var scenario = Scenario(.byException { $0.limits.stateRate = 0.1 })
        scenario.send(9, at: 0)
        scenario.send(5, at: 2)
        scenario.send(7, at: 4)
        scenario.run(to: 30)
        #expect(scenario.retained()?.distance == 7)
        #expect(snapshotsWithoutChange(scenario) == [2, 12])
    }

    @Test func `a change of motion is a change, but not twice within a quarter of a second`() {
        var scenario = Scenario()
        for step in 0..<100 { scenario.send(20 - Double(step) * 0.12, at: Double(step) / 10) }
        scenario.stay(at: 8, from: 10, to: 20)
        scenario.run(to: 12)
        #expect(scenario.retained()?.motion == .approaching || scenario.retained()?.motion == .still)
        let changes = snapshots(scenario).filter(\.isChange).map(\.seconds)
        #expect(changes.count == 2)
        scenario.run(to: 20)
        #expect(scenario.retained()?.motion == .still)
        #expect(snapshots(scenario).filter(\.isChange).count == 3)
    }

    @Test func `a direction that comes is a change of measurement, told after a quarter of a second`() {
        var scenario = Scenario(.byException())
        scenario.send(5, at: 0)
        scenario.send(5, at: 0.1, fields: #","direction":[0,0,-1]"#)
        scenario.run(to: 1)
        #expect(
            snapshots(scenario) == [Snapshot(seconds: 0, isChange: true), Snapshot(seconds: 0.25, isChange: true)]
        )
        #expect(scenario.retained()?.measurement == .distanceAndDirection)
        scenario.send(5, at: 2)
        scenario.run(to: 3)
        #expect(scenario.retained()?.measurement == .distance)
    }

    @Test func `a state tells everything that the last report did`() throws {
        var lamp = AccessoryOptions()
        lamp.name = "The lamp"
        lamp.peers["alice"] = PeerOptions()
        var scenario = Scenario(.plain { $0.accessories["lamp"] = lamp })
        let fields = #","azimuth":12.5,"elevation":-3,"vertical":"above","quality":0.5,"direction":[1,0,0]"#
        scenario.send(2, at: 0, peer: "alice", fields: fields)
        scenario.send(2, at: 0.5, peer: "alice", fields: fields)
        scenario.run(to: 1)
        for peer in [nil, "alice"] {
            let state = try #require(scenario.retained(peer: peer))
            #expect(state.accessory == "lamp")
            #expect(state.name == (peer == nil ? "The lamp" : nil))
            #expect(state.peer == peer)
            #expect(state.distance == 2)
            #expect(state.rawDistance == 2)
            #expect(state.azimuth == 12.5)
            #expect(state.elevation == -3)
            #expect(state.vertical == .above)
            #expect(state.quality == 0.5)
            #expect(state.direction == [1, 0, 0])
            #expect(state.measurement == .distanceAndDirection)
            #expect(state.motion == .still)
            #expect(state.speed == 0)
            #expect(state.session == .external)
            #expect(state.lastReport == Instant(nanoseconds: 500_000_000))
            #expect(state.reportRate == 2)
            #expect(state.sequence == scenario.events.last { $0.peer == peer }?.sequence)
            #expect(!state.isRestored)
            #expect(state.zone == "near")
            #expect(state.zones.map(\.since) == [.init(nanoseconds: 0), .init(nanoseconds: 500_000_000)])
            #expect(state.zones.map(\.visit) == [nil, state.sequence])
        }
    }

    @Test func `before anything is known a state says so`() throws {
        var scenario = Scenario(.plain())
        scenario.send(1, at: 0)
        scenario.run(to: 0)
        let state = try #require(scenario.retained())
        #expect(state.zone == "unknown")
        #expect(state.zones.map(\.since) == [nil, nil])
        #expect(state.zones.map(\.visit) == [nil, nil])
        #expect(state.sequence == nil)
        #expect(state.reportRate == nil)
    }

    @Test func `streams that do not exist have no names and no state`() {
        let engine = Scenario().engine
        #expect(engine.streams(of: AccessoryIndex(0)) == [])
        #expect(engine.names(of: StreamID(accessory: AccessoryIndex(7))) == nil)
        #expect(engine.state(of: StreamID(accessory: AccessoryIndex(7))) == nil)
        var scenario = Scenario(.plain())
        scenario.send(1, at: 0)
        scenario.run(to: 1)
        // The unnamed peer has no stream of its own.
        #expect(scenario.engine.names(of: StreamID(accessory: AccessoryIndex(0), peer: 0)) == nil)
        #expect(scenario.engine.names(of: StreamID(accessory: AccessoryIndex(0), peer: 9)) == nil)
    }

    @Test func `a zone word of a lost peer is unknown and of its peers' map too`() {
        var scenario = Scenario(.plain())
        scenario.stay(at: 1, from: 0, to: 1, peer: "alice")
        scenario.run(to: 20)
        #expect(scenario.retained()?.peers.map(\.zone) == ["unknown"])
        #expect(scenario.retained()?.peers.map(\.distance) == [nil])
        #expect(scenario.retained()?.reportRate == nil)
    }

    @Test func `who comes closer is told of with the zone that comes next, and when, and nothing is decided by it`() {
        var scenario = Scenario(EngineOptions())
        scenario.stay(at: 8, from: 0, to: 3)
        // One metre a second, past 3 m at 8 s.
        for step in 0..<60 { scenario.send(8 - 0.1 * Double(step), at: 3 + 0.1 * Double(step)) }
        scenario.run(to: 6)
        let before = scenario.retained()
        #expect(before?.approach?.zone == "near")
        #expect((0.3...4) ~= (before?.approach?.seconds ?? 0))
        #expect(scenario.events.isEmpty)
        scenario.run(to: 8.6)
        #expect(scenario.story() == ["enter near"])
        #expect(scenario.retained()?.approach?.zone == "immediate")
        scenario.stay(at: 2.1, from: 9, to: 14)
        scenario.run(to: 14)
        #expect(scenario.retained()?.approach == nil)
    }

    @Test func `who would take too long is not on his way`() {
        var scenario = Scenario(EngineOptions())
        for step in 0..<60 { scenario.send(30 - 0.1 * Double(step), at: 0.1 * Double(step)) }
        scenario.run(to: 6)
        #expect(scenario.retained()?.motion == .approaching)
        #expect(scenario.retained()?.approach == nil)
    }
}
