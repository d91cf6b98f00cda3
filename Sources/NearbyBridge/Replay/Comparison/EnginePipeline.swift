// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// The bridge's own engine with some smoothing: the very code that runs live.
struct EnginePipeline: Pipeline {
    let name: String
    let source: String
    /// Everything that the configuration says, this pipeline's smoothing included.
    let options: EngineOptions

    init(_ name: String, _ source: String, _ options: EngineOptions, smoothing: FilterOptions) {
        self.name = name
        self.source = source
        var options = options
        options.smoothing = smoothing
        self.options = options
    }

    func transitions(of walk: Walk, zones: [EngineOptions.NamedZone]) -> [[Accuracy.Transition]] {
        var transitions: [[Accuracy.Transition]] = []
        // An engine has room for so many zones.
        for start in stride(from: 0, to: zones.count, by: Zone.maximumCount) {
            let part = zones[start..<min(start + Zone.maximumCount, zones.count)]
            var options = options
            options.zones = Array(part)
            var replay = Replay(options: options, name: walk.name)
            transitions += Self.byZone(replay.events(of: walk), part.map(\.name))
        }
        return transitions
    }

    /// The transitions of each of the named zones among events.
    static func byZone(_ events: [ZoneEvent], _ names: [String]) -> [[Accuracy.Transition]] {
        var transitions = Array(repeating: [Accuracy.Transition](), count: names.count)
        let places = Dictionary(zip(names, names.indices)) { first, _ in first }
        for event in events {
            guard let place = places[event.zone] else { continue }
            let time = Replay.seconds(event.at)
            switch event.kind {
            case .enter: transitions[place].append(Accuracy.Transition(time: time, isEnter: true))
            case .exit: transitions[place].append(Accuracy.Transition(time: time, isEnter: false))
            case .dwell: break
            }
        }
        return transitions
    }
}
