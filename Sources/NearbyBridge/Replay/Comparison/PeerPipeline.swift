// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// Somebody else's smoothing and rule, written again.
struct PeerPipeline<Filter: ComparisonFilter, Rule: ComparisonRule>: Pipeline {
    let name: String
    let source: String
    let filter: Filter
    let rule: Rule

    init(_ name: String, _ source: String, _ filter: Filter, _ rule: Rule) {
        self.name = name
        self.source = source
        self.filter = filter
        self.rule = rule
    }

    func transitions(of walk: Walk, zones: [EngineOptions.NamedZone]) -> [[Accuracy.Transition]] {
        var filter = filter
        // What the bridge takes for no measurement is none for them either (CONTRACT section 3).
        let heard = walk.samples.filter { $0.measured >= -0.5 }
        let smoothed = heard.map { filter.smooth(max(0, $0.measured), at: $0.time) }
        return zones.map { zone in
            guard let radii = ZoneRadii(zone) else { return [] }
            var rule = rule
            var isInside = false
            var transitions: [Accuracy.Transition] = []
            for (sample, distance) in zip(heard, smoothed) {
                let now = rule.isInside(distance, at: sample.time, radii)
                if now != isInside { transitions.append(Accuracy.Transition(time: sample.time, isEnter: now)) }
                isInside = now
            }
            return transitions
        }
    }
}
