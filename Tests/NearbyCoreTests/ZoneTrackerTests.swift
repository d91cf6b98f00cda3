// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyCore

/// The zones of these tests: `inner` 1 m and `outer` 2 m, both left at 0.5 m more, without holds.
@Suite struct ZoneTrackerTests {
    private static let inner: UInt32 = 1
    private static let outer: UInt32 = 2

    private func set(inner: ZoneOptions = ZoneOptions(), outer: ZoneOptions = ZoneOptions()) -> ZoneSet {
        let base = ZoneOptions(hysteresis: 0.5, enterHold: .zero, exitHold: .zero)
        let zones = [
            Zone(index: 0, options: base.overridden(by: .init(radius: 1)).overridden(by: inner), lostAfter: .never),
            Zone(index: 1, options: base.overridden(by: .init(radius: 2)).overridden(by: outer), lostAfter: .never),
        ]
        return ZoneSet(zones: zones.compactMap(\.self), lostAfter: .never)
    }

    private func tracker(_ inner: ZoneState, _ outer: ZoneState) -> ZoneTracker {
        var tracker = ZoneTracker(count: 2)
        tracker.zones[0].state = inner
        tracker.zones[1].state = outer
        return tracker
    }

    /// Observes and carries the changes out, as the engine does.
    private func observe(
        _ tracker: inout ZoneTracker,
        _ distance: Double,
        at seconds: Double,
        isConfirmed: Bool = true,
        _ set: ZoneSet
    ) -> ZoneChanges {
        let time = Int64((seconds * 1e9).rounded())
        let changes = tracker.observe(distance, at: time, isConfirmed: isConfirmed, in: set)
        for zone in 0..<2 {
            let bit = UInt32(1) << UInt32(zone)
            if changes.entered & bit != 0 { tracker.zones[zone].state = .inside }
            if (changes.exited | changes.settled) & bit != 0 { tracker.zones[zone].state = .outside }
            if (changes.entered | changes.exited) & bit != 0 { tracker.zones[zone].holdSince = ZoneStatus.noHold }
        }
        return changes
    }

    // MARK: Every state and every place of a distance

    struct Row: Sendable {
        var from: (ZoneState, ZoneState)
        var distance: Double
        var entered: UInt32 = 0
        var exited: UInt32 = 0
        var settled: UInt32 = 0
    }

    /// Every pair of states with distances in every band.
    ///
    /// 0.9 is in both, 1.2 in the inner band, 1.7 only in the outer zone,
    /// 2.2 in the outer band, 9 beyond everything. Exactly on a line nothing is entered and nothing is left.
    static let rows: [Row] = [
        Row(from: (.unknown, .unknown), distance: 0.9, entered: inner | outer),
        Row(from: (.unknown, .unknown), distance: 1.0, entered: outer, settled: inner),
        Row(from: (.unknown, .unknown), distance: 1.2, entered: outer, settled: inner),
        Row(from: (.unknown, .unknown), distance: 2.0, settled: inner | outer),
        Row(from: (.unknown, .unknown), distance: 2.2, settled: inner | outer),
        Row(from: (.unknown, .unknown), distance: 9, settled: inner | outer),
        Row(from: (.outside, .outside), distance: 0.9, entered: inner | outer),
        Row(from: (.outside, .outside), distance: 1.2, entered: outer),
        Row(from: (.outside, .outside), distance: 2.0),
        Row(from: (.outside, .outside), distance: 2.2),
        Row(from: (.outside, .outside), distance: 9),
        Row(from: (.outside, .inside), distance: 0.9, entered: inner),
        Row(from: (.outside, .inside), distance: 1.2),
        Row(from: (.outside, .inside), distance: 2.2),
        Row(from: (.outside, .inside), distance: 2.5),
        Row(from: (.outside, .inside), distance: 9, exited: outer),
        Row(from: (.inside, .inside), distance: 0.9),
        Row(from: (.inside, .inside), distance: 1.5),
        Row(from: (.inside, .inside), distance: 1.7, exited: inner),
        Row(from: (.inside, .inside), distance: 9, exited: inner | outer),
        Row(from: (.unknown, .inside), distance: 0.9, entered: inner),
        Row(from: (.unknown, .inside), distance: 1.2, settled: inner),
        Row(from: (.unknown, .inside), distance: 9, exited: outer, settled: inner),
        Row(from: (.unknown, .outside), distance: 0.9, entered: inner | outer),
        Row(from: (.unknown, .outside), distance: 1.2, entered: outer, settled: inner),
        Row(from: (.unknown, .outside), distance: 9, settled: inner),
        Row(from: (.outside, .unknown), distance: 0.9, entered: inner | outer),
        Row(from: (.outside, .unknown), distance: 1.2, entered: outer),
        Row(from: (.outside, .unknown), distance: 9, settled: outer),
    ]

    @Test(arguments: rows)
    func `a confirmed distance changes what the table says`(row: Row) {
        var tracker = tracker(row.from.0, row.from.1)
        let changes = observe(&tracker, row.distance, at: 0, set())
        #expect(changes.entered == row.entered)
        #expect(changes.exited == row.exited)
        #expect(changes.settled == row.settled)
    }

    @Test(arguments: rows)
    func `an unconfirmed distance settles the unknown and does nothing else`(row: Row) {
        var tracker = tracker(row.from.0, row.from.1)
        let changes = observe(&tracker, row.distance, at: 0, isConfirmed: false, set())
        #expect(changes.entered == 0)
        #expect(changes.exited == 0)
        #expect(changes.settled == row.settled)
        #expect(tracker.earliestHoldEnd(in: set(), at: 0) == nil)
    }

    // MARK: Holds

    @Test func `a zone is entered when the hold has passed without interruption`() {
        let set = set(outer: ZoneOptions(enterHold: .seconds(1)))
        var tracker = tracker(.outside, .outside)
        #expect(observe(&tracker, 1.5, at: 0, set).isEmpty)
        #expect(observe(&tracker, 1.5, at: 0.9, set).isEmpty)
        #expect(observe(&tracker, 2.1, at: 0.95, set).isEmpty)
        #expect(observe(&tracker, 1.5, at: 1, set).isEmpty)
        #expect(tracker.earliestHoldEnd(in: set, at: 0) == 2_000_000_000)
        #expect(observe(&tracker, 1.5, at: 1.9, set).isEmpty)
        #expect(observe(&tracker, 1.5, at: 2, set).entered == Self.outer)
        #expect(tracker.earliestHoldEnd(in: set, at: 0) == nil)
    }

    @Test func `a zone is left when the hold has passed without interruption`() {
        let set = set(outer: ZoneOptions(exitHold: .seconds(1)))
        var tracker = tracker(.outside, .inside)
        #expect(observe(&tracker, 3, at: 0, set).isEmpty)
        #expect(observe(&tracker, 2.4, at: 0.5, set).isEmpty)
        #expect(observe(&tracker, 3, at: 0.6, set).isEmpty)
        #expect(observe(&tracker, 3, at: 1.5, set).isEmpty)
        #expect(observe(&tracker, 3, at: 1.6, set).exited == Self.outer)
    }

    @Test func `from unknown the hold counts too, and a distance beyond the radius ends it`() {
        let set = set(outer: ZoneOptions(enterHold: .seconds(1)))
        var tracker = tracker(.outside, .unknown)
        #expect(observe(&tracker, 1.5, at: 0, set).isEmpty)
        #expect(observe(&tracker, 2.1, at: 0.5, set).settled == Self.outer)
        #expect(tracker.earliestHoldEnd(in: set, at: 0) == nil)
    }

    @Test func `cancelled holds begin anew`() {
        let set = set(outer: ZoneOptions(enterHold: .seconds(1)))
        var tracker = tracker(.outside, .outside)
        _ = observe(&tracker, 1.5, at: 0, set)
        tracker.cancelHolds()
        #expect(tracker.earliestHoldEnd(in: set, at: 0) == nil)
        #expect(observe(&tracker, 1.5, at: 1, set).isEmpty)
        #expect(observe(&tracker, 1.5, at: 2, set).entered == Self.outer)
    }

    @Test func `the earliest of several holds is told`() {
        let set = set(inner: ZoneOptions(enterHold: .seconds(3)), outer: ZoneOptions(enterHold: .seconds(2)))
        var tracker = tracker(.outside, .outside)
        _ = observe(&tracker, 0.5, at: 1, set)
        #expect(tracker.earliestHoldEnd(in: set, at: 0) == 3_000_000_000)
    }

    @Test func `a hold without end never ends`() {
        let set = set(outer: ZoneOptions(enterHold: .seconds(Int64.max)))
        var tracker = tracker(.outside, .outside)
        _ = observe(&tracker, 1.5, at: 5, set)
        #expect(tracker.earliestHoldEnd(in: set, at: 0) == .max)
        #expect(observe(&tracker, 1.5, at: 9_000_000_000, set).isEmpty)
    }

    // MARK: Nesting

    @Test func `an inner enter brings the outer zone whose hold still runs`() {
        let set = set(outer: ZoneOptions(enterHold: .seconds(9)))
        var tracker = tracker(.outside, .outside)
        #expect(observe(&tracker, 0.5, at: 0, set).entered == Self.inner | Self.outer)
    }

    @Test func `an outer exit brings the inner zone whose hold still runs`() {
        let set = set(inner: ZoneOptions(exitHold: .seconds(9)))
        var tracker = tracker(.inside, .inside)
        #expect(observe(&tracker, 5, at: 0, set).exited == Self.inner | Self.outer)
    }

    @Test func `an inner zone with a wider band than the outer one leaves with it`() {
        let set = set(inner: ZoneOptions(hysteresis: 5))
        var tracker = tracker(.inside, .inside)
        #expect(observe(&tracker, 2.4, at: 0, set).isEmpty)
        #expect(observe(&tracker, 3, at: 1, set).exited == Self.inner | Self.outer)
    }

    @Test(arguments: UInt64(1)...60)
    func `an inner zone is never inside without the outer one`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        func options() -> ZoneOptions {
            ZoneOptions(
                hysteresis: Double.random(in: 0..<3, using: &random),
                enterHold: .milliseconds(Int.random(in: 0..<900, using: &random)),
                exitHold: .milliseconds(Int.random(in: 0..<900, using: &random))
            )
        }
        let set = set(inner: options(), outer: options())
        var tracker = ZoneTracker(count: 2)
        var distance = 2.0
        for step in 0..<2000 {
            distance = min(6, max(0, distance + Double.random(in: -0.5...0.5, using: &random)))
            let isConfirmed = Int.random(in: 0..<20, using: &random) > 0
            let changes = observe(&tracker, distance, at: Double(step) * 0.1, isConfirmed: isConfirmed, set)
            #expect(changes.entered & changes.exited == 0)
            #expect(changes.settled & (changes.entered | changes.exited) == 0)
            #expect(tracker.zones[0].state != .inside || tracker.zones[1].state == .inside)
            #expect(tracker.isInside == (tracker.zones[1].state == .inside))
        }
    }
}
