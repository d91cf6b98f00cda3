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

    /// The walk as a source of so many reports a second would have told it.
    func sampled(at rate: Double) -> Walk {
        var due = -Double.infinity
        var kept: [Sample] = []
        for sample in samples where sample.time >= due {
            kept.append(sample)
            // A tenth of the step is the recording's own jitter.
            due = sample.time + 0.9 / rate
        }
        return Walk(name: name, samples: kept)
    }

    /// A peer that stands at a distance for ten minutes, with a noise of 0.12 m.
    ///
    /// It walks there at 1.2 m/s from farther away, unless it stands there from the beginning.
    static func stand(
        at distance: Double,
        comingFrom start: Double = 0,
        isCorrelated: Bool,
        seed: UInt64
    ) -> Walk {
        var generator = SplitMix64(seed: seed)
        // First-order autoregressive with a time constant of one second: e^-0.1.
        let memory = isCorrelated ? 0.904_837 : 0
        let fresh = (1 - memory * memory).squareRoot()
        var noise = 0.0
        let samples = (0..<6000).map { step in
            var normal = -6.0
            for _ in 0..<12 { normal += Double.random(in: 0..<1, using: &generator) }
            noise = step == 0 ? normal : memory * noise + fresh * normal
            let truth = max(distance, start - 0.12 * Double(step))
            return Sample(time: Double(step) / 10, measured: truth + 0.12 * noise, truth: truth)
        }
        return Walk(name: "stand", samples: samples)
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
