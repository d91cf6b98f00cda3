// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import Testing

@testable import NearbyBridge

extension ReportTrace {
    /// What the engine makes of distances: times in seconds, `nil` is a failed round.
    static func observed(
        _ distances: [(time: Double, distance: Double)],
        options: EngineOptions = EngineOptions()
    ) throws -> ReportTrace {
        let samples = distances.map { Walk.Sample(time: $0.time, measured: $0.distance, truth: nil) }
        var replay = Replay(options: options, name: "lamp", isObserving: true)
        _ = replay.events(of: Walk(name: "lamp", samples: samples))
        return try #require(ReportTrace.all(in: replay.takeObservations()).first)
    }

    /// Somebody who stands at two metres for so many seconds; `correlation` in seconds.
    static func standing(
        sigma: Double,
        rate: Double = 10,
        correlation: Double = 0,
        seconds: Double = 120,
        seed: UInt64 = 1,
        options: EngineOptions = EngineOptions()
    ) throws -> ReportTrace {
        // e^-x of an exponential smoothing's weight.
        let memory = correlation > 0 ? 1 / (1 + 1 / (rate * correlation)) : 0
        var noise = RememberingNoise(seed: seed, memory: memory)
        let steps = 0..<Int(seconds * rate)
        return try observed(steps.map { (Double($0) / rate, 4 + sigma * noise.next()) }, options: options)
    }
}
