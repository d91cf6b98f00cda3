// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// How right the events of many pipelines are on the same walks, by the same rule.
struct Comparison: Sendable {
    /// One pipeline.
    struct Row: Sendable {
        var name: String
        var source: String
        /// By condition, then by zone.
        var accuracies: [[Accuracy]]
        /// By radius.
        var sweep: [Accuracy]
    }

    /// 1 to 12 m in steps of a quarter, each with the default hysteresis.
    static let allRadii = (4...48).map { Double($0) / 4 }

    /// The zones of the configuration.
    let zones: [ZoneRadii]
    let conditions: [WalkCondition]
    /// Those of the sweep, in metres.
    let radii: [Double]
    private(set) var rows: [Row]

    /// Puts walks that know the truth through every pipeline.
    init(
        _ walks: [Walk],
        _ options: EngineOptions,
        pipelines: [any Pipeline],
        conditions: [WalkCondition] = WalkCondition.all,
        radii: [Double] = Self.allRadii
    ) {
        let zones = options.zones.filter { ZoneRadii($0) != nil }
        self.zones = zones.compactMap(ZoneRadii.init)
        self.conditions = conditions
        self.radii = radii
        rows = pipelines.map { Row(name: $0.name, source: $0.source, accuracies: [], sweep: []) }
        for condition in conditions {
            let accuracies = Self.accuracies(walks, condition, zones, pipelines)
            for index in rows.indices { rows[index].accuracies.append(accuracies[index]) }
        }
        let sweep = radii.map { radius in
            EngineOptions.NamedZone(name: Self.name(of: radius), options: ZoneOptions(radius: radius))
        }
        let accuracies = Self.accuracies(walks, .recorded, sweep, pipelines)
        for index in rows.indices { rows[index].sweep = accuracies[index] }
    }

    /// By pipeline, then by zone.
    private static func accuracies(
        _ walks: [Walk],
        _ condition: WalkCondition,
        _ zones: [EngineOptions.NamedZone],
        _ pipelines: [any Pipeline]
    ) -> [[Accuracy]] {
        let radii = zones.compactMap(ZoneRadii.init)
        let none = Array(repeating: Accuracy(), count: zones.count)
        var sums = Array(repeating: none, count: pipelines.count)
        for (number, walk) in walks.enumerated() {
            let heard = condition.heard(walk, seed: UInt64(number))
            let stretches = condition.stretches(of: walk, heard: heard).map { Stretch($0, radii) }
            for (index, pipeline) in pipelines.enumerated() {
                let transitions = pipeline.transitions(of: heard, zones: zones)
                for zone in zones.indices {
                    for stretch in stretches { sums[index][zone].add(stretch.judge(transitions[zone], zone)) }
                }
            }
        }
        return sums
    }

    /// A zone's name of letters that a zone may have.
    private static func name(of radius: Double) -> String {
        "r\(Column.decimal(radius * 100, 0))"
    }
}

/// A part of a walk whose truth counts, ready to be compared with.
private struct Stretch {
    let times: ClosedRange<Double>
    let truths: [TrueTransitions]

    init(_ walk: Walk, _ zones: [ZoneRadii]) {
        let course = TrueCourse(walk)
        times = (walk.samples.first?.time ?? 0)...(walk.samples.last?.time ?? 0)
        truths = zones.map { TrueTransitions(course, radius: $0.radius, exitRadius: $0.exitRadius) }
    }

    func judge(_ transitions: [Accuracy.Transition], _ zone: Int) -> Accuracy {
        Accuracy(of: transitions.filter { times.contains($0.time) }, truths[zone])
    }
}
