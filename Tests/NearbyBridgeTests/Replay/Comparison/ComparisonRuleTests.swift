// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import Testing

@testable import NearbyBridge

struct ComparisonRuleTests {
    /// When a zone of 1.5 m with a hysteresis of 0.3 m is inside, of ten distances a second.
    private func inside(_ rule: some ComparisonRule, _ distances: [Double], every step: Double = 0.1) throws -> [Bool] {
        let zone = try #require(ZoneRadii(.init(name: "zone", options: ZoneOptions(radius: 1.5))))
        var rule = rule
        return distances.enumerated().map { rule.isInside($1, at: Double($0) * step, zone) }
    }

    private func story(_ inside: [Bool]) -> String { inside.map { $0 ? "i" : "o" }.joined() }

    @Test func `zone radii are those of the engine`() throws {
        let near = try #require(ZoneRadii(.init(name: "near", options: ZoneOptions(radius: 5))))
        #expect(near == ZoneRadii(near.name, 5, 5.5))
        #expect(ZoneRadii(.init(name: "near", options: ZoneOptions(radius: 5, hysteresis: 0)))?.exitRadius == 5)
        #expect(ZoneRadii(.init(name: "off", options: ZoneOptions(radius: 5, isEnabled: false))) == nil)
        #expect(ZoneRadii(.init(name: "none", options: ZoneOptions())) == nil)
    }

    @Test func `a threshold is at the radius, at the exit radius or at a multiple`() throws {
        let distances = [2, 1.5, 1.4, 1.6, 1.9, 4.4, 4.6]
        #expect(story(try inside(ThresholdRule(exit: .radius), distances)) == "ooioooo")
        #expect(story(try inside(ThresholdRule(exit: .exitRadius), distances)) == "ooiiooo")
        #expect(story(try inside(ThresholdRule(exit: .ratio(3)), distances)) == "ooiiiio")
    }

    @Test func `Frigate counts three in, steps back for one out, and leaves at once`() throws {
        let rule = CountRule(enterCount: 3, exitCount: 1, interruption: .countedDown)
        #expect(story(try inside(rule, [1, 1, 2, 1, 1, 2, 1])) == "ooooioo")
    }

    @Test func `Sewio counts both ways; an inside report takes back an exit, an outside one no enter`() throws {
        let rule = CountRule(enterCount: 3, exitCount: 3, interval: 2)
        #expect(story(try inside(rule, [1, 2, 1, 2, 1, 2, 2, 1, 2, 2, 2])) == "ooooiiiiiio")
        // Reports that are too far apart do not count together.
        #expect(story(try inside(rule, [1, 1, 1, 1], every: 2.5)) == "oooo")
        #expect(story(try inside(rule, [1, 1, 1, 1], every: 1.5)) == "ooii")
    }

    @Test func `omlox tolerates the band for a while and delays every exit`() throws {
        let rule = ToleranceRule(toleranceTimeout: 3, exitDelay: 1)
        let band = try inside(rule, [1] + Array(repeating: 1.6, count: 60))
        // Into the band at 0.1 s, over at 3.1 s, out at 4.1 s.
        #expect(band.firstIndex(of: false) == 41)
        let away = try inside(rule, [1] + Array(repeating: 5, count: 20))
        #expect(away.firstIndex(of: false) == 11)
        let back = try inside(rule, [1] + Array(repeating: 5, count: 9) + [1] + Array(repeating: 5, count: 9))
        #expect(!back.contains(false))
    }
}

extension ZoneRadii {
    fileprivate init?(_ name: String, _ radius: Double, _ exitRadius: Double) {
        self.init(.init(name: name, options: ZoneOptions(radius: radius, hysteresis: exitRadius - radius)))
    }
}
