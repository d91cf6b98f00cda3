// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NearbyBridge
@testable import NearbyCore

struct ZoneExplanationTextTests {
    /// A case of the table: a name, how it differs from `calm`, and what is said.
    struct Row: Sendable, CustomTestStringConvertible {
        var sentence: String
        var change: @Sendable (inout ZoneExplanation) -> Void
        var testDescription: String { sentence }

        init(_ sentence: String, _ change: @escaping @Sendable (inout ZoneExplanation) -> Void) {
            self.sentence = sentence
            self.change = change
        }
    }

    /// 2025-11-30 14:02 UTC.
    private static let wall = WallTime(origin: 1_764_511_320_000_000_000)

    private static func at(_ seconds: Double) -> Instant { Instant(nanoseconds: Int64(seconds * 1e9)) }

    /// Outside at 3.42 m, at 60 s, with a report every tenth of a second.
    private static func calm() -> ZoneExplanation {
        let options = ZoneOptions(radius: 3, enterHold: .milliseconds(500), exitHold: .milliseconds(200))
        let zone = Zone(index: 0, options: options, lostAfter: .after(.seconds(10)))
        var explanation = ZoneExplanation(
            accessory: "lamp",
            zone: "near",
            at: at(60),
            state: .outside,
            since: at(0),
            rules: zone.map { ZoneExplanation.Rules($0) },
            session: .external
        )
        explanation.distance = 3.42
        explanation.rawDistance = 3.42
        explanation.isConfirmed = true
        explanation.lastReport = at(60)
        explanation.silence = .zero
        explanation.interval = .milliseconds(100)
        explanation.lostAt = at(70)
        return explanation
    }

    private static func gate(_ change: (inout GateState) -> Void) -> GateState {
        var gate = GateState(
            stage: .locked,
            passed: 5.9,
            since: .milliseconds(200),
            speed: 2.5,
            slack: 0.3,
            reach: 0.8,
            takeover: .milliseconds(700)
        )
        change(&gate)
        return gate
    }

    private static func lose(_ explanation: inout ZoneExplanation, _ reason: ZoneExitReason, held: Int64 = .min) {
        explanation.state = .unknown
        explanation.distance = nil
        explanation.silence = .milliseconds(14_200)
        explanation.lostAt = nil
        explanation.decisions = [ZoneDecision(.exited(reason), zone: 0, at: at(0), held: held)]
    }

    private static let distances: [Row] = [
        Row("outside: 3.42 m is not below 3.00 m; enters after 0.5 s below 3.00 m") { _ in },
        Row("outside: 3.42 m is not below 3.00 m; enters below 3.00 m") {
            let zone = Zone(index: 0, options: ZoneOptions(radius: 3), lostAfter: .never)
            $0.rules = zone.map { ZoneExplanation.Rules($0) }
        },
        Row("unknown: 3.42 m is not below 3.00 m; enters after 0.5 s below 3.00 m") {
            $0.state = .unknown
            $0.since = nil
        },
        Row("inside since 14:02 UTC: 2.20 m is below 3.00 m; leaves after 0.2 s beyond 3.30 m") {
            $0.state = .inside
            $0.distance = 2.2
            $0.rawDistance = 2.25
        },
        Row("inside since 14:02 UTC: 3.12 m is beyond 3.00 m but not beyond 3.30 m; leaves after 0.2 s beyond 3.30 m") {
            $0.state = .inside
            $0.distance = 3.12
            $0.rawDistance = 3.12
        },
        Row(
            "inside since 14:02 UTC: 3.12 m (smoothed; the last measured was 3.80 m) is beyond 3.00 m but not beyond "
                + "3.30 m; leaves after 0.2 s beyond 3.30 m"
        ) {
            $0.state = .inside
            $0.distance = 3.12
            $0.rawDistance = 3.8
        },
        Row("inside since 2025-11-30 14:02 UTC: 2.20 m is below 3.00 m; leaves after 0.2 s beyond 3.30 m") {
            $0.state = .inside
            $0.distance = 2.2
            $0.rawDistance = 2.2
            $0.at = at(100_000)
        },
        Row("inside since 14:02 UTC: 3.42 m is beyond 3.30 m; leaves in 0.1 s unless a report says otherwise") {
            $0.state = .inside
            $0.held = .milliseconds(100)
        },
        Row("inside since 14:02 UTC: 3.42 m is beyond 3.30 m, but waits for more distances that agree") {
            $0.state = .inside
            $0.isConfirmed = false
        },
        Row("inside since 14:02 UTC: 3.42 m is beyond 3.30 m; the next report decides") { $0.state = .inside },
        Row("outside: 1.20 m is below 3.00 m; enters in 0.4 s unless a report says otherwise") {
            $0.distance = 1.2
            $0.rawDistance = 1.2
            $0.held = .milliseconds(100)
        },
        Row("unknown: 1.20 m is below 3.00 m, but waits for more distances that agree") {
            $0.state = .unknown
            $0.since = nil
            $0.distance = 1.2
            $0.rawDistance = 1.2
            $0.isConfirmed = false
        },
        Row(
            "outside: held back: 0.80 m cannot be reached from 5.90 m within 0.2 s at 2.5 m/s; "
                + "0.4 s of 0.7 s of such distances"
        ) {
            $0.gate = gate {
                $0.rival = 0.8
                $0.rivalFor = .milliseconds(400)
            }
        },
        Row("outside: 3.42 m is not below 3.00 m; enters after 0.5 s below 3.00 m") { $0.gate = gate { _ in } },
    ]

    private static let silences: [Row] = [
        Row("outside: nobody has reported for 4.2 s; lost at 10 s") {
            $0.silence = .milliseconds(4200)
            $0.lostAt = at(65.8)
        },
        Row("outside: 3.42 m is not below 3.00 m; enters after 0.5 s below 3.00 m") {
            $0.silence = .milliseconds(4200)
            $0.interval = .seconds(2)
        },
        Row(
            "inside since 14:02 UTC: nobody has reported for 4.2 s; lost at 10 s; "
                + "the hold to leave has run 0.1 s of 0.2 s and waits for a report"
        ) {
            $0.state = .inside
            $0.held = .milliseconds(100)
            $0.silence = .milliseconds(4200)
            $0.lostAt = at(65.8)
        },
        Row("outside: nobody has reported for 90 s; it is never lost") {
            $0.silence = .seconds(90)
            $0.lostAt = nil
        },
        Row("outside: 3.42 m is not below 3.00 m; enters after 0.5 s below 3.00 m") {
            $0.silence = .seconds(90)
            $0.lostAt = nil
            $0.isByException = true
        },
        Row("outside: its source has called it away; lost at 5 s") {
            $0.isGone = true
            $0.silence = .seconds(3)
            $0.lostAt = at(62)
        },
        Row("unknown since 14:02 UTC: nobody has reported for 14.2 s; lost after 10 s; enters after 0.5 s below 3.00 m")
        {
            lose(&$0, .lost, held: 10_000_000_000)
        },
        Row(
            "unknown since 14:02 UTC: nobody has reported for 14.2 s; the session ended; enters after 0.5 s below 3.00 m"
        ) { lose(&$0, .sessionEnded) },
        Row(
            "unknown since 14:02 UTC: nobody has reported for 14.2 s; the session was suspended; enters after 0.5 s below 3.00 m"
        ) {
            lose(&$0, .suspended)
        },
        Row("outside: nobody has reported for 14.2 s; enters after 0.5 s below 3.00 m") {
            lose(&$0, .left)
            $0.state = .outside
        },
        Row("unknown: no report since the start") {
            $0.state = .unknown
            $0.since = nil
            $0.lastReport = nil
            $0.distance = nil
        },
        Row("inside since 14:02 UTC, from before the start: no report since; lost at 10 s") {
            $0.state = .inside
            $0.isRestored = true
            $0.lastReport = nil
            $0.distance = nil
        },
        Row("outside: the bridge is not connected, and silence means nothing") { $0.isBlind = true },
    ]

    private static let sessions: [Row] = [
        Row("unknown since 14:02 UTC: the session is suspended; its reports count again when it goes on") {
            lose(&$0, .suspended)
            $0.session = .suspended
        },
        Row("unknown: the last report did not count: of an earlier run, or outside a session, which is ended") {
            $0.state = .unknown
            $0.since = nil
            $0.lastReport = nil
            $0.session = .ended
            $0.samples = [ReportSample(at: at(60), measured: 1, corrected: 1, verdict: .refused)]
        },
        Row("outside: the zone is disabled") { $0.rules = nil },
    ]

    private static func peers(_ states: [(String, ZoneState, Double?)]) -> [ZoneExplanation.Peer] {
        states.map { ZoneExplanation.Peer(name: $0.0, state: $0.1, distance: $0.2) }
    }

    private static let severalPeers: [Row] = [
        Row("inside since 14:02 UTC: alice of 2 peers is inside") {
            $0.state = .inside
            $0.peers = peers([("alice", .inside, 2), ("bob", .outside, 5)])
        },
        Row("inside since 14:02 UTC: a, b, c and 2 more of 5 peers are inside") {
            $0.state = .inside
            $0.peers = peers(["a", "b", "c", "d", "e"].map { ($0, .inside, 2) })
        },
        Row("unknown since 14:02 UTC: nobody knows where bob of 2 peers is") {
            $0.state = .unknown
            $0.peers = peers([("alice", .outside, 5), ("bob", .unknown, nil)])
        },
        Row("outside: the nearest of 2 peers, bob, is at 4.20 m, not below 3.00 m") {
            $0.peers = peers([("alice", .outside, 5), ("bob", .outside, 4.2)])
        },
        Row("outside: the nearest of 2 peers, the unnamed one, is at 2.90 m, below 3.00 m") {
            $0.peers = peers([("", .outside, 2.9), ("bob", .outside, 4.2)])
        },
        Row("outside: none of 2 peers has a distance") {
            $0.peers = peers([("alice", .outside, nil), ("bob", .outside, nil)])
        },
    ]

    @Test(arguments: distances + silences + sessions + severalPeers)
    func `people read why`(_ row: Row) {
        var explanation = Self.calm()
        row.change(&explanation)
        #expect(ZoneExplanationText(explanation, Self.wall).sentence == row.sentence)
    }
}
