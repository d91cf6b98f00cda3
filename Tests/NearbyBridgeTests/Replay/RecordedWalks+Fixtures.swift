// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import TestSupport

@testable import NearbyBridge

extension Walk {
    /// The sixteen recorded walks.
    static func recorded() throws -> [Walk] {
        try Fixtures.walks.map { name in
            try Walk.parse(try Fixtures.read("uwb-walk/\(name).csv"), file: "\(name).csv")
        }
    }
}

/// Runs walks through an engine as they would have come live: with the device's timestamps, at other receive times.
struct WalkDriver {
    private var engine: BridgeEngine
    private var effects = EffectBuffer()

    init() {
        var generator = SplitMix64(seed: 1)
        engine = BridgeEngine(options: EngineOptions(), using: &generator)
    }

    /// The zone events of a walk whose samples arrive when `arrival` says, never before they were measured.
    mutating func events(of walk: Walk, arrival: (_ position: Int, _ time: Double) -> Double) -> [ZoneEvent] {
        let identifier = Array("walk".utf8)
        engine.handle(.subscribed, at: Replay.instant(walk.samples.first?.time ?? 0), into: &effects)
        for (position, sample) in walk.samples.enumerated() {
            let now = Replay.instant(max(sample.time, arrival(position, sample.time)))
            guard let index = engine.accessory(identifier.span, at: now, into: &effects) else { break }
            var json = JSONWriter()
            json.beginObject()
            json.pair("distance", sample.measured, decimals: 6)
            json.pair("timestamp", 1_764_511_312 + sample.time)
            json.endObject()
            engine.handleReport(json.bytes.span, from: index, at: now, into: &effects)
        }
        defer { effects.removeAll() }
        return effects.effects.compactMap { if case .event(let event) = $0 { event } else { nil } }
    }
}
