// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// What a pipeline makes of somebody who is not there: standing on a radius, and walking through the worst noise.
struct SimulatedTrial: Sendable {
    /// A noise to stand in.
    struct Stand: Sendable {
        let name: String
        let noise: [NoiseModel]
    }

    /// One pipeline.
    struct Row: Sendable {
        var name: String
        /// By stand: the transitions of each repetition.
        var stands: [[Int]]
        var crossings: Crossings
    }

    /// Walks into a zone and out again.
    struct Crossings: Sendable {
        /// Walks in all.
        var count = 0
        /// Walks with exactly one enter and one exit.
        var exact = 0
        /// Of these: seconds from the true enter to the event, and from the true exit.
        var enters: [Double] = []
        var exits: [Double] = []
    }

    /// Ten minutes exactly on the radius (reference/uwb-reports.md 8.5, and a body in the way once a minute).
    static let stands = [
        Stand(name: "white 0.12 m", noise: [.gaussian(deviation: 0.12)]),
        Stand(name: "1 s memory", noise: [.correlated(deviation: 0.12)]),
        Stand(
            name: "bodies 60/h",
            noise: [.gaussian(deviation: 0.12), .shadow(Episodes(perHour: 60, seconds: 3), metres: 0.6)]
        ),
    ]
    /// Seconds and metres of a walk at 1 m/s to within half a metre, a stay of 12 s, and back (reference/peers.md 5.2).
    ///
    /// It goes on until every hole in the reports that begins before its exit is over.
    static let crossing: [Walk.Corner] = [(0, 5), (3, 5), (7.5, 0.5), (19.5, 0.5), (24, 5), (52, 5)]

    let zone: ZoneRadii
    private(set) var rows: [Row] = []

    /// Lets so many people stand and walk before each pipeline; everybody before all of them alike.
    ///
    /// `nil` for a zone that is switched off.
    init?(_ pipelines: [any Pipeline], zone: EngineOptions.NamedZone, stands: Int, walks: Int) {
        guard let radii = ZoneRadii(zone) else { return nil }
        self.zone = radii
        rows = pipelines.map { Row(name: $0.name, stands: [], crossings: Crossings()) }
        for stand in Self.stands {
            for index in rows.indices { rows[index].stands.append([]) }
            for seed in 0..<stands {
                let walk = Walk.simulated([(0, radii.radius), (600, radii.radius)], stand.noise, seed: UInt64(seed))
                for (index, pipeline) in pipelines.enumerated() {
                    let count = pipeline.transitions(of: walk, zones: [zone])[0].count
                    rows[index].stands[rows[index].stands.count - 1].append(count)
                }
            }
        }
        let truth = TrueTransitions(
            TrueCourse(Walk.simulated(Self.crossing, [], seed: 0)),
            radius: radii.radius,
            exitRadius: radii.exitRadius
        )
        for seed in 0..<walks {
            let walk = Walk.simulated(Self.crossing, NoiseModel.worst, seed: UInt64(seed))
            for (index, pipeline) in pipelines.enumerated() {
                rows[index].crossings.add(pipeline.transitions(of: walk, zones: [zone])[0], truth)
            }
        }
    }
}

extension SimulatedTrial.Crossings {
    fileprivate mutating func add(_ transitions: [Accuracy.Transition], _ truth: TrueTransitions) {
        count += 1
        guard transitions.map(\.isEnter) == [true, false], truth.changes.count == 2 else { return }
        exact += 1
        enters.append(transitions[0].time - truth.changes[0].time)
        exits.append(transitions[1].time - truth.changes[1].time)
    }
}
