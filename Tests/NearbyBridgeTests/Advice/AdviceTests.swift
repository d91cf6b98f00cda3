// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import Testing

@testable import NearbyBridge

struct AdviceTests {
    /// Trials of a quarter of an hour: the real engine takes its time in a debug build.
    private func advice(
        _ trace: ReportTrace,
        _ options: EngineOptions = EngineOptions(),
        radii: [Double] = []
    ) throws -> Advice {
        try #require(Advice(trace, options: options, radii: radii, stay: 900))
    }

    private func near(_ advice: Advice) throws -> ZoneAdvice {
        try #require(advice.zones.first { $0.name == "near" })
    }

    @Test(arguments: [0.05, 0.12], [(1.0, 0.0), (10, 0), (1, 1), (10, 1)])
    func `the defaults are fine for usual noise`(_ sigma: Double, _ source: (rate: Double, correlation: Double)) throws
    {
        let (rate, correlation) = source
        let advice = try advice(try .standing(sigma: sigma, rate: rate, correlation: correlation, seconds: 300))
        let isFine = advice.isFine
        if correlation == 0 { #expect(isFine, "\(advice.zones.map(\.reasons))") }
        for zone in advice.zones {
            #expect(try #require(zone.then).isQuiet || zone.isHopeless)
            #expect(zone.suggested.hysteresis >= zone.configured.hysteresis)
            #expect(zone.reasons.map(\.key) == ["radius", "hysteresis", "enter_hold", "exit_hold"])
        }
    }

    @Test(arguments: [0, 1.0], [1.0, 10])
    func `more noise never means less hysteresis, nor a smaller radius`(_ correlation: Double, _ rate: Double) throws {
        // Without smoothing, where noise shows.
        var options = EngineOptions()
        options.smoothing = FilterOptions(kind: .ema(alpha: 0.5))
        var last = 0.0
        var lastRadius = 0.0
        for sigma in [0.02, 0.05, 0.12, 0.3] {
            let trace = try ReportTrace.standing(sigma: sigma, rate: rate, correlation: correlation, options: options)
            let zone = try near(try advice(trace, options))
            #expect(zone.suggested.hysteresis >= last, "\(sigma)")
            #expect(zone.suggested.radius >= lastRadius, "\(sigma)")
            last = zone.suggested.hysteresis
            lastRadius = zone.suggested.radius
        }
        #expect(last > 0.3)
    }

    @Test func `a band that the noise needs is suggested, and is then quiet`() throws {
        var options = EngineOptions()
        options.smoothing = FilterOptions(kind: .none)
        let zone = try near(try advice(try .standing(sigma: 0.12, correlation: 0.5, options: options), options))
        #expect(try #require(zone.now).worst > 100)
        #expect(try #require(zone.then).isQuiet)
        #expect(zone.suggested.hysteresis > 0.5 && zone.suggested.hysteresis <= 1.5)
        #expect(zone.suggested.radius == 3)
        #expect(zone.reasons[1].reason.contains("false transitions a day"))
    }

    @Test func `a radius too small for the noise grows to the nearest that is not`() throws {
        var options = EngineOptions()
        options.smoothing = FilterOptions(kind: .none)
        let trace = try ReportTrace.standing(sigma: 0.12, correlation: 0.5, options: options)
        let advice = try advice(trace, options, radii: [0.3, 1, 6])
        #expect(advice.zones.map(\.name) == ["zone_30cm", "zone_100cm", "zone_600cm"])
        let radii = advice.zones.map(\.suggested.radius)
        let band = advice.zones[0].suggested.hysteresis
        #expect(radii[0] == radii[1] && radii[0] >= 2 * band - 0.01 && radii[0] < 2 * band + 0.11)
        #expect(radii[2] == 6)
        #expect(advice.warnings.contains(.merged(inner: "zone_30cm", outer: "zone_100cm")))
        #expect(!advice.warnings.contains(.merged(inner: "zone_100cm", outer: "zone_600cm")))
    }

    @Test func `pauses of somebody who is there ask for more patience`() throws {
        let samples = (0..<1200).map { (step: Int) -> (time: Double, distance: Double) in
            (Double(step) / 10 + Double(step / 300) * 13, 2)
        }
        let advice = try advice(try .observed(samples))
        #expect(advice.suggestedLostAfter == .after(.seconds(15)))
        #expect(advice.lostAfterReason.contains("paused longer than 10 s"))
        #expect(!advice.isFine)
        var never = EngineOptions()
        never.lostAfter = .never
        #expect(try self.advice(try .observed(samples), never).suggestedLostAfter == .never)
    }

    @Test func `a slow source is told that its holds last until the next distance`() throws {
        let texts = try advice(try .standing(sigma: 0.03, rate: 1, seconds: 200)).warnings.map(\.text)
        #expect(texts.contains { $0.hasPrefix("exit_hold of near is 0.2 s, and distances come every 1.0 s") })
        let slow = try advice(try .standing(sigma: 0.03, rate: 1.0 / 6, seconds: 1200))
        #expect(slow.warnings.contains { if case .tooSlowForLoss = $0 { true } else { false } })
        #expect(slow.suggestedLostAfter == .after(.seconds(30)))
        let fast = try advice(try .standing(sigma: 0.03))
        #expect(fast.warnings.isEmpty)
    }

    @Test func `an irregular source is told so`() throws {
        let samples = (0..<1500).map { (step: Int) -> (time: Double, distance: Double) in
            (Double(step) / 10 + Double(step / 50) * 2, 2)
        }
        let warnings = try advice(try .observed(samples)).warnings
        #expect(warnings.contains { if case .irregular = $0 { true } else { false } })
    }

    @Test func `without anybody who stands still everything stays, and that is said`() throws {
        let trace = try ReportTrace.observed((0..<300).map { (Double($0) / 10, 1 + 0.1 * Double($0)) })
        let advice = try advice(trace)
        #expect(advice.noise == nil && advice.isFine)
        #expect(advice.warnings == [.nobodyStill])
        #expect(advice.zones.allSatisfy { $0.now == nil && $0.reasons.count == 4 })
    }

    @Test func `overrides of accessory and peer are what is studied`() throws {
        var options = EngineOptions()
        var lamp = AccessoryOptions()
        lamp.lostAfter = .after(.seconds(40))
        lamp.zones["near"] = ZoneOptions(radius: 4, hysteresis: 0.7)
        lamp.zones["immediate"] = ZoneOptions(isEnabled: false)
        options.accessories["lamp"] = lamp
        let advice = try advice(try .standing(sigma: 0.03, options: options), options)
        #expect(advice.zones.map(\.name) == ["near"])
        #expect(advice.zones[0].configured.radius == 4 && advice.zones[0].configured.hysteresis == 0.7)
        #expect(advice.lostAfter == .after(.seconds(40)))
        #expect(advice.isFine)
    }

    @Test func `the recorded walks find the defaults fine`() throws {
        var trace = ReportTrace(accessory: "lamp", peer: nil)
        for walk in try Walk.recorded() {
            trace.parts += try ReportTrace.observed(walk.samples.map { ($0.time, $0.measured) }).parts
        }
        let advice = try advice(trace)
        let isFine = advice.isFine
        #expect(isFine, "\(advice.zones.map(\.reasons))")
        #expect((advice.rate.interval - 0.1).magnitude < 0.01)
    }

    @Test func `the same trace gives the same advice`() throws {
        let trace = try ReportTrace.standing(sigma: 0.3, correlation: 1)
        let isSame = try advice(trace) == advice(trace)
        #expect(isSame)
    }
}
